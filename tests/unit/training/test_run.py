from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
import yaml
from safetensors.torch import load_file
from tiny_models import save_family, save_pagesum
from tiny_training import tiny_recipe, tiny_settings, write_examples

from lsum_cli.checkpoints.manifest import Manifest, Origin, OriginKind, read_manifest
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.errors import (
    CheckpointError,
    DatasetError,
    DeviceError,
    MissingDependency,
    OptionError,
    OutputError,
    TrainingError,
)
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.reading.sources import read
from lsum_cli.training import run as arguments
from lsum_cli.training import trainer as trainer_module
from lsum_cli.training.environment import EnergyMeter
from lsum_cli.training.events import Notice, SetupReport, StepReport, ValidationReport
from lsum_cli.training.folder import RunFolder
from lsum_cli.training.options import TrainOptions
from lsum_cli.training.recipes import load_recipe
from lsum_cli.training.run import TrainResult, train

DOCUMENT = "# Marshes\n\n## Growth\n\nThe marsh rises. Mud feeds the grass.\n\n## Decline\n\nThe dam holds old mud.\n"


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("data")
    return write_examples(folder / "train.jsonl", 13), write_examples(folder / "valid.jsonl", 3, seed=1)


def run(files, output: Path, listener=lambda report: None, *, options=None, **sections) -> TrainResult:
    recipe = tiny_recipe(*files, **sections)
    chosen = TrainOptions(**({"output": output, "device": "cpu", "report_to": ()} | (options or {})))
    return train(recipe, chosen, listener)


def losses(result: TrainResult, name: str = "loss") -> dict[int, float]:
    return {entry["step"]: entry[name] for entry in result.history if name in entry}


def interrupting(step: int):
    """A listener that presses Ctrl-C when a step is reported."""

    def listen(report) -> None:
        if isinstance(report, StepReport) and report.step == step and report.loss is not None:
            os.kill(os.getpid(), signal.SIGINT)

    return listen


@pytest.fixture(scope="module")
def uninterrupted(data, tmp_path_factory) -> tuple[TrainResult, list]:
    reports: list = []
    return run(data, tmp_path_factory.mktemp("runs") / "whole", reports.append), reports


def test_a_run_leaves_a_checkpoint_that_tells_how_it_was_made(uninterrupted, data, tmp_path):
    result, _ = uninterrupted
    manifest = read_manifest(result.folder)
    assert manifest == result.manifest
    assert manifest.name == "whole"
    assert manifest.method == "pagesum"
    assert manifest.locality == "discourse"
    assert manifest.trained_confidence
    assert manifest.origin.kind is OriginKind.TRAINING
    assert manifest.generation.max_tokens == 12
    record = manifest.training
    assert record.recipe["training.learning_rate"] == "0.01"
    assert [(each.split, each.examples) for each in record.data] == [("train", 13), ("validation", 3)]
    assert all(len(sha256) == 64 for each in record.data for sha256 in each.files.values())
    assert record.step in (3, 6)
    assert "torch" in record.versions
    card = (result.folder / "README.md").read_text(encoding="utf-8")
    assert "training.learning_rate | 0.01" in card
    best = min(losses(result, "eval_loss").values())
    assert manifest.metrics["validation_loss"] == pytest.approx(best)
    for name in ("trainer_state.json", "train_results.json", "all_results.json", "eval_results.json"):
        assert json.loads((result.folder / name).read_bytes())
    assert sorted(path.name for path in result.folder.glob("checkpoint-*")) == [
        "checkpoint-3",
        "checkpoint-6",
    ]
    source = tmp_path / "marsh.md"
    source.write_text(DOCUMENT, encoding="utf-8")
    summary = Summarizer(SummaryOptions(model=str(result.folder), device="cpu", min_tokens=5)).summarize(
        [read(str(source))]
    )
    assert summary.method == "pagesum"
    assert summary.text


