"""A dataclass that is quick to define does what one of the standard library does."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import sys
import types
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import Any

import pytest

from lsum_cli.quick_dataclass import dataclass as quick

CODE = """
from __future__ import annotations
from dataclasses import field
from typing import ClassVar

@dataclass(frozen=True, kw_only=True)
class Base:
    \"\"\"A.\"\"\"
    many: ClassVar[int] = 7
    name: str
    values: list[int] = field(default_factory=list)
    hidden: int = field(default=3, repr=False, compare=False)
    made: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "made", self.name.upper())

@dataclass(frozen=True, kw_only=True)
class Derived(Base):
    \"\"\"B.\"\"\"
    size: float = 1.5

@dataclass(frozen=True, slots=True)
class Slotted:
    \"\"\"C.\"\"\"
    a: int
    b: tuple[int, ...] = (1, 2)

@dataclass(slots=True, eq=False)
class Plain:
    \"\"\"D.\"\"\"
    text: str
    marks: dict[str, int] = field(default_factory=dict)

@dataclass
class Changeable:
    \"\"\"E.\"\"\"
    one: int = 1

@dataclass(frozen=True, kw_only=True)
class Empty:
    \"\"\"F.\"\"\"

@dataclass(frozen=True)
class Own:
    \"\"\"G.\"\"\"
    a: int
    def __eq__(self, other: object) -> bool:
        return True
    def __hash__(self) -> int:
        return 5
    def __repr__(self) -> str:
        return "own"
"""
MAKE = {
    "Base": {"name": "x", "values": [1]},
    "Derived": {"name": "x", "size": 2.0},
    "Slotted": {"a": 1},
    "Plain": {"text": "t"},
    "Changeable": {},
    "Empty": {},
    "Own": {"a": 1},
}


def define(name: str, decorator: Any) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__dict__["dataclass"] = decorator
    sys.modules[name] = module
    exec(CODE, module.__dict__)
    return module


OURS, THEIRS = define("quick_ones", quick), define("standard_ones", dataclasses.dataclass)


@pytest.fixture(params=MAKE)
def pair(request) -> Any:
    kwargs = MAKE[request.param]
    return [(getattr(module, request.param), kwargs) for module in (OURS, THEIRS)]


def outcome(act: Any) -> tuple[str, str]:
    try:
        return "value", repr(act())
    except (TypeError, AttributeError) as error:  # a frozen instance raises the second
        return type(error).__name__, str(error)


@pytest.mark.parametrize(
    "act",
    [
        lambda kind, given: kind(**given),
        lambda kind, given: kind(*given.values()),
        lambda kind, given: kind(**given, unknown=1),
        lambda kind, given: kind(**given) == kind(**given),
        lambda kind, given: kind(**given) == 3,
        lambda kind, given: kind.__hash__ is None,
        lambda kind, given: kind.__hash__ is object.__hash__,
        lambda kind, given: len({kind(**given), kind(**given)}),
        lambda kind, given: [each.name for each in fields(kind)],
        lambda kind, given: inspect.signature(kind).parameters.keys(),
        lambda kind, given: kind.__match_args__,
        lambda kind, given: hasattr(kind(**given), "__dict__"),
        lambda kind, given: pickle.loads(pickle.dumps(kind(**given))),
        lambda kind, given: copy.deepcopy(kind(**given)),
        lambda kind, given: replace(kind(**given), **given),
        lambda kind, given: setattr(kind(**given), fields(kind)[0].name if fields(kind) else "x", 1),
        lambda kind, given: delattr(kind(**given), fields(kind)[0].name if fields(kind) else "x"),
        # With slots the standard one raises a TypeError about super() instead.
        lambda kind, given: hasattr(kind(**given), "__dict__") and setattr(kind(**given), "unheard_of", 1),
        lambda kind, given: kind(**given) is kind(**given),
    ],
)
def test_it_behaves_as_the_standard_one(pair, act) -> None:
    ours, theirs = (outcome(lambda one=one: act(*one)) for one in pair)
    assert ours == theirs


def test_default_lists_are_not_shared() -> None:
    one, other = OURS.Plain("a"), OURS.Plain("b")
    one.marks["x"] = 1
    assert not other.marks


def test_a_frozen_instance_says_so() -> None:
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'name'"):
        OURS.Derived(name="x").name = "y"


def test_what_differs_in_one_field_is_another_thing() -> None:
    assert OURS.Derived(name="x") != OURS.Derived(name="x", size=3.0)
    assert OURS.Derived(name="x") != OURS.Base(name="x")
    assert OURS.Base(name="x", hidden=1) == OURS.Base(name="x", hidden=2)


def test_nothing_is_compiled_before_the_first_instance(monkeypatch) -> None:
    compiled = []
    monkeypatch.setattr("builtins.exec", lambda *given: compiled.append(given))

    @quick(frozen=True, kw_only=True)
    class Unused:
        """Never made."""

        a: int
        b: list[int] = field(default_factory=list)

    assert not compiled
    assert Unused.__doc__ == "Never made."
