"""Defaults that users keep in files: ``./lsum.toml`` over the user's own ``config.toml``."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import platformdirs

from lsum_cli.errors import OptionError

LOCAL_FILE = "lsum.toml"


def user_settings_path() -> Path:
    """The user's own settings file; ``LSUM_HOME`` moves it."""
    home = os.environ.get("LSUM_HOME")
    return (Path(home) if home else platformdirs.user_config_path("lsum")) / "config.toml"


def load_settings(flags: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, Any]]:
    """Defaults for every command, from the user's file and, over it, the current folder's.

    A key at the top level, named like the flag (``page-tokens = 512``), holds for every command
    that has the flag; one in a table ``[summarize]`` for that command alone.

    Args:
        flags: For each command, its flags' long names with the names of their parameters.

    Returns:
        For each command, values by parameter name.

    Raises:
        OptionError: A file that is no TOML, or a key that is no flag.
    """
    settings: dict[str, dict[str, Any]] = {command: {} for command in flags}
    for path in (user_settings_path(), Path(LOCAL_FILE)):
        for key, value in _load(path).items():
            if isinstance(value, dict):
                if key not in flags:
                    raise OptionError(
                        f"{path}: there is no command '{key}'", f"name one of {', '.join(flags)}"
                    )
                for flag, own in value.items():
                    _set(settings, flags, path, [key], flag, own)
            else:
                _set(settings, flags, path, [c for c in flags if key in flags[c]], key, value)
    return settings


def _load(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise OptionError(f"{path} is no valid TOML: {error}", "mend or remove it") from error
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror}", "mend or remove it") from error


def _set(
    settings: dict[str, dict[str, Any]],
    flags: Mapping[str, Mapping[str, str]],
    path: Path,
    commands: list[str],
    flag: str,
    value: Any,
) -> None:
    known = [command for command in commands if flag in flags[command]]
    if not known:
        raise OptionError(f"{path}: there is no flag '{flag}'", "see lsum summarize --help for the flags")
    for command in known:
        settings[command][flags[command][flag]] = value
