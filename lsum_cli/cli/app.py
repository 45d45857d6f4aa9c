"""The program: its commands, and the one place where errors become messages and exit codes."""

from __future__ import annotations

import gc
import importlib
import os
import re
import shlex
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from lsum_cli.cli.flags import Command, Flag, Program, flags_of, origin_of
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.settings import load_settings
from lsum_cli.cli.streams import READER_GONE, ReaderGone, finish_standard_output, prepare_standard_streams
from lsum_cli.errors import DeviceError, ExitCode, LsumError, OptionError
from lsum_cli.options import variable_of
from lsum_cli.version import __version__

# Of each command, its line in the program's help, and "module:function", or "module:group" where commands
# are below it. The lines stand here so that the help of the program imports no command.
COMMANDS = {
    "summarize": (
        "Summarise documents, and show for every sentence where it came from.",
        "lsum_cli.cli.summarize:summarize",
    ),
    "plan": (
        "Show how documents would be read and split into parts, and what a summary would cost here.",
        "lsum_cli.cli.plan:plan",
    ),
    "batch": (
        "Summarise a corpus: one row for every document, in a folder that any later run goes on with.",
        "lsum_cli.cli.batch:batch",
    ),
    "train": (
        "Train a checkpoint on documents with summaries by a recipe, and print the folder of the run.",
        "lsum_cli.cli.train:train",
    ),
    "eval": (
        "Score summaries with ROUGE and further metrics, with confidence intervals and a signature.",
        "lsum_cli.cli.ratings:evaluation",
    ),
    "models": (
        "Download, install and manage checkpoints: model weights and their descriptions.",
        "lsum_cli.cli.models:models",
    ),
    "doctor": (
        "Check what works on this machine and what to install for the rest; exits with 0 if it can "
        "summarise.",
        "lsum_cli.cli.doctor:doctor",
    ),
}
_COMPLETION = "_LSUM_COMPLETE"
# Variables that are no flag's: where lsum keeps its files, and what its tests and benchmarks need.
_NO_FLAGS = ("LSUM_HOME", "LSUM_TEST_", "LSUM_SHARED")
# What the library that converts values calls them, and what their users do.
_KINDS = {"integer": "a whole number", "number": "a number", "boolean": "true or false"}


def make_app(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The program; only the commands with these names can be run, and only their modules are imported."""
    app = typer.Typer(
        name="lsum",
        cls=Program,
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_lsum)
    for name, (line, place) in COMMANDS.items():
        if name not in names:
            app.command(name, help=line)(_named_only)
            continue
        module, _, function = place.partition(":")
        command = getattr(importlib.import_module(module), function)
        if isinstance(command, typer.Typer):
            app.add_typer(command)
        else:
            app.command(name, cls=Command)(command)
    return app


def _named_only() -> None:
    raise AssertionError("a command that was not asked for is run")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lsum {__version__}")
        raise typer.Exit


def _lsum(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Summarise long documents on your own machine, and show where every sentence came from.

    lsum paper.pdf is short for lsum summarize paper.pdf.
    """


def main() -> None:
    """Run the program with the process's arguments and exit with its code."""
    # Threads that wait for one another sleep instead of spinning: beside other programs a model
    # then takes a third of the processor time, and numpy a quarter less to be imported. OpenMP reads this
    # once, when torch loads it, and OpenBLAS its own (the exponent of the cycles to spin) with numpy.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    # Imports and documents make many objects that stay; looking through them for cycles as often as
    # Python does by default costs a tenth of the time to start.
    gc.set_threshold(200_000, 20, 100)
    prepare_standard_streams()
    sys.unraisablehook = interrupt_again
    code = run(sys.argv[1:])
    # At its end Python would look through all of them again, which takes longer than importing numpy.
    gc.freeze()
    sys.exit(code)


def interrupt_again(event: Any) -> None:
    """Deliver a Ctrl-C again that came where Python cannot raise, as in a destructor: it would be lost."""
    if event.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(event)
        return
    import signal
    import threading

    again = threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT))
    again.daemon = True
    again.start()


