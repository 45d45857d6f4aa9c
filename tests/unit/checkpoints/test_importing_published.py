"""Published PageSum weights: imported, they compute what the published code computes."""

from __future__ import annotations

import json
import pickle
import shutil

import numpy as np
import pytest
import torch
from reference_decoding import ModuleDecoder
from tiny_checkpoints import make_base, make_published

from lsum_cli.checkpoints.importing import PublishedSettings, import_published
from lsum_cli.checkpoints.loading import load_checkpoint
from lsum_cli.checkpoints.manifest import GenerationDefaults, OriginKind
from lsum_cli.checkpoints.store import checkpoint_path
from lsum_cli.errors import CheckpointError
from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.options import GenerationOptions, LengthRule
from lsum_cli.locality import Locality

PAD = 1
SETTINGS = PublishedSettings(locality=Locality.SPATIAL, page_len=16)


def arrays(path):
    with np.load(path) as file:
        return {key: torch.from_numpy(file[key]) for key in file.files}


@pytest.fixture
def golden(shared):
    folder = shared / "golden"
    if not (folder / "tiny_pagesum.bin").exists():
        pytest.skip("no goldens here")
    return folder


@pytest.fixture
def imported(golden, tiny_base):
    import_published("pagesum-arxiv-spatial", golden / "tiny_pagesum.bin", tiny_base, SETTINGS)
    return load_checkpoint("pagesum-arxiv-spatial", device="cpu", dtype="float32")


def test_logits_and_confidence_are_the_published_ones(golden, imported):
    expected = arrays(golden / "forward.npz")
    pages = expected["src_input_ids"].view(2, 3, 16)
    target = expected["tgt_input_ids"]
    with torch.no_grad():
        output = imported.model(
            input_ids=pages,
            attention_mask=(pages != PAD).long(),
            decoder_input_ids=target,
            decoder_attention_mask=(target != PAD).long(),
        )
    torch.testing.assert_close(output.logits, expected["logits"], atol=1e-4, rtol=0)
    torch.testing.assert_close(output.confidence, expected["page_weights"], atol=1e-4, rtol=0)


@pytest.mark.parametrize("case", ["beam4/doc0", "beam4/doc1", "beam4/batch", "beam4_early/batch"])
def test_beams_are_the_published_ones(golden, imported, case):
    recorded = json.loads((golden / "generation.json").read_text())["cases"][case]
    wishes = recorded["args"]
    config = imported.model.config
    options = GenerationOptions(
        beams=wishes["num_beams"],
        max_length=wishes["max_length"],
        min_length=wishes["min_length"],
        length_penalty=wishes["length_penalty"],
        no_repeat_ngram=wishes["no_repeat_ngram_size"],
        early_stopping=wishes["early_stopping"],
        start_token_id=config.decoder_start_token_id,
        end_token_id=config.eos_token_id,
        forced_first_token_id=0,
        forced_last_token_id=2,
        length_rule=LengthRule(config.length_rule),
    )
    pages = arrays(golden / "forward.npz")["src_input_ids"].view(2, 3, 16)
    documents = {"doc0": pages[:1], "doc1": pages[1:], "batch": pages}[case.split("/")[1]]
    found = beam_search(ModuleDecoder(imported.model, documents, documents != PAD), options)
    for (hypothesis,), sequence in zip(found, recorded["sequences"], strict=True):
        ids = [options.start_token_id, *hypothesis.token_ids]
        assert ids + [PAD] * (len(sequence) - len(ids)) == sequence


def test_the_published_settings_go_with_it(tiny_published, tiny_base):
    settings = PublishedSettings.for_name("pagesum-pubmed", locality=None, page_len=32)
    manifest = import_published("pagesum-pubmed", tiny_published, tiny_base, settings, base_name="a/base")
    assert (manifest.locality, manifest.page_len, manifest.pages) == (Locality.SPATIAL, 32, 7)
    assert (manifest.mask_absent_pages, manifest.absent_page_text) == (False, ".")
    assert manifest.trained_confidence
    assert (manifest.base, manifest.licence) == ("a/base", "none stated")
    assert manifest.origin.kind is OriginKind.FILE
    assert manifest.metrics["pubmed/rouge1"] == 48.24
    path = checkpoint_path("pagesum-pubmed")
    config = json.loads((path / "config.json").read_text())
    assert config["model_type"] == "pagesum"
    assert config["mask_absent_pages"] is False
    assert config["length_rule"] == "start_and_bos"
    assert (config["encoder_layers"], config["encoder_attention_heads"]) == (2, 4)
    generation = json.loads((path / "generation_config.json").read_text())
    assert (generation["min_length"], generation["max_length"]) == (151, 402)
    assert generation["forced_bos_token_id"] == 0
    assert "none stated" in (path / "README.md").read_text()


