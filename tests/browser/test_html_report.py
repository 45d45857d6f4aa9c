"""The HTML report in a real browser: both panes in step, the zoom, keys, print, widths, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from accessibility import violations
from conftest import Open, wait_until
from rendering_examples import (
    HOSTILE,
    abstractive_summary,
    changed_summary,
    extracted_summary,
    hostile_summary,
    windowed_summary,
    zoomed_summary,
)

from lsum_cli.reading.sources import read
from lsum_cli.rendering.formats import Format, render, render_many
from lsum_cli.summaries import Summary

if TYPE_CHECKING:
    from playwright.sync_api import Page

ACCENTED = "rgb(191, 221, 232)"  # --lit


def html_of(summary: Summary, **how: Any) -> str:
    return render(summary, Format.HTML, base_path=Path(), **how)


def classes(page: Page, name: str) -> list[str]:
    """The ids of the elements with a class."""
    found: list[str] = page.eval_on_selector_all(f".{name}", "all => all.map(each => each.id)")
    return found


def click_words(page: Page, selector: str) -> None:
    """Click on the first words of a sentence, wherever its line begins."""
    page.eval_on_selector(
        selector, "each => each.getClientRects()[0].top < 0 && each.scrollIntoView({block: 'center'})"
    )
    x, y = page.eval_on_selector(
        selector, "each => (box => [box.left + 12, box.top + box.height / 2])(each.getClientRects()[0])"
    )
    page.mouse.click(x, y)


def wait_for_view(page: Page, selector: str) -> None:
    """Until an element is visible where the reader looks, and nothing covers it."""
    wait_until(
        page,
        """selector => {
            const element = document.querySelector(selector);
            const box = element.getClientRects()[0];
            const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
            return box.top >= 0 && box.bottom <= innerHeight && hit !== null && element.contains(hit);
        }""",
        selector,
    )


def background(page: Page, selector: str) -> str:
    colour: str = page.eval_on_selector(selector, "each => getComputedStyle(each).backgroundColor")
    return colour


def tall(summary: Summary) -> str:
    """A report whose source does not fit beside the summary."""
    return html_of(summary).replace(
        "</p></div></section>", "</p>" + "<p>Between. </p>" * 60 + "</div></section>"
    )


# ---- clicks


@pytest.mark.parametrize("width", [390, 1280])
def test_a_click_on_a_sentence_shows_its_evidence_in_context(open_report: Open, width: int) -> None:
    page = open_report(tall(abstractive_summary()), width=width)
    click_words(page, "#summary-2")
    assert classes(page, "chosen") == ["summary-2"]
    assert classes(page, "evidence") == ["d1-s5", "d1-s7"]
    assert classes(page, "here") == ["d1-s7"]  # the best
    wait_for_view(page, "#d1-s7")
    wait_for_view(page, "#summary-2")
    for lit in ("#summary-2", "#d1-s7", "#d1-s5"):
        assert background(page, lit) == ACCENTED
    assert background(page, "#d1-s3") != ACCENTED
    strip = page.inner_text(".strip")
    for words in ("Sentence 2 of 3", "90%", "4 Results", "p. 9", "p. 11"):
        assert words in strip
    assert page.url.endswith("#summary-2")
    page.click(".strip button[aria-label=Done]")
    assert classes(page, "chosen") == classes(page, "evidence") == []
    assert page.is_hidden(".strip")


def test_a_click_on_a_source_sentence_shows_what_cites_it(open_report: Open) -> None:
    page = open_report(html_of(zoomed_summary()))
    page.click(".source >> text=Every turbine reported blade loads")
    assert classes(page, "chosen") == ["medium-2"]
    wait_for_view(page, "#medium-2")
    page.click(".cited#d1-s5 .by.in-3")
    assert classes(page, "chosen") == ["medium-3"]
    page.click(".source >> text=Few turbines have been observed")  # cited by nothing
    assert classes(page, "chosen") == ["medium-3"]


def test_a_source_sentence_that_several_cite_names_them_all(open_report: Open) -> None:
    summary = abstractive_summary()
    page = open_report(html_of(summary))
    page.evaluate("document.querySelector('#summary-3').dataset.evidence += ' d1-s7'")
    page.evaluate(
        "document.querySelector('#d1-s7').append(Object.assign(document.createElement('a'),"
        " {href: '#summary-3', className: 'by in-1', textContent: '3'}))"
    )
    click_words(page, "#d1-s7")
    assert set(classes(page, "citing")) == {"summary-2", "summary-3"}
    assert classes(page, "chosen") == ["summary-2"]
    click_words(page, "#d1-s7")
    assert classes(page, "chosen") == ["summary-3"]


def test_a_card_leads_to_its_quotation_in_context(open_report: Open) -> None:
    page = open_report(tall(abstractive_summary()))
    page.click("#summary-1-origin >> text=in context >> nth=1")
    assert classes(page, "chosen") == ["summary-1"]
    assert classes(page, "here") == ["d1-s2"]
    wait_for_view(page, "#d1-s2")


def test_selecting_words_chooses_nothing(open_report: Open) -> None:
    page = open_report(html_of(abstractive_summary()))
    box = page.locator("#summary-1").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 150, box["y"] + 10)
    page.mouse.up()
    assert page.evaluate("String(getSelection())")
    assert classes(page, "chosen") == []


def test_pdf_pages_open_at_their_number(open_report: Open) -> None:
    page = open_report(html_of(abstractive_summary()))
    page.click("#summary-2 .mark")
    # What a click would follow, without leaving the report.
    page.evaluate(
        "addEventListener('click', event => { window.followed = event.target.href; event.preventDefault(); })"
    )
    page.click(".strip .link a:text-is('p. 11')")
    assert page.evaluate("window.followed").endswith("/papers/tidal%20energy.pdf#page=11")
    for number in (11, 9):
        page.keyboard.press("o")
        assert page.evaluate("window.followed").endswith(f"/papers/tidal%20energy.pdf#page={number}")
        page.keyboard.press("e")
    page.click("a.sheet:text('p. 10')")
    assert page.evaluate("window.followed").endswith("#page=10")


# ---- keys


def test_keys_walk_through_sentences_places_and_lengths(open_report: Open) -> None:
    page = open_report(html_of(abstractive_summary()))
    assert page.is_visible(".keys")
    for key, chosen in (("j", "1"), ("j", "2"), ("k", "1"), ("ArrowDown", "2"), ("ArrowUp", "1"), ("k", "1")):
        page.keyboard.press(key)
        assert classes(page, "chosen") == [f"summary-{chosen}"], key
    assert page.evaluate("document.activeElement.textContent") == "1"
    assert classes(page, "here") == ["d1-s3"]
    page.keyboard.press("e")
    assert classes(page, "here") == ["d1-s2"]
    assert "2 of 2" in page.inner_text(".strip")
    page.keyboard.press("e")
    assert classes(page, "here") == ["d1-s3"]
    page.keyboard.press("Escape")
    assert classes(page, "chosen") == []
    page.keyboard.press("+")
    assert page.is_checked("[value=full]")
    page.keyboard.press("-")
    assert page.is_checked("[value='1']")


def test_arrows_scroll_until_a_sentence_is_chosen(open_report: Open) -> None:
    page = open_report(tall(extracted_summary()), height=300)
    page.keyboard.press("ArrowDown")
    assert classes(page, "chosen") == []
    wait_until(page, "scrollY > 0")


def test_keys_go_to_the_report_in_view(open_report: Open) -> None:
    page = open_report(render_many([abstractive_summary(), zoomed_summary()], Format.HTML))
    page.evaluate("document.querySelector('#\\\\32 -report').scrollIntoView()")
    page.keyboard.press("j")
    assert classes(page, "chosen") == ["2-medium-1"]


# ---- zoom

STOPS = {"Sentence": 1, "Short": 2, "Medium": 5, "Outline": 5}


@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_zoom_goes_from_a_sentence_to_the_full_text(
    open_report: Open, javascript: bool, width: int
) -> None:
    page = open_report(html_of(zoomed_summary()), java_script_enabled=javascript, width=width)
    for stop, count in STOPS.items():
        page.click(f".stops >> text={stop}")
        assert page.locator(".sentence >> visible=true").count() == count, stop
        cited = page.locator(".by >> visible=true").count()
        assert cited == count, stop
    page.click(".stops >> text=Full text")
    assert page.locator(".sentence >> visible=true").count() == 0
    assert page.locator("text=Few turbines have been observed >> visible=true").count() == 1
    assert page.locator(".by >> visible=true").count() == 5


def test_the_zoom_stays_at_the_statement(open_report: Open) -> None:
    page = open_report(html_of(zoomed_summary()))
    click_words(page, "#medium-3")
    page.keyboard.press("-")
    assert classes(page, "chosen") == ["short-2"]
    page.keyboard.press("-")
    assert classes(page, "chosen") == ["sentence-1"]
    for _ in range(4):
        page.keyboard.press("+")
    assert page.is_checked("[value=full]")
    assert background(page, "#d1-s5") == ACCENTED
    click_words(page, "#d1-s5")  # back to what cites it
    assert classes(page, "chosen") == ["medium-3"]


def test_an_address_with_a_sentence_opens_at_it(open_report: Open) -> None:
    page = open_report(html_of(zoomed_summary()))
    page.goto(page.url + "#short-2")
    page.reload()
    assert page.is_checked("[value='2']")
    assert classes(page, "chosen") == ["short-2"]


# ---- without JavaScript


def test_without_javascript_marks_are_links_both_ways(open_report: Open) -> None:
    page = open_report(tall(abstractive_summary()), java_script_enabled=False)
    assert page.is_hidden(".keys")
    page.click("#summary-2 .mark")
    assert background(page, "#d1-s7") == ACCENTED
    wait_for_view(page, "#d1-s7")
    page.click("#d1-s7 .by")
    assert background(page, "#summary-2") == ACCENTED
    assert background(page, "#d1-s7") != ACCENTED


def test_references_unfold(open_report: Open) -> None:
    page = open_report(html_of(extracted_summary()), java_script_enabled=False)
    assert page.is_hidden("text=A reference that is not read.")
    page.click("details.folded summary")
    assert page.is_visible("text=A reference that is not read.")


# ---- looks


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize(
    "make", [abstractive_summary, zoomed_summary, hostile_summary, windowed_summary, changed_summary]
)
def test_no_width_makes_the_page_scroll_sideways(
    open_report: Open, width: int, make: Callable[[], Summary]
) -> None:
    page = open_report(html_of(make()), width=width)
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    pane = "(p => p.scrollWidth - p.clientWidth)(document.querySelector('.source'))"
    reading, source = page.locator(".reading").bounding_box(), page.locator(".source").bounding_box()
    assert reading is not None
    assert source is not None
    if width > 1000:
        assert source["x"] >= reading["x"] + reading["width"]
        assert source["height"] == 900
    else:
        assert source["y"] >= reading["y"] + reading["height"]
    for key in ("", "j", "Escape", "+", "+"):
        if key:
            page.keyboard.press(key)
        assert page.evaluate(overflow) <= 0, key
        assert page.evaluate(pane) <= 0, key


@pytest.mark.parametrize(("scheme", "colour"), [("light", "rgb(253, 252, 249)"), ("dark", "rgb(25, 26, 28)")])
def test_the_style_is_accepted_and_follows_light_and_dark(
    open_report: Open, scheme: str, colour: str
) -> None:
    page = open_report(html_of(extracted_summary()), color_scheme=scheme)
    assert background(page, "body") == colour


def test_the_source_stays_beside_the_summary_while_it_scrolls(open_report: Open) -> None:
    page = open_report(tall(extracted_summary()), height=500)
    page.evaluate("scrollTo(0, 400)")
    source = page.locator(".source").bounding_box()
    assert source is not None
    assert (source["y"], source["height"]) == (0, 500)


# ---- print


def test_print_holds_the_summary_with_its_origins_and_the_source_on_request(
    open_report: Open, tmp_path: Path
) -> None:
    page = open_report(html_of(zoomed_summary()))

    def printed() -> str:
        path = tmp_path / "printed.pdf"
        page.pdf(path=path, prefer_css_page_size=True)
        return " ".join(sentence.text for sentence in read(str(path)).sentences)

    summary = printed()
    assert "Availability rose from 71%" in summary
    assert "Few turbines have been observed" not in summary
    page.click(".stops >> text=Full text")
    assert "Few turbines have been observed" in printed()


# ---- harm


def test_a_hostile_document_runs_nothing_and_loads_nothing(open_report: Open) -> None:
    page = open_report(html_of(hostile_summary()))
    assert page.inner_text("h1").startswith("[bold]x[/bold] [31mred[0m 31m")
    harmless(page)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_earlier_version_runs_nothing_and_loads_nothing(open_report: Open, text: str) -> None:
    page = open_report(html_of(changed_summary(text)))
    assert page.locator(".changes del").count() == 6
    assert page.locator(".changes ins").count() == 2
    assert page.inner_text(".changes > ul > li:last-child") == "and 2 more removed sentences"
    harmless(page)


def harmless(page: Page) -> None:
    """A page runs its own script only, whatever else is put into it, and links to no script."""
    assert page.evaluate("document.scripts.length") == 1
    assert page.evaluate("document.querySelectorAll('[onerror],[onload],[onclick],[style]').length") == 0
    page.evaluate(
        """() => {
            const script = document.createElement('script');
            script.textContent = 'window.ran = true';
            const image = document.createElement('img');
            image.src = 'https://example.org/beacon.png';
            image.setAttribute('onerror', 'window.ran = true');
            document.body.append(script, image);
        }"""
    )
    for key in ("j", "j", "e", "+", "+", "-", "Escape"):
        page.keyboard.press(key)
    assert page.evaluate("window.ran") is None
    links = page.eval_on_selector_all("a", "all => all.map(each => each.protocol)")
    assert set(links) <= {"file:", "https:", "http:"}


# ---- accessibility

KINDS: dict[str, Callable[[], str]] = {
    "model with confidences": lambda: html_of(abstractive_summary()),
    "windows in colours": lambda: html_of(windowed_summary()),
    "lengths and outline": lambda: html_of(zoomed_summary()),
    "hostile": lambda: html_of(hostile_summary()),
    "changes": lambda: html_of(changed_summary()),
    "many": lambda: render_many([abstractive_summary(), zoomed_summary(), extracted_summary()], Format.HTML),
    "without source": lambda: html_of(zoomed_summary(), show_source=False),
    "without attribution": lambda: html_of(zoomed_summary(), show_attribution=False),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", list(KINDS))
def test_axe_finds_nothing(open_report: Open, kind: str, scheme: str) -> None:
    page = open_report(KINDS[kind](), color_scheme=scheme, width=1280 if scheme == "light" else 390)
    page.keyboard.press("j")
    assert violations(page) == []
