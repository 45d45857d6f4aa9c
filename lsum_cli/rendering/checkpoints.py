"""Checkpoints, as tables for people or objects for programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from lsum_cli.checkpoints.cards import Push, facts_of
from lsum_cli.checkpoints.int8 import agrees, describe_int8, takes_int8
from lsum_cli.checkpoints.known import KnownCheckpoint
from lsum_cli.checkpoints.manifest import Int8Record, Manifest, OriginKind
from lsum_cli.records import encode
from lsum_cli.rendering.console import open_console
from lsum_cli.rendering.quantities import UNKNOWN, format_size
from lsum_cli.rendering.tables import Column, Row, Table, hidden, print_tables, write_object

_PLAIN_WIDTH = 160
_WIDE = 110

_COLUMNS = (
    Column(
        key="name",
        heading="Name",
        align="left",
        style=lambda checkpoint: "bold" if checkpoint["installed"] else "",
    ),
    Column(
        heading="Installed",
        align="left",
        is_wrapped=False,
        style=lambda checkpoint: "red" if checkpoint["problem"] else "",
    ),
    *hidden("installed", "packaged", "path", "problem"),
    Column(key="method", heading="Method", align="left", least_width=_WIDE),
    Column(key="locality", heading="Locality", align="left", least_width=_WIDE),
    Column(heading="Size", is_wrapped=False),
    Column(
        key="licence",
        heading="Licence",
        align="left",
        least_width=_WIDE,
        format=lambda licence: licence or UNKNOWN,
    ),
    *hidden("size_bytes"),
    Column(key="summary", heading="Good for", align="left", format=lambda text: text or ""),
    *hidden("link", "manifest"),
)


def write_known_list(known: Sequence[KnownCheckpoint], store: Path, stream: TextIO, *, as_json: bool) -> None:
    """Write which checkpoints are installed and which can be pulled."""
    table = Table(columns=_COLUMNS, rows=tuple(map(_row, known)))
    if as_json:
        content = {"schema": "lsum.models/1", "store": str(store), "checkpoints": table.records()}
        write_object(content, stream)
    else:
        _print(table, stream)


def write_known(
    known: KnownCheckpoint, stream: TextIO, *, as_json: bool, verified: bool | None = None, **more: Any
) -> None:
    """Write everything known of one checkpoint.

    Args:
        verified: Whether its hashes were found correct; ``None`` where they were not checked.
        **more: Further keys of the JSON object.
    """
    if as_json:
        (described,) = Table(columns=_COLUMNS, rows=(_row(known),)).records()
        write_object({"schema": "lsum.model/1", **described, "verified": verified, **more}, stream)
        return
    columns = (
        Column(heading="", align="left", style="dim", is_wrapped=False),
        Column(heading="", align="left"),
    )
    _print(Table(columns=columns, rows=tuple(_facts(known, verified)), frame="bare"), stream)


def write_result(content: dict[str, Any], line: str, stream: TextIO, *, as_json: bool) -> None:
    """Write a result: an object for programs, or its one line."""
    if as_json:
        write_object(content, stream)
    else:
        stream.write(line + "\n")


def write_calibration(
    manifest: Manifest, record: Int8Record, processor: str, stream: TextIO, *, as_json: bool
) -> None:
    """Write how a checkpoint compares in integers, and whether ``--dtype auto`` takes them on a processor."""
    taken = takes_int8(manifest, processor)
    content = {
        "schema": "lsum.calibration/1",
        "name": manifest.name,
        **encode(record),
        "agrees": agrees(record),
        "processor": processor,
        "taken_by_auto": taken,
    }
    write_result(
        content, f"{manifest.name}, int8: {describe_int8(manifest, processor)}", stream, as_json=as_json
    )


_PUSH_COLUMNS = (
    Column(key="name", heading="File", align="left"),
    Column(key="size", heading="Size", format=format_size),
)


def write_push(push: Push, stream: TextIO, *, as_json: bool) -> None:
    """Write what is sent to the hub, or was, and where to; the address comes last."""
    files = push.manifest.files
    if as_json:
        content = {
            "schema": "lsum.push/1",
            "repository": push.repo,
            "endpoint": push.endpoint,
            "url": push.url,
            "sent": push.url is not None,
            "private": push.is_private,
            "licence": push.manifest.licence,
            "files": [{"name": file.name, "size_bytes": file.size, "sha256": file.sha256} for file in files],
        }
        write_object(content, stream)
        return
    if push.url is None:
        _print(Table(columns=_PUSH_COLUMNS, rows=tuple((file.name, file.size) for file in files)), stream)
    stream.write(f"{push.url or f'{push.endpoint}/{push.repo}'}\n")


def _facts(known: KnownCheckpoint, verified: bool | None) -> list[tuple[str, str]]:
    facts = [("name", known.name), ("installed", _state(known))]
    installed, entry = known.installed, known.entry
    if installed is not None:
        facts.append(("folder", str(installed.path)))
        if installed.problem is not None:
            facts.append(("problem", str(installed.problem)))
    if verified is not None:
        facts.append(("verified", "every file matches its manifest"))
    facts.append(("size", format_size(known.size)))
    if entry is not None:
        facts += [("good for", entry.summary), ("see", entry.link)]
    if installed is not None and installed.manifest is not None:
        facts += facts_of(installed.manifest)
        if installed.manifest.int8 is None and (said := describe_int8(installed.manifest)) is not None:
            advice = "" if installed.is_packaged else f"; run: lsum models calibrate {known.name}"
            facts.append(("int8", f"{said}{advice}"))
        metrics = installed.manifest.metrics
    else:
        metrics = entry.metrics if entry is not None else {}
        if entry is not None:
            facts += [("method", entry.method.value), ("licence", entry.licence)]
            facts += [("base", entry.base)] if entry.base else []
            facts += [("locality trained for", entry.locality.value)] if entry.locality else []
            facts += [("to install it", f"lsum models pull {known.name}")]
    return [*facts, *((name, f"{value:.2f}") for name, value in metrics.items())]


def _row(known: KnownCheckpoint) -> Row:
    """The cells of :data:`_COLUMNS`; the keys of the object are stable."""
    installed, entry = known.installed, known.entry
    manifest = installed.manifest if installed is not None else None
    return (
        known.name,
        _state(known),
        installed is not None,
        installed is not None and installed.is_packaged,
        str(installed.path) if installed is not None else None,
        str(installed.problem) if installed is not None and installed.problem else None,
        known.method.value if known.method else None,
        known.locality.value if known.locality else None,
        format_size(known.size),
        known.licence,
        known.size,
        entry.summary if entry else _made_for(manifest),
        entry.link if entry else None,
        encode(manifest) if manifest is not None else None,
    )


def _made_for(manifest: Manifest | None) -> str | None:
    """What a checkpoint that no catalogue describes was made for: languages, and what it was trained on."""
    if manifest is None:
        return None
    origin = manifest.origin
    trained = f"trained on {origin.source}" if origin.kind is OriginKind.TRAINING else None
    return ", ".join(filter(None, (dict(facts_of(manifest)).get("languages"), trained))) or None


def _state(known: KnownCheckpoint) -> str:
    if known.installed is None:
        return "no"
    if known.installed.problem is not None:
        return "damaged"
    return "packaged" if known.installed.is_packaged else "yes"


def _print(table: Table, stream: TextIO) -> None:
    print_tables([table], open_console(stream, is_live=stream.isatty(), plain_width=_PLAIN_WIDTH))
