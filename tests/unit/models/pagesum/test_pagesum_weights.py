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
from lsum_cli.models.pagesum.settings import PageSumSettings

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
    assert type(weights).__name__ == "PageSumParameters"
    theirs = model.state_dict()
    for name, weight in weights.state_dict().items():
        assert torch.equal(weight, theirs[name]), name
    assert theirs.keys() - weights.state_dict().keys() == {"model.shared.weight"}
    assert weights.model.encoder.embed_tokens.embed_scale == model.model.encoder.embed_tokens.embed_scale
    assert weights.model.decoder.embed_positions.offset == model.model.decoder.embed_positions.offset
    assert weights.config == PageSumSettings.of(model.config)
    assert weights.config.copy_match == model.config.copy_match
    for name in ("forced_bos_token_id", "forced_eos_token_id"):
        assert getattr(weights.generation_config, name) == getattr(model.generation_config, name)
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
    with pytest.raises(CheckpointError, match=r"lacks 1 weight: model.encoder.layers.1.fc1.weight"):
        load_folder(saved, device="cpu", for_engine=True)
    save_file({**state, "model.encoder.layers.1.fc1.weight": fc1[1:].clone()}, saved / "model.safetensors")
    with pytest.raises(CheckpointError, match="has the wrong sizes for 1 weight"):
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


def test_a_summary_is_written_without_transformers(tmp_path):
    tiny_pagesum(vocab_size=120, copy=True, copy_match=2).save_pretrained(tmp_path / "model")
    code = """
import sys
from pathlib import Path
import torch
from lsum_cli.generation.beam import beam_search, force_tokens
from lsum_cli.generation.options import GenerationOptions
from lsum_cli.models.pagesum.engine import PageSumEngine, load_parameters
engine = PageSumEngine.prepare(load_parameters(Path(sys.argv[1]), "model.safetensors"), release=True)
((found,),) = beam_search(engine.encode([[torch.arange(3, 20), torch.arange(30, 37)]]), GenerationOptions(max_length=9))
assert found.trace[0].shape == (2,)
force_tokens(engine.encode([[torch.arange(3, 20)]]), found.token_ids, start_token_id=2)
assert "transformers" not in sys.modules
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "model")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_the_forced_tokens_are_those_that_the_model_generates_with(tmp_path):
    model = tiny_pagesum()
    model.generation_config.forced_bos_token_id = 0
    model.generation_config.forced_eos_token_id = None
    model.save_pretrained(tmp_path)
    read = PageSumSettings.read(tmp_path)
    assert (read.forced_bos_token_id, read.forced_eos_token_id) == (0, None)
    (tmp_path / "generation_config.json").unlink()
    read = PageSumSettings.read(tmp_path)
    assert (read.forced_bos_token_id, read.forced_eos_token_id) == (None, model.config.forced_eos_token_id)
