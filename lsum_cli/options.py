"""Options, declared once: a dataclass field with its flag, its help and its allowed values.

An options dataclass is an argument of the Python interface, and its fields define everything about a
flag: its spelling, help, panel, environment variable and settings key (:mod:`lsum_cli.cli.flags`), the
reference, and the checks of its value::

    @dataclass(frozen=True, kw_only=True)
    class SummaryOptions:
        beams: int | None = option(
            None,
            "--beams",
            help="Width of the beam search; 1 is greedy and fastest.",
            panel=Panel.MODEL,
            minimum=1,
            shown_default="set by the checkpoint",
        )

        def __post_init__(self) -> None:
            check_options(self)
"""

from __future__ import annotations

import dataclasses
import enum
import math
from collections.abc import Sequence
from typing import Any

from lsum_cli.errors import OptionError

_KEY = "option"

# More processes than that help on no machine.
MAX_JOBS = 1024


class Panel(enum.StrEnum):
    """The group of options in the help."""

    RECIPES = "Recipes"
    READING = "Reading"
    SUMMARY = "Summary"
    MODEL = "Model"
    SCORES = "Scores"
    ANALYSIS = "Analysis"
    OUTPUT = "Output"
    RUNNING = "Running"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Option:
    """The description of an option, besides its type and default.

    Attributes:
        names: Its flags: the long one as ``--name`` or ``--name/--no-name``, a short one before it.
        help: What it does, and its unit.
        panel: Its group in the help.
        metavar: The placeholder of its value in the help; ``None`` derives it from the type.
        shown_default: The default in words; ``None`` to show its value.
        environment: The variables that set it; the first one that is set wins.
        aliases: Former long flags; they still work, as variable and settings key too, but are not shown.
        minimum: The smallest allowed value, or ``None``.
        above: What the value must exceed, or ``None``.
        maximum: The largest allowed value, or ``None``.
        choices: The allowed values; empty for any.
        none_choice: The spelling of ``None`` on the command line, if it can be chosen.
        value_if_alone: The value where the flag is given without one, at the end or before another flag;
            ``None`` where it needs one.
        join: What stands between its values where it is given several times; ``None`` to take the last.
        is_count: Whether the value is the number of times the flag is given.
        only_for: The methods it applies to; empty for all.
        not_for: The methods it does not apply to.
        for_models: Whether only a model uses it: where sentences are extracted it has no effect.
    """

    names: tuple[str, ...]
    help: str
    panel: Panel
    metavar: str | None = None
    shown_default: str | None = None
    environment: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    minimum: float | None = None
    above: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    none_choice: str | None = None
    value_if_alone: str | None = None
    join: str | None = None
    is_count: bool = False
    only_for: tuple[str, ...] = ()
    not_for: tuple[str, ...] = ()
    for_models: bool = False

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables that set it, including former spellings."""
        return (*self.environment, *map(variable_of, self.aliases)) if self.environment else ()

    @property
    def flag(self) -> str:
        """The long flag that sets it, such as ``--page-tokens``."""
        return next(name for name in self.names if name.startswith("--")).split("/")[0]

    def suits(self, method: str) -> bool:
        """Whether it applies to a method."""
        return method not in self.not_for and (not self.only_for or method in self.only_for)

    def check(self, value: object) -> None:
        """Check a value other than ``None``.

        Raises:
            OptionError: It is out of range, NaN or infinite, or not one of the choices.
        """
        if self.choices and str(value) not in self.choices:
            listed = ", ".join(self.choices)
            raise OptionError(f"'{value}' is not a valid {self.flag}", f"give one of {listed}")
        if isinstance(value, bool) or not isinstance(value, int | float):
            return
        if not math.isfinite(value):
            raise OptionError(f"{self.flag} {value} is not a finite number", "give a finite number")
        for is_wrong, what, limit in (
            (self.minimum is not None and value < self.minimum, "small", f"at least {self.minimum}"),
            (self.above is not None and value <= self.above, "small", f"more than {self.above}"),
            (self.maximum is not None and value > self.maximum, "large", f"at most {self.maximum}"),
        ):
            if is_wrong:
                raise OptionError(f"{self.flag} {value} is too {what}", f"give {self.flag} {limit}")


def option(
    default: object,
    *names: str,
    help: str,
    panel: Panel,
    env: bool | Sequence[str] = True,
    aliases: Sequence[str] = (),
    **more: Any,
) -> Any:
    """A dataclass field that is an option; keyword arguments as :class:`Option` has them.

    Args:
        names: Its flags: the long one as ``--name`` or ``--name/--no-name``, a short one before it.
        env: Whether ``LSUM_`` and the long name set it from the environment, or the variables that do.
        aliases: Former long flags, such as ``--yardsticks``.
    """
    if isinstance(env, bool):
        env = [variable_of(name) for name in names if name.startswith("--")] if env else []
    declared = Option(
        names=names, help=help, panel=panel, environment=tuple(env), aliases=tuple(aliases), **more
    )
    return dataclasses.field(default=default, metadata={_KEY: declared})


def offline_option() -> Any:
    """``--offline``, wherever something may be fetched."""
    return option(
        False,
        "--offline",
        help="Make no network connections.",
        panel=Panel.READING,
        env=("LSUM_OFFLINE", "HF_HUB_OFFLINE"),
    )


def device_option(
    help: str = "Device that the model runs on.", metavar: str = "auto|cpu|cuda[:N]|mps"
) -> Any:
    """``--device``, wherever a model runs."""
    return option("auto", "--device", metavar=metavar, help=help, panel=Panel.MODEL, for_models=True)


def jobs_option(
    help: str = "Documents done at the same time, and pages recognised in images.",
    aliases: Sequence[str] = (),
) -> Any:
    """``--jobs``, wherever several things may be done at the same time."""
    return option(
        None,
        "--jobs",
        metavar="N",
        help=help,
        aliases=aliases,
        panel=Panel.RUNNING,
        minimum=1,
        maximum=MAX_JOBS,
        shown_default="what processors and memory allow",
    )


def option_group(kind: type) -> Any:
    """A dataclass field whose value is another options dataclass with its own flags."""
    return dataclasses.field(default_factory=kind, metadata={_KEY: kind})


def options_of(kind: type) -> dict[str, Option]:
    """The options of a dataclass by field, without those of its groups."""
    declared = {field.name: field.metadata.get(_KEY) for field in dataclasses.fields(kind)}
    return {name: each for name, each in declared.items() if isinstance(each, Option)}


def groups_of(kind: type) -> dict[str, type]:
    """The nested options dataclasses of a dataclass, by field."""
    declared = {field.name: field.metadata.get(_KEY) for field in dataclasses.fields(kind)}
    return {name: each for name, each in declared.items() if isinstance(each, type)}


def check_options(values: object) -> None:
    """Check the value of every option of a dataclass on its own.

    Raises:
        OptionError: One is out of range, or not one of its choices.
    """
    for name, option in options_of(type(values)).items():
        value = getattr(values, name)
        if value is not None:
            option.check(value)


def variable_of(flag: str) -> str:
    """The environment variable that a flag has by default: ``LSUM_PAGE_TOKENS`` of ``--page-tokens``."""
    return "LSUM_" + flag.split("/")[0].removeprefix("--").replace("-", "_").upper()
