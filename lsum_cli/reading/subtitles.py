"""Subtitles and captions: cues joined to running text, in sections that begin at a time."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lsum_cli.documents import Document
from lsum_cli.errors import SourceError
from lsum_cli.reading.blocks import COMMENTS, Block, Tally, language_code, make_document
from lsum_cli.reading.charsets import decode
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import ends_with_stop, normalise

SOUNDS = "descriptions of sounds"
REPEATED_LINES = "lines that the next caption repeats"

_ARROW = "-->"
_TIME = r"(?:(?P<{0}h>\d{{1,3}}):)?(?P<{0}m>\d{{1,2}}):(?P<{0}s>\d{{1,2}})(?:[.,](?P<{0}f>\d{{1,3}}))?"
_TIMING = regex(rf"\s*{_TIME.format('a')}\s*-->\s*{_TIME.format('b')}(?=\s|$)")
_COUNTER = regex(r"\s*\d+\s*")
_SPEAKER = regex(r"<v(?:\.[^\s>]*)?\s+([^>]+)>", re.I)
_NEXT_VOICE = regex(r"(?<=\S)\s*(?=<v[.\s])", re.I)
_LABEL = regex(r"([^\W\d_][^:<>\[\]!?]{0,48}):\s+(?=\S)")
_TAG = regex(r"</?(?:[a-z][^<>]*|\d+:[\d:.]+)>|\{\\[^{}]*\}", re.I)
# "[door slams]", "(LAUGHTER)", "♪ la la ♪": not spoken. Round brackets only in capitals or alone in a cue.
_SOUND = regex(r"\[[^\[\]]{1,200}\]|\([^()a-zß-öø-ÿ]{2,200}\)")
_SOUND_ALONE = regex(r"\s*-?\s*(?:[\[(][^\[\]()]{1,200}[\])]|[♪♫#][^♪♫]*[♪♫#]?|[♪♫\s]+)\s*")
_SPACE_LEFT = regex(r" (?=[,.;:!?])")
_DIALOGUE_DASH = regex(r"^\s*(?:-|–|—|>>+)\s*(?=\S)")
_NOTE = regex(r"(?:NOTE|STYLE|REGION)(?=\s|$)")
_HEADER_LANGUAGE = regex(r"^Language:\s*(\S+)", re.M | re.I)

_SECTION_SECONDS = 60.0
_LONGEST_SECTION_SECONDS = 180.0
_PARAGRAPH_PAUSE_SECONDS = 2.5
_UNPUNCTUATED_SECONDS = 12.0
# Captions made by a machine carry the line before along; so many of them must do it.
_ROLLING_SHARE = 0.3
_MIN_PUNCTUATED_SHARE = 0.08


@dataclass(frozen=True, kw_only=True, slots=True)
class Cue:
    """What is shown at one time.

    Attributes:
        start: Seconds from the beginning; ``None`` where its time cannot be read.
        end: Seconds; ``None`` likewise.
        lines: The lines of text, without markup.
    """

    start: float | None
    end: float | None
    lines: tuple[str, ...]


def read_srt(raw: RawSource, _options: ReadOptions) -> Document:
    """Read SubRip subtitles."""
    return _read(raw, is_vtt=False)


def read_vtt(raw: RawSource, _options: ReadOptions) -> Document:
    """Read WebVTT captions."""
    return _read(raw, is_vtt=True)


def _read(raw: RawSource, *, is_vtt: bool) -> Document:
    decoded = decode(raw.content, raw.charset)
    tally = Tally()
    text = decoded.text.removeprefix("\ufeff")
    cues, num_broken = parse_cues(text, tally, is_vtt=is_vtt)
    if not cues:
        raise SourceError(
            f"{raw.name} contains no captions", "check that it is the right file; name a plain text .txt"
        )
    spoken = list(without_sounds(without_repeated_lines(cues, tally), tally))
    warnings = list(decoded.warnings)
    if num_broken:
        warnings.append(
            f"the times of {num_broken:,} of {len(cues):,} captions cannot be read; their text was"
        )
    timed = [cue.start for cue in spoken if cue.start is not None]
    if timed != sorted(timed):
        warnings.append("the captions are not in order of their times; they were read as they stand")
    if spoken and not _is_punctuated(spoken):
        warnings.append("the captions have no punctuation; where sentences end is guessed from the times")
    declared = _HEADER_LANGUAGE.search(text[:1000]) if is_vtt else None
    return make_document(
        raw,
        to_sections(spoken, _voices(text) if is_vtt else ()),
        tally,
        language=language_code(declared[1]) if declared else None,
        warnings=tuple(warnings),
    )


def parse_cues(text: str, tally: Tally, *, is_vtt: bool) -> tuple[list[Cue], int]:
    """The cues of a file, in its order.

    Args:
        text: The file, its lines ended by line feeds.
        tally: Counts comments and style sheets.
        is_vtt: Whether entities stand for characters, and ``NOTE`` for a comment.

    Returns:
        The cues, and the number of those whose times cannot be read.
    """
    lines = text.split("\n")
    arrows = [at for at, line in enumerate(lines) if _ARROW in line]
    cues: list[Cue] = []
    num_broken = 0
    for at, following in pairwise([*arrows, len(lines)]):
        timing = _TIMING.match(lines[at])
        num_broken += timing is None
        end = following
        if following < len(lines):
            end = _without_identifier(lines, at + 1, following)
        shown: list[str] = []
        body = lines[at + 1 : end]
        for position, line in enumerate(body):
            if is_vtt and not line.strip():
                # A blank line ends a cue; what follows belongs to none, unless it is a comment.
                _count_comments(body[position:], tally)
                break
            shown.extend(_plain(said, is_vtt=is_vtt) for said in _NEXT_VOICE.split(line))
        cues.append(
            Cue(
                start=_seconds(timing, "a") if timing else None,
                end=_seconds(timing, "b") if timing else None,
                lines=tuple(line for line in shown if line),
            )
        )
    if is_vtt and arrows:
        _count_comments(lines[: arrows[0]], tally)
    return cues, num_broken


def _without_identifier(lines: Sequence[str], start: int, arrow: int) -> int:
    """The index after the last line of a cue whose successor's times stand on line ``arrow``."""
    above = arrow - 1
    # The identifier of the next cue stands directly above its times, after a blank line.
    if above > start and lines[above].strip() and not lines[above - 1].strip():
        return above
    # Without the blank line a number alone is its counter.
    if above >= start and _COUNTER.fullmatch(lines[above]) and above > start:
        return above
    return arrow