def test_a_run_tells_where_it_stands(uninterrupted):
    result, reports = uninterrupted
    (setup,) = (report for report in reports if isinstance(report, SetupReport))
    assert (setup.steps, setup.documents_per_step, setup.steps_per_epoch) == (6, 4, 4)
    assert setup.statistics["train"].num_examples == 13
    told = {report.step: report.loss for report in reports if isinstance(report, StepReport)}
    assert told == losses(result)
    validations = [report for report in reports if isinstance(report, ValidationReport)]
    assert [report.step for report in validations] == [3, 6]
    assert validations[0].is_best
    assert {r.step: r.metrics["loss"] for r in validations} == losses(result, "eval_loss")
    assert losses(result)[6] < losses(result)[1]


def test_an_interrupted_run_goes_on_to_the_same_losses(uninterrupted, data, tmp_path):
    # In the midst of the second epoch, with a validation behind it.
    step = 5
    whole, _ = uninterrupted
    begun = run(data, tmp_path / "whole", interrupting(step - 1))
    assert begun.was_interrupted
    assert begun.manifest is None
    assert begun.step == step
    assert (begun.folder / f"checkpoint-{step}").is_dir()
    # A checkpoint that was never finished is none.
    (begun.folder / "checkpoint-99").mkdir()
    # The folder may have been moved meanwhile.
    moved = begun.folder.rename(tmp_path / "moved")
    resumed = run(data, moved, options={"resume": True})
    assert not resumed.was_interrupted
    assert losses(resumed) == losses(whole)
    assert losses(resumed, "eval_loss") == losses(whole, "eval_loss")
    ours, theirs = (load_file(r.folder / "model.safetensors") for r in (resumed, whole))
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


def test_a_run_at_its_end_goes_on_no_further(uninterrupted, data, tmp_path):
    whole, _ = uninterrupted
    folder = tmp_path / "whole"
    shutil.copytree(whole.folder, folder)
    # As if it had been killed while the best weights were put at the root.
    (folder / "model.safetensors").unlink()
    reports: list = []
    resumed = run(data, folder, reports.append, options={"resume": True})
    assert resumed.step == 6
    assert not any(isinstance(report, StepReport) for report in reports)
    assert any("already finished" in report.text for report in reports if isinstance(report, Notice))
    assert resumed.manifest.metrics == whole.manifest.metrics
    ours, theirs = (load_file(r.folder / "model.safetensors") for r in (resumed, whole))
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)
    # A run made longer stays so.
    run(data, folder, interrupting(7), options={"resume": True}, training={"max_steps": 90})
    assert RunFolder(folder).read().recipe.training.max_steps == 90


def test_resuming_with_other_settings_is_refused(uninterrupted, data):
    whole, _ = uninterrupted
    with pytest.raises(OptionError, match=r"training\.seed was 0, is 1"):
        run(data, whole.folder, options={"resume": True}, training={"seed": 1})
    with pytest.raises(OutputError, match="exists already"):
        run(data, whole.folder)


def test_a_folder_without_a_run_is_neither_resumed_nor_replaced(data, tmp_path):
    with pytest.raises(OptionError, match="no training data were given"):
        train(load_recipe("pagesum-small"), TrainOptions(output=tmp_path / "none"))
    with pytest.raises(OptionError, match="no run to resume"):
        run(data, tmp_path / "none", options={"resume": True})
    (tmp_path / "thesis.tex").write_text("years of work", encoding="utf-8")
    with pytest.raises(OutputError, match="not the folder of a run"):
        run(data, tmp_path, options={"overwrite": True})
    assert (tmp_path / "thesis.tex").exists()


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_small_batches_accumulated_are_one_large_batch(data, tmp_path, smoothing):
    def losses_of(name: str, size: int, accumulation: int) -> dict[int, float]:
        training = {
            "per_device_train_batch_size": size,
            "gradient_accumulation_steps": accumulation,
            "dropout": 0.0,
            "label_smoothing_factor": smoothing,
            "max_steps": 5,
            "eval_steps": 5,
        }
        return losses(run(data, tmp_path / name, training=training))

    # Thirteen examples: the last step of an epoch has one document alone.
    assert losses_of("many", 1, 4) == pytest.approx(losses_of("one", 4, 1), rel=1e-4)