def run(arguments: Sequence[str]) -> int:
    """Run one command line; return its exit code. Never raises but ``SystemExit``."""
    messages = Messages(verbosity=_verbosity(arguments))
    try:
        arguments = _complete(arguments)
        if len(arguments) > 1 and arguments[0].endswith("-completion") and not arguments[1].startswith("-"):
            # Typer looks for the shell by itself and overlooks the one that is named, unless it may not look.
            os.environ["_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION"] = "1"
        # A shell that completes a line gives it by the environment.
        names = COMMANDS if _COMPLETION in os.environ else [each for each in arguments if each in COMMANDS]
        command: Any = typer.main.get_command(make_app(names))
        settings = load_settings(lambda: settable_flags(typer.main.get_command(make_app())))
        settings = replace(settings, warnings=(*settings.warnings, *_say_unknown_variables(command)))
        code = command.main(
            args=arguments,
            prog_name="lsum",
            standalone_mode=False,
            default_map=settings.defaults,
            obj=settings,
        )
        finish_standard_output()
    except LsumError as error:
        if not _is_interruption(error):
            messages.fail(error)
            return error.exit_code
        code = ExitCode.INTERRUPTED
    except TyperException as error:
        if error.format_message():  # else the help was printed instead of an error
            messages.fail(_usage_error(error, arguments))
        return ExitCode.OPTION
    except ReaderGone:
        return READER_GONE
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    except MemoryError:
        messages.fail(DeviceError("this machine ran out of memory", "read fewer --pdf-pages"))
        return ExitCode.DEVICE
    except Exception as error:
        if not _is_interruption(error):
            traceback.print_exc()
            messages.note("this is a bug; please report it with the lines above")
            return ExitCode.BUG
        code = ExitCode.INTERRUPTED
    if code == ExitCode.INTERRUPTED:
        messages.note("interrupted")
    return code if isinstance(code, int) else ExitCode.DONE


def _is_interruption(error: BaseException | None) -> bool:
    """Whether an error stands for a Ctrl-C: a class body wraps it so, and transformers an import."""
    seen = []  # chains may be rings
    while error is not None and error not in seen and not isinstance(error, KeyboardInterrupt):
        seen.append(error)
        error = error.__cause__ or error.__context__
    return isinstance(error, KeyboardInterrupt)


def _complete(arguments: Sequence[str]) -> list[str]:
    """``lsum paper.pdf`` is ``lsum summarize paper.pdf``; the name of a command is never a source."""
    first = next(iter(arguments), "")
    if first == "summarise":
        return ["summarize", *arguments[1:]]
    if first not in COMMANDS and _is_source(first):
        return ["summarize", *arguments]
    # Flags of summarize before its sources: lsum -m lsum-mini paper.pdf, lsum -- -paper.pdf
    if first.startswith("-") and COMMANDS.keys().isdisjoint(arguments) and not _is_of_program(first):
        return ["summarize", *arguments]
    return list(arguments)


def _is_of_program(flag: str) -> bool:
    """Whether a flag is the program's own rather than one of its commands'."""
    return flag in ("-h", "--help", "--version") or flag.endswith("-completion")


def _is_source(argument: str) -> bool:
    """Whether an argument looks like a source rather than a command or a flag."""
    if not argument or (argument.startswith("-") and argument != "-"):
        return False
    if argument == "-" or any(mark in argument for mark in ("://", ".", os.sep)):
        return True
    return os.path.lexists(argument)  # a link that leads nowhere too; no error for names that are too long


def _verbosity(arguments: Sequence[str]) -> int:
    """How often ``-v`` was given: errors in parsing the arguments need it before they are parsed."""
    short = sum(a.count("v") for a in arguments if a.startswith("-v") and set(a[1:]) == {"v"})
    return short + sum(a == "--verbose" for a in arguments)


