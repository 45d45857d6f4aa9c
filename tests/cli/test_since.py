"""What changed since an earlier version, through the program: documents, kept reports and kept JSON."""

from __future__ import annotations

import json
import re

import jsonschema
import pytest

from lsum_cli.rendering.json_object import read_schema

OLD = """# Marsh report

## 1 Growth

Salt marshes grow where mud settles faster than the sea carries it away. Grasses slow the water down and hold the
mud in place for many years. The salt marshes of the bay rise by four millimetres in a good year.

## 2 Dams

Where rivers are dammed upstream, the salt marshes of the valley starve of sediment. Engineers now flush the gates
of every dam once a year, and the sand moves again. The oldest dam was taken down, and its marsh recovered.

## 3 Birds

Herons came back to the northern marsh in 1998. They nest in the old willows.
"""
NEW = """# Marsh report

## 1 Birds

Herons came back to the northern marsh in 1998. They nest in the old willows.

## 2 Growth

Salt marshes grow where mud settles faster than the sea carries it away. Grasses slow the water down and hold the
mud in place for many years. The salt marshes of the bay rise by six millimetres in a good year. Eelgrass was
planted along the outer edge of every marsh in 2021.

## 3 Costs

The restoration of one hectare of marsh costs forty thousand euros. A sea wall of the same length costs four times
as much and lasts half as long.

## 4 Dams

Where rivers are dammed up-stream, the salt marshes of the valley starve of sediment. Engineers now flush the gates
of every dam once a year, and the sand moves again.
"""


@pytest.fixture
def versions(tmp_path):
    (tmp_path / "old.md").write_text(OLD, encoding="utf-8")
    (tmp_path / "new.md").write_text(NEW, encoding="utf-8")
    return tmp_path


def test_what_changed_is_listed_and_summarised(lsum, versions):
    result = lsum("summarize", "--since", "old.md", "new.md", "-q")
    assert (result.code, result.stderr) == (0, "")
    first, _, rest = result.stdout.partition("\n")
    assert first == ("Since old.md: 3 of 4 sections changed, 1 moved; 3 sentences new, 1 altered, 1 removed.")
    summary, _, changes = rest.partition("\n1 Birds (moved)\n")
    assert "Herons" not in summary
    assert "Grasses" not in result.stdout
    assert "+ Eelgrass was planted along the outer edge of every marsh in 2021.\n" in changes
    assert re.search(r"~ The salt .* by six .*\n  was: The salt .* by four .*\n", changes)
    assert "4 Dams (altered)\n----------------\n- The oldest dam was taken down, and its marsh" in changes
    # A word that is hyphenated now and was not before is the same word.
    assert "dammed" not in result.stdout


def test_every_format_says_what_changed(lsum, versions):
    made = json.loads(lsum("summarize", "--since", "old.md", "new.md", "-f", "json", "-q").stdout)
    jsonschema.validate(made, read_schema())
    changes = made["changes"]
    assert (changes["since"], changes["sections_compared"], changes["has_old_text"]) == ("old.md", 4, True)
    assert changes["sentences_unchanged"] == 6
    kinds = {section["heading"]: section["kind"] for section in changes["sections"]}
    assert kinds == {"1 Birds": "moved", "2 Growth": "altered", "3 Costs": "new", "4 Dams": "altered"}
    markdown = lsum("summarize", "--since", "old.md", "new.md", "-f", "markdown", "-q").stdout
    assert "\n## Changes\n" in markdown
    assert "- **removed:** The oldest dam" in markdown
    html = lsum("summarize", "--since", "old.md", "new.md", "-f", "html", "-q").stdout
    assert "<ins>Eelgrass was planted" in html
    assert "<del>The oldest dam was taken down" in html


def test_an_earlier_report_or_json_of_ours_serves_as_well(lsum, versions):
    for name in ("old.html", "old.json"):
        assert lsum("summarize", "old.md", "-o", name, "-q").code == 0
    from_document = lsum("summarize", "--since", "old.md", "new.md", "-q")
    assert lsum("summarize", "--since", "old.html", "new.md", "-q").stdout == from_document.stdout
    result = lsum("summarize", "--since", "old.json", "new.md")
    assert "holds no text: what was removed is counted, not shown" in result.stderr
    assert "4 sentences new, 2 removed." in result.stdout
    assert "and 1 removed sentence\n" in result.stdout
    assert "taken down" not in result.stdout
    made = json.loads(lsum("summarize", "--since", "old.json", "new.md", "-f", "json", "-q").stdout)
    jsonschema.validate(made, read_schema())
    assert made["changes"]["has_old_text"] is False


