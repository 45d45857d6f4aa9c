"""The flags of ``lsum summarize`` that say how a summary is made, for other commands."""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
from collections.abc import Callable, Collection
from typing import Any

from lsum_cli.cli import options as flags
from lsum_cli.cli.summarize import summarize
from lsum_cli.methods.options import SummaryOptions

PARAMETER = "wishes"


def with_summary_flags(*, but: Collection[str] = ()) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command, in place of its parameter ``wishes``, the flags that fill a :class:`SummaryOptions`.

    They are those of ``lsum summarize``, with their defaults.

    Args:
        but: Fields that the command sets itself, or leaves at their defaults.
    """
    names = {field.name for field in dataclasses.fields(SummaryOptions)} - set(but)
    offered = [
        parameter
        for parameter in inspect.signature(summarize, eval_str=True).parameters.values()
        if parameter.name in names
    ]

    def give(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def run(**values: Any) -> None:
            wishes = {each.name: values.pop(each.name) for each in offered}
            return command(**values, wishes=make_options(**wishes))

        own = inspect.signature(command, eval_str=True)
        parameters: list[inspect.Parameter] = []
        for parameter in own.parameters.values():
            parameters.extend(offered if parameter.name == PARAMETER else [parameter])
        run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        return run

    return give


def make_options(**wishes: Any) -> SummaryOptions:
    """Options from the values of flags.

    Raises:
        OptionError: A value out of range, or wishes that exclude one another.
    """
    return SummaryOptions(**{name: _plain(value) for name, value in wishes.items()})


def _plain(value: Any) -> Any:
    if isinstance(value, flags.LocalityFlag):
        return value.locality
    return value.value if isinstance(value, enum.Enum) else value
