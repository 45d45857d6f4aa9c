"""Defaults from settings files: ``./lsum.toml`` overrides the user's own ``config.toml``."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import platformdirs

from lsum_cli.errors import OptionError

LOCAL_FILE = "lsum.toml"
# What the file of the current folder may set: how a summary looks and how long it is. Whoever made the
# folder must not choose a path, a model, a device or the network.
LOCAL_FLAGS = frozenset({"length", "style", "keywords", "format", "attribution", "show-chapters"})
_MOST_BYTES = 64 << 10

Flags = Mapping[str, Mapping[str, str]]


def user_settings_path() -> Path:
    """The user's own settings file; ``LSUM_HOME`` moves it."""
    home = os.environ.get("LSUM_HOME")
    return (Path(home) if home else platformdirs.user_config_path("lsum")) / "config.toml"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What the settings files say.

    Attributes:
        defaults: Values by parameter name, nested as the commands are.
        local: For each command, the parameters that the current folder's file sets.
        warnings: What is to be said of the files, one line each.
        error: Why a file is refused; a command that would use the settings ends with it.
    """

    defaults: dict[str, Any] = field(default_factory=dict)
    local: Mapping[str, frozenset[str]] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    error: OptionError | None = None


def load_settings(find_flags: Callable[[], Flags]) -> Settings:
    """Defaults for every command, from the user's file, overridden by the current folder's.

    A key at the top level, named like the flag (``page-tokens = 512``), holds for every command
    that has the flag; one in a table ``[summarize]`` or ``[models.pull]`` for that command alone,
    one in ``[models]`` for all commands below.

    The current folder may have been downloaded, so its file sets :data:`LOCAL_FLAGS` alone, and one
    that cannot be read as settings is ignored with a warning.

    Args:
        find_flags: Tells for each command (``"summarize"``, ``"models pull"``) the long names of the flags
            that may be set, with the names of their parameters; asked only where a file sets anything.
    """
    defaults: dict[str, Any] = {}
    local: dict[str, set[str]] = {}
    warnings: list[str] = []
    try:
        own = _load(user_settings_path())
        flags = find_flags() if own else {}
        for command, parameter, value in _assignments(user_settings_path(), flags, own):
            _defaults_of(defaults, command)[parameter] = value
        try:
            content = _load(Path(LOCAL_FILE))
        except OptionError as error:
            warnings.append(f"{error.what}; it is ignored")
            content = {}
        flags = flags or (find_flags() if content else {})
        for _, flag, _ in _entries(content):
            if flag not in LOCAL_FLAGS and any(flag in known for known in flags.values()):
                raise OptionError(
                    f"{LOCAL_FILE}: '{flag}' cannot be set by the current folder, which may not be yours",
                    f"set it in {user_settings_path()}",
                )
        for command, parameter, value in _assignments(Path(LOCAL_FILE), flags, content):
            _defaults_of(defaults, command)[parameter] = value
            local.setdefault(command, set()).add(parameter)
    except OptionError as error:
        return Settings(error=error)
    return Settings(
        defaults=defaults,
        local={command: frozenset(parameters) for command, parameters in local.items()},
        warnings=tuple(warnings),
    )


def _assignments(path: Path, flags: Flags, content: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield ``(command, parameter, value)`` of a file.

    Raises:
        OptionError: The file is not valid TOML, or a key is not a flag.
    """
    from difflib import get_close_matches

    for table, flag, value in _entries(content):
        commands = [command for command in flags if f"{command} ".startswith(table)]
        if not commands:
            name = table.strip()
            near = get_close_matches(name, flags, n=1)
            advice = f"did you mean {near[0]}?" if near else f"name one of {', '.join(flags)}"
            raise OptionError(f"{path}: there is no command '{name}'", advice)
        known = [command for command in commands if flag in flags[command]]
        if not known:
            near = get_close_matches(flag, [each for command in commands for each in flags[command]], n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise OptionError(
                f"{path}: there is no flag '{flag}'", f"{hint}see lsum summarize --help for the flags"
            )
        for command in known:
            yield command, flags[command][flag], value


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
    """The tables of a file; none where there is no file.

    Raises:
        OptionError: It is no regular file, too large, unreadable, or not valid TOML.
    """
    try:
        # Non-blocking: opening a named pipe would wait for someone to write to it.
        with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OptionError(f"{path} is not a regular file", "remove it")
            content = file.read(_MOST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise OptionError(f"{path} cannot be read: {error.strerror}", "correct its permissions") from error
    if len(content) > _MOST_BYTES:
        raise OptionError(f"{path} is larger than {_MOST_BYTES >> 10} KiB", "shorten or remove it")
    import tomllib

    try:
        return tomllib.loads(content.decode("utf-8"))
    except RecursionError:
        raise OptionError(f"{path} is nested too deeply", "correct or remove it") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise OptionError(f"{path} is not valid TOML: {error}", "correct or remove it") from error
