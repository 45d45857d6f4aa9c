"""Records: dataclasses from JSON and back, and what is said of a value that does not fit."""

from __future__ import annotations

import datetime
import enum
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import pytest

from lsum_cli.records import RecordError, decode, encode, parse


class Colour(enum.StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    size: int
    share: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Whole:
    name: str
    colour: Colour = Colour.RED
    parts: tuple[Part, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    settings: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)
    files: str | tuple[str, ...] | None = None
    places: tuple[tuple[int, ...], ...] = ()


WHOLE = Whole(
    name="a “name”",
    colour=Colour.BLUE,
    parts=(Part(size=3), Part(size=4, share=0.5)),
    scores=MappingProxyType({"rouge1": 41.5}),
    settings={"beams": 4, "penalty": 1.0, "early": False, "dtype": "auto", "seed": None},
    files=("a", "b"),
    places=((1, 2), (3, 4)),
)


def test_what_is_written_is_read_again() -> None:
    written = json.dumps(encode(WHOLE))
    assert parse(Whole, written) == WHOLE
    assert decode(Whole, encode(WHOLE)) == WHOLE
    # A whole number stays one among options, and becomes a float where the field is one.
    settings = parse(Whole, written).settings
    assert [type(value) for value in settings.values()] == [int, float, bool, str, type(None)]
    assert type(decode(Whole, {"name": "a", "scores": {"x": 1}}).scores["x"]) is float


def test_fields_are_written_in_their_order() -> None:
    assert list(encode(WHOLE)) == ["name", "colour", "parts", "scores", "settings", "files", "places"]
    assert encode(WHOLE)["parts"] == [{"size": 3, "share": 1.0}, {"size": 4, "share": 0.5}]


def test_not_a_number_is_kept() -> None:
    written = json.dumps(encode(Part(size=1, share=float("nan"))))
    assert written == '{"size": 1, "share": NaN}'
    assert str(parse(Part, written).share) == "nan"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": 3}, "model.name: must be text, not 3"),
        ({"name": None}, "model.name: must be text, not null"),
        ({"colour": "green"}, 'model.colour: must be one of red, blue, not "green"'),
        ({"parts": {}}, "model.parts: must be a list, not {}"),
        ({"parts": [{"size": 1}, 7]}, "model.parts[1]: must be an object, not 7"),
        ({"parts": [{"size": True}]}, "model.parts[0].size: must be a whole number, not true"),
        ({"parts": [{"size": 1.5}]}, "model.parts[0].size: must be a whole number, not 1.5"),
        ({"parts": [{"size": 1, "share": "x" * 99}]}, "model.parts[0].share: must be a number, not"),
        ({"parts": [{}]}, "model.parts[0].size: missing"),
        ({"parts": [{"size": 1, "weight": 2}]}, "model.parts[0].weight: unknown key"),
        ({"scores": {"rouge1": "41"}}, 'model.scores.rouge1: must be a number, not "41"'),
        ({"settings": {"beams": [4]}}, "model.settings.beams: must be text or a whole number or a number or"),
        ({"files": 3}, "model.files: must be text or a list, not 3"),
        ({"files": ["a", 3]}, "model.files[1]: must be text, not 3"),
        ({"places": [[1, "2"]]}, 'model.places[0][1]: must be a whole number, not "2"'),
        ({"size": 3}, "model.size: unknown key"),
        ({"name": datetime.date(2026, 1, 1)}, "model: Object of type date is not JSON serializable"),
    ],
)
def test_an_error_names_the_place(change: dict[str, object], said: str) -> None:
    with pytest.raises(RecordError) as caught:
        decode(Whole, {"name": "a", **change}, "model")
    message = str(caught.value)
    assert message.startswith(said)
    assert "\n" not in message
    assert len(message) < 150