def test_a_loss_that_is_no_number_ends_the_run_and_keeps_what_was_saved(data, tmp_path, monkeypatch):
    steps = []
    genuine = trainer_module.batch_loss

    def poisoned(*arguments):
        loss, output = genuine(*arguments)
        steps.append(loss)
        return (loss * float("nan") if len(steps) > 8 else loss), output

    monkeypatch.setattr(trainer_module, "batch_loss", poisoned)
    with pytest.raises(TrainingError) as caught:
        run(data, tmp_path / "run")
    assert "stopped at step 5: the loss is nan; the last saved step is 3" in str(caught.value)
    weights = load_file(tmp_path / "run" / "checkpoint-3" / "model.safetensors")
    assert all(torch.isfinite(tensor).all() for tensor in weights.values())


def test_weights_that_explode_end_the_run_too(data, tmp_path):
    with pytest.raises(TrainingError, match=r"lower training\.learning_rate"):
        run(
            data,
            tmp_path / "run",
            training={"learning_rate": 1e30, "lr_scheduler_type": "constant", "warmup_steps": 0},
        )
    assert not list((tmp_path / "run").glob("checkpoint-*"))


def test_a_full_disk_is_said_and_leaves_no_half_checkpoint(data, tmp_path, monkeypatch):
    def full(*arguments, **more):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(OutputError, match="No space left on device"):
        run(data, tmp_path / "run")
    assert not list((tmp_path / "run").glob("checkpoint-*"))


def test_rouge_chooses_among_what_the_engine_writes(data, tmp_path):
    reports: list = []
    result = run(
        data,
        tmp_path / "run",
        reports.append,
        training={
            "metric_for_best_model": "rouge2",
            "eval_generate_samples": 2,
            "max_steps": 2,
            "eval_steps": 1,
        },
    )
    validations = [report for report in reports if isinstance(report, ValidationReport)]
    assert all(len(report.samples) == 2 for report in validations)
    assert set(validations[0].metrics) == {"loss", "rouge1", "rouge2", "rougeLsum"}
    assert result.manifest.metrics["validation_rouge2"] == max(r.metrics["rouge2"] for r in validations)
    assert not list(result.folder.glob(".validation-*"))


def test_training_stops_where_nothing_gets_better(data, tmp_path):
    reports: list = []
    training = {"early_stopping_patience": 2, "eval_steps": 1, "max_steps": 40, "learning_rate": 1e-12}
    # So small a rate changes no weight: the first validation stays the best one.
    result = run(data, tmp_path / "run", reports.append, training=training)
    assert result.step == 3
    training["logging_steps"] = 2
    again = run(data, tmp_path / "run", options={"resume": True}, training=training)
    assert again.step == 3
    assert any(isinstance(r, Notice) and "no improvement" in r.text for r in reports)
    assert result.manifest.training.step == 1
    assert len(list(result.folder.glob("checkpoint-*"))) == 2


