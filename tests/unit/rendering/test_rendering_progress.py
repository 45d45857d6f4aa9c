"""Progress bars: only where someone sees them, and gone afterwards."""

from __future__ import annotations

import io
import threading
import time

import pytest
from rich.console import Console

from lsum_cli.progress import ProgressEvent
from lsum_cli.rendering.progress import ProgressDisplay, ProgressLines


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def console(stream: io.StringIO, **environment: str) -> Console:
    return Console(file=stream, width=80, _environ={"TERM": "xterm", **environment})


def wait_for(stream: io.StringIO, text: str) -> None:
    deadline = time.monotonic() + 10
    while text not in stream.getvalue():
        assert time.monotonic() < deadline, stream.getvalue()
        time.sleep(0.01)


def screen(output: str) -> list[str]:
    """The lines left after the cursor movements of ``output`` (up, erase line, line break, return)."""
    lines, row, column = [""], 0, 0
    rest = output
    while rest:
        if rest.startswith("\x1b["):
            end = next(i for i, c in enumerate(rest[2:], start=2) if c.isalpha())
            parameters, command, rest = rest[2:end], rest[end], rest[end + 1 :]
            if command == "A":
                row -= int(parameters or 1)
            elif command == "K":
                lines[row] = ""
            continue
        character, rest = rest[0], rest[1:]
        if character == "\n":
            row, column = row + 1, 0
            lines += [""] * (row + 1 - len(lines))
        elif character == "\r":
            column = 0
        else:
            lines[row] = lines[row][:column].ljust(column) + character + lines[row][column + 1 :]
            column += 1
    return lines


def event(done: int, total: int | None = 10, stage: str = "reading") -> ProgressEvent:
    return ProgressEvent(stage=stage, done=done, total=total, unit="PDF pages")


def test_long_work_is_shown_and_leaves_nothing_behind() -> None:
    stream = Terminal()
    with ProgressDisplay(console=console(stream), patience=0) as display:
        display(event(3))
        wait_for(stream, "3 of 10 PDF pages")
        assert any("reading" in line for line in screen(stream.getvalue()))
    assert not any(line.strip() for line in screen(stream.getvalue()))
    assert stream.getvalue().count("\x1b[?25l") == stream.getvalue().count("\x1b[?25h")


def test_an_error_leaves_nothing_behind() -> None:
    stream = Terminal()
    display = ProgressDisplay(console=console(stream), patience=0)

    def work() -> None:
        with display:
            display(event(3))
            wait_for(stream, "reading")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert not any(line.strip() for line in screen(stream.getvalue()))


def test_short_work_shows_nothing() -> None:
    stream = Terminal()
    with ProgressDisplay(console=console(stream), patience=30) as display:
        for done in range(11):
            display(event(done))
    assert stream.getvalue() == ""


def test_a_bar_appears_although_no_further_event_comes() -> None:
    stream = Terminal()
    with ProgressDisplay(console=console(stream), patience=0.05) as display:
        display(event(0))
        wait_for(stream, "0 of 10 PDF pages")


@pytest.mark.parametrize(
    ("stream", "quiet", "environment"),
    [
        (io.StringIO(), False, {}),
        (io.StringIO(), False, {"FORCE_COLOR": "1"}),
        (Terminal(), True, {}),
        (Terminal(), False, {"TERM": "dumb"}),
    ],
    ids=["piped", "piped, colour forced", "quiet", "dumb terminal"],
)
def test_nothing_is_drawn_where_it_would_disturb(
    stream: io.StringIO, quiet: bool, environment: dict[str, str]
) -> None:
    before = threading.active_count()
    with ProgressDisplay(console=console(stream, **environment), quiet=quiet, patience=0) as display:
        display(event(3))
        time.sleep(0.05)
        assert threading.active_count() <= before
    assert stream.getvalue() == ""


def test_stages_follow_one_another_below_what_is_under_way() -> None:
    stream = Terminal()
    with ProgressDisplay(console=console(stream), patience=0) as display:
        display(event(1, 4, "sources"))
        display(event(0, None, "fetching"))
        wait_for(stream, "fetching")
        display(event(10, 10, "reading"))
        display(event(5, 10, "ranking"))
        wait_for(stream, "ranking")
        shown = "\n".join(screen(stream.getvalue()))
        assert "sources" in shown
        assert "ranking" in shown
        assert "fetching" not in shown
        assert "reading" not in shown


def test_bars_make_room_for_other_output() -> None:
    stream = Terminal()
    with ProgressDisplay(console=console(stream), patience=0) as display:
        display(event(3))
        wait_for(stream, "3 of 10")
        for item in display.paused_for_each(["one", "two"]):
            display(event(4))
            assert not any("reading" in line for line in screen(stream.getvalue()))
            stream.write(f"summary {item}\n")
        wait_for(stream, "4 of 10")
    assert [line.strip() for line in screen(stream.getvalue()) if line.strip()] == [
        "summary one",
        "summary two",
    ]


def test_stage_names_are_no_markup() -> None:
    stream = Terminal()
    with ProgressDisplay(console=console(stream), patience=0) as display:
        display(event(1, 2, "[bold]\x1b[2J"))
        wait_for(stream, "[bold][2J")
    assert "\x1b[2J" not in stream.getvalue()


def test_a_log_has_a_line_now_and_then_and_one_where_nothing_is_counted():
    seconds, said = 0.0, []
    lines = ProgressLines(said.append, clock=lambda: seconds)
    lines(ProgressEvent(stage="building", done=0))
    for _ in range(200):
        seconds += 1.0
        lines(ProgressEvent(stage="encoding", done=int(seconds), unit="examples"))
    lines(ProgressEvent(stage="encoding", done=0, remark="waiting"))
    assert said == ["building", *(f"encoding: {n} examples" for n in (6, 16, 36, 76, 136, 196)), "waiting"]


def test_a_remark_that_names_its_stage_is_not_said_twice():
    said: list[str] = []
    lines = ProgressLines(said.append)
    lines(ProgressEvent(stage="waiting", done=0, remark="waiting"))
    lines(ProgressEvent(stage="waiting", done=0))
    lines(ProgressEvent(stage="building", done=0))
    assert said == ["waiting", "building"]


def test_a_short_stage_leaves_no_line_in_a_log():
    said: list[str] = []
    lines = ProgressLines(said.append)
    for done in range(4):
        lines(event(done))
    assert said == []
