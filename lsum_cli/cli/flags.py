"""Flags: the signature of a command, made from the options dataclasses that it takes.

A command names the dataclasses it wants; :func:`with_flags` offers a flag for each of their options, and
calls the command with the values filled in::

    @app.command(cls=Command)
    @with_flags
    def plan(sources: Sources, options: Annotated[SummaryOptions, without("seed")], reading: ReadOptions): ...

Options of several dataclasses that share a flag, such as ``--offline``, are one flag that fills them all.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
import os
import re
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from lsum_cli.cli.messages import Messages
from lsum_cli.cli.settings import LOCAL_FILE, Settings, user_settings_path
from lsum_cli.errors import OptionError
from lsum_cli.options import Option, Panel, groups_of, options_of
from lsum_cli.reading.registry import USUAL_SUFFIXES

Sources = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE",
        help=f"{USUAL_SUFFIXES}, a URL, a folder, or - for standard input.",
        show_default=False,
    ),
]
# These panels come last in the help; the others are in the command's order.
_LAST_PANELS = {Panel.OUTPUT: 1, Panel.RUNNING: 2}


@dataclasses.dataclass(frozen=True)
class Selection:
    """Which options of a dataclass become flags; the others keep their defaults."""

    names: frozenset[str] = frozenset()
    is_exclusion: bool = True

    def __contains__(self, field: str) -> bool:
        return (field in self.names) is not self.is_exclusion


def only(*fields: str) -> Selection:
    """Select these options of a dataclass alone."""
    return Selection(frozenset(fields), is_exclusion=False)


def without(*fields: str) -> Selection:
    """Select all options of a dataclass but these."""
    return Selection(frozenset(fields))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Flag:
    """An option as a command offers it.

    Attributes:
        hint: The type of the field.
        default: Default of the field; ``dataclasses.MISSING`` where the flag must be given.
    """

    option: Option
    hint: Any
    default: Any

    @property
    def parameter(self) -> str:
        """The name of the command's parameter: that of the flag."""
        return self.option.flag.removeprefix("--").replace("-", "_")

    @property
    def spellings(self) -> list[str]:
        """Every long name that sets it, the former ones too; not the one that turns it off."""
        return [self.option.flag, *self.option.aliases]

    def as_parameter(self) -> inspect.Parameter:
        """The parameter of a command that typer makes the flag from."""
        option, default = self.option, self.default
        if default is dataclasses.MISSING:
            default = inspect.Parameter.empty
        elif self._is_list:
            default = None
        elif self._choices is not None and (default or option.none_choice):
            default = self._choices(default or option.none_choice)
        info = typer.Option(
            *option.names,
            help=option.help,
            rich_help_panel=option.panel.value,
            metavar=option.metavar,
            envvar=list(option.variables) or None,
            show_envvar=False,
            show_default=option.shown_default or option.shown_default is None,
            count=option.is_count,
        )
        return inspect.Parameter(
            self.parameter,
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=Annotated[self._type, info],
        )

    def convert(self, value: Any) -> Any:
        """A value from the command line as the field holds it."""
        if self.option.join is not None:
            return self.option.join.join(value) if value else self.default
        if self._is_list:
            return self.default if value is None else tuple(value)
        if self._choices is None or value is None:
            return value
        if value.value == self.option.none_choice:
            return None
        plain = _without_none(self.hint)
        return plain(value.value) if issubclass(plain, enum.Enum) else value.value

    @property
    def _is_list(self) -> bool:
        return typing.get_origin(_without_none(self.hint)) is tuple

    @property
    def _type(self) -> Any:
        """The type of the parameter: as that of the field, with lists and choices as typer knows them."""
        if self.option.join is not None:
            return list[str] | None
        if self._is_list:
            item = typing.get_args(_without_none(self.hint))[0]
            return list[item] if self.default is dataclasses.MISSING else list[item] | None  # type: ignore[valid-type]
        choices = self._choices
        if choices is None:
            return self.hint
        return choices if self.default is not None or self.option.none_choice else choices | None

    @functools.cached_property
    def _choices(self) -> Any:
        """The values to choose from, as an enumeration; ``None`` if typer supports the type directly."""
        option, plain = self.option, _without_none(self.hint)
        names = list(option.choices)
        if option.none_choice is not None:
            names = [option.none_choice, *(names or [member.value for member in plain])]
        return enum.StrEnum("Choice", {name.upper(): name for name in names}) if names else None


