from __future__ import annotations

import io

import pytest
from rich.console import Console

from lsum_cli.datasets.dataset import Excluded
from lsum_cli.datasets.statistics import Cut, DatasetStatistics, Spread
from lsum_cli.progress import ProgressEvent
from lsum_cli.rendering.plots import draw_losses
from lsum_cli.rendering.training import (
    TrainingDisplay,
    describe_setup,
    describe_step,
    render_statistics,
    shorten,
    write_samples,
)
from lsum_cli.training.events import Notice, Sample, SetupReport, StepReport, ValidationReport

SETUP = SetupReport(
    method="pagesum",
    base=None,
    statistics={},
    parameters=1_430_000,
    steps=300,
    steps_per_epoch=200,
    documents_per_step=16,
    processes=2,
    device="cpu",
    resumed_step=0,
)
STEP = StepReport(
    step=50,
    steps=300,
    epoch=0.25,
    loss=6.1234,
    learning_rate=2e-5,
    tokens_per_second=1900.4,
    seconds_left=7500,
    memory=512_000_000,
)


def validation(step: int, summary: str = "The marsh rises.") -> ValidationReport:
    sample = Sample(id=f"e|{step}", summary=summary, reference="It rose | slowly.")
    return ValidationReport(
        step=step, metrics={"loss": 6.5}, metric="loss", is_best=True, samples=[sample], seconds=3
    )


def test_what_will_be_done_is_told_in_a_few_lines():
    assert describe_setup(SETUP) == [
        "pagesum from scratch, 1.4 million parameters, on cpu, 1 thread",
        "300 steps of 16 documents, shared by 2 processes, 200 per epoch",
    ]


def test_a_step_is_a_line():
    line = "step 50 of 300: loss 6.1234, rate 2.00e-05, 1,900 tokens/s, 2 h 5 min left, 512 MB"
    assert describe_step(STEP) == line


def test_where_there_is_no_terminal_there_are_plain_lines():
    said: list[str] = []
    with TrainingDisplay(said.append, console=Console(file=io.StringIO())) as display:
        display.progress(ProgressEvent(stage="encoding", done=1))
        display(StepReport(step=1, steps=300, epoch=0.0))  # nothing new to tell
        display(STEP)
        display(validation(50))
        display(Notice(text="stopping"))
    assert said == [
        describe_step(STEP),
        "validation at step 50: loss 6.500 (the best so far by loss), 3 s",
        "sample: The marsh rises.",
        "stopping",
    ]


def test_quiet_is_quiet():
    said: list[str] = []
    with TrainingDisplay(said.append, quiet=True) as display:
        display.progress(ProgressEvent(stage="building the model", done=0))
        display.progress(ProgressEvent(stage="encoding", done=0, remark="waiting"))
        for report in (SETUP, STEP, validation(50), Notice(text="x")):
            display(report)
    assert said == []


def test_a_log_says_what_goes_on_before_the_first_step():
    said: list[str] = []
    with TrainingDisplay(said.append, console=Console(file=io.StringIO())) as display:
        display.progress(ProgressEvent(stage="building the model", done=0))
        display.progress(ProgressEvent(stage="encoding", done=0, remark="waiting for another lsum"))
    assert said == ["building the model", "waiting for another lsum"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("width", [60, 120])
def test_a_terminal_shows_a_bar_and_the_last_figures(width):
    screen = Terminal()
    console = Console(file=screen, force_terminal=True, width=width, height=30, color_system=None)
    said: list[str] = []
    with TrainingDisplay(said.append, console=console) as display:
        display(STEP)
        display.progress(ProgressEvent(stage="writing\x1b[2J", done=1, total=2, unit="documents"))
        display(validation(50, "The [bold]marsh[/bold]\x07 rises."))
        display(STEP)
    shown = screen.getvalue()
    assert "50 of 300" in shown
    assert "loss 6.1234" in shown
    assert "sample: The [bold]marsh[/bold] rises." in shown
    assert "\x07" not in shown
    assert "\x1b[2J" not in shown
    assert said == []


def test_samples_stand_beside_references_the_last_first():
    text = write_samples(validation(60), write_samples(validation(50)))
    assert text.count("# Summaries of validation documents") == 1
    assert text.index("Step 60") < text.index("Step 50")
    assert "| The marsh rises. | It rose \\| slowly. |" in text


def test_a_summary_is_shown_by_its_beginning():
    assert shorten(" a\n\nb\x1b ") == "a b"
    assert shorten("") == "(nothing)"
    assert len(shorten("word " * 200)) == 300


def test_the_picture_of_the_loss_is_a_png():
    history = [{"step": 1, "loss": 3.0}, {"step": 1, "eval_loss": 2.9}, {"step": 2, "train_runtime": 1.0}]
    assert draw_losses(history).startswith(b"\x89PNG")
    assert draw_losses([]).startswith(b"\x89PNG")


def spread(median, ninety_percent, maximum):
    return Spread(median=median, ninety_percent=ninety_percent, maximum=maximum, total=10 * median)


def lines(statistics):
    console = Console(file=io.StringIO(), width=100)
    console.print(render_statistics(statistics))
    return [line.rstrip() for line in console.file.getvalue().splitlines() if line.strip()]


PLAIN = DatasetStatistics(
    name="corpus",
    num_examples=1200,
    excluded=Excluded(),
    document_words=spread(7773, 15_172, 26_000),
    reference_words=spread(111, 190, 240),
    num_documents=spread(1, 1, 1),
)


def test_words_alone():
    header, _, documents, references = lines({"train": PLAIN})
    assert header.split() == ["Data", "Examples", "Of", "each", "Words", "90", "%", "Most"]
    assert documents.split() == ["train", "1,200", "document", "7,773", "15,172", "26,000"]
    assert references.split() == ["reference", "111", "190", "240"]


def test_tokens_cuts_and_what_was_left_out():
    full = DatasetStatistics(
        name="corpus",
        num_examples=3,
        excluded=Excluded(empty_documents=1, empty_references=2),
        not_encoded=4,
        duplicates=1,
        document_words=spread(7, 8, 9),
        reference_words=spread(1, 2, 3),
        num_documents=spread(3, 5, 6),
        document_tokens=spread(70, 80, 90),
        reference_tokens=spread(10, 20, 30),
        document_cut=Cut(examples=2, tokens=21, share=0.1),
        reference_cut=Cut(examples=0, tokens=0, share=0.0),
    )
    rows = lines({"train [x]": PLAIN, "validation": full})
    assert rows[2].split()[-4:] == ["–"] * 4
    assert rows[4].split() == ["validation", "3", "documents", "7", "8", "9", "70", "80", "90", "10.0", "%"]
    assert rows[5].split() == ["reference", "1", "2", "3", "10", "20", "30", "0.0", "%"]
    assert rows[6:] == [
        "validation: 3 documents per example, at most 6",
        "validation: 2 records without a summary left out",
        "validation: 1 record without a text left out",
        "validation: 4 examples cannot be used for training",
        "validation: 1 example with the same text as another",
        "validation: 21 tokens of documents cut (10.0 %), in 2 examples",
    ]
    assert rows[2].startswith(" train [x]")
