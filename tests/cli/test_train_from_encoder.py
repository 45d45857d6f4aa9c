"""``lsum train`` that begins with a BERT-like encoder, and what it trains in use."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml
from tiny_bert import make_bert
from tiny_checkpoints import make_bart, make_tokenizer
from tiny_training import OBJECTS, SUBJECTS, VERBS, tiny_settings, write_examples

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.training.pagesum import build_objective
from lsum_cli.training.recipes import load_recipe

WORDS = sorted({word for text in (*SUBJECTS, *VERBS, *OBJECTS) for word in text.lower().split()})
ARTICLE = "The Marsh rises the estuary. A river feeds the Birds. The marsh meets the Sea."


def write_recipe(folder: Path, **sections) -> Path:
    files = write_examples(folder / "train.jsonl", 12), write_examples(folder / "valid.jsonl", 3, seed=1)
    settings = tiny_settings(*files, **sections)
    del settings["tokenizer"]
    path = folder / "tiny.yaml"
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    return path


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    make_bert(tmp_path / "bert", WORDS)
    return tmp_path / "bert"


def test_a_pagesum_that_begins_with_bert_is_trained_resumed_and_writes(lsum, bert, tmp_path):
    recipe = write_recipe(tmp_path, model={"encoder": "./bert"}, training={"max_steps": 3})
    trained = lsum("train", recipe, "--output", "run", "--report-to", "none")
    assert trained.code == 0, trained.stderr
    config = json.loads((tmp_path / "run" / "config.json").read_bytes())
    assert (config["model_type"], config["d_model"], config["encoder_layers"]) == ("pagesum", 16, 3)
    assert config["layer_norm_eps"] == 0.01
    more = lsum(
        "train", "--resume", "--output", "run", "--set", "training.max_steps=4", "--report-to", "none"
    )
    assert more.code == 0, more.stderr
    assert "step 4" in more.stderr
    (tmp_path / "article.txt").write_text(ARTICLE, encoding="utf-8")
    options = ["--faithful", "off", "--any-language", "--min-tokens", "8", "--max-tokens", "16"]
    written = lsum("summarize", "article.txt", "-m", "run", *options, "--format", "json")
    assert written.code == 0, written.stderr
    summary = json.loads(written.stdout)
    assert summary["method"] == "pagesum"
    for sentence in summary["sentences"]:
        assert sentence["text"][0].isupper() or not sentence["text"][0].isalpha()
        assert not {"##", "[CLS]", "[SEP]", "[UNK]"} & set(sentence["text"].split())


def test_a_topdown_model_begins_with_bert(lsum, bert, tmp_path):
    model = {"encoder": "./bert", "max_source_tokens": 120, "bottom_up_layers": 2, "top_down_layers": 1}
    sizes = {"segment_layers": 1, "attention_window": 16, "kernel": 8, "stride": 6}
    recipe = write_recipe(
        tmp_path, method="topdown", training={"max_steps": 2, "metric_for_best_model": "loss"}
    )
    settings = yaml.safe_load(recipe.read_text())
    settings["model"] = model | sizes
    recipe.write_text(yaml.safe_dump(settings))
    trained = lsum("train", recipe, "--output", "run", "--report-to", "none")
    assert trained.code == 0, trained.stderr
    (tmp_path / "article.txt").write_text(ARTICLE, encoding="utf-8")
    written = lsum("summarize", "article.txt", "-m", "run", "--any-language", "--faithful", "off")
    assert written.code == 0, written.stderr


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"model.encoder": "./nowhere"}, "nowhere"),
        ({"model.encoder": "o/absent"}, "the encoder o/absent is not on this machine"),
        ({"model.encoder": "./empty"}, "contains no model"),
        ({"model.encoder": "./bart"}, "./bart is a model of the type bart"),
        ({"model.encoder": "./torn"}, "torn cannot be loaded"),
        ({"model.encoder": "./mute"}, "contains no tokenizer"),
        ({"model.encoder": "./frameless"}, "has no tokens for begin"),
        ({"model.encoder": "./bert", "base": "./bart"}, "cannot be used with the base"),
        ({"model.encoder": "./bert", "model.page_len": "65"}, "exceeds the 64 positions of ./bert"),
        ({"model.encoder": "./bert", "data.max_target_tokens": "65"}, "exceeds what the model can write"),
    ],
)
def test_what_cannot_be_begun_with_is_one_line(bert, tmp_path, monkeypatch, settings, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    make_bart(tmp_path / "bart")
    for name in ("torn", "mute", "frameless"):
        shutil.copytree(bert, tmp_path / name)
    weights = tmp_path / "torn" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    (tmp_path / "mute" / "tokenizer.json").unlink()
    make_tokenizer(60).save_pretrained(tmp_path / "frameless")
    recipe = load_recipe(str(write_recipe(tmp_path)), [f"{key}={value}" for key, value in settings.items()])
    with pytest.raises((CheckpointError, OptionError), match=re.escape(said)) as raised:
        build_objective(recipe, (), None)
    assert "\n" not in str(raised.value)
