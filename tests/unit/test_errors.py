"""The exit codes are public: the classes, the enum and the documentation agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lsum_cli import errors
from lsum_cli.errors import ExitCode, LsumError

DOCS = Path(__file__).resolve().parents[2] / "docs" / "errors.md"


def test_the_documentation_lists_every_exit_code():
    rows = re.findall(r"^\| (\d+) \| ([A-Z_]+) \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert {(int(code), name) for code, name in rows} == {(c.value, c.name) for c in ExitCode}


def test_every_error_has_a_code_of_its_own():
    classes = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, LsumError)]
    codes = [c.exit_code for c in classes if c is not LsumError]
    assert len(codes) == len(set(codes)) == 10


@pytest.mark.parametrize("next_step", ["", "do this"])
def test_a_message_says_what_and_what_next(next_step):
    assert str(LsumError("what", next_step)) == ("what; do this" if next_step else "what")
