"""The method book: chapters, their summaries, one summary; resumed where it was interrupted."""

from __future__ import annotations

import re
import shutil
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_models import save_family, save_pagesum
from tiny_topdown import save_topdown
from tiny_windowing import save_windowing

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.methods.book import SHORTEST_CHAPTER_WORDS
from lsum_cli.methods.chapter_cache import WAITING, ChapterCache, books_path, cache_key
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.registry import choose_method
from lsum_cli.methods.summarizer import BOOK_TOKENS, Summarizer
from lsum_cli.progress import ProgressEvent
from lsum_cli.summaries import AttributionKind, Summary

WORDS = ["the marsh rise", "a bird slow the sea", "mud cost grass", "the river rise", "the dam slow the wall"]


def chapter(number: int, sentences: int = 30) -> str:
    return " ".join(f"{WORDS[(number + n) % 5].capitalize()} {number} {n}." for n in range(sentences))


def compose(*chapters: tuple[str | None, str], paged: bool = False) -> Document:
    passages = [
        Passage(heading=h, level=1, paragraphs=(Paragraph.of(text, pdf_page=n if paged else None),))
        for n, (h, text) in enumerate(chapters, start=1)
    ]
    return compose_document(passages, id="d0", source="book.txt", title="Marshes")


BOOK = compose(
    *((f"CHAPTER {n}", chapter(n)) for n in (1, 2, 3)), ("CHAPTER 4", "Only three words."), paged=True
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return save_topdown(
        tmp_path_factory.mktemp("models") / "tiny", max_source_positions=1024, attention_window=32
    )


@pytest.fixture(scope="module")
def bart(tmp_path_factory) -> Path:
    return save_family(tmp_path_factory.mktemp("models") / "bart", "bart", max_position_embeddings=24)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def options(folder: Path, **wishes) -> SummaryOptions:
    defaults = {"method": "book", "beams": 1, "max_tokens": 20, "dtype": "float32"}
    defaults["show_chapters"] = wishes.get("method", "book") == "book"
    return SummaryOptions(model=str(folder), **defaults | wishes)


def summarize(folder: Path, document: Document = BOOK, progress=lambda event: None, **wishes) -> Summary:
    return Summarizer(options(folder, **wishes), progress).summarize([document])


def unfinished_books(home: Path) -> list[Path]:
    return list((home / "books").glob("[!.]*"))


def test_a_book_is_summarised_by_its_chapters(folder) -> None:
    summary = summarize(folder)
    assert (summary.method, summary.checkpoint.name, summary.title) == ("book", "tiny", "Marshes")
    assert [page.label for page in summary.pages] == [f"CHAPTER {n}" for n in (1, 2, 3, 4)]
    assert summary.coverage.tokens_dropped == 0
    assert [each.page for each in summary.chapters] == [0, 1, 2, 3]
    assert summary.options["chapters"] == 4
    assert summary.sentences


def test_attribution_goes_back_to_chapter_and_pdf_page(folder) -> None:
    for sentence in summarize(folder).sentences:
        attribution = sentence.attribution
        assert attribution is not None
        assert attribution.kind is AttributionKind.ATTENTION
        assert sum(weight.weight for weight in attribution.pages) == pytest.approx(1)
        assert {weight.page for weight in attribution.pages} <= {0, 1, 2, 3}
        for evidence in attribution.evidence:
            assert BOOK.sentences[evidence.sentence_index].text == evidence.text
            assert evidence.pdf_page == evidence.page + 1
            assert evidence.document_id == "d0"


def test_chapters_are_attributed_within_themselves(folder) -> None:
    summary = summarize(folder)
    for written in summary.chapters:
        for sentence in written.sentences:
            assert sentence.attribution is not None
            assert [weight.page for weight in sentence.attribution.pages] == [written.page]
            assert {item.page for item in sentence.attribution.evidence} <= {written.page}


def test_a_chapter_as_short_as_a_summary_is_taken_as_it_stands(folder) -> None:
    summary = summarize(folder)
    (sentence,) = summary.chapters[3].sentences
    assert sentence.text == "Only three words."
    assert sentence.attribution.kind is AttributionKind.EXTRACTION
    assert "1 chapter is as short as a summary and taken over verbatim" in summary.warnings
    assert len(BOOK.sections[0].sentences) * 4 > SHORTEST_CHAPTER_WORDS


def test_chapters_are_part_of_the_result_only_where_they_are_asked_for(folder) -> None:
    assert summarize(folder, show_chapters=False).chapters == ()


def test_lengths_are_those_of_the_book_alone(folder) -> None:
    short, long = summarize(folder, max_tokens=5), summarize(folder, max_tokens=40)
    assert short.chapters == long.chapters
    assert [summary.options["max_tokens"] for summary in (short, long)] == [5, 40]


def test_a_text_without_chapters(folder) -> None:
    summary = summarize(folder, compose((None, chapter(1, 60))))
    assert [page.label for page in summary.pages] == ["whole text"]
    assert summary.chapters == ()
    # There is nothing to summarise twice.
    plain = summarize(folder, compose((None, chapter(1, 60))), method="topdown")
    assert [s.text for s in summary.sentences] == [s.text for s in plain.sentences]
    assert summary.warnings == plain.warnings


def test_chapters_and_book_may_have_checkpoints_of_different_methods(folder, bart, tmp_path) -> None:
    pagesum = save_pagesum(tmp_path / "pages", max_position_embeddings=128)
    summary = summarize(pagesum, chapter_model=str(folder))
    assert (summary.checkpoint.name, summary.options["chapter_model"]) == ("pages", "tiny")
    # Confidence over attention: the weakest of what the two can promise.
    assert {s.attribution.kind for s in summary.sentences} == {AttributionKind.ALIGNMENT}
    assert summary.chapters == summarize(folder).chapters


def test_chapter_summaries_too_long_to_be_read_at_once_are_grouped_and_it_is_said(folder, bart) -> None:
    # So few tokens that no group ends at a sentence end by itself.
    summary = summarize(bart, chapter_model=str(folder), max_tokens=10)
    (said,) = (warning for warning in summary.warnings if "groups first" in warning)
    assert said.startswith(
        "the 4 chapter summaries are too long to be read at once: they were summarised in "
    )
    assert any(re.match(r"\d+ groups?: ", each) for each in summary.warnings)
    for sentence in summary.sentences:
        assert sum(weight.weight for weight in sentence.attribution.pages) == pytest.approx(1)


class Interrupt(Exception):
    pass


def interrupt_after(chapters: int):
    def listen(event: ProgressEvent) -> None:
        if event.stage == "chapters" and event.done == chapters and not event.remark:
            raise Interrupt

    return listen


def test_an_interrupted_run_goes_on_with_the_next_chapter(folder, home) -> None:
    whole = summarize(folder)
    with pytest.raises(Interrupt):
        summarize(folder, progress=interrupt_after(2))
    (work,) = unfinished_books(home)
    assert sorted(file.name for file in work.iterdir()) == ["chapter-0001.json", "chapter-0002.json"]
    events: list[ProgressEvent] = []
    resumed = summarize(folder, progress=events.append)
    assert [event.remark for event in events if event.remark] == ["resumed: 2 of 4 chapters were done"]
    assert resumed.options["chapters_resumed"] == 2
    assert resumed.sentences == whole.sentences
    assert resumed.chapters == whole.chapters
    assert unfinished_books(home) == []


def test_other_settings_or_other_text_resume_nothing(folder) -> None:
    with pytest.raises(Interrupt):
        summarize(folder, progress=interrupt_after(2))
    assert summarize(folder, beams=2).options["chapters_resumed"] == 0
    changed = compose(*((f"CHAPTER {n}", chapter(n + 1)) for n in (1, 2, 3)))
    assert summarize(folder, changed).options["chapters_resumed"] == 0
    # What changes no chapter is no other setting.
    assert summarize(folder, max_tokens=10, show_chapters=False).options["chapters_resumed"] == 2


def test_what_is_kept_belongs_to_pdf_pages_headings_and_settings_of_the_checkpoint(folder, tmp_path) -> None:
    def key(document: Document, model: Path = folder) -> str:
        chosen = options(model)
        choice = choose_method(chosen)
        return cache_key(Summarizer(chosen).plan([document]).pages, [document], choice, chosen)

    text = [(f"CHAPTER {n}", chapter(n)) for n in (1, 2)]
    paged, plain = compose(*text, paged=True), compose(*text)
    renamed = replace(plain, sections=(plain.sections[0], replace(plain.sections[1], level=2)))
    edited = tmp_path / "edited"
    shutil.copytree(folder, edited)
    keys = [key(plain), key(paged), key(renamed), key(plain, edited)]
    (edited / "generation_config.json").write_text('{"max_length": 7}')
    keys.append(key(plain, edited))
    assert len(set(keys)) == len(keys)
    assert key(compose(*text)) == keys[0]


def test_a_model_that_reads_the_beginning_alone_serves_for_no_stage(folder, tmp_path) -> None:
    stan = save_windowing(tmp_path / "stan", windowing="none", seed=2)
    for book, chapters in ((folder, stan), (stan, folder)):
        with pytest.raises(CheckpointError, match="stan reads only the beginning of a text"):
            summarize(book, chapter_model=str(chapters))


def test_who_wants_chapters_shown_gets_chapters(folder) -> None:
    assert summarize(folder, method="auto", show_chapters=True).method == "book"
    assert summarize(folder, method="auto").method == "topdown"


def test_of_two_runs_at_once_the_second_waits_and_takes_the_chapters_of_the_first(folder, home) -> None:
    waiting = threading.Event()
    remarks: list[str] = []
    second: list[Summary] = []

    def hear(event: ProgressEvent) -> None:
        remarks.extend([event.remark] if event.remark else [])
        if event.remark == WAITING:
            waiting.set()

    other = threading.Thread(target=lambda: second.append(summarize(folder, progress=hear, max_tokens=5)))

    def let_the_other_come(event: ProgressEvent) -> None:
        if event.stage == "chapters" and event.done == 1 and other.ident is None:
            other.start()
            assert waiting.wait(60)

    first = summarize(folder, progress=let_the_other_come)
    other.join(60)
    assert remarks == [WAITING, "resumed: 4 of 4 chapters were done"]
    assert (first.options["chapters_resumed"], second[0].options["chapters_resumed"]) == (0, 4)
    assert first.chapters == second[0].chapters
    assert unfinished_books(home) == []


def test_a_damaged_chapter_is_written_again(folder, home) -> None:
    with pytest.raises(Interrupt):
        summarize(folder, progress=interrupt_after(2))
    (work,) = unfinished_books(home)
    (work / "chapter-0001.json").write_text('{"sentences": [')
    assert summarize(folder).options["chapters_resumed"] == 1


def test_a_disk_that_refuses_costs_only_the_resuming(folder, home) -> None:
    home.mkdir()
    (home / "books").write_text("a file where a folder should be")
    events: list[ProgressEvent] = []
    assert summarize(folder, progress=events.append).sentences
    (remark,) = [event.remark for event in events if event.remark]
    assert remark.startswith("warning: chapters could not be cached; an interrupted run will start over")


def test_work_nobody_came_back_to_is_forgotten(home) -> None:
    import os

    old, young = books_path() / "old", books_path() / "young"
    for path in (old, young):
        path.mkdir(parents=True)
    os.utime(old, (0, 0))
    with ChapterCache("new").alone():
        pass
    assert (old.exists(), young.exists()) == (False, True)


def test_auto_goes_by_chapters_where_a_document_is_too_long_for_pages(folder, bart) -> None:
    long = compose(*((f"CHAPTER {n}", chapter(n, 2000)) for n in (1, 2, 3)))
    assert sum(len(s.text.split()) for s in long.sentences) > BOOK_TOKENS / 2

    def method(document: Document, **wishes) -> str:
        return Summarizer(options(folder, method="auto", **wishes)).method_for([document]).name

    assert method(long) == "book"
    assert method(BOOK) == "topdown"
    assert method(BOOK, chapter_model=str(bart)) == "book"
    assert method(long, pages=7) == "topdown"
    two = [long, replace(long, id="d1")]
    assert Summarizer(options(folder, method="auto")).method_for(two).name == "topdown"


def test_auto_extracts_from_a_book_where_there_is_no_checkpoint() -> None:
    long = compose(*((f"CHAPTER {n}", chapter(n, 2000)) for n in (1, 2, 3)))
    assert Summarizer(SummaryOptions()).method_for([long]).name == "extract"


def test_a_book_without_any_checkpoint_is_extracted_by_chapters() -> None:
    summary = Summarizer(SummaryOptions(method="book", show_chapters=True)).summarize([BOOK])
    assert (summary.method, summary.checkpoint) == ("extract", None)
    assert [page.label for page in summary.pages] == [f"CHAPTER {number}" for number in range(1, 5)]
    assert [chapter.page for chapter in summary.chapters] == [0, 1, 2, 3]
    for chapter in summary.chapters:
        said = [sentence.text for sentence in summary.pages[chapter.page].sentences]
        assert chapter.sentences
        assert all(sentence.text in said for sentence in chapter.sentences)


@pytest.mark.parametrize("wish", [{"pages": 3}, {"locality": "spatial"}])
def test_pages_are_no_matter_of_books(folder, wish) -> None:
    with pytest.raises(OptionError, match="does not apply to the method book"):
        summarize(folder, **wish)


def test_pooling_needs_a_checkpoint_that_pools(bart) -> None:
    with pytest.raises(OptionError, match="--pooling does not apply to checkpoints of the method seq2seq"):
        summarize(bart, pooling="avg")


def test_a_plan_lists_the_chapters_and_loads_no_weights(folder, monkeypatch) -> None:
    monkeypatch.setattr("lsum_cli.methods.model_method.load_folder", None)
    plan = Summarizer(options(folder)).plan([BOOK])
    assert (plan.method, len(plan.pages)) == ("book", 4)
    assert plan.cost.seconds > 0
    assert plan.cost.memory_bytes > 0