class _Taken:
    """A dataclass that a command takes, with the flags that fill it and its groups."""

    def __init__(self, kind: type, selection: Selection) -> None:
        hints, options = typing.get_type_hints(kind), options_of(kind)
        self._kind = kind
        self._flags = {
            field.name: Flag(option=options[field.name], hint=hints[field.name], default=field.default)
            for field in dataclasses.fields(kind)
            if field.name in options and field.name in selection
        }
        self._groups = {name: _Taken(group, selection) for name, group in groups_of(kind).items()}

    def all_flags(self) -> Iterator[Flag]:
        """Its own flags and those of its groups."""
        yield from self._flags.values()
        for group in self._groups.values():
            yield from group.all_flags()

    def fill(self, values: Mapping[str, Any]) -> Any:
        """The dataclass with the values of flags, by parameter."""
        own = {name: flag.convert(values[flag.parameter]) for name, flag in self._flags.items()}
        return self._kind(**own, **{name: group.fill(values) for name, group in self._groups.items()})


def with_flags(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command flags in place of its parameters that are options dataclasses.

    Raises:
        OptionError: When called with values that the dataclasses refuse.
    """
    own = inspect.signature(command, eval_str=True)
    taken: dict[str, _Taken] = {}
    parameters: list[inspect.Parameter] = []
    flags: dict[str, Flag] = {}
    for parameter in own.parameters.values():
        kind, selection = _unpack(parameter.annotation)
        if not dataclasses.is_dataclass(kind):
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
            continue
        taken[parameter.name] = _Taken(typing.cast(type, kind), selection)
        for flag in taken[parameter.name].all_flags():
            flags.setdefault(flag.parameter, flag)

    @functools.wraps(command)
    def run(**values: Any) -> None:
        options = {name: each.fill(values) for name, each in taken.items()}
        command(**{name: values[name] for name in own.parameters if name not in taken}, **options)

    in_order = sorted(flags.items(), key=lambda item: _LAST_PANELS.get(item[1].option.panel, 0))
    parameters += [flag.as_parameter() for _, flag in in_order]
    run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    run.flags = dict(in_order)  # type: ignore[attr-defined]
    return run


def flags_of(command: Any) -> Mapping[str, Flag]:
    """The flags of a command that :func:`with_flags` gave it, by the name of their parameter."""
    return getattr(command.callback, "flags", {})


def typed_flags(context: typer.Context) -> list[Flag]:
    """The flags that the user has given on the command line, rather than in a settings file."""
    return [
        flag
        for name, flag in flags_of(context.command).items()
        if getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"
    ]


def flags_for_models(context: typer.Context) -> list[str]:
    """The flags on the command line that only a model uses."""
    return [flag.option.flag for flag in typed_flags(context) if flag.option.for_models]


def origin_of(context: Any, parameter: str) -> str:
    """The variable or settings file that sets a parameter; empty if it is the command line, or nothing."""
    flag, source = flags_of(context.command).get(parameter), context.get_parameter_source(parameter)
    if flag is None or source is None:
        return ""
    if source.name == "ENVIRONMENT":
        return next((each for each in flag.option.variables if os.environ.get(each)), "")
    if source.name != "DEFAULT_MAP":
        return ""
    command = context.command_path.partition(" ")[2]
    is_local = isinstance(context.obj, Settings) and parameter in context.obj.local.get(command, ())
    return LOCAL_FILE if is_local else str(user_settings_path())


def _with_origins(error: OptionError, context: Any) -> OptionError:
    """The error, with what set the flags that it names where that is not the command line."""
    origins = [
        f"{flag.option.flag} is set by {origin}"
        for parameter, flag in flags_of(context.command).items()
        if re.search(rf"{flag.option.flag}(?![\w-])", str(error))
        and (origin := origin_of(context, parameter))
    ]
    return OptionError(f"{error.what} ({', '.join(origins)})", error.next_step) if origins else error


class _Plain:
    """Takes the values of a parameter that need no conversion; typer converts the others.

    Typer makes a converter of pydantic's for every parameter, whether it is given or not: that takes
    longer than reading a short document.
    """

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value of a parameter, as typer's own object of this name returns it."""
        kind: Any = param.type_descriptor.annotation
        is_list = param.multiple or param.nargs == -1
        if value is None:
            return () if is_list else None
        if type(value) is kind:
            return value
        if is_list and kind == list[str] and isinstance(value, tuple | list) and {*map(type, value)} == {str}:
            return list(value)
        if isinstance(kind, enum.EnumType) and value in [
            str(member.value) for member in typing.cast(Iterable[enum.Enum], kind)
        ]:
            return kind(value)
        from typer._coercion import build_runtime_param

        param._runtime_param = build_runtime_param(param.type_descriptor)
        return param._runtime_param.coerce(value, param=param, ctx=ctx)


def _take_plainly(command: Any, ctx: Any) -> None:
    """Let a command take the values of its parameters as they are, as far as they need no conversion."""
    for parameter in command.get_params(ctx):
        if getattr(parameter, "_runtime_param", parameter) is None and hasattr(parameter, "type_descriptor"):
            parameter._runtime_param = _Plain()


def _take_single_values(command: Any, ctx: Any) -> None:
    """Let a settings file give a single value to a flag that may be given several times."""
    for parameter in command.get_params(ctx):
        value = (ctx.default_map or {}).get(parameter.name)
        if getattr(parameter, "multiple", False) and isinstance(value, str):
            ctx.default_map = {**ctx.default_map, parameter.name: [value]}


class Command(TyperCommand):
    """A command whose flags may also be given by their former names, or by settings files."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments, former names of flags turned into those of today."""
        _take_plainly(self, ctx)
        _take_single_values(self, ctx)
        return super().parse_args(ctx, _spell_out(args, self))

    def invoke(self, ctx: Any) -> Any:
        """Run the command, once it has been said what settings of the current folder it uses."""
        _report_settings(ctx)
        try:
            return super().invoke(ctx)
        except OptionError as error:
            raise _with_origins(error, ctx) from error


class Program(TyperGroup):
    """The program itself, with its commands below."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse its own arguments."""
        _take_plainly(self, ctx)
        return super().parse_args(ctx, args)


class Group(TyperGroup):
    """A command with commands below, with flags like those of :class:`Command`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments, former names of flags turned into those of today."""
        _take_plainly(self, ctx)
        _take_single_values(self, ctx)
        return super().parse_args(ctx, _spell_out(args, self))

    def invoke(self, ctx: Any) -> Any:
        """Run the command, once it has been said what settings of the current folder it uses."""
        if ctx.invoked_subcommand is None and not ctx._protected_args:
            _report_settings(ctx)
        try:
            return super().invoke(ctx)
        except OptionError as error:
            if ctx.invoked_subcommand is not None:  # which has named its own
                raise
            raise _with_origins(error, ctx) from error


def _report_settings(ctx: Any) -> None:
    """Say what the settings files have been used for.

    Raises:
        OptionError: A settings file is refused.
    """
    settings = ctx.obj
    if not isinstance(settings, Settings):
        return
    if settings.error is not None:
        raise settings.error
    messages = Messages(quiet=bool(ctx.params.get("quiet")))
    for warning in settings.warnings:
        messages.warn(warning)
    command = ctx.command_path.partition(" ")[2]
    used = [
        name.replace("_", "-")
        for name in sorted(settings.local.get(command, ()))
        if getattr(ctx.get_parameter_source(name), "name", "") == "DEFAULT_MAP"
    ]
    if used:
        messages.note(f"{' and '.join(used)} from ./{LOCAL_FILE}")


def _spell_out(arguments: Sequence[str], command: Any) -> list[str]:
    """The arguments with today's names of flags, and with the values of flags that may stand alone."""
    flags = flags_of(command).values()
    former = {alias: flag.option.flag for flag in flags for alias in flag.option.aliases}
    alone = {flag.option.flag: flag.option.value_if_alone for flag in flags if flag.option.value_if_alone}
    spelt, end = [], arguments.index("--") if "--" in arguments else len(arguments)
    for argument, following in zip_longest(arguments[:end], arguments[1:end], fillvalue="-"):
        name, equals, value = argument.partition("=")
        if name in alone and not equals and following.startswith("-"):
            equals, value = "=", alone[name]
        spelt.append(former.get(name, name) + equals + value)
    return [*spelt, *arguments[end:]]


def _unpack(annotation: Any) -> tuple[Any, Selection]:
    if typing.get_origin(annotation) is not Annotated:
        return annotation, Selection()
    kind, *more = typing.get_args(annotation)
    return kind, next((each for each in more if isinstance(each, Selection)), Selection())


def _without_none(hint: Any) -> Any:
    """The type of an option that may be ``None``, without the ``None``."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        [hint] = [each for each in typing.get_args(hint) if each is not types.NoneType]
    return hint
