"""Int8 is compared with the full weights, recorded, and taken by ``--dtype auto`` only where both agree."""

from __future__ import annotations

import dataclasses
import io
import json

import pytest
import torch
from safetensors.torch import load_file, save_file
from tiny_models import save_pagesum
from tiny_topdown import save_topdown

from lsum_cli import Summarizer, SummaryOptions
from lsum_cli.checkpoints import loading
from lsum_cli.checkpoints.checks import check_installed
from lsum_cli.checkpoints.importing import import_folder
from lsum_cli.checkpoints.int8 import describe_int8, takes_int8
from lsum_cli.checkpoints.known import find_known
from lsum_cli.checkpoints.loading import load_folder, precision_of
from lsum_cli.checkpoints.manifest import Int8Record, Manifest, parse_manifest, read_manifest
from lsum_cli.checkpoints.saving import record_int8
from lsum_cli.checkpoints.store import checkpoint_path
from lsum_cli.errors import CheckpointError
from lsum_cli.machine.devices import Precision, choose_precision
from lsum_cli.machine.processor import processor_class
from lsum_cli.methods import calibration
from lsum_cli.methods.calibration import built_in_documents, calibrate, passages_of
from lsum_cli.methods.drafts import write_document
from lsum_cli.models.blocks.precision import computes_int8
from lsum_cli.rendering.checkpoints import write_known
from lsum_cli.rendering.formats import PlanFormat
from lsum_cli.rendering.plan import write_plans

CPU = torch.device("cpu")
needs_int8 = pytest.mark.skipif(not computes_int8(), reason="this processor cannot compute int8")


@pytest.fixture
def doubtful(tmp_path):
    """A model of random weights, which rounding sways."""
    import_folder("tiny", save_pagesum(tmp_path / "doubtful"))
    return "tiny"


@pytest.fixture
def certain(tmp_path):
    """A model that is nearly certain of what to write whatever it reads."""
    folder = save_pagesum(tmp_path / "certain")
    weights = load_file(folder / "model.safetensors")
    generator = torch.Generator().manual_seed(1)
    weights["final_logits_bias"] += 20 * torch.rand(weights["final_logits_bias"].shape, generator=generator)
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    import_folder("tiny", folder)
    return "tiny"


@pytest.fixture
def twice_as_fast(monkeypatch):
    """Integers take half the time: tiny models would not show it."""
    times = {"int8": 1.0}
    monkeypatch.setattr(
        calibration, "_time", lambda method, plans: times.get(method.options.dtype, 2.0) * len(plans)
    )
    return times


def loaded_precision(name, dtype="auto"):
    return load_folder(checkpoint_path(name), device="cpu", dtype=dtype, for_engine=True).precision


def told(name):
    stream = io.StringIO()
    write_known(find_known(name), stream, as_json=False)
    return " ".join(stream.getvalue().split())


@needs_int8
def test_where_both_agree_auto_takes_integers(certain, twice_as_fast):
    before = read_manifest(checkpoint_path(certain))
    usual = choose_precision("auto", CPU)
    assert loaded_precision(certain) is usual
    assert "not compared with the full weights; run: lsum models calibrate tiny" in told(certain)

    manifest = calibrate(certain)
    record = manifest.int8
    assert record.agreement >= 0.98
    assert 0 <= record.divergence <= 0.01
    assert record.tokens >= 100
    assert record.speed == {processor_class(): 0.5}
    assert manifest == read_manifest(checkpoint_path(certain))
    assert dataclasses.replace(manifest, int8=None) == before

    assert loaded_precision(certain) is Precision.INT8
    assert loaded_precision(certain, "float32") is Precision.FLOAT32
    assert load_folder(checkpoint_path(certain), device="cpu").precision is usual, "not without an engine"
    (document, *_) = built_in_documents()
    options = SummaryOptions(model=certain, device="cpu", max_tokens=16)
    plan = Summarizer(options).plan([document])
    assert plan.cost.precision == "int8"
    stream = io.StringIO()
    write_plans([plan], stream, PlanFormat.TEXT)
    assert "computed in int8" in stream.getvalue()
    assert Summarizer(options).summarize([document]).text
    assert "--dtype auto takes it with" in told(certain)
    (check,) = (
        each for each in check_installed(recommend=lambda: "") if each.name == f"checkpoint {certain}"
    )
    assert "--dtype auto takes it here, in 0.50 of the time" in check.detail


@needs_int8
def test_where_they_do_not_agree_auto_stays_with_what_it_was(doubtful, twice_as_fast):
    manifest = calibrate(doubtful)
    assert manifest.int8.agreement < 0.98
    assert manifest.int8.speed == {processor_class(): 0.5}
    assert loaded_precision(doubtful) is choose_precision("auto", CPU)
    assert loaded_precision(doubtful, "int8") is Precision.INT8, "who asks for it gets it"
    assert "too far from the full weights for --dtype auto" in told(doubtful)


