"""Recognition: what engines say becomes pages; several at a time; nothing is made twice or lost unsaid."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field, replace
from importlib.metadata import requires
from pathlib import Path

import pytest

from lsum_cli.errors import MissingDependency
from lsum_cli.progress import ignore_progress
from lsum_cli.reading.ocr import engines
from lsum_cli.reading.ocr.engines import EngineFailure, Tesseract, read_hocr
from lsum_cli.reading.ocr.pages import PageImage, RecognisedLine, RecognisedPage, evened
from lsum_cli.reading.ocr.recognition import need_engine, recognise

GERMAN = "Der Ausschuss, der im Frühjahr tagte, beschloss die Sache den Gerichten zu überlassen."
ENGLISH = "The committee that met in the spring decided to leave the matter to the courts of the land."


def line(text: str, **changes: float) -> RecognisedLine:
    return replace(RecognisedLine(text=text, x0=72.0, x1=400.0, y=700.0, size=10.0), **changes)


def image(number: int) -> PageImage:
    return PageImage(pixels=bytes([number]), width=1, height=1, dpi=300.0)


@dataclass
class FakeEngine:
    """Recognises the number of a page in its only pixel."""

    texts: dict[int, str]
    language: str = "en"
    languages: tuple[str, ...] = ("en",)
    asked: list[tuple[int, str]] = field(default_factory=list)
    together: threading.Barrier | None = None
    name: str = "Fake"

    @property
    def signature(self) -> str:
        return f"fake-{self.language}"

    def recognise(self, image: PageImage) -> RecognisedPage:
        number = image.pixels[0]
        self.asked.append((number, self.language))
        if self.together is not None and number > 1:
            self.together.wait(timeout=20)
        if number not in self.texts:
            raise EngineFailure("no such page")
        text = self.texts[number]
        return RecognisedPage(
            width=600, height=800, lines=(line(text),) if text else (), uncertain_words=number
        )

    def for_language(self, language: str | None) -> FakeEngine:
        return replace(self, language=language) if language in self.languages else self

    def lacks(self, language: str) -> str | None:
        return None if language in self.languages else f"data for {language}"


def recognised(engine: FakeEngine, numbers=(1, 2, 3), content: bytes = b"x", **options):
    return recognise(numbers, image, content, engine, progress=ignore_progress, **options)


def test_pages_are_recognised_and_empty_ones_are_not_among_them():
    found = recognised(FakeEngine({1: ENGLISH, 2: "", 3: "Third."}))
    assert {number: page.text for number, page in found.pages.items()} == {1: ENGLISH, 3: "Third."}
    assert found.uncertain_words == 6
    assert found.warnings == ()


def test_a_second_run_asks_the_engine_nothing():
    first, second = FakeEngine({1: ENGLISH, 2: "", 3: "Third."}), FakeEngine({})
    once = recognised(first)
    assert recognised(second) == once
    assert second.asked == []
    other = FakeEngine({1: "Other."})
    assert recognised(other, (1,), b"y").pages[1].text == "Other."


def test_nothing_is_kept_of_an_encrypted_source(tmp_path, monkeypatch):
    monkeypatch.setenv("LSUM_HOME", str(tmp_path))
    recognised(FakeEngine({1: ENGLISH}), (1,), keep=False)
    assert list(tmp_path.rglob("*.json")) == []
    recognised(FakeEngine({1: ENGLISH}), (1,))
    kept = list(tmp_path.rglob("*.json"))
    assert len(kept) == 1
    kept[0].write_text('{"lines": 3}')
    assert recognised(FakeEngine({1: ENGLISH}), (1,)).pages[1].text == ENGLISH


def test_pages_are_recognised_at_the_same_time():
    engine = FakeEngine({1: ENGLISH, 2: "b", 3: "c", 4: "d"}, together=threading.Barrier(3))
    assert list(recognised(engine, (1, 2, 3, 4), jobs=3).pages) == [1, 2, 3, 4]


def test_a_page_that_fails_is_said_and_the_others_are_read():
    found = recognised(FakeEngine({1: ENGLISH, 3: "c"}), (1, 2, 3, 4))
    assert list(found.pages) == [1, 3]
    assert found.warnings == ("page 2 could not be recognised (2 pages could not): no such page",)


def test_the_engine_is_used_for_the_language_of_the_text():
    engine = FakeEngine({1: GERMAN, 2: GERMAN, 3: GERMAN}, languages=("en", "de"))
    assert recognised(engine).warnings == ()
    assert sorted(engine.asked) == [(1, "de"), (1, "en"), (2, "de"), (3, "de")]


def test_a_language_that_the_engine_lacks_is_said():
    (warning,) = recognised(FakeEngine({1: GERMAN, 2: GERMAN, 3: GERMAN}), content=b"z").warnings
    assert "'de'" in warning
    assert "data for de" in warning


def test_progress_counts_the_pages():
    events = []
    recognise((1, 2), image, b"p", FakeEngine({1: ENGLISH, 2: "b"}), progress=events.append)
    assert [(event.done, event.total, event.unit) for event in events] == [
        (done, 2, "pages") for done in (0, 1, 2)
    ]


def test_without_an_engine_the_command_that_installs_one_is_named(monkeypatch):
    monkeypatch.setattr("lsum_cli.reading.ocr.recognition.find_engine", lambda: None)
    with pytest.raises(MissingDependency) as caught:
        need_engine("--ocr always")
    assert caught.value.next_step == "pip install 'lsum-cli[ocr]'"


def hocr(*lines: tuple[str, float, float]) -> bytes:
    """Lines of words with one confidence each, at a height in pixels."""
    spans = "".join(
        f"<span class='ocr_line' title='bbox 300 {top} 900 {top + 40}; baseline 0.01 -9; x_size 40'>"
        + "".join(
            f"<span class='ocrx_word' title='bbox 0 0 9 9; x_wconf {sure}'>{word}</span>"
            for word in text.split()
        )
        + "</span>"
        for text, sure, top in lines
    )
    return f"<html xmlns='http://www.w3.org/1999/xhtml'><body><div>{spans}</div></body></html>".encode()


def test_lines_of_tesseract_in_points_from_the_bottom():
    blank = PageImage(pixels=bytes(3000 * 2000), width=2000, height=3000, dpi=300.0)
    page, confidence = read_hocr(hocr(("Some certain words", 95, 100), ("~ lj", 12, 300)), blank)
    assert (page.width, page.height, page.uncertain_words) == (480.0, 720.0, 2)
    (found,) = page.lines
    assert found.text == "Some certain words"
    assert (found.x0, found.x1) == (72.0, 216.0)
    assert found.y == pytest.approx((3000 - 140 + 9) * 0.24)
    assert found.slope == -0.01
    assert 0.7 < confidence < 0.95


@pytest.mark.parametrize("output", [b"<html></html>", b"<span title='bbox a b; x_size'>", b"\x00\xff"])
def test_damaged_output_has_no_lines(output):
    blank = PageImage(pixels=bytes(4), width=2, height=2, dpi=300.0)
    try:
        page, confidence = read_hocr(output, blank)
    except EngineFailure:
        return
    assert (page.lines, confidence) == ((), 0.0)


def test_a_page_that_lay_askew_is_straightened():
    slope = 0.02
    lines = tuple(line(f"line {n}", y=700 - 12 * n - slope * 72, slope=-slope) for n in range(3))
    page = RecognisedPage(width=600, height=800, lines=lines).straightened()
    assert [each.slope for each in page.lines] == [0.0, 0.0, 0.0]
    # The left column of the next text block lies lower on the paper and at the same height afterwards.
    right = line("right", x0=372.0, x1=500.0, y=700 - slope * 372, slope=-slope)
    page = RecognisedPage(width=600, height=800, lines=(*lines, right)).straightened()
    assert page.lines[0].y == pytest.approx(page.lines[3].y, abs=0.1)


def test_sizes_are_evened_and_bold_lines_are_marked():
    lines = [
        line(f"A line of the text, number {n}", y=700 - 12 * n, stroke=0.6, size=10 + 0.2 * (n % 3))
        for n in range(9)
    ]
    lines[4] = replace(lines[4], size=7.5)
    lines.append(line("Heading", y=720.0, size=15.0, stroke=0.8))
    lines.append(line("Bold heading", y=500.0, stroke=0.9))
    (page,) = evened([RecognisedPage(width=600, height=800, lines=tuple(lines))])
    assert len({each.size for each in page.lines[:9]}) == 1
    assert page.lines[9].size == 15.0
    assert [each.text for each in page.lines if each.bold] == ["Bold heading"]
    assert RecognisedPage.from_json(page.to_json()) == page


def test_wide_strokes_are_measured():
    def bars(width: int) -> PageImage:
        row = (bytes([0] * width + [255] * (20 - width))) * 10
        return PageImage(pixels=row * 50, width=200, height=50, dpi=72.0)

    assert bars(6).stroke_width(0, 0, 200, 50) == pytest.approx(6, rel=0.15)
    assert bars(3).stroke_width(0, 0, 200, 50) == pytest.approx(3, rel=0.15)
    assert bars(3).stroke_width(500, 0, 700, 50) == 0.0


@pytest.fixture
def tesseract(tmp_path: Path) -> Tesseract:
    """A program called as Tesseract is, that does what its test writes into it."""
    return Tesseract(program=str(tmp_path / "tesseract"), version="5", languages=("eng",), language="eng")


@pytest.mark.parametrize(
    ("script", "reason"),
    [("exit 3", "status 3"), ("echo bad image >&2; exit 1", "bad image"), ("sleep 9", "more than")],
)
def test_a_failing_program_is_a_failure_of_the_page(tesseract, script, reason, monkeypatch):
    monkeypatch.setattr(engines, "PAGE_SECONDS", 0.5)
    Path(tesseract.program).write_text(
        f"#!/bin/sh\nexec {script}\n" if script.startswith("sleep") else f"#!/bin/sh\n{script}\n"
    )
    Path(tesseract.program).chmod(0o755)
    with pytest.raises(EngineFailure, match=reason):
        tesseract.recognise(PageImage(pixels=bytes(4), width=2, height=2, dpi=300.0))


def says(program: str, osd: str, confidences: dict[str, float]) -> None:
    """Make the program answer ``--psm 0`` with ``osd``, and each language with a line of that confidence."""
    answers = "\n".join(
        f"*'-l {language}'*) cat <<'END'\n{hocr((f'read as {language}', sure, 20.0)).decode()}\nEND\n;;"
        for language, sure in confidences.items()
    )
    Path(program).write_text(
        f"#!/bin/sh\ncat >/dev/null\ncase \"$*\" in\n*'--psm 0'*) echo '{osd}' ;;\n{answers}\nesac\n"
    )
    Path(program).chmod(0o755)


DEVANAGARI = (
    "Orientation in degrees: 0\nOrientation confidence: 9\nScript: Devanagari\nScript confidence: 7.9"
)


def test_a_page_in_another_script_is_read_with_its_data_or_refused(tesseract):
    page = PageImage(pixels=bytes(4), width=2, height=2, dpi=72.0)
    says(tesseract.program, DEVANAGARI, {"eng": 50, "nep": 90})
    with pytest.raises(EngineFailure, match=r"Devanagari script.*apt install tesseract-ocr-hin"):
        tesseract.recognise(page)
    both = replace(tesseract, languages=("eng", "nep"))
    assert both.recognise(page).text == "read as nep"
    # What is read well is in its script, whatever is said.
    says(tesseract.program, DEVANAGARI, {"eng": 65})
    assert tesseract.recognise(page).text == "read as eng"


def test_a_missing_program_is_a_failure_of_the_page(tesseract):
    with pytest.raises(EngineFailure, match="cannot be run"):
        tesseract.recognise(PageImage(pixels=bytes(4), width=2, height=2, dpi=300.0))


def test_data_for_a_language_is_used_or_named():
    engine = Tesseract(program="t", version="5", languages=("eng", "deu"), language="eng")
    assert engine.for_language("de").language == "deu"
    assert engine.for_language("fr") is engine
    assert (engine.lacks("de"), engine.lacks("xx")) == (None, None)
    assert "tesseract-ocr-chi-sim" in (engine.lacks("zh") or "")


def test_tesseract_needs_no_extra() -> None:
    """What renders pages comes with a plain install, so that an engine on the path is enough."""
    plain = [name for name in requires("lsum-cli") or () if "extra ==" not in name]
    assert {"pypdfium2", "pillow"} <= {re.split(r"[^\w-]", name)[0] for name in plain}
