"""The command reference of the documentation, generated from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from lsum_cli.cli.app import app

_HEADER = "# Commands\n\nThis page is generated from the program by `scripts/docs`.\n"
_MARKUP = re.compile(r"\[/?bold\]")


def describe_commands() -> str:
    """The reference as Markdown: every command with its description, arguments and flags."""
    group: Any = typer.main.get_command(app)
    parts = [_HEADER]
    for name, command in group.commands.items():
        parts.append("\n".join(_describe(name, command)))
    return "\n".join(parts)


def _describe(name: str, command: Any) -> Iterator[str]:
    description, _, examples = _MARKUP.sub("", command.help or "").partition("Examples\n")
    yield f"## lsum {name}\n"
    yield description.strip() + "\n"
    yield f"```\nlsum {name} [OPTIONS] SOURCE...\n\n{examples.strip()}\n```\n".replace("\n      ", "\n")
    panels: dict[str, list[Any]] = {}
    for parameter in command.params:
        if parameter.param_type_name == "option":
            panels.setdefault(getattr(parameter, "rich_help_panel", None) or "Other", []).append(parameter)
        else:
            yield f"`SOURCE...`: {parameter.help}\n"
    for panel, parameters in panels.items():
        yield f"### {panel}\n"
        yield "| flag | meaning | default | environment |\n|---|---|---|---|"
        for parameter in parameters:
            yield _row(parameter)
        yield ""


def _row(parameter: Any) -> str:
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    environment = parameter.envvar or ""
    if not isinstance(environment, str):
        environment = ", ".join(environment)
    return f"| {names} | {parameter.help} | {_default(parameter)} | {environment} |"


def _default(parameter: Any) -> str:
    if isinstance(parameter.show_default, str):
        return parameter.show_default
    if parameter.show_default is False or parameter.default is None or parameter.count:
        return ""
    default = parameter.default
    if isinstance(default, bool):
        return "yes" if default else "no"
    return str(getattr(default, "value", default))
