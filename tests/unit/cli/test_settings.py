"""Settings files: which keys hold for which commands."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import typer

from lsum_cli.cli.app import make_app, settable_flags
from lsum_cli.cli.settings import LOCAL_FLAGS, load_settings
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
        (tmp_path / "home").mkdir(exist_ok=True)
        (tmp_path / "home" / "config.toml").write_text(content, encoding="utf-8")
        settings = load_settings(lambda: flags)
        if settings.error:
            raise settings.error
        return settings.defaults

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
    with pytest.raises(OptionError, match=r"config\.toml"):
        load(content)


def test_a_misspelt_flag_gets_a_suggestion(load):
    with pytest.raises(OptionError, match=r"there is no flag 'lenght'; did you mean length[?]"):
        load("lenght = 1")


def test_the_current_folder_overrides_the_users_own_file(load, tmp_path):
    Path("lsum.toml").write_text('length = "short"', encoding="utf-8")
    assert load('length = "long"\noffline = true')["summarize"] == {"length": "short", "offline": True}


@pytest.mark.parametrize(
    "content", ["offline = true", "[summarize]\noffline = false", "[models.pull]\noffline = true"]
)
def test_the_current_folder_sets_only_how_a_summary_looks(load, content):
    Path("lsum.toml").write_text(content, encoding="utf-8")
    with pytest.raises(OptionError, match=r"lsum\.toml: 'offline' .*config\.toml"):
        load("")


def test_no_flag_that_the_current_folder_may_set_names_a_path_or_a_model():
    flags = settable_flags(typer.main.get_command(make_app()))
    assert not LOCAL_FLAGS & {"output", "overwrite", "open", "model", "device", "offline", "resume"}
    assert {"length", "format"} <= LOCAL_FLAGS & flags["summarize"].keys()


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda path: os.mkfifo(path), "not a regular file"),
        (lambda path: path.mkdir(), "lsum.toml"),
        (lambda path: path.write_bytes(b"#" * 100_000), "larger than"),
        (lambda path: path.write_text("x = " + "[" * 60_000, encoding="utf-8"), "lsum.toml"),
        (lambda path: path.write_text("x =", encoding="utf-8"), "not valid TOML"),
        (lambda path: path.write_bytes(b"\xff"), "not valid TOML"),
    ],
)
def test_a_file_of_that_name_that_holds_no_settings_is_ignored(tmp_path, monkeypatch, make, what):
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "lsum.toml")
    settings = load_settings(lambda: FLAGS)
    assert settings.defaults == {}
    assert settings.error is None
    [warning] = settings.warnings
    assert what in warning
    assert "ignored" in warning


def test_offline_holds_for_pulling_and_what_weights_were_trained_for_is_no_habit(load):
    flags = settable_flags(typer.main.get_command(make_app()))
    assert load("offline = true", flags)["models"]["pull"] == {"offline": True}
    assert "locality" in flags["summarize"]
    assert "locality" not in flags["models import"]
