"""Settings files: which keys hold for which commands."""

from __future__ import annotations

import pytest
import typer

from lsum_cli.cli.app import app, settable_flags
from lsum_cli.cli.settings import load_settings
from lsum_cli.errors import OptionError

FLAGS = {
    "summarize": {"offline": "offline", "length": "length"},
    "models pull": {"offline": "offline"},
    "models list": {},
}


@pytest.fixture
def load(tmp_path, monkeypatch):
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    def load(content, flags=FLAGS):
        (tmp_path / "lsum.toml").write_text(content, encoding="utf-8")
        return load_settings(flags)

    return load


def test_a_key_without_a_table_holds_for_every_command_that_has_the_flag(load):
    everywhere = load("offline = true")
    assert everywhere == {"summarize": {"offline": True}, "models": {"pull": {"offline": True}}}


@pytest.mark.parametrize("table", ["models", "models.pull"])
def test_a_table_holds_for_its_command_and_those_below(load, table):
    assert load(f"[{table}]\noffline = true") == {"models": {"pull": {"offline": True}}}


@pytest.mark.parametrize(
    "content",
    ["lenght = 1", "[models]\nlength = 1", "[model]\noffline = true", "[models.push]\nx = 1", "x ="],
)
def test_what_is_no_flag_of_the_command_is_refused(load, content):
    with pytest.raises(OptionError, match=r"lsum\.toml"):
        load(content)


def test_the_current_folder_goes_before_the_users_own_file(load, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text('length = "long"\noffline = true', encoding="utf-8")
    assert load('length = "short"')["summarize"] == {"length": "short", "offline": True}


def test_offline_holds_for_pulling_and_what_weights_were_trained_for_is_no_habit(load):
    flags = settable_flags(typer.main.get_command(app))
    assert load("offline = true", flags)["models"]["pull"] == {"offline": True}
    assert "locality" in flags["summarize"]
    assert "locality" not in flags["models import"]
