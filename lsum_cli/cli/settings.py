"""Defaults from settings files: ``./lsum.toml`` overrides the user's own ``config.toml``."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import platformdirs

from lsum_cli.errors import OptionError

LOCAL_FILE = "lsum.toml"


def user_settings_path() -> Path:
    """The user's own settings file; ``LSUM_HOME`` moves it."""
    home = os.environ.get("LSUM_HOME")
    return (Path(home) if home else platformdirs.user_config_path("lsum")) / "config.toml"


def load_settings(flags: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """Defaults for every command, from the user's file, overridden by the current folder's.

    A key at the top level, named like the flag (``page-tokens = 512``), holds for every command
    that has the flag; one in a table ``[summarize]`` or ``[models.pull]`` for that command alone,
    one in ``[models]`` for all commands below.

    Args:
        flags: For each command (``"summarize"``, ``"models pull"``), the long names of the flags
            that may be set, with the names of their parameters.

    Returns:
        Values by parameter name, nested as the commands are.

    Raises:
        OptionError: A file that is not valid TOML, or a key that is not a flag.
    """
    settings: dict[str, Any] = {}
    for path in (user_settings_path(), Path(LOCAL_FILE)):
        for table, flag, value in _entries(_load(path)):
            commands = [command for command in flags if f"{command} ".startswith(table)]
            if not commands:
                named = ", ".join(flags)
                raise OptionError(f"{path}: there is no command '{table.strip()}'", f"name one of {named}")
            known = [command for command in commands if flag in flags[command]]
            if not known:
                raise OptionError(
                    f"{path}: there is no flag '{flag}'", "see lsum summarize --help for the flags"
                )
            for command in known:
                _defaults_of(settings, command)[flags[command][flag]] = value
    return settings


def _entries(content: Mapping[str, Any], table: str = "") -> Iterator[tuple[str, str, Any]]:
    """Yield ``(table, flag, value)``; the table's name is that of its command and ends with a space."""
    for key, value in content.items():
        if isinstance(value, dict):
            yield from _entries(value, f"{table}{key} ")
        else:
            yield table, key, value


def _defaults_of(settings: dict[str, Any], command: str) -> dict[str, Any]:
    for name in command.split():
        settings = settings.setdefault(name, {})
    return settings


def _load(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise OptionError(f"{path} is not valid TOML: {error}", "correct or remove it") from error
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror}", "correct its permissions") from error