@pytest.mark.parametrize("name", ["old.md", "old.html", "old.json"])
@pytest.mark.parametrize("format", ["text", "markdown", "json", "html"])
def test_nothing_changed_in_the_same_document(lsum, versions, name, format):
    if name != "old.md":
        assert lsum("summarize", "old.md", "-o", name, "-q").code == 0
    result = lsum("summarize", "--since", name, "old.md", "-f", format, "-q")
    assert (result.code, result.stderr) == (0, "")
    if format == "json":
        made = json.loads(result.stdout)
        jsonschema.validate(made, read_schema())
        assert (made["changes"]["sections"], made["sentences"], made["text"]) == ([], [], "")
    else:
        assert "Nothing changed since old.md." in result.stdout.replace("<b>", "")
    if format == "text":
        assert result.stdout == "Nothing changed since old.md.\n"


def test_only_removals_are_no_reason_to_write(lsum, versions):
    (versions / "shorter.md").write_text(OLD.partition("## 3")[0], encoding="utf-8")
    result = lsum("summarize", "--since", "old.md", "shorter.md", "-q")
    assert result.code == 0
    assert result.stdout.startswith("Since old.md: 1 of 3 sections changed; 2 sentences removed.\n")
    assert "\n3 Birds (removed)\n" in result.stdout
    assert "- Herons came back" in result.stdout


def test_what_cannot_be_compared_is_wrong_usage(lsum, versions):
    assert lsum("summarize", "old.md", "-o", "bare.html", "--no-source", "-q").code == 0
    assert lsum("summarize", "old.md", "-o", "old.json", "-q").code == 0
    assert lsum("summarize", "old.md", "-o", "old.html", "-q").code == 0
    assert lsum("summarize", "--multi", "old.md", "new.md", "-o", "two.json", "-q").code == 0
    assert lsum("summarize", "--each", "old.md", "new.md", "-o", "two.html", "-q").code == 0
    kept = json.loads((versions / "old.json").read_text(encoding="utf-8"))
    report = (versions / "old.html").read_text(encoding="utf-8")
    (versions / "later.json").write_text(json.dumps(kept | {"schema": "lsum.summary/2"}), encoding="utf-8")
    (versions / "later.html").write_text(report.replace('data-format="1"', 'data-format="2"'), "utf-8")
    del kept["documents"][0]["content"]
    (versions / "earlier.json").write_text(json.dumps(kept), encoding="utf-8")
    (versions / "cut.json").write_text((versions / "old.json").read_text("utf-8")[:900], encoding="utf-8")
    for arguments, said in (
        (("--since", "bare.html", "new.md"), "bare.html does not hold the text of its source"),
        (
            ("--since", "later.json", "new.md"),
            "of another version, lsum.summary/2; this lsum reads lsum.summary/1",
        ),
        (("--since", "later.html", "new.md"), "later.html was written by another version of lsum"),
        (("--since", "earlier.json", "new.md"), "holds nothing of its source to compare with"),
        (("--since", "two.json", "new.md"), "is a summary of several documents"),
        (("--since", "two.html", "new.md"), "is a report on several documents"),
        (("--since", "old.md", "old.md", "new.md"), "and there are 2; give one source"),
        (("--since", "old.md", "--multi", "new.md"), "leave out one of them"),
        (("--since", "old.md", "new.md", "-o", "out/", "--resume"), "leave out --resume"),
    ):
        result = lsum("summarize", *arguments)
        assert (result.code, result.stdout) == (2, ""), arguments
        assert len(result.stderr.splitlines()) == 1, result.stderr
        assert said in result.stderr
    for name, code in (("missing.pdf", 3), ("cut.json", 2)):
        result = lsum("summarize", "--since", name, "new.md")
        assert (result.code, result.stdout) == (code, "")
        assert name in result.stderr
        assert len(result.stderr.splitlines()) == 1
