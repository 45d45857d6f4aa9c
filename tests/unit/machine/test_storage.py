"""One process works in a cache, the others wait and say so once."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lsum_cli.machine.storage import hold_lock
from lsum_cli.progress import ProgressEvent, ignore_progress

# Holds the lock that its argument names until its standard input ends, or dies where that says so.
HOLDER = """
import os, sys
from pathlib import Path
from lsum_cli.machine.storage import hold_lock
from lsum_cli.progress import ignore_progress
with hold_lock(Path(sys.argv[1]), "waiting", ignore_progress):
    print("held", flush=True)
    if sys.stdin.readline() == "die":
        os._exit(1)
"""


@pytest.mark.parametrize("end", ["leave", "die"])
def test_another_process_is_waited_for_and_its_death_too(tmp_path, end) -> None:
    file = tmp_path / "locks" / "a.lock"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    events: list[ProgressEvent] = []

    def let_it_end(event: ProgressEvent) -> None:
        events.append(event)
        if len(events) == 3:
            holder.communicate(end)

    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with hold_lock(file, "waiting", let_it_end):
            assert holder.poll() is not None
    finally:
        holder.kill()
    assert [event.remark for event in events] == ["waiting", "", ""]
    assert {event.stage for event in events} == {"waiting"}


def test_a_free_lock_says_nothing_and_can_be_had_again(tmp_path) -> None:
    events: list[ProgressEvent] = []
    for _ in range(2):
        with hold_lock(tmp_path / "a.lock", "waiting", events.append):
            pass
    assert events == []


def test_a_disk_that_refuses_is_an_error_of_the_system(tmp_path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OSError, match="file"):
        hold_lock(tmp_path / "file" / "a.lock", "waiting", ignore_progress)