def test_part_of_the_training_file_validates_where_no_other_is_given(data, tmp_path):
    reports: list = []
    result = run((data[0], None), tmp_path / "run", reports.append, options={"dry_run": True})
    (setup,) = (report for report in reports if isinstance(report, SetupReport))
    counts = {split: each.num_examples for split, each in setup.statistics.items()}
    assert sum(counts.values()) == 13
    assert counts["validation"] >= 1
    assert result.manifest is None
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("decoding", ["page", "global"])
def test_pagesum_starts_from_bart(data, tmp_path, decoding):
    base = save_family(tmp_path / "bart", "bart")
    result = run(
        data,
        tmp_path / "run",
        base=str(base),
        model={"decoding": decoding, "max_pages": 3, "mask_absent_pages": False},
        training={"max_steps": 1, "gradient_checkpointing": True},
    )
    assert result.manifest.base == str(base)
    assert result.manifest.trained_confidence is (decoding == "page")
    config = json.loads((result.folder / "config.json").read_bytes())
    assert (config["model_type"], config["decoding"], config["mask_absent_pages"]) == (
        "pagesum",
        decoding,
        False,
    )
    again = run(data, tmp_path / "again", base=str(result.folder), training={"max_steps": 1})
    assert again.manifest.base == str(result.folder)


def test_a_copying_base_is_fine_tuned_on_the_references(data, tmp_path):
    base = save_pagesum(tmp_path / "base", locality=None, copy=True, copy_match=2)
    about = Manifest(
        name="mine",
        method=CheckpointMethod.PAGESUM,
        page_len=64,
        languages=("de",),
        licence="MIT",
        faithful="verbatim",
        read="salient",
        origin=Origin(kind=OriginKind.TRAINING, source="a test"),
    )
    (base / "manifest.json").write_text(about.to_json(), encoding="utf-8")
    steps = ["training.max_steps=2", "training.gradient_accumulation_steps=1", "training.eval_samples=0"]
    recipe = load_recipe("finetune", steps, {"base": str(base), "data.train_file": str(data[0])})
    reports: list = []
    options = TrainOptions(output=tmp_path / "run", device="cpu", report_to=())
    manifest = train(recipe, options, reports.append).manifest
    assert (manifest.languages, manifest.licence) == (("de",), "MIT")
    assert (manifest.faithful, manifest.read, manifest.locality) == ("verbatim", "salient", None)
    # Every summary has two sentences of some ten words; their length was taken from the data.
    most = int(manifest.training.recipe["data.max_target_tokens"])
    assert 10 < most < 64
    assert manifest.generation.max_tokens == most - 2
    assert 1 <= manifest.generation.min_tokens <= most - 2
    (setup,) = (report for report in reports if isinstance(report, SetupReport))
    assert 0 < setup.statistics["train"].reference_cut.examples <= 2
    # As for the references so for the whole: it can be trained on, and resumed.
    resumed = train(recipe, replace(options, resume=True))
    assert resumed.manifest.generation == manifest.generation


def test_a_recipe_that_does_not_train_on_references_says_so_first(data, tmp_path):
    reports: list = []
    gaps = {"gap_sentences": {"share": 0.3}}
    run(data, tmp_path / "run", reports.append, data=gaps, options={"dry_run": True})
    assert "not your summaries" in reports[0].text
    reports.clear()
    run(data, tmp_path / "run", reports.append, options={"dry_run": True})
    assert isinstance(reports[0], SetupReport)


@pytest.mark.parametrize("family", ["t5", "primera"])
def test_any_encoder_decoder_is_trained_as_the_baseline(data, tmp_path, family):
    base = save_family(tmp_path / "base", family)
    result = run(
        data,
        tmp_path / "run",
        method="seq2seq",
        base=str(base),
        model=None,
        training={"max_steps": 2, "eval_steps": 1, "eval_samples": 1, "label_smoothing_factor": 0.0},
    )
    assert result.manifest.method == "seq2seq"
    assert losses(result)[2] > 0


def test_a_base_that_cannot_be_one_is_refused(data, tmp_path):
    bare = save_family(tmp_path / "bare", "bart")
    (bare / "tokenizer.json").unlink()
    with pytest.raises(CheckpointError, match="contains no tokenizer"):
        run(data, tmp_path / "run", base=str(bare))
    with pytest.raises(CheckpointError, match="PageSum cannot start from"):
        run(data, tmp_path / "run", base=str(save_family(tmp_path / "t5", "t5")))
    with pytest.raises(OptionError, match="exceeds the 64 positions"):
        run(data, tmp_path / "run", base=str(save_pagesum(tmp_path / "pagesum")), model={"page_len": 65})
    with pytest.raises(OptionError, match="max_target_tokens 100 exceeds"):
        run(data, tmp_path / "run", data={"max_target_tokens": 100})
    assert not (tmp_path / "run").exists()


