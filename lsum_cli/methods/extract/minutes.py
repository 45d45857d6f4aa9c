"""Minutes and notes of a meeting: what was decided, who does what, what stays open, each by topic.

Whoever was not there reads minutes for these, so what they mark is quoted first, and what was said in between
fills the words that are left. Lists of those present, agendas and what a scribe notes for a machine are left
out. Topics under which nothing is marked are named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from lsum_cli.documents import Document
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.conversations.resolutions import (
    Item,
    Mark,
    Minutes,
    marker_end,
    read_minutes,
)
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.request import Extract
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.summaries import OutlineEntry, SummarySentence

_MOST_WORDS = 260
_LISTED = 6
# The share of the room that is filled with what was said, where nothing is marked to fill it.
_ENOUGH = 0.6
# Topics of fewer words, of which nothing is marked, are not named.
_LEAST_SAID = 14


def write_minutes(extractor: Extractor) -> Extract:
    """What a meeting decided, who does what and what stays open, by topic."""
    minutes = read_minutes(extractor.candidates)
    taken, said = _chosen(extractor, minutes)
    topics = _topics(taken, said, minutes)
    sentences = _quoted(extractor, taken, list(topics))
    remarks = [*_left_out(minutes.items, taken), *_undecided(minutes, extractor)]
    return Extract(
        sentences=tuple(sentences.values()),
        outline=_by_topic(sentences, topics, extractor.documents[0]),
        lengths=extractor.lengths(sentences, _shorter(taken, extractor.candidates, list(sentences))),
        warnings=tuple(remarks),
    )


def quote_marked(extractor: Extractor) -> dict[int, SummarySentence]:
    """What the summary of minutes marks, by position, what matters most first; labelled."""
    minutes = read_minutes(extractor.candidates)
    taken, _ = _chosen(extractor, minutes)
    quoted = _quoted(extractor, taken, sorted({row for item in taken for row in item.rows}))
    return {row: quoted[row] for item in _by_urgency(taken) for row in item.rows}


def _chosen(extractor: Extractor, minutes: Minutes) -> tuple[list[Item], list[int]]:
    """The marked passages that fit, and what was said besides."""
    candidates = extractor.candidates
    budget = extractor.num_words
    if not extractor.request.has_length:
        budget = max(budget, min(_MOST_WORDS, sum(_words(candidates, item) for item in minutes.items)))
    ranked = _by_urgency(minutes.items)
    taken = _within(ranked, candidates, budget)
    room = budget - sum(_words(candidates, item) for item in taken)
    said: list[int] = []
    among = minutes.is_said & extractor.structure.stands_alone
    if not taken or (room > (1 - _ENOUGH) * budget and among.any()):
        said = [
            row
            for row in extractor.select(room, among if among.any() else None)
            if candidates.num_words[row] <= room
        ]
    if not (taken or said):
        # Of a summary too short for any, one.
        taken = [min(ranked, key=lambda item: _words(candidates, item))] if ranked else []
        said = [] if taken else extractor.one_of(np.flatnonzero(among).tolist() or range(len(candidates)))
    return taken, said


def _topics(taken: Sequence[Item], said: Sequence[int], minutes: Minutes) -> dict[int, str]:
    """The topic of each sentence of the summary by position; those of one topic stand together."""
    of_item = {row: item.topic for item in reversed(taken) for row in item.rows}
    topic_of = {row: of_item.get(row, minutes.topics[row]) for row in sorted({*of_item, *said})}
    order = list(dict.fromkeys(topic_of.values()))
    return dict(sorted(topic_of.items(), key=lambda each: order.index(each[1])))


def _quoted(extractor: Extractor, taken: Sequence[Item], rows: Sequence[int]) -> dict[int, SummarySentence]:
    """The sentences at these positions, in this order, the first of each item with its label."""
    first = {item.positions[0]: item for item in taken}
    told = {row for item in taken for row in item.positions}
    quoted = {}
    for index, (after, row) in enumerate(zip((None, *rows), rows, strict=False)):
        sentence = extractor.quote(row, index, after)
        if row not in told:
            quoted[row] = sentence
            continue
        text = extractor.candidates.sentences[row].text
        item = first.get(row)
        text = text[item.start :] if item else text[marker_end(text) :]
        quoted[row] = replace(sentence, text=text, label=item.label if item else None)
    return quoted


def _by_topic(
    sentences: dict[int, SummarySentence], topics: dict[int, str], document: Document
) -> tuple[OutlineEntry, ...]:
    """The sentences under the topics they belong to; nothing where no topic is named."""
    groups = [
        (topic, [sentences[row] for row in rows])
        for topic, rows in groupby(sentences, key=lambda row: topics[row])
    ]
    if not any(topic for topic, _ in groups):
        return ()
    return tuple(
        OutlineEntry(
            heading=topic or document.title or "Meeting",
            level=1,
            document_id=document.id,
            sentences=tuple(quoted),
        )
        for topic, quoted in groups
    )


def _left_out(items: Sequence[Item], taken: Sequence[Item]) -> Iterator[str]:
    """How many marked passages found no room."""
    counts = Counter(item.mark for item in items) - Counter(item.mark for item in taken)
    nouns = {Mark.DECISION: "decision", Mark.ACTION: "action", Mark.OPEN: "open point", Mark.MOTION: "motion"}
    parts = [
        f"{counts[mark]} {noun}{'s' * (counts[mark] > 1)}" for mark, noun in nouns.items() if counts[mark]
    ]
    if parts:
        yield f"not in the summary: {', '.join(parts)}, for want of room"


def _undecided(minutes: Minutes, extractor: Extractor) -> Iterator[str]:
    """The topics under which something was said and nothing is marked."""
    marked = {item.topic for item in minutes.items}
    spoken: dict[str, int] = {}
    for row in np.flatnonzero(minutes.is_said).tolist():
        spoken[minutes.topics[row]] = spoken.get(minutes.topics[row], 0) + int(
            extractor.candidates.num_words[row]
        )
    names = [
        topic for topic, words in spoken.items() if topic and topic not in marked and words >= _LEAST_SAID
    ]
    if names:
        listed = names[:_LISTED] + ([f"{len(names) - _LISTED} more"] if len(names) > _LISTED else [])
        yield f"no decision or action is marked under: {'; '.join(listed)}"


def _by_urgency(items: Sequence[Item]) -> list[Item]:
    return sorted(items, key=lambda item: list(Mark).index(item.mark))


def _within(ranked: Sequence[Item], candidates: Candidates, room: int) -> list[Item]:
    """The first of the items that fit into so many words, in order of the source."""
    taken: list[Item] = []
    for item in ranked:
        words = _words(candidates, item)
        if words <= room:
            taken.append(item)
            room -= words
    return sorted(taken, key=lambda item: item.positions)


def _shorter(taken: Sequence[Item], candidates: Candidates, rows: Sequence[int]) -> list[list[int]]:
    """What each named length below the longest holds, the shortest first, each a part of the next."""
    held: list[list[int]] = []
    items = list(taken)
    for num_words in sorted(NAMED_LENGTHS.values(), reverse=True)[1:]:
        items = _within(_by_urgency(items), candidates, num_words)
        held.append(sorted({row for item in items for row in item.rows}) or list(rows[:1]))
    one = _by_urgency(items)[:1]
    return [list(one[0].positions[:1]) if one else list(rows[:1]), *reversed(held)]


def _words(candidates: Candidates, item: Item) -> int:
    return int(candidates.num_words[list(item.rows)].sum())