def _usage_error(error: TyperException, arguments: Sequence[str]) -> OptionError:
    context = getattr(error, "ctx", None)
    named = [each for each in arguments if each in COMMANDS][:1]
    command = context.command_path if context is not None else " ".join(["lsum", *named])
    named_parameter = getattr(getattr(error, "param", None), "name", None)
    if named_parameter == "sources":
        given = shlex.join(arguments).removeprefix(command.removeprefix("lsum ")).strip()
        return OptionError("no source is given", f"{command} SOURCE {given}".strip())
    if command == "lsum" and hasattr(error, "possibilities"):
        flag, where = getattr(error, "option_name", ""), " ".join(["lsum", *(named or ["COMMAND"])])
        return OptionError(f"{flag} stands before the command", f"{where} {flag} …")
    # The message of a type is preceded by the name of its exception.
    what = error.format_message().rstrip(".").replace(": Value error, ", ": ")
    for kind, words in _KINDS.items():
        what = re.sub(rf": Input should be a valid {kind}\b.*", f": it must be {words}", what)
    if context is not None and named_parameter and (origin := origin_of(context, named_parameter)):
        what += f" (it is set by {origin})"
    if command == "lsum" and "" in arguments:
        return OptionError("the name of a source is empty", "give a file, a folder, a web address or -")
    if command == "lsum":  # which takes files as well
        what = what.replace("No such command", "No such command or file")
    what, is_guessed, guess = what.partition(" Did you mean ")
    next_step = f"see {command} --help"
    return OptionError(what.rstrip("."), f"did you mean {guess} Or {next_step}" if is_guessed else next_step)


def _say_unknown_variables(group: Any) -> list[str]:
    """What is to be said of each ``LSUM_`` variable of the environment that sets no flag of any command.

    All commands are imported only if there is one that sets none of the given ones.
    """
    ours = {each for each in os.environ if each.startswith("LSUM_") and not each.startswith(_NO_FLAGS)}
    if not ours - {each for flag in _all_flags(group) for each in flag.option.variables}:
        return []
    from difflib import get_close_matches

    flags = list(_all_flags(typer.main.get_command(make_app())))
    known = {each for flag in flags for each in flag.option.variables}
    by_end = {each.removeprefix("LSUM_"): each for each in known}
    without = {variable_of(spelling): spelling for flag in flags for spelling in flag.spellings}
    remarks = []
    for name in sorted(ours - known):
        near = get_close_matches(name.removeprefix("LSUM_"), by_end, n=1)
        if name in without:
            remarks.append(f"{name} is ignored: no variable sets {without[name]}")
        else:
            hint = f"; did you mean {by_end[near[0]]}?" if near else ""
            remarks.append(f"{name} is ignored: no flag has this variable{hint}")
    return remarks


def _all_flags(group: Any) -> Iterator[Flag]:
    """The flags of all commands of a group, and of those below."""
    for command in group.commands.values():
        yield from flags_of(command).values()
        if hasattr(command, "commands"):
            yield from _all_flags(command)


def settable_flags(group: Any, prefix: str = "") -> dict[str, dict[str, str]]:
    """Every command's flags by long name without dashes, with the parameter each one sets.

    For commands below a group, only those that the environment sets too: ``--locality`` means something
    else for weights that are imported than for a summary.
    """
    flags: dict[str, dict[str, str]] = {}
    for name, command in group.commands.items():
        below = getattr(command, "commands", {})
        if below:
            flags |= settable_flags(command, f"{name} ")
            if not command.invoke_without_command:
                continue
        known = flags_of(command)
        flags[prefix + name] = {
            spelling.removeprefix("--"): parameter
            for parameter, flag in known.items()
            for spelling in flag.spellings
            if (not prefix or flag.option.environment)
            # In a file, the name of a subcommand is the table of its own flags.
            and parameter not in below
        }
    return flags
