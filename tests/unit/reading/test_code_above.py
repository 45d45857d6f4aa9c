"""What stands directly below code that is left out is known, whatever the format marks code with."""

from __future__ import annotations

import json

import pytest

from lsum_cli import read

BEFORE = "The wardens open the gates of the upper lock by hand, and close them at night."
BELOW = "This opens the third gate of the lock."
MORE = "Nobody has ever seen it closed while the county was at sea."
AFTER = "The county pays for the boards, and for the carpenters who mend them in spring."
HTML = "<html><body><article><h1>Weir</h1><p>{}</p><pre><code>{}</code></pre><p>{} {}</p><p>{}</p></article>"
CODE = "gate = open(3)\nprint(gate)"
CELLS = [
    {"cell_type": "markdown", "source": f"# Weir\n\n{BEFORE}"},
    {"cell_type": "code", "source": CODE, "outputs": []},
    {"cell_type": "markdown", "source": f"{BELOW} {MORE}\n\n{AFTER}"},
]


def indented(code: str) -> str:
    return "\n".join(f"    {line}" for line in code.split("\n"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", f"# Weir\n\n{BEFORE}\n\n```python\n{CODE}\n```\n\n{BELOW} {MORE}\n\n{AFTER}\n"),
        ("a.rst", f"Weir\n====\n\n{BEFORE} ::\n\n{indented(CODE)}\n\n{BELOW} {MORE}\n\n{AFTER}\n"),
        (
            "b.rst",
            f"Weir\n====\n\n{BEFORE}\n\n.. code:: python\n\n{indented(CODE)}\n\n{BELOW} {MORE}\n\n{AFTER}\n",
        ),
        ("a.html", HTML.format(BEFORE, CODE, BELOW, MORE, AFTER)),
        ("a.txt", f"The Weir\n\n{BEFORE}\n\n{indented(CODE)}\n\n{BELOW} {MORE}\n\n{AFTER}\n"),
        ("a.ipynb", json.dumps({"cells": CELLS, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})),
    ],
)
def test_what_stands_below_code_is_known(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    told = [(each.text.replace(" :", ""), each.follows_code) for each in read(path).sentences]
    assert told == [(BEFORE, False), (BELOW, True), (MORE, False), (AFTER, False)]


def test_a_heading_stands_between_code_and_its_text(tmp_path):
    path = tmp_path / "a.md"
    path.write_text(f"# Weir\n\n{BEFORE}\n\n{indented(CODE)}\n\n## Boards\n\n{AFTER}\n", encoding="utf-8")
    assert not any(each.follows_code for each in read(path).sentences)
