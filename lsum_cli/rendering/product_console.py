"""The console on which results are printed."""

from __future__ import annotations

from rich.console import Console


class ProductConsole(Console):
    """A console that leaves to its caller what it means that the reader went away."""

    def on_broken_pipe(self) -> None:
        """Raise ``BrokenPipeError``, where rich would end the process with code 1."""
        raise BrokenPipeError
