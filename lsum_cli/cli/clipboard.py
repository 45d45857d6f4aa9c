"""The clipboard of the desktop, through the program that the system has for it.

The escape sequence OSC 52, which some terminals obey, is not used: nothing says whether it worked.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from lsum_cli.errors import OutputError

_SECONDS = 10
_WAYLAND, _X11 = "WAYLAND_DISPLAY", "DISPLAY"


@dataclass(frozen=True, kw_only=True)
class Clipboard:
    """A program that takes the clipboard's new content on its standard input.

    Attributes:
        command: The program and its arguments.
        encoding: What it expects.
    """

    command: tuple[str, ...]
    encoding: str = "utf-8"

    @classmethod
    def find(cls) -> Clipboard:
        """The clipboard of this session.

        Raises:
            OutputError: There is no program for it, or no desktop; the message says what to install.
        """
        for clipboard in _candidates():
            found = shutil.which(clipboard.command[0])
            if found is not None:
                return Clipboard(command=(found, *clipboard.command[1:]), encoding=clipboard.encoding)
        if _has(_WAYLAND):
            raise OutputError("no program here writes to the clipboard", "install wl-clipboard")
        if _has(_X11):
            raise OutputError("no program here writes to the clipboard", "install xclip or xsel")
        raise OutputError(
            f"there is no clipboard here: neither {_WAYLAND} nor {_X11} is set",
            "leave out --copy, or run lsum in a desktop session with wl-clipboard, xclip or xsel",
        )

    def write(self, text: str) -> None:
        """Replace what the clipboard holds.

        Raises:
            OutputError: The program fails.
        """
        name = os.path.basename(self.command[0])  # noqa: PTH119
        try:
            # Some stay in the background to serve the content: they must not hold our streams.
            done = subprocess.run(  # noqa: S603  (one of our own commands)
                self.command,
                input=text.encode(self.encoding, "replace"),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise OutputError(
                f"{name} did not take the summary within {_SECONDS} s", "leave out --copy"
            ) from None
        except OSError as error:
            raise OutputError(f"{name} cannot be run: {error.strerror}", "leave out --copy") from error
        if done.returncode:
            raise OutputError(
                f"{name} could not write to the clipboard (exit code {done.returncode})",
                "see whether the desktop session is still there, or leave out --copy",
            )


def _candidates() -> Iterator[Clipboard]:
    """The programs that may serve this session, the first choice first."""
    if sys.platform == "darwin":
        yield Clipboard(command=("pbcopy",))
    if _has(_WAYLAND):
        yield Clipboard(command=("wl-copy",))
    if _has(_X11):
        yield Clipboard(command=("xclip", "-selection", "clipboard"))
        yield Clipboard(command=("xsel", "--clipboard", "--input"))
    # Windows, and Linux on it; with its mark, little-endian UTF-16 is what it takes as Unicode.
    yield Clipboard(command=("clip.exe",), encoding="utf-16")


def _has(variable: str) -> bool:
    return bool(os.environ.get(variable))
