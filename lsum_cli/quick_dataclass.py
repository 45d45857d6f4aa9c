"""Dataclasses that are quick to define: most of those that a run imports it never makes one of.

The standard library compiles five or six methods of each class when it is defined, in half a millisecond; a
summary of one page imports over a hundred. Here what makes an instance is compiled with the first instance,
and the rest is not compiled at all.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, eq=True, frozen=False, kw_only=False, slots=False):
        """As :func:`dataclasses.dataclass`, for the same use.

        Classes made by this one and by that cannot inherit from one another where they are frozen.
        """

        def define(each: type) -> type:
            return _define(each, eq=eq, frozen=frozen, kw_only=kw_only, slots=slots)

        return define if cls is None else define(cls)


_set = object.__setattr__


def _define(cls: Any, *, eq: bool, frozen: bool, kw_only: bool, slots: bool) -> Any:
    has_hash = "__hash__" in cls.__dict__ and cls.__dict__["__hash__"] is not None
    # This finds the fields, and compiles nothing.
    cls = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only, slots=slots)(cls)
    own = cls.__dict__
    fields = dataclasses.fields(cls)
    if "__init__" not in own:
        cls.__init__ = _FirstInit(cls, is_frozen=frozen)
    if "__repr__" not in own:
        cls.__repr__ = _make_repr([field.name for field in fields if field.repr])
    if eq:
        values = _getter([field.name for field in fields if field.compare])
        if "__eq__" not in own:
            cls.__eq__ = _make_eq(values)
        if not has_hash:
            hashed = [field for field in fields if (field.compare if field.hash is None else field.hash)]
            cls.__hash__ = _make_hash(_getter([field.name for field in hashed])) if frozen else None
    if frozen:
        _freeze(cls, frozenset(field.name for field in fields))
        if slots and "__getstate__" not in own:
            # Without these a copy would set its attributes one by one, which raises.
            cls.__getstate__, cls.__setstate__ = _get_state, _set_state
    return cls


class _FirstInit:
    """Stands for ``__init__`` until it is asked for, and puts the real one in its place."""

    def __init__(self, cls: type, *, is_frozen: bool) -> None:
        self._cls, self._is_frozen = cls, is_frozen

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        init: Any = _make_init(self._cls, is_frozen=self._is_frozen)
        type.__setattr__(self._cls, "__init__", init)
        return init.__get__(instance, owner)


def _make_init(cls: type, *, is_frozen: bool) -> Callable[..., None]:
    names: dict[str, Any] = {"_set": _set, "_missing": dataclasses.MISSING}
    first: list[str] = []
    by_name: list[str] = []
    lines: list[str] = []
    for field in dataclasses.fields(cls):
        name, value = field.name, field.name
        given = by_name if field.kw_only else first
        if field.default_factory is not dataclasses.MISSING:
            names[f"_make_{name}"] = field.default_factory
            value = f"_make_{name}()"
            if field.init:
                given.append(f"{name}=_missing")
                value = f"{value} if {name} is _missing else {name}"
        elif not field.init:
            continue  # its default is an attribute of the class
        elif field.default is not dataclasses.MISSING:
            names[f"_default_{name}"] = field.default
            given.append(f"{name}=_default_{name}")
        else:
            given.append(name)
        lines.append(f"_set(self, {name!r}, {value})" if is_frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    arguments = ", ".join(["self", *first, *(["*", *by_name] if by_name else [])])
    exec(f"def __init__({arguments}):\n " + "\n ".join(lines or ["pass"]), names)  # noqa: S102 - our own
    init: Callable[..., None] = names["__init__"]
    init.__qualname__, init.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    return init


def _getter(names: list[str]) -> Callable[[Any], Any]:
    """A function for the values of attributes, always a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda instance: tuple([getattr(instance, name) for name in names])


def _make_repr(names: list[str]) -> Callable[[Any], str]:
    @recursive_repr()
    def represent(self: Any) -> str:
        values = ", ".join([f"{name}={getattr(self, name)!r}" for name in names])
        return f"{type(self).__qualname__}({values})"

    return represent


def _make_eq(values: Callable[[Any], Any]) -> Callable[[Any, object], Any]:
    def equals(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return equals


def _make_hash(values: Callable[[Any], Any]) -> Callable[[Any], int]:
    def hash_of(self: Any) -> int:
        return hash(values(self))

    return hash_of


def _freeze(cls: Any, names: frozenset[str]) -> None:
    def refuse(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def refuse_deletion(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    cls.__setattr__, cls.__delattr__ = refuse, refuse_deletion


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        _set(self, field.name, value)
