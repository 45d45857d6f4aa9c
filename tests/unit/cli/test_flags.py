"""Flags made from options dataclasses: what a command gets of flags, variables and settings."""

from __future__ import annotations

import enum
import subprocess
import sys
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Annotated

import pytest
import typer

from lsum_cli.cli import app as program
from lsum_cli.cli.app import make_app
from lsum_cli.cli.flags import Command, Group, flags_of, only, with_flags, without
from lsum_cli.cli.settings import load_settings
from lsum_cli.errors import OptionError
from lsum_cli.locality import Locality
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.options import Panel, check_options, option, option_group, options_of


class Colour(enum.StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, kw_only=True)
class Details:
    depth: int = option(1, "--depth", help="Depth.", panel=Panel.MODEL, minimum=1, maximum=9)
    offline: bool = option(False, "--offline", help="Stay offline.", panel=Panel.READING)

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True, kw_only=True)
class Options:
    names: str | None = option(
        None, "-n", "--names", help="Names.", panel=Panel.OUTPUT, aliases=("--words", "--old-names")
    )
    locality: Locality | None = option(
        None, "--locality", help="Locality.", panel=Panel.MODEL, none_choice="auto"
    )
    colour: Colour = option(Colour.RED, "--colour", help="Colour.", panel=Panel.MODEL)
    kind: str = option("auto", "--kind", help="Kind.", panel=Panel.MODEL, choices=("auto", "float-16"))
    files: tuple[Path, ...] = option((), "--file", help="Files.", panel=Panel.READING)
    speed: float = option(1.0, "--speed", help="Speed.", panel=Panel.RUNNING, above=0)
    loud: bool = option(True, "--loud/--soft", help="Loud.", panel=Panel.RUNNING)
    plain: int = 7
    details: Details = option_group(Details)
    offline: bool = option(False, "--offline", help="Stay offline.", panel=Panel.READING)

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True, kw_only=True)
class Needed:
    data: tuple[str, ...] = option(MISSING, "--data", help="Data.", panel=Panel.READING)


@pytest.fixture
def got(monkeypatch, tmp_path):
    """Run a small program of one command, and return what the command was called with."""
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    calls: list[dict[str, object]] = []
    small = typer.Typer()
    small.callback()(lambda: None)

    @small.command(cls=Command)
    @with_flags
    def paint(
        place: str,
        options: Options,
        summary: Annotated[SummaryOptions, only("beams", "offline")],
        rest: Annotated[Details, without("depth")],
    ) -> None:
        calls.append({"place": place, "options": options, "summary": summary, "rest": rest})

    group = typer.Typer(name="walls", cls=Group, invoke_without_command=True)

    @group.callback()
    @with_flags
    def walls(options: Annotated[Options, only("names")]) -> None:
        calls.append({"options": options})

    @small.command(cls=Command)
    @with_flags
    def need(needed: Needed) -> None:
        calls.append({"needed": needed})

    small.add_typer(group)
    monkeypatch.setattr(program, "make_app", lambda *_: small)

    def call(*arguments: str) -> dict[str, object] | int:
        calls.clear()
        code = program.run(arguments)
        return calls[0] if calls else code

    return call


def test_without_flags_the_options_are_those_of_the_dataclass(got):
    assert got("paint", "here")["options"] == Options()


def test_every_kind_of_value_reaches_its_field(got):
    flags = "-n x --locality discourse --colour blue --kind float-16 --file a --file b --speed 2 --soft"
    options = got("paint", "here", *flags.split(), "--depth", "3")["options"]
    assert options == Options(
        names="x",
        locality=Locality.DISCOURSE,
        colour=Colour.BLUE,
        kind="float-16",
        files=(Path("a"), Path("b")),
        speed=2.0,
        loud=False,
        details=Details(depth=3),
    )
    assert got("paint", "here", "--locality", "auto")["options"].locality is None


def test_one_flag_fills_every_dataclass_that_has_it(got):
    called = got("paint", "here", "--offline", "--beams", "2")
    assert called["options"].offline
    assert called["options"].details.offline
    assert called["rest"].offline
    assert (called["summary"].offline, called["summary"].beams) == (True, 2)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("--depth", "0"), "--depth 0 is too small; give --depth at least 1"),
        (("--depth", "10"), "--depth 10 is too large; give --depth at most 9"),
        (("--speed", "0"), "--speed 0.0 is too small; give --speed more than 0"),
        (("--speed", "nan"), "--speed nan is not a finite number"),
        (("--kind", "int8"), "--kind"),
        (("--locality", "nowhere"), "--locality"),
        (("--plain", "8"), "--plain"),
    ],
)
def test_what_is_out_of_range_or_no_flag_is_refused(got, capsys, arguments, part):
    assert got("paint", "here", *arguments) == 2
    assert part in capsys.readouterr().err