def test_what_cannot_be_run_here_is_refused(data, tmp_path, monkeypatch):
    with pytest.raises(OptionError, match="is not supported on a CPU"):
        run(data, tmp_path / "run", training={"dtype": "float16"})
    with pytest.raises(DeviceError, match="no device cuda:7"):
        run(data, tmp_path / "run", options={"device": "cuda:7"})
    monkeypatch.setattr(arguments, "choose_device", torch.device)
    with pytest.raises(OptionError, match="CUDA_VISIBLE_DEVICES=1"):
        run(data, tmp_path / "run", options={"device": "cuda:1"})
    monkeypatch.undo()
    with pytest.raises(OptionError, match="unknown reporting service 'diary'"):
        run(data, tmp_path / "run", options={"report_to": ("diary",)})
    with pytest.raises(MissingDependency, match="pip install comet_ml"):
        run(data, tmp_path / "run", options={"report_to": ("comet_ml",)})
    with pytest.raises(DatasetError, match="body"):
        run(data, tmp_path / "run", data={"text_column": "body"})
    assert not (tmp_path / "run").exists()


def test_a_run_records_what_it_was_made_with(uninterrupted, data):
    result, _ = uninterrupted
    written = json.loads((result.folder / "run.json").read_bytes())
    (session,) = written["sessions"]
    assert session["versions"]["torch"] == torch.__version__.split("+")[0] or session["versions"]["torch"]
    assert session["cores"] >= 1
    assert session["processor"] is None or session["processor"]
    assert "commit" in session
    assert [len(sha256) for files in written["files"].values() for sha256 in files.values()] == [64, 64]
    assert str(data[0]) in written["files"]["train"]
    card = (result.folder / "README.md").read_text(encoding="utf-8")
    front = yaml.safe_load(card.split("---")[1])
    (metric,) = front["model-index"][0]["results"][0]["metrics"]
    assert metric["value"] == pytest.approx(result.manifest.metrics["validation_loss"], abs=1e-4)
    assert f"- parameters: {result.manifest.training.parameters:,}" in card
    assert f"- hardware: {result.manifest.training.hardware}" in card
    assert result.manifest.training.seconds > 0


def test_energy_is_counted_by_package_and_over_a_full_counter(tmp_path):
    def count(zone: str, value: int) -> None:
        folder = tmp_path / zone
        folder.mkdir(exist_ok=True)
        (folder / "energy_uj").write_text(str(value))
        (folder / "max_energy_range_uj").write_text("9999999999")

    count("intel-rapl:0", 9_999_999_000)
    count("intel-rapl:0:0", 0)
    meter = EnergyMeter(tmp_path)
    assert meter.watt_hours() == 0
    count("intel-rapl:0", 3_599_999_000)
    count("intel-rapl:0:0", 10**9)
    assert meter.watt_hours() == pytest.approx(1.0)
    assert EnergyMeter(tmp_path / "none").watt_hours() is None


