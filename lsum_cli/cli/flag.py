"""How a flag is declared: its names, its panel in the help, its variable in the environment."""

from __future__ import annotations

from typing import Any

import typer

READING = "Reading"
SUMMARY = "Summary"
OUTPUT = "Output"
RUNNING = "Running"
MODEL = "Model"


def flag(*names: str, help: str, panel: str, env: bool = True, **more: Any) -> Any:
    """A flag; unless told otherwise, ``LSUM_`` and its long name set it from the environment."""
    long = next(name for name in names if name.startswith("--")).split("/")[0]
    more.setdefault("envvar", "LSUM_" + long.removeprefix("--").replace("-", "_").upper() if env else None)
    return typer.Option(*names, help=help, rich_help_panel=panel, show_envvar=False, **more)
