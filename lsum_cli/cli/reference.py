"""The command reference of the documentation, generated from the commands themselves."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

import lsum_cli.rendering
from lsum_cli.cli.app import make_app
from lsum_cli.cli.flags import Flag, flags_of
from lsum_cli.errors import ExitCode, LsumError
from lsum_cli.version import __version__

SCHEMAS = Path(lsum_cli.rendering.__path__[0]) / "schemas"
# By the heading of their object.
_SCHEMA_FILES = {"summary": "summary-1.schema.json", "evaluation": "evaluation-2.schema.json"}

_HEADER = "# Commands\n\nThis page is generated from the program by `scripts/docs`.\n"
_MARKUP = re.compile(r"\[/?bold\]")


def describe_commands() -> str:
    """The reference as Markdown: every command with its description, arguments and flags."""
    group: Any = typer.main.get_command(make_app())
    parts = [_HEADER]
    for name, command in _commands(group):
        parts.append("\n".join(_describe(name, command)))
    return "\n".join(parts)


def _commands(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every command with its full name, those of sub-groups too."""
    for name, command in group.commands.items():
        if not hasattr(command, "commands"):
            yield prefix + name, command
            continue
        if command.invoke_without_command:
            yield prefix + name, command
        yield from _commands(command, f"{prefix}{name} ")


def describe_manual() -> str:
    """The manual page ``lsum(1)`` as troff: every command with its description, flags and examples."""
    group: Any = typer.main.get_command(make_app())
    lines = [
        f'.TH LSUM 1 "" "lsum {__version__}" "User Commands"',
        ".SH NAME",
        "lsum \\- summaries of long documents on your own machine, with the origin of every sentence",
        ".SH SYNOPSIS",
        *_escape_troff("lsum SOURCE..."),
        ".br",
        *_escape_troff("lsum COMMAND [OPTIONS] [ARGUMENTS]"),
        ".SH DESCRIPTION",
        *_escape_troff("lsum SOURCE is short for lsum summarize SOURCE. Every command has --help."),
    ]
    for name, command in _commands(group):
        description, _, examples = _MARKUP.sub("", command.help or "").partition("Examples\n")
        lines += [f".SH lsum {name}", *_escape_troff(" ".join(description.split()))]
        for flag in flags_of(command).values():
            names = ", ".join(part for each in flag.option.names for part in each.split("/"))
            default = _default(flag)
            said = f" [default: {default}]" if default else ""
            variables = ", ".join(flag.option.environment)
            said += f" [environment: {variables}]" if variables else ""
            value = f" {flag.option.metavar}" if flag.option.metavar else ""
            lines += [".TP", ".B " + _escape_troff(names + value)[0], *_escape_troff(flag.option.help + said)]
        if examples.strip():
            lines += [".PP", "Examples:", ".PP", ".nf"]
            lines += [
                escaped
                for line in textwrap.dedent(examples).strip().splitlines()
                for escaped in _escape_troff(line)
            ]
            lines.append(".fi")
    lines += [".SH EXIT STATUS"]
    causes = {error.exit_code: (error.__doc__ or "").splitlines()[0] for error in LsumError.__subclasses__()}
    named = {code: f"{code.name.lower().capitalize()}." for code in ExitCode}
    for code, cause in {**named, **causes}.items():
        lines += [".TP", f".B {int(code)}", *_escape_troff(cause.replace("``next_step``", "the message"))]
    return "\n".join(lines) + "\n"


def _escape_troff(line: str) -> list[str]:
    """A line as troff prints it, in ASCII, which every troff reads; nothing for an empty one."""
    escaped = line.replace("\\", "\\e").replace("-", "\\-")
    escaped = "".join(each if each.isascii() else f"\\[u{ord(each):04X}]" for each in escaped)
    return [f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped] if escaped else []


def describe_json() -> str:
    """The JSON outputs' keys as Markdown, from the schemas that they are tested against."""
    listed = " and ".join(f"`lsum_cli/rendering/schemas/{name}`" for name in _SCHEMA_FILES.values())
    parts = [
        "# JSON output\n",
        "This page is generated from the schemas by `scripts/docs`. The schemas themselves are"
        f" {listed} (draft 2020-12).\n",
    ]
    described: set[str] = set()
    for heading, name in _SCHEMA_FILES.items():
        schema = json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
        for title, definition in {heading: schema, **schema["$defs"]}.items():
            # An object that two schemas share means the same in both.
            if title not in described:
                parts += [f"## {title}\n", _describe_object(definition)]
                described.add(title)
    return "\n".join(parts)


def _describe_object(schema: dict[str, Any]) -> str:
    rows = [
        f"| `{key}` | {_describe_type(value)} | {value['description']} |"
        for key, value in schema.get("properties", {}).items()
    ]
    return "\n".join([schema["description"] + "\n", "| key | type | meaning |\n|---|---|---|", *rows, ""])


def _describe_type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name})"
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "oneOf" in schema:
        return " or ".join(_describe_type(choice) for choice in schema["oneOf"])
    types = schema.get("type", "any")
    named = " or ".join(types) if isinstance(types, list) else str(types)
    return f"{named} of {_describe_type(schema['items'])}" if "items" in schema else named


def _describe(name: str, command: Any) -> Iterator[str]:
    description, _, examples = _MARKUP.sub("", command.help or "").partition("Examples\n")
    yield f"## lsum {name}\n"
    yield description.strip() + "\n"
    yield f"```sh\n{textwrap.dedent(examples).strip()}\n```\n"
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            yield f"`{parameter.metavar}`: {parameter.help}\n"
    panels: dict[str, list[Flag]] = {}
    for flag in flags_of(command).values():
        panels.setdefault(flag.option.panel, []).append(flag)
    for panel, flags in panels.items():
        yield f"### {panel}\n"
        yield "| flag | meaning | default | environment |\n|---|---|---|---|"
        yield from map(_row, flags)
        yield ""


def _row(flag: Flag) -> str:
    names = ", ".join(f"`{part}`" for name in flag.option.names for part in name.split("/"))
    environment = ", ".join(flag.option.environment)
    return f"| {names} | {flag.option.help} | {_default(flag)} | {environment} |"


def _default(flag: Flag) -> str:
    option, default = flag.option, flag.default
    if option.shown_default is not None:
        return option.shown_default
    if default is None:
        return option.none_choice or ""
    if isinstance(default, bool):
        return "yes" if default else "no"
    return str(getattr(default, "value", default))
