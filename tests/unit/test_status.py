"""The status of a document is quoted from wherever documents of its kind tell it, and from nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lsum_cli import Summarizer, Summary, SummaryOptions, read
from lsum_cli.rendering.formats import Format, render
from lsum_cli.status import status_of

BODY = """## Abstract

We propose that the quarry keeps every block in a shed, so that rain no longer splits the stone.

## Motivation

Blocks that lie in the open take up water and split in the first frost, and forty were lost last winter.

## Specification

The shed stands beside the road. Every block is marked with the day on which it was cut.
"""
RST = "\n".join(
    f"{line[3:]}\n{'=' * len(line[3:])}" if line.startswith("## ") else line for line in BODY.splitlines()
)
WIKI = "\n".join(f"== {line[3:]} ==" if line.startswith("## ") else line for line in BODY.splitlines())
HTML = "".join(
    f"<h2>{line[3:]}</h2>" if line.startswith("## ") else f"<p>{line}</p>"
    for line in BODY.splitlines()
    if line
)
TITLE = "# Sheds for blocks\n\n"


def told(tmp_path: Path, name: str, text: str) -> list[tuple[str, str]]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return [(line.name, line.text) for line in status_of(read(path))]


def page(header: str) -> str:
    return (
        f"<html><head><title>Sheds for blocks</title></head><body><main>{header}{HTML}</main></body></html>"
    )


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "front.md",
            "---\ntitle: Sheds\nstatus: Withdrawn # for good\nwithdrawal-reason: It was closed.\n"
            f'superseded-by:\n  - "1001"\ncreated: 2020-01-01\n---\n{BODY}',
            [("Status", "Withdrawn"), ("Withdrawal-reason", "It was closed."), ("Superseded-by", "1001")],
        ),
        ("items.md", f"{TITLE}* Authors: A. Mason\n* Status: **Rejected**\n\n{BODY}", [("Status", "Rejected")]),
        (
            "lines.md",
            f"{TITLE}**Status:** Superseded by [RFC 15](15.md)\n**Author:** A. Mason\n\n{BODY}",
            [("Status", "Superseded by RFC 15")],
        ),
        ("table.md", f"{TITLE}| Status | Accepted |\n|:--|:--|\n| Author | A. Mason |\n\n{BODY}", [("Status", "Accepted")]),
        (
            "record.md",
            f"{TITLE}## Status\n\nAccepted\n\nAmended by [9. Cellars](9.md) on all that concerns the road, which "
            f"was mended in the summer of that year.\n\n{BODY}",
            [("Status", "Accepted")],
        ),
        (
            "superseded.md",
            f"{TITLE}## Status\n\nSuperceded by [9. Cellars](9.md)\n\n{BODY}",
            [("Status", "Superceded by 9. Cellars")],
        ),
        (
            "mail.rst",
            f"PEP: 99\nTitle: Sheds\nAuthor: A. Mason\nStatus: Superseded\nSuperseded-By: 101\n\n{RST}",
            [("Status", "Superseded"), ("Superseded-By", "101")],
        ),
        (
            "fields.rst",
            f"=====\nSheds\n=====\n\n:Author: A. Mason\n:Status: Superseded\n:Replaced-By: 101\n\n{RST.replace('=', '-')}",
            [("Status", "Superseded"), ("Replaced-By", "101")],
        ),
        (
            "preamble.mediawiki",
            f"<pre>\n  BIP: 99\n  Title: Sheds\n  Status: Replaced\n  Superseded-By: 101\n</pre>\n\n{WIKI}",
            [("Status", "Replaced"), ("Superseded-By", "101")],
        ),
        ("preamble.md", f"```\n  BIP: 99\n  Title: Sheds\n  Status: Draft\n```\n\n{BODY}", [("Status", "Draft")]),
        ("memo.txt", f"Sheds\n\nStatus: Draft\nAuthor: A. Mason\n\n{BODY.replace('## ', '')}", [("Status", "Draft")]),
        (
            "list.html",
            page("<dl><dt>Author<span>:</span></dt><dd>A. Mason</dd><dt>Status</dt><dd><abbr>Withdrawn</abbr></dd></dl>"),
            [("Status", "Withdrawn")],
        ),
        (
            "table.html",
            page("<table><tr><th>Author</th><td>A. Mason</td></tr><tr><th>Status</th><td>Stagnant</td></tr></table>"),
            [("Status", "Stagnant")],
        ),
        (
            "badge.html",
            page("<p><span>⚠️ Stagnant</span> <span>Standards Track: Core</span></p><h1>Sheds for blocks</h1>"),
            [("Status", "Stagnant")],
        ),
        # With the reason, where the text gives it.
        (
            "reason.md",
            f"{TITLE}* Author: A. Mason\n* Status: Withdrawn\n\nThis proposal has been withdrawn in favour of "
            f"cellars.\n\n{BODY}",
            [
                ("Status", "Withdrawn"),
                ("Status", "This proposal has been withdrawn in favour of cellars."),
            ],
        ),
        (
            "notice.md",
            f"{TITLE}{BODY}\n## PEP Rejection\n\nThe guild met in May. It rejected the shed as too dear.\n",
            [("Status", "It rejected the shed as too dear.")],
        ),
        ("bare.md", f"{TITLE}{BODY}\n## Rejection notice\n\nThe guild met in May.\n", [("Status", "Rejection notice")]),
        # An uncommon word in the header of a proposal, as it stands.
        ("own.md", f"{TITLE}* Author: A. Mason\n* Status: Hewn\n\n{BODY}", [("Status", "Hewn")]),
    ],
)  # fmt: skip
def test_a_status_is_told_as_it_is_written(
    tmp_path: Path, name: str, text: str, expected: list[tuple[str, str]]
) -> None:
    assert told(tmp_path, name, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        TITLE + BODY,
        f"{TITLE}Status: the shed is full and the road is wet\n\n{BODY}",
        # A template; a post that a program has published; what says nothing.
        f"{TITLE}* Author: A. Mason\n* Status: {{proposed | rejected | accepted}}\n\n{BODY}",
        f"---\nauthor: A. Mason\nstatus: published\n---\n{BODY}",
        f"{TITLE}## Status\n\nTBD\n\n{BODY}",
        # Of a part of what is described, of others, of what might be.
        f"{TITLE}{BODY}\n## Fields\n\n* Status: Draft\n",
        f"{TITLE}{BODY}\n## Status\n\nThe field holds the state of the block, as the clerk writes it down.\n",
        f"{TITLE}{BODY}\n## Rejected ideas\n\nThis proposal was rejected because of the wind.\n",
        f"{TITLE}{BODY}\n## Cloth instead of wood\n\nThis proposal was rejected because of the wind.\n",
        f"{TITLE}{BODY}\n## Plan\n\nIf this RFC is rejected, the road stays as it is.\n",
    ],
)
def test_what_is_no_status_of_the_document_is_not_told(tmp_path: Path, text: str) -> None:
    assert told(tmp_path, "proposal.md", text) == []


@pytest.mark.parametrize(
    ("opening", "expected"),
    [
        ("This document describes sheds. It was withdrawn in 2021.", "It was withdrawn in 2021."),
        (
            "This proposal is on sheds. It has four parts. It has been superseded by Proposal 9.",
            "It has been superseded by Proposal 9.",
        ),
        # Of something else, of what would be, of goods.
        ("The mason wrote a plan. It was withdrawn in 2021.", None),
        ("This document describes sheds. The mason has a plan. It was withdrawn in 2021.", None),
        ("This document describes a block. It is rejected if it is wet.", None),
        ("This document describes a block. It was withdrawn from sale.", None),
    ],
)
def test_what_it_is_after_a_sentence_on_the_document_is_told(
    tmp_path: Path, opening: str, expected: str | None
) -> None:
    found = told(tmp_path, "proposal.md", f"{TITLE}{opening}\n\n{BODY}")
    assert found == ([("Status", expected)] if expected else [])


def test_what_took_its_place_is_told_beside_the_status(tmp_path: Path) -> None:
    resolution = (
        "## Resolution\n\nThe proposal was accepted in May, and withdrawn in June. The sheds were sold."
        "\n\nThis proposal is superseded by Proposal 17.\n"
    )
    path = tmp_path / "sheds.md"
    path.write_text(f"---\ntitle: Sheds\nstatus: Withdrawn\n---\n{BODY}\n{resolution}", encoding="utf-8")
    assert render(summarize(path), Format.TEXT).startswith(
        "Status: Withdrawn [front matter]; The proposal was accepted in May, and withdrawn in June."
        " This proposal is superseded by Proposal 17. [Resolution]\n"
    )


def test_what_is_now_counts_and_not_what_was_before(tmp_path: Path) -> None:
    header = "* Author: A. Mason\n* Status: Implemented\n* Previous status: Accepted\n\n"
    assert told(tmp_path, "a.md", TITLE + header + BODY) == [("Status", "Implemented")]


def summarize(*paths: Path) -> Summary:
    documents = [read(path, id=f"d{number}") for number, path in enumerate(paths)]
    return Summarizer(SummaryOptions(method="extract")).summarize(documents)


def test_every_format_shows_it_before_the_summary(tmp_path: Path) -> None:
    one, other = tmp_path / "one.md", tmp_path / "other.md"
    one.write_text(f"---\ntitle: Sheds\nstatus: Withdrawn\n---\n{BODY}", encoding="utf-8")
    other.write_text(f"# Cellars\n\n* Author: A. Mason\n* Status: Draft\n\n{BODY}", encoding="utf-8")
    summary = summarize(one)
    assert render(summary, Format.TEXT).startswith("Status: Withdrawn [front matter]\n\n")
    assert render(summary, Format.TEXT, show_attribution=False).startswith("Status: Withdrawn\n\n")
    assert "\n\n**Status:** Withdrawn \\[front matter\\]\n\n" in render(summary, Format.MARKDOWN)
    assert "<b>Status:</b> Withdrawn [front matter]</p>" in render(summary, Format.HTML)
    documents = json.loads(render(summarize(other), Format.JSON))["documents"]
    assert documents[0]["status"] == [{"name": "Status", "text": "Draft", "sentence": 1, "pdf_page": None}]
    both = render(summarize(one, other), Format.TEXT)
    assert "Status: Sheds: Withdrawn [front matter]; Cellars: Draft [Opening]\n" in both


@pytest.mark.parametrize("subject", ["Road status", "Order status", "The road's current status"])
def test_the_status_of_something_else_is_not_that_of_the_document(subject: str, tmp_path: Path) -> None:
    text = f"# Roads\n\n{subject}: closed until Monday because of the flood.\n\n{BODY}"
    assert told(tmp_path, "roads.md", text) == []
