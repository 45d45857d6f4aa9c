"""Blocks and headings as stretches of one kind, ready to flow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsum_cli.reading.pdf.flow import Kind, Stretch, column_edges
from lsum_cli.reading.pdf.headings import Heading
from lsum_cli.reading.pdf.lines import Line, with_text
from lsum_cli.reading.pdf.regions import PlacedBlock, Region


def arrange(placed: Sequence[PlacedBlock], headings: Sequence[Heading]) -> list[Stretch]:
    """Cut blocks at headings and tell text of the body from what it flows around."""
    homes = {id(heading.lines[0]): heading for heading in headings}
    edges = column_edges([each.block for each in placed])
    stretches: list[Stretch] = []
    regions: list[Region] = []
    for each in placed:
        left, right = edges[id(each.block)]
        for heading, lines in _cut(each.block.lines, homes):
            if heading:
                text = heading.lines[0].text[: heading.run_in].rstrip(" .:—–-") if heading.run_in else ""
                stretches.append(
                    Stretch(kind=Kind.HEADING, lines=heading.lines, level=heading.level, text=text)
                )
                regions.append(Region.TEXT)
            if lines:
                kind = Kind.BODY if each.region is Region.TEXT else Kind.ASIDE
                rows = each.region is Region.TABLE
                stretches.append(Stretch(kind=kind, lines=tuple(lines), left=left, right=right, rows=rows))
                regions.append(each.region)
    return _with_small_sections(stretches, regions)


def _cut(lines: Sequence[Line], homes: dict[int, Heading]) -> Iterator[tuple[Heading | None, list[Line]]]:
    """Each heading with the lines up to the next one."""
    heading: Heading | None = None
    rest: list[Line] = []
    inside: set[int] = set()
    for line in lines:
        if id(line) in homes:
            if heading or rest:
                yield heading, rest
            heading, rest = homes[id(line)], []
            inside = {id(each) for each in heading.lines}
            if heading.run_in:
                rest.append(with_text(line, line.text[heading.run_in :].lstrip(" .:—–-")))
        elif id(line) not in inside:
            rest.append(line)
    if heading or rest:
        yield heading, rest


def _with_small_sections(stretches: Sequence[Stretch], regions: Sequence[Region]) -> list[Stretch]:
    """Small type is the text of a section, not a note beside it, where there is nothing else."""
    result: list[Stretch] = []
    start = 0
    bounds = [index for index, stretch in enumerate(stretches) if stretch.kind is Kind.HEADING] + [
        len(stretches)
    ]
    for stop in bounds:
        section = range(start, stop)
        large = sum(_words(stretches[index]) for index in section if regions[index] is Region.TEXT)
        small = sum(_words(stretches[index]) for index in section if regions[index] is Region.SMALL)
        for index in section:
            stretch = stretches[index]
            if regions[index] is Region.SMALL and small > 2 * large and stretch.kind is Kind.ASIDE:
                stretch = Stretch(kind=Kind.BODY, lines=stretch.lines, left=stretch.left, right=stretch.right)
            result.append(stretch)
        if stop < len(stretches):
            result.append(stretches[stop])
        start = stop + 1
    return result


def _words(stretch: Stretch) -> int:
    return sum(len(line.text.split()) for line in stretch.lines)