def test_what_the_catalogue_does_not_know():
    settings = PublishedSettings.for_name("mine", locality=Locality.DOCUMENT, page_len=None)
    assert settings.locality is Locality.DOCUMENT
    assert settings.generation == GenerationDefaults(
        beams=4, length_penalty=2.0, no_repeat_ngram=3, early_stopping=False
    )
    # A short name of another kind of model says nothing about published PageSum weights.
    assert PublishedSettings.for_name("bart-large-cnn", locality=None, page_len=None).metrics == {}


def test_layers_are_counted_from_the_weights(tmp_path, tiny_published, tiny_base):
    base = shutil.copytree(tiny_base, tmp_path / "base")
    config = json.loads((base / "config.json").read_text())
    (base / "config.json").write_text(json.dumps(config | {"encoder_layers": 12, "decoder_ffn_dim": 4096}))
    import_published("tiny", tiny_published, base, SETTINGS)
    assert load_checkpoint("tiny").model.config.encoder_layers == 2


BAD = {
    "missing": (
        {"lin.weight": None, "model.encoder.layers.0.fc1.bias": None},
        "lacks 2 weights: confidence_layer.weight, model.encoder",
    ),
    "extra": ({"model.encoder.extra": torch.zeros(1)}, "contains unknown 1 weight: model.encoder.extra"),
    "shape": (
        {"lin.weight": torch.zeros(1, 31)},
        "wrong shape for 1 weight: confidence_layer.weight (1, 31) instead of (1, 32)",
    ),
    "gap": (
        {"model.decoder.layers.0.fc1.weight": None},
        "lacks 1 weight: model.decoder.layers.0.fc1.weight",
    ),
    "no vocabulary": ({"model.shared.weight": None}, "model.shared.weight"),
    "other vocabulary": (
        {
            "model.shared.weight": torch.zeros(90, 32),
            "model.encoder.embed_tokens.weight": None,
            "model.decoder.embed_tokens.weight": None,
            "lm_head.weight": None,
        },
        "have vocab_size 90, their base 120",
    ),
    "untied": ({"lm_head.weight": torch.zeros(120, 32)}, "lm_head.weight differs"),
    "no number": ({"lin.weight": torch.full((1, 32), float("nan"))}, "NaN or infinite"),
    "positions": ({"model.encoder.embed_positions.weight": torch.zeros(34, 32)}, "34 and 66 positions"),
}


@pytest.mark.parametrize("bad", BAD)
def test_weights_of_another_model_are_refused(tmp_path, tiny_base, bad):
    changes, part = BAD[bad]
    file = make_published(tmp_path / "model.bin", **changes)
    with pytest.raises(CheckpointError) as caught:
        import_published("tiny", file, tiny_base, SETTINGS)
    assert part in str(caught.value)
    assert caught.value.next_step
    assert not checkpoint_path("tiny").exists()


class Canary:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (type(self.path).touch, (self.path,))


@pytest.mark.parametrize("kind", ["pickle", "torch"])
def test_a_file_that_executes_code_does_not(tmp_path, tiny_base, kind):
    canary, file = tmp_path / "canary", tmp_path / "model.bin"
    if kind == "torch":
        torch.save({"model.shared.weight": torch.zeros(2, 2), "x": Canary(canary)}, file)
    else:
        file.write_bytes(pickle.dumps(Canary(canary)))
    with pytest.raises(CheckpointError, match="something other than weights, which lsum does not load"):
        import_published("evil", file, tiny_base, SETTINGS)
    assert not canary.exists()


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "not a weights file"),
        (b"PK\x03\x04 and nothing", ""),
        (b"<html>Google Drive - Virus scan warning</html>", ""),
        (pickle.dumps([1, 2], protocol=4), "something other than weights"),
        (pickle.dumps({"a": 1}), ""),
    ],
)
def test_what_is_no_file_of_weights(tmp_path, tiny_base, content, part):
    file = tmp_path / "model.bin"
    file.write_bytes(content)
    with pytest.raises(CheckpointError) as caught:
        import_published("tiny", file, tiny_base, SETTINGS)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_base_without_configuration(tmp_path, tiny_published):
    with pytest.raises(CheckpointError, match=r"config\.json cannot be read"):
        import_published("tiny", tiny_published, tmp_path, SETTINGS)
    base = make_base(tmp_path / "base")
    for file in base.glob("tokenizer*"):
        file.unlink()
    with pytest.raises(CheckpointError, match="tokenizer"):
        import_published("tiny", tiny_published, base, SETTINGS)