def _count_comments(lines: Sequence[str], tally: Tally) -> None:
    for block in "\n".join(lines).split("\n\n"):
        note = _NOTE.match(block.strip())
        if note:
            tally.add(COMMENTS, block.strip()[note.end() :])


def _plain(line: str, *, is_vtt: bool) -> str:
    line = _SPEAKER.sub(r"\1: ", line)
    line = _TAG.sub("", line)
    return normalise(html.unescape(line) if is_vtt else line)


def _voices(text: str) -> set[str]:
    return {normalise(html.unescape(name)).strip() for name in _SPEAKER.findall(text)}


def _seconds(timing: re.Match[str], which: str) -> float:
    hours, minutes, seconds = (int(timing[f"{which}{unit}"] or 0) for unit in "hms")
    fraction: str = timing[f"{which}f"] or "0"
    return 3600 * hours + 60 * minutes + seconds + int(fraction) / 10.0 ** len(fraction)


def without_repeated_lines(cues: Sequence[Cue], tally: Tally) -> list[Cue]:
    """The cues without lines that were shown already, as rolling captions show them."""
    repeats = [_num_repeated(before, cue) for before, cue in pairwise(cues)]
    if sum(1 for repeat in repeats if repeat) <= _ROLLING_SHARE * len(cues):
        return list(cues)
    kept = [cues[0]]
    for cue, repeat in zip(cues[1:], repeats, strict=True):
        for line in cue.lines[:repeat]:
            tally.add(REPEATED_LINES, line)
        kept.append(replace(cue, lines=cue.lines[repeat:]))
    return kept


def _num_repeated(before: Cue, cue: Cue) -> int:
    """How many first lines of a cue are the last ones of the cue before."""
    most = min(len(before.lines), len(cue.lines))
    return next((n for n in range(most, 0, -1) if before.lines[-n:] == cue.lines[:n]), 0)


