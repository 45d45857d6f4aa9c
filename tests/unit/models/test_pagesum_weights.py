"""Weights loaded for the engine are the model's, and come without transformers' modeling code."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch
from safetensors.torch import load_file, save_file
from tiny_checkpoints import make_tokenizer
from tiny_pagesum import tiny_pagesum

from lsum_cli.checkpoints.loading import load_folder, quiet_transformers
from lsum_cli.errors import CheckpointError
from lsum_cli.models.pagesum.engine import PageSumEngine

SETTINGS = {
    "plain": {},
    "copying": {"copy": True, "copy_dim": 8},
    "matching": {"copy": True, "copy_match": 2, "scale_embedding": True},
    "global": {"decoding": "global"},
}


@pytest.fixture(params=SETTINGS)
def saved(request, tmp_path):
    model = tiny_pagesum(vocab_size=120, **SETTINGS[request.param])
    with quiet_transformers():
        model.save_pretrained(tmp_path / "model")
        make_tokenizer().save_pretrained(tmp_path / "model")
    return tmp_path / "model"


def test_every_weight_and_setting_is_the_model_s(saved):
    model = load_folder(saved, device="cpu").model
    weights = load_folder(saved, device="cpu", for_engine=True).model
    assert type(weights).__name__ == "PageSumWeights"
    theirs = model.state_dict()
    for name, weight in weights.state_dict().items():
        assert torch.equal(weight, theirs[name]), name
    assert theirs.keys() - weights.state_dict().keys() == {"model.shared.weight"}
    assert weights.model.encoder.embed_tokens.embed_scale == model.model.encoder.embed_tokens.embed_scale
    assert weights.model.decoder.embed_positions.offset == model.model.decoder.embed_positions.offset
    assert weights.config.to_dict() == model.config.to_dict() | {"_name_or_path": ""}
    assert weights.generation_config.to_dict() == model.generation_config.to_dict()
    assert weights.lm_head.weight.data_ptr() == weights.get_input_embeddings().weight.data_ptr()


def test_the_engine_computes_the_same(saved):
    found = []
    for for_engine in (False, True):
        loaded = load_folder(saved, device="cpu", dtype="float32", for_engine=for_engine)
        engine = PageSumEngine.prepare(loaded.model, loaded.precision, release=True)
        decoder = engine.encode([[torch.arange(3, 20), torch.arange(30, 37)]])
        decoder.start(1, 8)
        found += [decoder.step(torch.tensor([token]), torch.tensor([0]))[0] for token in (2, 5, 6)]
    for one, other in zip(found[:3], found[3:], strict=True):
        assert torch.equal(one, other)


def test_what_is_missing_or_misshapen_is_named(saved):
    state = load_file(saved / "model.safetensors")
    fc1 = state.pop("model.encoder.layers.1.fc1.weight")
    save_file(state, saved / "model.safetensors")
    with pytest.raises(CheckpointError, match=r"lacks 1 weights: model.encoder.layers.1.fc1.weight"):
        load_folder(saved, device="cpu", for_engine=True)
    save_file({**state, "model.encoder.layers.1.fc1.weight": fc1[1:].clone()}, saved / "model.safetensors")
    with pytest.raises(CheckpointError, match="has the wrong sizes for 1 weights"):
        load_folder(saved, device="cpu", for_engine=True)
    (saved / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(CheckpointError, match="cannot be loaded"):
        load_folder(saved, device="cpu", for_engine=True)


def test_the_modeling_code_of_transformers_is_not_imported(tmp_path):
    with quiet_transformers():
        tiny_pagesum(vocab_size=120, copy=True).save_pretrained(tmp_path / "model")
        make_tokenizer().save_pretrained(tmp_path / "model")
    code = """
import sys
from pathlib import Path
from lsum_cli.checkpoints.loading import load_folder
from lsum_cli.models.pagesum.engine import PageSumEngine
loaded = load_folder(Path(sys.argv[1]), device="cpu", for_engine=True)
PageSumEngine.prepare(loaded.model, loaded.precision, release=True)
slow = [name for name in ("transformers.modeling_utils", "torch._dynamo") if name in sys.modules]
assert not slow, slow
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "model")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
