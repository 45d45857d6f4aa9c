"""Summaries that a model writes together: what each alone would be, from fewer and larger steps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from equal_up_to_rounding import assert_alike
from tiny_models import save_family, save_pagesum
from tiny_topdown import save_topdown
from tiny_windowing import save_windowing

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.generation import beam
from lsum_cli.methods import costs, pagesum, parts, seq2seq
from lsum_cli.methods import windowing as windowing_method
from lsum_cli.methods.batching import group_neighbours
from lsum_cli.methods.costs import PROGRAM_BYTES
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

SENTENCES = (
    "The marsh rise where the mud slow the sea.",
    "The grass slow the river.",
    "The dam cost the marsh its mud.",
    "The wall cost the river more.",
    "The bird and the grass rise first.",
    "The first wall rise where the bird slow.",
)
FAMILIES = ("pagesum", "bart", "t5", "led", "bigbird_pegasus", "topdown", "ada", "windowing")


def make_document(first: int, count: int) -> Document:
    text = " ".join(SENTENCES[(first + number) % len(SENTENCES)] for number in range(count))
    return compose_document(
        [Passage(paragraphs=(Paragraph.of(text),))], id="d0", source=f"{first}.txt", language="en"
    )


DOCUMENTS = [make_document(0, 3), make_document(1, 30), make_document(2, 1), make_document(3, 9)]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("models")
    return {
        "pagesum": save_pagesum(base / "pagesum"),
        "topdown": save_topdown(base / "topdown"),
        "ada": save_topdown(base / "ada", pooling="ada", tagger=True),
        "windowing": save_windowing(base / "windowing"),
        **{family: save_family(base / family, family) for family in FAMILIES[1:5]},
    }


def make_summarizer(
    folder: Path, progress: ProgressListener = ignore_progress, **wishes: object
) -> Summarizer:
    wishes = {"dtype": "float32", "beams": 2} | wishes
    if folder.name == "windowing":
        wishes["windowing"] = "static"
    if folder.name in ("pagesum", "windowing"):
        wishes.pop("parts", None)
    return Summarizer(SummaryOptions(model=str(folder), **wishes), progress)  # type: ignore[arg-type]


def together(folder: Path, **wishes: object) -> None:
    """Compare the summaries of all documents at once with those of each."""
    summarizer = make_summarizer(folder, **wishes)
    written = summarizer.summarize_batch([[document] for document in DOCUMENTS])
    assert written is not None
    for document, summary in zip(DOCUMENTS, written, strict=True):
        alone = make_summarizer(folder, **wishes).summarize([document])
        assert_alike(summary.sentences, alone.sentences)
        assert summary.documents == (document,)
        assert summary.coverage == alone.coverage
        assert summary.options == alone.options
        assert summary.warnings == alone.warnings
        assert summary.seconds.keys() == alone.seconds.keys()
        assert [each.name for each in summary.lengths] == [each.name for each in alone.lengths]


@pytest.mark.parametrize("faithful", ["flag", "verbatim"])
@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_written_together_is_what_each_alone_would_be(folders, family, faithful):
    together(folders[family], faithful=faithful, max_tokens=14, parts="join")


@pytest.mark.parametrize("faithful", ["flag", "verbatim"])
@pytest.mark.parametrize("family", ["bart", "t5", "led"])
def test_generate_goes_on_with_the_longest_and_leaves_the_others_as_they_are(
    folders, family, faithful, monkeypatch
):
    monkeypatch.setattr(seq2seq, "SIMILAR_SHARE", 0.0)
    for beams in (1, 3):
        together(folders[family], faithful=faithful, max_tokens=20, min_tokens=9, beams=beams, parts="join")


@pytest.mark.parametrize("family", ["pagesum", "topdown"])
def test_documents_of_different_lengths_are_searched_for_together(folders, family, monkeypatch):
    # Words are of more or fewer tokens in each document.
    documents = [[make_document(number, 2 + number)] for number in range(4)]
    summarizer = make_summarizer(folders[family], length="12")
    plans = [summarizer.plan(each) for each in documents]
    method = summarizer.method_for(documents[0])
    assert len({method._settings(plan.pages).max_tokens for plan in plans}) > 1
    alone = [summarizer.summarize(each) for each in documents]
    searches = count_searches(monkeypatch)
    written = summarizer.summarize_batch(documents)
    assert written is not None
    assert searches == [4]
    for summary, expected in zip(written, alone, strict=True):
        assert_alike(summary.sentences, expected.sentences)
        assert summary.options == expected.options


@pytest.mark.parametrize("family", ["bart", "topdown"])
def test_parts_are_summarised_again_together(folders, family):
    together(folders[family], parts="again")


@pytest.mark.parametrize("family", ["pagesum", "bart", "topdown", "windowing"])
def test_all_lengths_are_written_together(folders, family, monkeypatch):
    from lsum_cli.methods.length import NAMED_LENGTHS

    for name, words in {"short": 6, "medium": 12, "long": 24}.items():
        monkeypatch.setitem(NAMED_LENGTHS, name, words)
    together(folders[family], length="all")


def count_searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of documents of every search from now on."""
    found: list[int] = []
    original = beam.beam_search

    def count(decoder, *given, **more):
        found.append(decoder.num_documents)
        return original(decoder, *given, **more)

    monkeypatch.setattr(beam, "beam_search", count)
    return found


