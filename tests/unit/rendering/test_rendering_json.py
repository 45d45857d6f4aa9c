"""The published JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from rendering_examples import abstractive_summary, extracted_summary, hostile_summary

from lsum_cli.rendering.formats import Format, render, render_many
from lsum_cli.rendering.json_object import read_schema
from lsum_cli.summaries import RestOfList, Summary

EXAMPLES = [abstractive_summary(), extracted_summary(), hostile_summary()]


def parse(summary: Summary, **options: bool) -> dict[str, Any]:
    value = json.loads(
        render(summary, Format.JSON, **options), parse_constant=lambda name: pytest.fail(f"{name} is no JSON")
    )
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize("summary", EXAMPLES, ids=lambda summary: summary.method)
def test_every_object_fulfils_the_schema(summary: Summary) -> None:
    validator = Draft202012Validator(read_schema())
    validator.validate(parse(summary))
    validator.validate(parse(summary, show_attribution=False))


def test_the_schema_is_valid_and_strict() -> None:
    Draft202012Validator.check_schema(read_schema())
    for part in objects_of(read_schema()):
        if "properties" in part:
            assert part["additionalProperties"] is False
            assert set(part["required"]) == set(part["properties"])
            for key, value in part["properties"].items():
                assert value.get("description") or "const" in value, key
    value = parse(extracted_summary())
    value["sentences"][0]["surprise"] = 1
    with pytest.raises(ValidationError, match="surprise"):
        Draft202012Validator(read_schema()).validate(value)


def objects_of(schema: object) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from objects_of(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from objects_of(value)


def test_the_object_says_what_the_summary_says() -> None:
    summary = abstractive_summary()
    value = parse(summary)
    assert value["schema"] == "lsum.summary/1"
    assert value["text"] == summary.text
    assert value["checkpoint"]["name"] == "pagesum-arxiv"
    first = value["sentences"][0]
    assert first["log_prob"] == -0.412346
    assert first["attribution"]["kind"] == "confidence"
    assert first["attribution"]["top_page"] == 1
    assert first["attribution"]["pages"][0] == {"page": 1, "weight": 0.61}
    assert first["attribution"]["evidence"][0] == {
        "text": "We instrumented four turbines in the strait with strain gauges and current profilers.",
        "document": "d0",
        "sentence": 2,
        "page": 1,
        "pdf_page": 7,
        "score": 0.83,
    }
    assert [document["tokens"] for document in value["documents"]] == [109, 60]
    assert sum(document["tokens"] for document in value["documents"]) == value["coverage"]["tokens_read"]
    assert value["pages"][2] == {
        "index": 2,
        "label": "4 Results",
        "document": "d0",
        "pdf_pages": [9, 10, 11],
        "tokens": 44,
    }
    assert value["coverage"]["pdf_pages_blank"] == [12]
    assert value["coverage"]["left_out"] == [{"what": "running headers and footers", "words": 182}]
    assert value["seconds"]["decode"] == 9.8


def test_without_attribution_only_that_is_missing() -> None:
    shown, hidden = parse(extracted_summary()), parse(extracted_summary(), show_attribution=False)
    for sentence in shown["sentences"]:
        sentence["attribution"] = None
    assert hidden == shown


@pytest.mark.parametrize("count", [2, None])
def test_the_rest_of_a_list_is_told(count: int | None) -> None:
    first, *others = extracted_summary().sentences
    rest = RestOfList(count=count, names=("gates", "locks"))
    value = parse(replace(extracted_summary(), sentences=(replace(first, rest=rest), *others)))
    Draft202012Validator(read_schema()).validate(value)
    assert value["sentences"][0]["rest_of_list"] == {"count": count, "names": ["gates", "locks"]}
    assert value["sentences"][1]["rest_of_list"] is None


def test_no_checkpoint_is_null() -> None:
    assert parse(extracted_summary())["checkpoint"] is None


def test_texts_survive_unchanged_but_for_lone_surrogates() -> None:
    summary = hostile_summary()
    rendered = render(summary, Format.JSON)
    rendered.encode("utf-8")
    for got, sentence in zip(parse(summary)["sentences"], summary.sentences, strict=True):
        assert got["text"] == sentence.text.replace("\ud800", "\ufffd").replace("\udfff", "\ufffd")


def test_text_in_any_script_is_readable_in_the_file() -> None:
    assert "十年間の観測により" in render(abstractive_summary(), Format.JSON)


def test_numbers_that_json_lacks_become_null() -> None:
    summary = extracted_summary()
    sentences = (replace(summary.sentences[0], log_prob=math.nan), *summary.sentences[1:])
    value = parse(replace(summary, sentences=sentences))
    assert value["sentences"][0]["log_prob"] is None
    Draft202012Validator(read_schema()).validate(value)


def test_many_are_one_object_a_line() -> None:
    lines = render_many(EXAMPLES, Format.JSON).splitlines()
    assert [json.loads(line) for line in lines] == [parse(summary) for summary in EXAMPLES]