@needs_int8
def test_full_weights_agree_with_themselves(doubtful, monkeypatch):
    make = calibration._method
    monkeypatch.setattr(calibration, "_method", lambda installed, dtype: make(installed, "float32"))
    record = calibrate(doubtful).int8
    assert record.agreement == 1.0
    assert record.divergence == 0.0


GOOD = Int8Record(
    agreement=0.99, divergence=0.001, tokens=200, sample="x", speed={"this": 0.5, "other": 0.95}
)


@pytest.mark.parametrize(
    ("changes", "processor", "taken", "said"),
    [
        ({}, "this", True, "takes it here, in 0.50"),
        ({}, "other", False, "too little gain"),
        ({}, "unknown", False, "not timed on this processor"),
        ({"agreement": 0.979}, "this", False, "too far"),
        ({"divergence": 0.011}, "this", False, "too far"),
        ({"tokens": 99}, "this", False, "too few"),
    ],
)
def test_auto_asks_for_all_of_it(manifest, changes, processor, taken, said, monkeypatch):
    manifest = dataclasses.replace(manifest, int8=dataclasses.replace(GOOD, **changes))
    assert takes_int8(manifest, processor) is taken
    assert said in describe_int8(manifest, processor)
    monkeypatch.setattr(loading, "processor_class", lambda: processor)
    usual = choose_precision("auto", CPU)
    assert precision_of(manifest, "auto", CPU) is (Precision.INT8 if taken and computes_int8() else usual)
    assert precision_of(manifest, "auto", torch.device("meta")) is not Precision.INT8


@pytest.fixture
def manifest() -> Manifest:
    text = {"name": "x", "method": "pagesum", "origin": {"kind": "file", "source": "x"}}
    return parse_manifest(json.dumps(text), "here")


def test_manifests_from_before_say_nothing_of_integers_and_are_read(manifest):
    assert manifest.int8 is None
    assert not takes_int8(manifest, processor_class())
    assert parse_manifest(manifest.to_json(), "here") == manifest


def test_a_record_is_read_again_and_nonsense_is_refused(manifest):
    manifest = dataclasses.replace(manifest, int8=GOOD)
    assert parse_manifest(manifest.to_json(), "here") == manifest
    for name, value in (("agreement", 1.5), ("divergence", -1), ("tokens", -1), ("speed", {"this": 0})):
        raw = json.loads(manifest.to_json())
        raw["int8"][name] = value
        with pytest.raises(CheckpointError, match="int8"):
            parse_manifest(json.dumps(raw), "here")


def test_what_other_processors_measured_is_kept_while_the_comparison_is_the_same(doubtful):
    record_int8(doubtful, dataclasses.replace(GOOD, speed={"a": 0.5}))
    assert record_int8(doubtful, dataclasses.replace(GOOD, speed={"b": 0.6})).int8.speed == {
        "a": 0.5,
        "b": 0.6,
    }
    other = dataclasses.replace(GOOD, tokens=300, speed={"b": 0.6})
    assert record_int8(doubtful, other).int8 == other


@pytest.mark.parametrize(
    ("lengths", "count"), [((40,), 1), ((2000,), 6), ((700, 40, 620), 5), ((100,) * 9, 6), ((300,) * 4, 4)]
)
def test_passages_come_from_all_over_the_documents(lengths, count):
    texts = [
        [f"Word{number} of a sentence {place} with ten words in all." for place in range(length // 10)]
        for number, length in enumerate(lengths)
    ]
    passages = passages_of([write_document([("", sentences)], "en") for sentences in texts])
    assert len(passages) == count
    whole = " ".join(sentence for sentences in texts for sentence in sentences)
    starts = [whole.index(passage.sentences[0].text) for passage in passages]
    assert starts == sorted(set(starts))
    assert starts[-1] > len(whole) / 2 or count == 1
    for passage in passages:
        assert len(passage.text.split()) <= 310
        assert passage.text.strip() in whole


def test_what_cannot_be_compared_is_refused(tmp_path, packaged):
    with pytest.raises(CheckpointError, match="no checkpoint 'nothing'"):
        calibrate("nothing")
    import_folder("topdown", save_topdown(tmp_path / "topdown"))
    with pytest.raises(CheckpointError, match="only PageSum"):
        calibrate("topdown")
    import_folder("mine", save_pagesum(tmp_path / "pagesum"))
    checkpoint_path("mine").rename(packaged / "part")
    with pytest.raises(CheckpointError, match="part of lsum"):
        calibrate("part")