def test_a_flag_without_a_default_must_be_given(got, capsys):
    assert got("need") == 2
    assert "--data" in capsys.readouterr().err
    assert got("need", "--data", "a", "--data", "b")["needed"].data == ("a", "b")


@pytest.mark.parametrize("command", [("paint", "here"), ("walls",)])
@pytest.mark.parametrize("flag", ["--names", "--words", "--old-names"])
def test_a_former_name_works_as_flag_variable_and_settings_key(got, monkeypatch, command, flag):
    assert got(*command, flag, "x")["options"].names == "x"
    assert got(*command, f"{flag}=x y")["options"].names == "x y"
    Path("home").mkdir()
    Path("home/config.toml").write_text(f'{flag.removeprefix("--")} = "file"\n', encoding="utf-8")
    assert got(*command)["options"].names == "file"
    monkeypatch.setenv(f"LSUM_{flag.removeprefix('--').replace('-', '_').upper()}", "environment")
    assert got(*command)["options"].names == "environment"
    assert got(*command, flag, "typed")["options"].names == "typed"


def test_what_follows_two_dashes_is_no_flag(got):
    assert got("paint", "--", "--words")["place"] == "--words"


def test_former_names_are_not_in_the_help(got, capsys):
    got("paint", "--help")
    help_text = capsys.readouterr().out
    assert "--names" in help_text
    assert "words" not in help_text
    # Output and Running close the help, whatever stands where in the dataclass.
    assert help_text.index("Reading") < help_text.index("Output") < help_text.index("Running")


def test_the_former_names_of_the_program(monkeypatch, tmp_path):
    monkeypatch.setenv("LSUM_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    Path("config.toml").write_text('[eval]\nyardsticks = "lead3"\nmeasures = "all"\n', encoding="utf-8")
    command = typer.main.get_command(make_app())
    assert load_settings(lambda: program.settable_flags(command)).defaults == {
        "eval": {"baselines": "lead3", "metrics": "all"}
    }
    flags = flags_of(command.commands["eval"])
    assert flags["baselines"].option.environment == ("LSUM_BASELINES",)
    assert flags["baselines"].option.variables == ("LSUM_BASELINES", "LSUM_YARDSTICKS")


def test_every_option_of_a_summary_is_a_flag_and_says_what_it_does():
    flags = flags_of(typer.main.get_command(make_app()).commands["summarize"])
    no_flags = {"zoom"}
    assert {field.name for field in fields(SummaryOptions)} - no_flags == set(options_of(SummaryOptions))
    assert set(options_of(SummaryOptions)) <= set(flags)
    for flag in flags.values():
        assert flag.option.help[0].isupper()
        assert flag.option.help.endswith(".")


def test_a_method_gets_none_of_the_options_it_has_no_use_for():
    options = SummaryOptions(window=8, stride=4, pages=3, beams=2)
    assert options.for_method("pagesum") == SummaryOptions(pages=3, beams=2)
    assert options.for_method("windowing") == SummaryOptions(window=8, stride=4, beams=2)
    with pytest.raises(OptionError, match="--window does not apply to the method pagesum"):
        options.check_method("pagesum")


def test_the_program_names_each_command_with_the_first_line_of_its_own_help():
    loaded = typer.main.get_command(make_app()).commands
    named = typer.main.get_command(make_app(())).commands
    assert set(named) == set(loaded) == set(program.COMMANDS)
    for name, command in loaded.items():
        line = " ".join(command.help.split("\n\n")[0].split()).rstrip(".")
        assert named[name].help.rstrip(".").endswith(line), name


def test_the_help_of_the_program_imports_no_command():
    code = (
        "import sys; sys.argv = ['lsum', '--help']\n"
        "from lsum_cli.cli.app import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "assert not {'lsum_cli.methods.options', 'lsum_cli.cli.summarize'} & set(sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    assert "summarize" in result.stdout
