"""Documents whose summaries a worker writes together: as alone, whatever happens to one of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_models import save_pagesum

from lsum_cli.batch.batching import GroupWorkers, _once, _SummarizingTogether
from lsum_cli.batch.workers import SummaryTask, SummaryWorkers
from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.errors import CheckpointError, SourceError
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressEvent
from lsum_cli.summaries import Summary

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux forks workers that inherit a change"
)
SENTENCES = (
    "The marsh rise where the mud slow the sea.",
    "The grass slow the river.",
    "The dam cost the marsh its mud.",
    "The wall cost the river more.",
)


def make_document(number: int) -> Document:
    text = " ".join(SENTENCES[(number + place) % len(SENTENCES)] for place in range(3 + number))
    return compose_document(
        [Passage(paragraphs=(Paragraph.of(text),))], id="d0", source=f"{number}.txt", language="en"
    )


# Workers inherit a change only while they can be forked: where no library has started threads.
FORKS = "TESTS_OF_FORKS"
needs_fork = pytest.mark.skipif(FORKS not in os.environ, reason="is run in a process of its own, below")
TASKS = [SummaryTask(id=f"#{number}", source=(make_document(number),)) for number in range(7)]


def describe(summary: Summary) -> tuple[str, int]:
    return summary.text, os.getpid()


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> SummaryOptions:
    folder = save_pagesum(tmp_path_factory.mktemp("models") / "pagesum")
    return SummaryOptions(model=str(folder), dtype="float32", beams=2)


@needs_fork
def test_what_is_written_together_is_what_is_written_alone(options, monkeypatch, tmp_path):
    from lsum_cli.methods.summarizer import Summarizer

    write = Summarizer.summarize_batch

    def count(self, batch, batch_tokens=None):
        assert batch_tokens == 120
        (tmp_path / f"{len(batch)}-{len(list(tmp_path.iterdir()))}").touch()
        return write(self, batch, batch_tokens)

    monkeypatch.setattr(Summarizer, "summarize_batch", count)
    with SummaryWorkers(options, finish=describe, jobs=1) as workers:
        alone = {outcome.id: outcome.result[0] for outcome in workers.completed(TASKS)}
    with GroupWorkers(options, finish=describe, tokens=120, jobs=1) as workers:
        outcomes = list(workers.completed(TASKS))
    assert {outcome.id: outcome.result[0] for outcome in outcomes} == alone
    assert sum(int(path.name.partition("-")[0]) for path in tmp_path.iterdir()) >= 5


def test_a_document_that_fails_costs_no_other_its_summary(options):
    tasks = [*TASKS[:3], SummaryTask(id="missing", source="/nowhere/missing.txt"), *TASKS[3:]]
    with GroupWorkers(options, finish=describe, tokens=10_000, jobs=1) as workers:
        outcomes = {outcome.id: outcome for outcome in workers.completed(tasks)}
    assert len(outcomes) == 8
    assert [key for key, outcome in outcomes.items() if outcome.error] == ["missing"]
    assert isinstance(outcomes["missing"].error, SourceError)


@needs_fork
def test_of_a_group_that_kills_its_worker_only_the_one_to_blame_fails(options, monkeypatch):
    write = _SummarizingTogether._write

    def die(self, how, batch):
        if any(documents[0].source == "4.txt" for documents in batch):
            os.kill(os.getpid(), signal.SIGKILL)
        return write(self, how, batch)

    monkeypatch.setattr(_SummarizingTogether, "_write", die)
    with GroupWorkers(options, finish=describe, tokens=10_000, jobs=1) as workers:
        outcomes = {outcome.id: outcome for outcome in workers.completed(TASKS)}
    assert len(outcomes) == 7
    assert [key for key, outcome in outcomes.items() if outcome.error] == ["#4"]
    assert "SIGKILL" in str(outcomes["#4"].error)


def test_both_in_a_process_of_their_own():
    if FORKS in os.environ:
        pytest.skip("this is that process")
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", str(Path(__file__))],
        env={**os.environ, FORKS: "1"},
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert result.returncode == 0, result.stdout
    assert "7 passed, 1 skipped" in result.stdout


def test_a_missing_checkpoint_ends_the_run(tmp_path):
    with (
        GroupWorkers(SummaryOptions(model=str(tmp_path)), finish=describe, tokens=100, jobs=1) as workers,
        pytest.raises(CheckpointError),
    ):
        list(workers.completed(TASKS))


def test_a_batch_uses_them_where_the_options_say_so(tmp_path: Path, options):
    from lsum_cli.batch.options import BatchOptions
    from lsum_cli.batch.run import BatchPlan, plan_batch
    from lsum_cli.datasets.options import DatasetOptions
    from lsum_cli.reading.registry import ReadOptions

    (tmp_path / "a.jsonl").write_text('{"text": "One."}\n')

    def plan(tokens: int | None, method: SummaryOptions = options) -> BatchPlan:
        where = BatchOptions(output=str(tmp_path / "out"), batch_tokens=tokens)
        return plan_batch([str(tmp_path / "a.jsonl")], where, method, ReadOptions(), DatasetOptions())

    def made(plan: BatchPlan, *, is_on_gpu: bool = False) -> bool:
        return isinstance(plan.make_workers(jobs=1, is_on_gpu=is_on_gpu), GroupWorkers)

    assert made(plan(5000))
    assert made(plan(None), is_on_gpu=True)
    assert not made(plan(None))
    assert plan(5000).remarks == plan(None).remarks == ()
    extracting = plan(5000, SummaryOptions(method="extract"))
    assert not made(extracting)
    assert extracting.remarks == ("--batch-tokens has no effect: no model writes",)


def test_a_worker_is_expected_to_hold_a_whole_batch(options):
    from lsum_cli.batch.workers import Summarizing, SummaryOrder
    from lsum_cli.methods.summarizer import Summarizer

    order = SummaryOrder(task=TASKS[3], options=options, finish=describe, reading=None)

    cost = Summarizer(options).plan(TASKS[3].source).cost
    alone = Summarizing()
    assert alone.estimate(order).memory == cost.memory_bytes

    class Together(_SummarizingTogether):
        context = None  # type: ignore[assignment]

    small, large = (Together(tokens).estimate(order).memory for tokens in (1, 100_000))
    assert small == cost.memory_bytes
    assert large == cost.memory_bytes + round(cost.token_bytes * (100_000 - cost.held_tokens))


def test_what_all_workers_say_of_an_option_is_passed_on_once():
    heard: list[str] = []
    progress = _once(lambda event: heard.append(event.remark))
    for remark in ("a.pdf: OCR", "--batch-tokens 9: x", "--batch-tokens 9: y", "a.pdf: OCR"):
        progress(ProgressEvent(stage="", done=0, remark=remark))
    assert heard == ["a.pdf: OCR", "--batch-tokens 9: x", "a.pdf: OCR"]