def without_sounds(cues: Iterable[Cue], tally: Tally) -> Iterator[Cue]:
    """The cues without what is not spoken; those that show nothing else are left out."""
    for cue in cues:
        whole = " ".join(cue.lines)
        if _SOUND_ALONE.fullmatch(whole):
            tally.add(SOUNDS, whole)
            continue
        lines = []
        for line in cue.lines:
            sounds = _SOUND.findall(line)
            for sound in sounds:
                tally.add(SOUNDS, sound)
            spoken = line
            if sounds:
                spoken = _SPACE_LEFT.sub("", normalise(_SOUND.sub(" ", line)).removeprefix(":").strip())
            if _SOUND_ALONE.fullmatch(line) and spoken:
                tally.add(SOUNDS, spoken)
            elif re.search(r"\w", spoken):
                lines.append(spoken)
        if lines:
            yield replace(cue, lines=tuple(lines))


def to_sections(cues: Sequence[Cue], voices: Collection[str] = ()) -> list[Block]:
    """Join cues to paragraphs below headings that give their times: ``00:01:05 – 00:02:10``.

    A section begins after about a minute, at the end of a sentence; a paragraph after a pause, or where
    another speaks. Without punctuation, seconds take the place of sentences.

    Args:
        cues: What is spoken.
        voices: The names that mark-up gives to speakers; those written before a colon are found.
    """
    if not cues:
        return []
    punctuated = _is_punctuated(cues)
    speakers = frozenset((*voices, *_speakers(cues)))
    blocks: list[Block] = []
    for section in _group_by_time(cues, punctuated=punctuated):
        label = _label(section)
        if label is not None:
            blocks.append(Block(text=label, level=1))
        blocks.extend(Block(text=text) for text in _paragraphs(section, speakers, punctuated=punctuated))
    return blocks


def _speakers(cues: Sequence[Cue]) -> set[str]:
    """The names before a colon that open captions, such as ``Ann: Good morning``.

    Where most captions open with one, all do; else those that open several.
    """
    labels = [label[1] for cue in cues if cue.lines and (label := _LABEL.match(cue.lines[0]))]
    names = Counter(labels)
    least = 1 if 2 * len(labels) > len(cues) else 2
    return {name for name, count in names.items() if count >= least} if len(names) > 1 else set()


def _is_punctuated(cues: Sequence[Cue]) -> bool:
    ends = sum(1 for cue in cues for line in cue.lines if re.search(r"[.!?…。．！？]", line))
    return ends > _MIN_PUNCTUATED_SHARE * sum(len(cue.lines) for cue in cues)


def _group_by_time(cues: Sequence[Cue], *, punctuated: bool) -> Iterator[list[Cue]]:
    group: list[Cue] = []
    began: float | None = None
    for cue in cues:
        if group and began is not None and cue.start is not None:
            lasted = cue.start - began
            at_end = not punctuated or ends_with_stop(group[-1].lines[-1])
            if lasted >= _LONGEST_SECTION_SECONDS or (lasted >= _SECTION_SECONDS and at_end):
                yield group
                group, began = [], None
        group.append(cue)
        began = cue.start if began is None else began
    yield group


def _label(cues: Sequence[Cue]) -> str | None:
    starts = [cue.start for cue in cues if cue.start is not None]
    ends = [cue.end for cue in cues if cue.end is not None]
    return f"{_clock(starts[0])} – {_clock(max(ends))}" if starts and ends else None


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"


def _paragraphs(cues: Sequence[Cue], speakers: frozenset[str], *, punctuated: bool) -> Iterator[str]:
    """The paragraphs of a section; one has one speaker, whose name stands once, before it."""
    pieces: list[str] = []
    speaker: str | None = None
    before: Cue | None = None
    began: float | None = None
    for cue in cues:
        pause = (
            cue.start is not None and before is not None and before.end is not None and cue.start - before.end
        )
        long_pause = bool(pause) and pause > _PARAGRAPH_PAUSE_SECONDS
        if punctuated:
            breaks = long_pause and bool(pieces) and ends_with_stop(pieces[-1])
        else:
            lasted = cue.start - began if cue.start is not None and began is not None else 0.0
            breaks = long_pause or lasted >= _UNPUNCTUATED_SECONDS
        if breaks and pieces:
            yield " ".join(pieces)
            pieces, began = [], None
        began = cue.start if began is None else began
        for line in cue.lines:
            dash = _DIALOGUE_DASH.match(line)
            spoken = line[dash.end() :] if dash else line
            name, _, said = spoken.partition(": ")
            named = name if said and name in speakers else None
            if pieces and (dash or (named and named != speaker)):
                yield " ".join(pieces)
                pieces = []
            if pieces and named:
                spoken = said
            speaker = named or speaker
            pieces.append(spoken)
        before = cue
    if pieces:
        yield " ".join(pieces)
