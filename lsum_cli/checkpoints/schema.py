"""Strict reading of dataclasses from JSON or TOML: every key known, every value of its type."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar, cast

Value = TypeVar("Value")


class SchemaError(ValueError):
    """A value that is not what the dataclass says; the message names its place."""


def decode(kind: type[Value], raw: object, place: str = "") -> Value:
    """Build a dataclass from what a JSON or TOML parser returned.

    Args:
        kind: A dataclass whose fields are strings, numbers, booleans, enums, other such
            dataclasses, ``tuple[X, ...]``, ``Mapping[str, X]``, or any of these or ``None``.
        raw: The parsed object.
        place: Where in the file it stands, for messages.

    Raises:
        SchemaError: A key is unknown or missing, or a value has another type.
    """
    return cast(Value, _decode(kind, raw, place))


def encode(value: object) -> Any:
    """Turn a dataclass into what a JSON writer takes; the inverse of :func:`decode`."""
    if dataclasses.is_dataclass(value):
        return {field.name: encode(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, tuple):
        return [encode(item) for item in value]
    if isinstance(value, Mapping):
        return {key: encode(item) for key, item in value.items()}
    return value


def _decode(kind: Any, raw: object, place: str) -> object:
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        if raw is None and type(None) in typing.get_args(kind):
            return None
        options = [option for option in typing.get_args(kind) if option is not type(None)]
        # Of several types the one the value has.
        return _decode(next((option for option in options if _is_of(option, raw)), options[0]), raw, place)
    if origin is tuple:
        item = typing.get_args(kind)[0]
        values = cast(list[object], _expect(list, raw, place))
        return tuple(_decode(item, value, f"{place}[{index}]") for index, value in enumerate(values))
    if origin is not None and issubclass(origin, Mapping):
        item = typing.get_args(kind)[1]
        mapping = cast(dict[str, object], _expect(dict, raw, place))
        return {key: _decode(item, value, f"{place}.{key}") for key, value in mapping.items()}
    if dataclasses.is_dataclass(kind):
        return _decode_dataclass(kind, cast(dict[str, object], _expect(dict, raw, place)), place)
    if issubclass(kind, enum.Enum):
        try:
            return kind(raw)
        except ValueError:
            known = ", ".join(str(member.value) for member in kind)
            raise SchemaError(f"{place} is {raw!r}, which is none of {known}") from None
    return _expect(kind, raw, place)


def _is_of(kind: Any, raw: object) -> bool:
    return type(raw) is (list if typing.get_origin(kind) is tuple else kind)


def _decode_dataclass(kind: Any, raw: Mapping[str, object], place: str) -> object:
    hints = typing.get_type_hints(kind)
    prefix = f"{place}." if place else ""
    for key in raw:
        if key not in hints:
            raise SchemaError(f"{prefix}{key} is unknown")
    values = {}
    for field in dataclasses.fields(kind):
        if field.name in raw:
            values[field.name] = _decode(hints[field.name], raw[field.name], prefix + field.name)
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise SchemaError(f"{prefix}{field.name} is missing")
    return kind(**values)


def _expect(kind: type, raw: object, place: str) -> object:
    if kind is float and type(raw) is int:
        return float(raw)
    if type(raw) is not kind:  # not isinstance: True is no number
        raise SchemaError(f"{place or 'it'} is {_shown(raw)}, not {_NAMES.get(kind, kind.__name__)}")
    return raw


_NAMES = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def _shown(raw: object) -> str:
    text = repr(raw)
    return text if len(text) <= 40 else text[:39] + "…"
