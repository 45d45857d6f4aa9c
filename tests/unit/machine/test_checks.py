"""What the diagnosis says of versions that lsum was not tested with."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from lsum_cli.machine import checks
from lsum_cli.machine.checks import TESTED, CheckStatus, check_versions

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("version", "status", "said"),
    [
        ("5.17.0", CheckStatus.OK, "tested: 5.17 to 5.23"),
        ("5.23.4", CheckStatus.OK, "tested"),
        ("5.16.9", CheckStatus.WARNING, "5.16.9 is older than lsum was tested with (5.17 to 5.23)"),
        ("4.57.1", CheckStatus.WARNING, "is older"),
        ("5.24.0.dev0", CheckStatus.WARNING, "5.24.0.dev0 is newer than lsum was tested with"),
        ("6.0", CheckStatus.WARNING, "is newer"),
    ],
)
def test_a_version_that_was_not_tested_is_named(monkeypatch, version, status, said):
    monkeypatch.setattr(checks, "_version", lambda name: version if name == "transformers" else None)
    (check,) = check_versions()
    assert (check.name, check.status) == ("transformers version", status)
    assert said in check.detail
    assert bool(check.advice) == (status is CheckStatus.WARNING)


def test_what_is_tested_is_what_the_project_asks_for_and_pins():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = dict(
        line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line
    )
    for name, (oldest, newest) in TESTED.items():
        assert f"{name}>={'.'.join(map(str, oldest))}" in project["dependencies"]
        assert pins[name].startswith(f"{'.'.join(map(str, newest))}.")
