"""Records on disk: frozen dataclasses from JSON, TOML or YAML and back, every key and type checked.

What is checked, and how, is pydantic's: strict types, no unknown keys. pydantic is imported when the
first record is read or written, not before: ``lsum --help`` reads none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Value = TypeVar("Value")

_LONGEST_SHOWN = 40
# What a value must be, by the kind of pydantic's error.
_EXPECTED = {
    "string_type": "text",
    "string_unicode": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "none_required": "null",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "an object",
    "mapping_type": "an object",
    "dataclass_type": "an object",
}


class RecordError(ValueError):
    """A record that does not match its dataclass; the message gives the place of the first invalid value."""


def decode(kind: type[Value], raw: object, place: str = "") -> Value:
    """Build a dataclass from what a JSON, TOML or YAML parser returned.

    Args:
        kind: A dataclass whose fields are strings, numbers, booleans, enums, other such
            dataclasses, ``tuple[X, ...]``, ``Mapping[str, X]``, or any of these or ``None``.
        raw: The parsed object.
        place: Its place in the file, for messages.

    Raises:
        RecordError: A key is unknown or missing, or a value has another type.
    """
    try:
        text = json.dumps(raw)
    except (TypeError, ValueError) as error:  # YAML also has dates
        raise RecordError(f"{place or 'the record'}: {error}") from error
    return parse(kind, text, place)


def parse(kind: type[Value], text: str | bytes, place: str = "") -> Value:
    """Build a dataclass from the text of a JSON object; otherwise as :func:`decode`.

    Raises:
        RecordError: The text is not valid JSON, a key is unknown or missing, or a value has another type.
    """
    from pydantic import ValidationError

    try:
        return cast(Value, _adapter(cast(Any, kind)).validate_json(text, strict=True, extra="forbid"))
    except ValidationError as error:
        raise RecordError(_explain(error.errors(include_url=False), place)) from error


def encode(value: object) -> Any:
    """Turn a dataclass into what a JSON writer takes; the inverse of :func:`decode`."""
    from pydantic_core import to_jsonable_python

    return to_jsonable_python(value, fallback=_as_dict)


@cache
def _adapter(kind: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def _as_dict(value: object) -> dict[str, object]:
    """A mapping of another type than ``dict``."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a record cannot hold a {type(value).__name__}")


def _explain(errors: Sequence[ErrorDetails], place: str) -> str:
    """One line about the first bad value.

    Of a value that may have several types pydantic reports one error for each: of these the one that lies
    deepest counts, or all together where they concern the same value.
    """
    if errors[0]["type"] == "json_invalid":
        return f"{place or 'the record'}: invalid JSON: {errors[0]['ctx']['error']}"
    places = [_path(error) for error in errors]
    first = places[0]
    inside = [path for path in places if path[: len(first)] == first]
    deepest = max(inside, key=len)
    same = [error for error, path in zip(errors, places, strict=True) if path == deepest]
    where = _join(place, deepest) or "the record"
    match same[0]["type"]:
        case "missing":
            return f"{where}: missing"
        case "unexpected_keyword_argument" | "extra_forbidden":
            return f"{where}: unknown key"
        case "enum":
            expected = "one of " + same[0]["ctx"]["expected"].replace("'", "").replace(" or ", ", ")
        case _:
            expected = " or ".join(
                dict.fromkeys(_EXPECTED.get(error["type"], error["msg"]) for error in same)
            )
    return f"{where}: must be {expected}, not {_shown(same[0]['input'])}"


def _path(error: ErrorDetails) -> tuple[int | str, ...]:
    """The path of the invalid value, without the names that pydantic gives to the members of a union."""
    return tuple(step for step in error["loc"] if isinstance(step, int) or not _is_member(step))


def _is_member(step: str) -> bool:
    return step in ("str", "int", "float", "bool") or step.startswith("tuple[")


def _join(place: str, path: Sequence[int | str]) -> str:
    for step in path:
        if isinstance(step, int):
            place += f"[{step}]"
        else:
            place += f".{step}" if place else step
    return place


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
