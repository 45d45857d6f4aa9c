"""Notebooks: prose is read, code and outputs are counted."""

from __future__ import annotations

import json

import pytest
from reading_samples import headings_of, left_out_of

from lsum_cli import read
from lsum_cli.errors import SourceError


def cell(kind: str, source: object, **fields: object) -> dict[str, object]:
    return {"cell_type": kind, "metadata": {}, "source": source, **fields}


def notebook(*cells: object, **fields: object) -> str:
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **fields})


PICTURE = {
    "output_type": "display_data",
    "data": {"image/png": "iVBORw0KGgo" * 500, "text/plain": ["<Figure>"]},
}
PRINTED = {"output_type": "stream", "name": "stdout", "text": ["one two\n", "three\n"]}
FAILED = {"output_type": "error", "ename": "E", "evalue": "x", "traceback": ["line one", "line two"]}


def test_prose_is_read_and_the_rest_is_counted(write):
    content = notebook(
        cell("markdown", ["# Tides\n", "\n", "The tide rises *twice* a day."]),
        cell("code", "print('hello world')", outputs=[PRINTED, PICTURE, FAILED], execution_count=1),
        cell("markdown", "## Why\n\nThe moon pulls.\n\n```python\nx = 1\n```\n"),
        cell("raw", "for the converter"),
    )
    document = read(write("tides.ipynb", content))
    assert document.title == "Tides"
    assert headings_of(document) == [(0, None), (1, "Why")]
    assert [s.text for s in document.sentences] == ["The tide rises twice a day.", "The moon pulls."]
    assert left_out_of(document) == {"code blocks": 5, "outputs of code": 7, "raw cells": 3}


def test_notebooks_before_version_4(write):
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Old times"]},
        {"cell_type": "markdown", "source": ["It was the third version."]},
        {"cell_type": "code", "input": ["x = 1"], "outputs": []},
    ]
    content = json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3, "metadata": {}})
    document = read(write("old.ipynb", content))
    assert document.title == "Old times"
    assert left_out_of(document) == {"code blocks": 3}


def test_the_order_of_the_fields_does_not_matter(write):
    fields = json.loads(notebook(cell("markdown", "The tide rises.")))
    document = read(write("pipe", json.dumps(dict(reversed(fields.items())))))
    assert document.metadata.media_type == "application/x-ipynb+json"


def test_content_tells_where_the_name_does_not(write):
    content = notebook(cell("markdown", "The tide rises."))
    assert read(write("saved", content)).metadata.media_type == "application/x-ipynb+json"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (notebook(), "contains no text"),
        (notebook(cell("code", "x = 1", outputs=[])), r"only code \(1 cell\)"),
        ('{"cells": [', "is damaged"),
        ("[1, 2]", "not a Jupyter notebook"),
        ('{"cells": 3}', "not a Jupyter notebook"),
        ('{"cells": ' + "[" * 100_000, "is damaged"),
    ],
    ids=["empty", "only code", "cut off", "a list", "no cells", "deep"],
)
def test_what_is_not_a_notebook_with_text_is_an_error(write, content, says):
    with pytest.raises(SourceError, match=says):
        read(write("bad.ipynb", content))
