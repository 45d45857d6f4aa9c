"""Checkpoints, as tables for people or objects for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TextIO

from rich import box
from rich.table import Table
from rich.text import Text

from lsum_cli.checkpoints.cards import facts_of
from lsum_cli.checkpoints.listing import KnownCheckpoint
from lsum_cli.records import encode
from lsum_cli.rendering.escaping import clean_line
from lsum_cli.rendering.product_console import ProductConsole

_PLAIN_WIDTH = 160
_WIDE = 110


def write_known_list(known: Sequence[KnownCheckpoint], store: Path, stream: TextIO, *, as_json: bool) -> None:
    """Write what is installed and what could be."""
    if as_json:
        checkpoints = [describe_known(each) for each in known]
        _write_json({"schema": "lsum.models/1", "store": str(store), "checkpoints": checkpoints}, stream)
        return
    console = _console(stream)
    headings = ("Name", "Installed", "Method", "Locality", "Size", "Licence", "Good for")
    shown = [h for h in headings if console.width >= _WIDE or h not in ("Method", "Locality", "Licence")]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in shown:
        justify: Literal["left", "right"] = "right" if heading == "Size" else "left"
        table.add_column(heading, justify=justify, overflow="fold", no_wrap=heading in ("Size", "Installed"))
    for each in known:
        state = _state(each)
        cells = {
            "Name": Text(clean_line(each.name), style="bold" if each.installed else ""),
            "Installed": Text(state, style="red" if state == "damaged" else ""),
            "Method": Text(each.method.value if each.method else "–"),
            "Locality": Text(each.locality.value if each.locality else "–"),
            "Size": Text(format_size(each.size)),
            "Licence": Text(clean_line(each.licence or "–")),
            "Good for": Text(each.entry.summary if each.entry else ""),
        }
        table.add_row(*(cells[heading] for heading in shown))
    console.print(table)


def write_known(
    known: KnownCheckpoint, stream: TextIO, *, as_json: bool, verified: bool | None = None, **more: Any
) -> None:
    """Write everything known of one checkpoint.

    Args:
        verified: Whether its hashes were found right; ``None`` where nobody looked.
        **more: Keys of the JSON object besides.
    """
    if as_json:
        described = {"schema": "lsum.model/1", **describe_known(known), "verified": verified, **more}
        _write_json(described, stream)
        return
    facts = [("name", known.name), ("installed", _state(known))]
    installed, entry = known.installed, known.entry
    if installed is not None:
        facts.append(("folder", str(installed.path)))
        if installed.problem is not None:
            facts.append(("problem", str(installed.problem)))
    if verified is not None:
        facts.append(("verified", "every file is what its manifest says"))
    facts.append(("size", format_size(known.size)))
    if entry is not None:
        facts += [("good for", entry.summary), ("see", entry.link)]
    if installed is not None and installed.manifest is not None:
        facts += facts_of(installed.manifest)
        metrics = installed.manifest.metrics
    else:
        metrics = entry.metrics if entry is not None else {}
        if entry is not None:
            facts += [("method", entry.method.value), ("licence", entry.licence)]
            facts += [("base", entry.base)] if entry.base else []
            facts += [("locality trained for", entry.locality.value)] if entry.locality else []
            facts += [("to install it", f"lsum models pull {known.name}")]
    facts += [(name, f"{value:.2f}") for name, value in metrics.items()]
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True, style="dim")
    table.add_column(overflow="fold")
    for label, value in facts:
        table.add_row(label, Text(clean_line(value)))
    _console(stream).print(table)


def write_object(content: dict[str, Any], line: str, stream: TextIO, *, as_json: bool) -> None:
    """Write a result: an object for programs, or its one line."""
    if as_json:
        _write_json(content, stream)
    else:
        stream.write(line + "\n")


def describe_known(known: KnownCheckpoint) -> dict[str, Any]:
    """A checkpoint as an object; its keys are stable."""
    installed = known.installed
    manifest = installed.manifest if installed is not None else None
    return {
        "name": known.name,
        "installed": installed is not None,
        "packaged": installed is not None and installed.is_packaged,
        "path": str(installed.path) if installed is not None else None,
        "problem": str(installed.problem) if installed is not None and installed.problem else None,
        "method": known.method.value if known.method else None,
        "locality": known.locality.value if known.locality else None,
        "licence": known.licence,
        "size_bytes": known.size,
        "summary": known.entry.summary if known.entry else None,
        "link": known.entry.link if known.entry else None,
        "manifest": encode(manifest) if manifest is not None else None,
    }


def format_size(size: int | None) -> str:
    """``"1.63 GB"``, as disks and downloads are counted."""
    if size is None:
        return "–"
    for unit, bytes_of_unit in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= bytes_of_unit:
            return f"{size / bytes_of_unit:,.{2 if unit == 'GB' else 0}f} {unit}"
    return f"{size} B"


def _state(known: KnownCheckpoint) -> str:
    if known.installed is None:
        return "no"
    if known.installed.problem is not None:
        return "damaged"
    return "packaged" if known.installed.is_packaged else "yes"


def _console(stream: TextIO) -> ProductConsole:
    live = stream.isatty()
    return ProductConsole(
        file=stream, force_terminal=None if live else False, width=None if live else _PLAIN_WIDTH
    )


def _write_json(content: dict[str, Any], stream: TextIO) -> None:
    stream.write(json.dumps(content, ensure_ascii=False, indent=2) + "\n")
