"""Jupyter notebooks: the prose of their Markdown cells."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from lsum_cli.documents import Document
from lsum_cli.errors import SourceError
from lsum_cli.reading.blocks import CODE, Block, Tally, make_document, take_title, with_code_above
from lsum_cli.reading.charsets import decode
from lsum_cli.reading.markdown import parse_markdown
from lsum_cli.reading.registry import RawSource, ReadOptions

OUTPUTS = "outputs of code"
RAW_CELLS = "raw cells"

_LONGEST_SHOWN = 1 << 20


def read_notebook(raw: RawSource, _options: ReadOptions) -> Document:
    """Read the Markdown cells of a notebook; code and its outputs are counted as left out.

    Raises:
        SourceError: It is not a notebook, or has no text besides code.
    """
    decoded = decode(raw.content, raw.charset)
    notebook = _parse(decoded.text, raw.name)
    cells = _cells(notebook, raw.name)
    tally = Tally()
    blocks = list(
        with_code_above((block for cell in cells for block in _read_cell(cell, raw.name, tally)), tally)
    )
    if not blocks:
        num_code = sum(1 for cell in cells if cell.get("cell_type") == "code")
        raise SourceError(
            f"{raw.name} contains no text: {_count_cells(num_code)}",
            "check that it is the right notebook; code is not summarised",
        )
    title, blocks = take_title(blocks)
    metadata = notebook.get("metadata")
    declared = metadata.get("title") if isinstance(metadata, dict) else None
    return make_document(
        raw,
        blocks,
        tally,
        title=title or (declared if isinstance(declared, str) else None),
        warnings=decoded.warnings,
    )


def _count_cells(num_code: int) -> str:
    if not num_code:
        return "it has no cells with any"
    return f"it has only code ({num_code:,} cell{'s' if num_code != 1 else ''})"


def _parse(text: str, name: str) -> Mapping[str, object]:
    try:
        notebook = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise SourceError(
            f"{name} is damaged: it is not JSON ({reason})", "open it in Jupyter and save it again"
        ) from error
    if not isinstance(notebook, dict):
        raise _not_a_notebook(name)
    return notebook


def _cells(notebook: Mapping[str, object], name: str) -> list[Mapping[str, object]]:
    """The cells; before version 4 they were kept in worksheets."""
    found: object = notebook.get("cells")
    if found is None and isinstance(notebook.get("worksheets"), list):
        worksheets = cast(Sequence[object], notebook["worksheets"])
        found = [
            cell
            for sheet in worksheets
            if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)
            for cell in sheet["cells"]
        ]
    if not isinstance(found, list) or not all(isinstance(cell, dict) for cell in found):
        raise _not_a_notebook(name)
    return found


def _not_a_notebook(name: str) -> SourceError:
    return SourceError(
        f"{name} is not a Jupyter notebook: it has no cells", "check that it is the right file"
    )


def _read_cell(cell: Mapping[str, object], name: str, tally: Tally) -> Iterator[Block]:
    kind = cell.get("cell_type")
    source = _joined(cell.get("source", cell.get("input")))
    if kind == "markdown":
        yield from parse_markdown(source, name, tally)
    elif kind == "heading":
        level = cell.get("level")
        yield Block(text=source, level=level if isinstance(level, int) and 1 <= level <= 6 else 1)
    elif kind == "code":
        tally.add(CODE, source)
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else ():
            if isinstance(output, dict):
                tally.add(OUTPUTS, _shown(output))
    else:
        tally.add(RAW_CELLS, source)


def _shown(output: Mapping[str, object]) -> str:
    """The text that an output shows; pictures show none."""
    data = output.get("data")
    shown = data.get("text/plain") if isinstance(data, dict) else output.get("text", output.get("traceback"))
    return _joined(shown)[:_LONGEST_SHOWN]


def _joined(source: object) -> str:
    """Text that is stored as one string or as a list of lines."""
    if isinstance(source, str):
        return source
    return "".join(line for line in source if isinstance(line, str)) if isinstance(source, list) else ""
