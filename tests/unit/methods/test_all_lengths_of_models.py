"""Every length that a model can write, from one reading of the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from equal_up_to_rounding import assert_alike
from tiny_models import save_family, save_pagesum
from tiny_topdown import save_topdown
from tiny_windowing import save_windowing

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.errors import OptionError
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.summaries import Summary

SENTENCES = (
    "The marsh rise where the mud slow the sea.",
    "The grass slow the river.",
    "The dam cost the marsh its mud.",
    "The wall cost the river more.",
    "The bird and the grass rise first.",
)
TINY_LENGTHS = {"short": 6, "medium": 12, "long": 24}


def make_document(count: int) -> Document:
    text = " ".join(SENTENCES[number % 5].replace("The", f"The {number}", 1) for number in range(count))
    return compose_document(
        [Passage(paragraphs=(Paragraph.of(text),))], id="d0", source="long.txt", language="en"
    )


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("models")
    return {
        "pagesum": save_pagesum(base / "pagesum"),
        "seq2seq": save_family(base / "bart", "bart"),
        "topdown": save_topdown(base / "topdown"),
        "windowing": save_windowing(base / "windowing"),
    }


@pytest.fixture(autouse=True)
def tiny_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, words in TINY_LENGTHS.items():
        monkeypatch.setitem(NAMED_LENGTHS, name, words)


def summarize(folder: Path, document: Document, **wishes: object) -> Summary:
    wishes = {"dtype": "float32", "beams": 1} | wishes
    if folder.name == "windowing":
        wishes["windowing"] = "static"
    return Summarizer(SummaryOptions(model=str(folder), **wishes)).summarize([document])  # type: ignore[arg-type]


@contextmanager
def recorded_encodings() -> Iterator[list[str]]:
    """What each encoder was given, call by call."""
    from transformers.models.bart.modeling_bart import BartEncoder

    from lsum_cli.models.blocks.bart import PreparedBartEncoder
    from lsum_cli.models.topdown.encoder import TopDownEncoder
    from lsum_cli.models.windowing.encoded_text import EncodedText

    calls: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for kind, name in (
            (PreparedBartEncoder, "encode"),
            (TopDownEncoder, "encode"),
            (EncodedText, "_read_ahead"),
            (BartEncoder, "forward"),
        ):
            original = getattr(kind, name)

            def count(self, *given, kind=kind, original=original, **more):
                read = [getattr(self, "_input_ids", None), given, more.get("input_ids")]
                calls.append(repr([kind.__name__, read]))
                return original(self, *given, **more)

            patch.setattr(kind, name, count)
        yield calls


def read_for_each(folder: Path, document: Document, once: list[str], **wishes: str) -> dict[str, Summary]:
    """The summary of each length from a run of its own; ``once`` is all that these runs read."""
    single: dict[str, Summary] = {}
    alone: Counter[str] = Counter()
    for name in TINY_LENGTHS:
        with recorded_encodings() as read:
            single[name] = summarize(folder, document, length=name, **wishes)
        alone |= Counter(read)
    if wishes.get("faithful") == "verbatim":
        # A part that holds no sentence short enough is passed over, and may be turned to again at the end.
        assert set(once) == set(alone)
    else:
        assert Counter(once) == alone
    return single


@pytest.mark.parametrize("faithful", ["flag", "verbatim"])
@pytest.mark.parametrize("family", ["pagesum", "seq2seq", "topdown", "windowing"])
def test_a_model_reads_once_for_all_lengths_and_writes_each_as_alone(folders, family, faithful):
    folder, document = folders[family], make_document(12)
    with recorded_encodings() as once:
        every = summarize(folder, document, length="all", faithful=faithful)
    assert [length.name for length in every.lengths] == ["sentence", *TINY_LENGTHS]
    single = read_for_each(folder, document, once, faithful=faithful)
    for length in every.lengths[1:]:
        assert_alike(length.sentences, single[length.name].sentences)
    assert every.lengths[0].sentences == every.lengths[1].sentences[:1]
    assert every.sentences == every.lengths[-1].sentences
    assert every.seconds.keys() == single["long"].seconds.keys()


@pytest.mark.parametrize("family", ["seq2seq", "topdown"])
def test_parts_that_are_summarised_again_are_read_once(folders, family):
    folder, document = folders[family], make_document(30)
    with recorded_encodings() as once:
        every = summarize(folder, document, length="all")
    assert every.options["parts"] >= 2
    single = read_for_each(folder, document, once)
    assert any(summary.options["stages"] > 1 for summary in single.values())
    for length in every.lengths[1:]:
        assert [s.text for s in length.sentences] == [s.text for s in single[length.name].sentences]
        assert [s.attribution for s in length.sentences] == [
            s.attribution for s in single[length.name].sentences
        ]


def test_a_length_beyond_what_a_model_can_write_is_as_long_as_it_can(folders, monkeypatch):
    monkeypatch.setitem(NAMED_LENGTHS, "long", 100)
    summary = summarize(folders["pagesum"], make_document(12), length="all")
    assert [length.name for length in summary.lengths] == ["sentence", *TINY_LENGTHS]
    alone = summarize(folders["pagesum"], make_document(12), length="long")
    assert summary.sentences == alone.sentences
    assert summary.options["max_tokens"] == alone.options["max_tokens"] == 62


def test_dynamic_windows_decide_on_one_length(folders):
    with pytest.raises(OptionError, match="dynamic windowing"):
        Summarizer(
            SummaryOptions(model=str(folders["windowing"]), length="all", windowing="dynamic")
        ).summarize([make_document(4)])


def test_a_book_has_every_length_of_its_last_stage(folders):
    passages = [
        Passage(
            heading=f"Chapter {number}",
            level=1,
            paragraphs=(Paragraph.of(" ".join(SENTENCES * 6)),),
        )
        for number in (1, 2, 3)
    ]
    book = compose_document(passages, id="d0", source="book.txt", language="en")
    summary = summarize(folders["topdown"], book, length="all", method="book", show_chapters=True)
    assert [length.name for length in summary.lengths] == ["sentence", *TINY_LENGTHS]
    assert len(summary.chapters) == 3
    pages = {page.index for page in summary.pages}
    for length in summary.lengths:
        assert [sentence.index for sentence in length.sentences] == list(range(len(length.sentences)))
        for sentence in length.sentences:
            assert {weight.page for weight in sentence.attribution.pages} <= pages