@pytest.mark.parametrize("family", ["pagesum", "topdown", "windowing"])
def test_a_batch_holds_as_many_as_their_tokens_allow(folders, family, monkeypatch):
    searches = count_searches(monkeypatch)
    summarizer = make_summarizer(folders[family], max_tokens=6, parts="join")
    documents = [[make_document(number, 2)] for number in range(6)]
    tokens = max(summarizer.plan(each).coverage.tokens_read for each in documents)

    def write(most: int | None) -> Sequence[int]:
        searches.clear()
        assert summarizer.summarize_batch(documents, most) is not None
        return list(searches)

    assert write(None) == write(100 * tokens) == [6]
    assert sum(write(2 * tokens)) == 6
    assert 2 <= max(searches) < 6
    assert write(1) == [1] * 6


class Heard:
    """Remarks of progress."""

    def __init__(self) -> None:
        self.remarks: list[str] = []

    def __call__(self, event: ProgressEvent) -> None:
        self.remarks += [event.remark] * bool(event.remark)


@pytest.mark.parametrize("family", ["pagesum", "topdown", "bart", "windowing"])
def test_a_batch_is_no_larger_than_the_memory_that_its_plans_predict(folders, family, monkeypatch):
    heard = Heard()
    summarizer = make_summarizer(folders[family], heard, max_tokens=6, parts="join")
    documents = [[make_document(number, 2)] for number in range(6)]
    plans = [summarizer.plan(each) for each in documents]
    tokens = max(plan.coverage.tokens_read for plan in plans)
    method = summarizer.method_for(documents[0])
    method.prepare()
    batches: list[list[int]] = []

    def group(items, lengths, most):
        batches.append([sum(each) for each in group_neighbours(lengths, lengths, most)])
        return group_neighbours(items, lengths, most)

    for module in (pagesum, parts, windowing_method):
        monkeypatch.setattr(module, "group_neighbours", group)
    per_token = plans[0].cost.token_bytes
    assert per_token > 0
    # Loaded weights are not counted again: what is free holds two documents and no third.
    monkeypatch.setattr(costs, "free_bytes", lambda _: int(2.5 * tokens * per_token / costs.MEMORY_SHARE))
    batches.clear()
    alone = [summarizer.summarize(each) for each in documents]
    batches.clear()
    written = summarizer.summarize_batch(documents, 1_000_000)
    assert written is not None
    assert [summary.text for summary in written] == [summary.text for summary in alone]
    assert all(size <= 2.5 * tokens for sizes in batches for size in sizes)
    assert any(len(sizes) > 1 for sizes in batches)
    (remark,) = heard.remarks
    assert remark.startswith("--batch-tokens 1000000: ")
    summarizer.summarize_batch(documents, 1_000_000)
    assert heard.remarks == [remark], "it is told once"
    # A wish that can be met is met, and nothing is said.
    heard.remarks.clear()
    monkeypatch.setattr(costs, "free_bytes", lambda _: 1 << 40)
    batches.clear()
    summarizer.summarize_batch(documents, 6 * tokens)
    assert max(len(sizes) for sizes in batches) == 1
    assert heard.remarks == []


