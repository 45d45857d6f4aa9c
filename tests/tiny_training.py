"""Tiny data and recipes, with which a training run takes a second."""

from __future__ import annotations

import json
import random
from pathlib import Path

from lsum_cli.training.recipes import decode_recipe
from lsum_cli.training.settings import Recipe

SUBJECTS = ("The marsh", "A river", "The dam", "Mud", "The sea", "A bird", "Grass", "The wall")
VERBS = ("rises", "drowns", "slows", "carries", "feeds", "leaves", "meets", "holds")
OBJECTS = ("the estuary", "the grass", "a slow river", "the birds", "old mud", "the cost", "the sea")


def sentence(chance: random.Random) -> str:
    return f"{chance.choice(SUBJECTS)} {chance.choice(VERBS)} {chance.choice(OBJECTS)}."


def write_examples(path: Path, count: int = 12, *, seed: int = 0) -> Path:
    """Documents of two sections and a summary of two sentences, a JSON object a line."""
    chance = random.Random(seed)
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            sections = [
                {
                    "title": heading,
                    "text": " ".join(sentence(chance) for _ in range(chance.randint(3, 12))),
                }
                for heading in ("Growth", "Decline")
            ]
            summary = " ".join(section["text"].split(". ")[0].rstrip(".") + "." for section in sections)
            file.write(json.dumps({"id": f"e{number}", "sections": sections, "summary": summary}) + "\n")
    return path


def tiny_settings(train_file: Path, validation_file: Path | None = None, **sections: dict) -> dict:
    """What a YAML file of a tiny PageSum recipe holds, with other keys by section."""
    settings: dict = {
        "method": "pagesum",
        "tokenizer": {"vocab_size": 320},
        "model": {
            "locality": "discourse",
            "page_len": 64,
            "d_model": 16,
            "encoder_layers": 1,
            "decoder_layers": 1,
            "attention_heads": 2,
            "ffn_dim": 32,
            "max_position_embeddings": 80,
        },
        "data": {
            "train_file": str(train_file),
            "validation_file": None if validation_file is None else str(validation_file),
            "max_target_tokens": 40,
        },
        "training": {
            "max_steps": 6,
            "per_device_train_batch_size": 2,
            "gradient_accumulation_steps": 2,
            "learning_rate": 0.01,
            "lr_scheduler_type": "inverse_sqrt",
            "warmup_steps": 2,
            "dropout": 0.1,
            "eval_steps": 3,
            "eval_samples": 0,
            "logging_steps": 1,
        },
        "generation": {"min_tokens": 1, "max_tokens": 12, "beams": 1},
    }
    for section, values in sections.items():
        if isinstance(values, dict):
            settings[section] = (settings.get(section) or {}) | values
        else:
            settings[section] = values
    return settings


def tiny_recipe(train_file: Path, validation_file: Path | None = None, **sections) -> Recipe:
    return decode_recipe(tiny_settings(train_file, validation_file, **sections), "the tiny recipe")