def test_a_base_is_adapted_resumed_and_merged(data, tmp_path):
    base = save_family(tmp_path / "bart", "bart")
    # Six positions of a page are enough: what matters is which weights change.
    lora = {"lora": {"rank": 2, "targets": ["q_proj", "v_proj"]}, "max_grad_norm": 1.0}
    settings = {"base": str(base), "model": {"page_len": 64}}
    whole = run(data, tmp_path / "whole", **settings, training=lora | {"max_steps": 4, "eval_steps": 2})
    assert losses(whole, "eval_loss")[4] < losses(whole, "eval_loss")[2]
    before, after = (load_file(folder / "model.safetensors") for folder in (base, whole.folder))
    changed = {name for name in before if name in after and not torch.equal(before[name], after[name])}
    assert changed
    assert all(name.endswith(("q_proj.weight", "v_proj.weight")) for name in changed)
    assert not [name for name in after if "lora" in name or "base_layer" in name]
    # The whole is a checkpoint like any other, and so is its best state.
    loaded = Summarizer(SummaryOptions(model=str(whole.folder), device="cpu", min_tokens=5))
    source = tmp_path / "marsh.md"
    source.write_text(DOCUMENT, encoding="utf-8")
    assert loaded.summarize([read(str(source))]).text
    begun = run(
        data,
        tmp_path / "half",
        interrupting(2),
        **settings,
        training=lora | {"max_steps": 4, "eval_steps": 2},
    )
    assert begun.was_interrupted
    resumed = run(
        data,
        begun.folder,
        options={"resume": True},
        **settings,
        training=lora | {"max_steps": 4, "eval_steps": 2},
    )
    assert losses(resumed) == pytest.approx(losses(whole))


@pytest.mark.parametrize(
    ("sections", "said"),
    [
        ({"training": {"lora": {"rank": 2}}}, "adapts a base"),
        ({"training": {"lora": {"rank": -1}}}, r"training\.lora\.rank -1 is too small"),
        (
            {"training": {"lora": {"rank": 2}}, "method": "windowing", "model": None},
            "cannot be used for windowing",
        ),
        (
            {"training": {"lora": {"rank": 2, "targets": ["w_none"]}}, "base": "bart"},
            "no modules named w_none",
        ),
    ],
)
def test_what_cannot_be_adapted_is_refused(data, tmp_path, sections, said):
    if "base" in sections:
        sections = sections | {"base": str(save_family(tmp_path / "bart", "bart")), "model": {"page_len": 64}}
    with pytest.raises(OptionError, match=said):
        run(data, tmp_path / "run", **sections)
    assert not (tmp_path / "run").exists()


def test_losses_are_reported_to_services_without_a_network(data, tmp_path):
    pytest.importorskip("mlflow")
    pytest.importorskip("wandb")
    recipe = tmp_path / "tiny.yaml"
    recipe.write_text(yaml.safe_dump(tiny_settings(*data, training={"max_steps": 2})), encoding="utf-8")
    # In a process of its own: one of them speaks to its own service through a socket.
    flags = ["-o", "run", "--device", "cpu", "--report-to", "mlflow", "--report-to", "wandb"]
    places = {"MLFLOW_TRACKING_URI": (tmp_path / "mlruns").as_uri(), "MLFLOW_ALLOW_FILE_STORE": "true"}
    finished = subprocess.run(
        [sys.executable, "-m", "lsum_cli", "train", str(recipe), *flags],
        cwd=tmp_path,
        env={**os.environ, **places, "WANDB_MODE": "offline"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout == f"{tmp_path / 'run'}\n"
    assert list((tmp_path / "mlruns").rglob("metrics/loss"))
    assert list((tmp_path / "wandb").glob("offline-run-*"))


def test_a_service_that_cannot_be_reported_to_is_named(data, tmp_path, monkeypatch):
    class StoreError(Exception):
        __module__ = "diary.exceptions"

    def fails(*arguments, **more):
        raise StoreError("no store\nhere")

    monkeypatch.setattr(arguments, "_reporters", lambda options: [])
    monkeypatch.setattr(trainer_module.ObjectiveTrainer, "train", fails)
    with pytest.raises(OptionError, match=r"reporting to diary fails: no store; .*--report-to diary"):
        run(data, tmp_path / "run", options={"report_to": ("diary",)})
    with pytest.raises(StoreError):
        run(data, tmp_path / "other", options={"report_to": ()})