def test_what_is_still_to_be_loaded_is_counted(folders, monkeypatch):
    summarizer = make_summarizer(folders["pagesum"], max_tokens=6)
    documents = [[make_document(number, 2)] for number in range(4)]
    cost = summarizer.plan(documents[0]).cost
    weights = cost.memory_for(0) - round(cost.token_bytes * cost.held_tokens) - PROGRAM_BYTES
    assert weights > 0
    searches = count_searches(monkeypatch)
    monkeypatch.setattr(costs, "free_bytes", lambda _: int(weights / costs.MEMORY_SHARE))
    summarizer.summarize_batch(documents, 1000)
    assert searches == [1] * 4


@pytest.mark.parametrize(
    ("family", "wishes"), [("windowing", {"faithful": "verbatim"}), ("pagesum", {"length": "all"})]
)
def test_a_wish_without_effect_is_told(folders, family, wishes):
    heard = Heard()
    summarizer = make_summarizer(folders[family], heard, max_tokens=None, **wishes)
    summarizer.summarize_batch([[make_document(number, 9)] for number in range(2)], 5000)
    (remark,) = heard.remarks
    assert remark.startswith("--batch-tokens has no effect: ")


def test_a_method_that_never_writes_together_says_so():
    heard = Heard()
    summarizer = Summarizer(SummaryOptions(method="extract"), heard)
    assert summarizer.summarize_batch([[DOCUMENTS[1]], [DOCUMENTS[3]]], 5000) is None
    assert heard.remarks == ["--batch-tokens has no effect: the method extract writes one after the other"]


@pytest.mark.parametrize(("family", "most"), [("pagesum", 65_536), ("topdown", 16_384)])
def test_a_gpu_is_given_more_pages_at_a_time(folders, family, most, monkeypatch):
    import torch

    from lsum_cli.machine import devices

    summarizer = make_summarizer(folders[family], max_tokens=6, parts="join")
    documents = [[make_document(number, 2)] for number in range(3)]
    alone = [summarizer.summarize(each).text for each in documents]
    asked: list[int] = []

    def group(items, lengths, most):
        asked.append(most)
        return group_neighbours(items, lengths, most)

    for module in (pagesum, parts):
        monkeypatch.setattr(module, "group_neighbours", group)
    # What is loaded stays where it is; only the choice of sizes takes the machine for one with a GPU.
    monkeypatch.setattr(devices, "choose_device", lambda _: torch.device("cuda"))
    monkeypatch.setattr(costs, "free_bytes", lambda _: 80 << 30)
    monkeypatch.setattr(costs, "measure_rates", lambda *_: (1e12, 1e12))
    written = summarizer.summarize_batch(documents)
    assert written is not None
    assert [summary.text for summary in written] == alone
    assert most in asked
    assert max(asked) == most
    # A GPU that other programs have filled is given one document at a time, whatever is usual.
    monkeypatch.setattr(costs, "free_bytes", lambda _: 0)
    asked.clear()
    assert summarizer.summarize_batch(documents) is not None
    assert 0 in asked


def test_the_parts_of_one_document_are_decoded_together(folders, monkeypatch):
    searches = count_searches(monkeypatch)
    summarizer = make_summarizer(folders["topdown"], max_tokens=6, parts="join")
    plan = summarizer.plan([DOCUMENTS[1]])
    summarizer.summarize([DOCUMENTS[1]])
    assert len(plan.parts) > 1  # type: ignore[attr-defined]
    assert sum(searches) == len(plan.parts)  # type: ignore[attr-defined]


def test_documents_of_several_methods_are_not_written_together_and_that_is_told(folders, monkeypatch):
    from lsum_cli.methods import summarizer as module

    short, long = [make_document(0, 2)], [make_document(1, 60)]
    tokens = make_summarizer(folders["bart"]).plan(short).coverage.tokens_total
    monkeypatch.setattr(module, "BOOK_TOKENS", 2 * tokens)
    heard = Heard()
    summarizer = make_summarizer(folders["bart"], heard, max_tokens=6)
    assert summarizer.summarize_batch([short, long]) is None
    (remark,) = heard.remarks
    assert remark == "not written together: the methods seq2seq and book suit these documents"
