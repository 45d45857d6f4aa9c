"""The text of a summary of one document: its own summary, a digest by parts, or a choice from the whole."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from lsum_cli.documents import PATH_BREAK
from lsum_cli.locality import label_sections
from lsum_cli.methods.extract.answers import answers_questions
from lsum_cli.methods.extract.conversations.resolutions import Mark
from lsum_cli.methods.extract.digest import Digest, digest, digest_around
from lsum_cli.methods.extract.division import Part, divide, lists_the_cast
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.guides.leading_lists import leading_lists
from lsum_cli.methods.extract.guides.setting_names import setting_names
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind, plain_heading, shown_heading
from lsum_cli.methods.extract.own_summary import (
    comes_to,
    only_announces,
    own_abstract,
    own_summary,
    whole_summary,
)
from lsum_cli.methods.extract.proposals import select_proposal
from lsum_cli.methods.extract.ranking.salience import dialogue, standardised
from lsum_cli.methods.extract.ranking.scoring import is_manual
from lsum_cli.methods.extract.request import Extract
from lsum_cli.methods.extract.reviews import is_review, select_review
from lsum_cli.methods.extract.scaffold import of_no_matter, without_scaffold
from lsum_cli.methods.extract.selection import Share
from lsum_cli.methods.extract.sentences.anaphora import anaphora_rules
from lsum_cli.methods.extract.sentences.gist import (
    LEAST_OF_A_SUMMARY,
    LEAST_OF_AN_OWN_SUMMARY,
    WORDS_OF_A_MANUAL,
    is_own_summary,
)
from lsum_cli.methods.extract.sentences.lists import lists_under_headings, with_lists
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.summaries import OutlineEntry, Style, SummarySentence
from lsum_cli.text.terms import BoolArray, FloatArray, quantile

# What only talks and stories need is imported where it is used: its rules take as long to prepare as a short
# document takes to read.

# Of a hearing a sentence is an answer, and there are as many issues as questions.
_FACTOR_OF_A_HEARING = 1.1
# Of a meeting of some length most that is said is not understood alone: readers are better served by less.
_FACTOR_OF_A_MEETING, _WORDS_OF_A_MEETING = 0.8, 1500
# Of which at least so many sentences that open passages are sound it is told in passages.
_FEWEST_PASSAGES = 8
# So many words of what says what a meeting is for take no room of what is told of it.
_MOST_OF_A_PURPOSE = 12
# What a sentence of talk counts that settles something, or takes something on, in standard deviations.
_OF_A_DECISION, _OF_AN_ACTION = 1.5, 0.3
# What a sentence counts that tells what a vote came to, and few words besides.
_OF_A_VOTE = 4.0
# And what the best one that names a topic of a meeting, and the second best.
_OF_A_TOPIC = (1.0, 0.4)
# What tells more against a sentence outweighs the topic that it names.
_LEAST_UNDERSTOOD = -0.7
# Of so many sentences of talk most score too low to be looked at.
_MANY_SENTENCES, _SHARE_LOOKED_AT = 100, 0.4
# A decision has a case, a question and a holding to tell. Of papers readers preferred shorter summaries. A
# sentence of a short article is a quarter of what suits it; what it comes to is often told last.
_FACTORS = {
    DocumentKind.DECISION: 1.3,
    DocumentKind.PAPER: 0.75,
    DocumentKind.OTHER: 1.3,
}
# News hold several events, often of several stories. Of fewer words a summary leaves out more than half.
_FACTOR_OF_EVENTS, _WORDS_OF_EVENTS, _MOST_OF_EVENTS = 1.7, 300, 0.45
# A summary of its own with less than this share of the words that suit may announce more than it tells.
_LEAST_OF_A_WHOLE = 0.6
# Their headings say what is quoted below them: the problem, the method, the costs.
_QUOTED_BY_SECTION = (DocumentKind.PAPER, DocumentKind.PROPOSAL)
# A digest has a sentence for each main part, as far as so many words allow.
_FACTOR_OF_A_DIGEST, _MOST_OF_A_DIGEST = 1.3, 680
# Of answers, which are quoted whole, it has more.
_FACTOR_OF_ANSWERS = 1.7
# A digest around what says most of the whole is so much longer than what would suit; that takes most of it.
_FACTOR_AROUND, _SHARE_OF_CORE = 2.4, 0.8
# Lists that are quoted whole may have so many words, as a share of those of other texts of that length.
_MOST_OF_LISTS = 1.2
# Words of a text that readers see as a whole: it needs no digest.
_LEAST_WORDS_AROUND = 300
# What an event, and direct speech, count in a chapter of a story that is summarised by itself.
_EVENTS, _SPOKEN = 0.7, -0.7
# Words of a story from which it is summarised by its chapters.
_WORDS_OF_CHAPTERS = 600
# Words of a story without chapters from which its people are named above it.
_WORDS_OF_A_CAST = 4_000
# What a long manual or report comes to takes no longer than what another comes to: the outline has the rest.
_WORDS_OF_A_SUMMARY_OF_A_MANUAL = 330


def write_text(extractor: Extractor) -> Extract:
    """A text in the order of the source, and what of it the shorter ones hold."""
    extractor = _of_talk(extractor)
    eligible, warnings = _in_question(extractor)
    made = _digest(extractor, eligible)
    if made is not None:
        return replace(_by_part(extractor, _with_lists_of(extractor, made)), warnings=warnings)
    chosen = _with_lists(extractor, _choose(extractor, eligible))
    sentences = extractor.quote_all(chosen)
    for position, mark in _commitments(extractor, chosen).items():
        who = (sentences[position].label or "").partition(" (")[0]
        label = f"{mark} ({who})" if who else str(mark)
        sentences[position] = replace(sentences[position], label=label)
    return Extract(
        sentences=tuple(sentences.values()),
        outline=_sections(extractor, sentences) or _below_cast(extractor, sentences),
        lengths=extractor.lengths(sentences, _shorter(extractor, chosen)),
        warnings=(*warnings, *_without_room(extractor, chosen)),
        other_sections=_other_sections(extractor, chosen),
        topics=_topics(extractor),
    )


def _with_lists(extractor: Extractor, chosen: Sequence[int]) -> list[int]:
    """The same sentences of a guide with what announces the lists that some are items of."""
    structure = extractor.structure
    if not (extractor.request.as_suits and extractor.has_lists):
        return list(chosen)
    return with_lists(
        extractor.candidates,
        chosen,
        offset=structure.offset,
        is_own=structure.is_own,
        anaphora=anaphora_rules("en", structure.document_kind),
    )


def _leading_lists(extractor: Extractor) -> list[int]:
    """The lists that say what the subject of a guide does or needs, where lists are quoted."""
    structure, candidates = extractor.structure, extractor.candidates
    if not (extractor.request.as_suits and extractor.has_lists):
        return []
    rules = anaphora_rules("en", structure.document_kind)
    return leading_lists(candidates, structure.is_own, rules, _MOST_OF_LISTS * extractor.num_words)


def _with_lists_of(extractor: Extractor, made: Digest) -> Digest:
    """The same digest with what announces the lists, each where its items are."""
    parts = (replace(each, positions=tuple(_with_lists(extractor, each.positions))) for each in made.parts)
    return Digest(
        opening=tuple(_with_lists(extractor, made.opening)),
        parts=tuple(each for each in parts if each.positions or each.sections),
    )


def _sections(extractor: Extractor, sentences: Mapping[int, SummarySentence]) -> tuple[OutlineEntry, ...]:
    """The sections that the text of a paper or a proposal quotes, each under its heading.

    Without it a goal reads as a fact, and a drawback as a feature. The document's own summary needs none.
    Those of a guide are shown where only the heading says what a list is one of: "Requirements".
    """
    request, structure = extractor.request, extractor.structure
    if (
        not (
            structure.document_kind in _QUOTED_BY_SECTION
            or (
                structure.document_kind is DocumentKind.OTHER
                and structure.source_kind is SourceKind.PROSE
                and extractor.has_lists
                and lists_under_headings(extractor.candidates, list(sentences))
            )
        )
        or not request.is_read
        or request.all_lengths
        or extractor.eligible is not None
        or len(extractor.documents) > 1
    ):
        return ()
    document, candidates = extractor.documents[0], extractor.candidates
    labels = label_sections(document.sections)
    quoted = {labels[candidates.sentences[row].section_index] for row in sentences}
    # Where the paper's own "Background" is quoted too, the other is "Abstract › Background".
    is_twice = any(
        own in quoted and is_own_summary(plain_heading(above))
        for above, _, own in (label.rpartition(PATH_BREAK) for label in quoted)
    )
    entries: list[OutlineEntry] = []
    for number, rows in groupby(sentences, lambda row: candidates.sentences[row].section_index):
        heading = document.sections[number].heading
        if not entries and (heading is None or is_own_summary(plain_heading(heading))):
            continue
        above, _, own = labels[number].rpartition(PATH_BREAK)
        # "Abstract › Methods" are the methods that the abstract tells.
        is_of_summary = is_own_summary(plain_heading(above)) and not is_twice
        entries.append(
            OutlineEntry(
                heading=(own if is_of_summary else labels[number]).rstrip(" .:"),
                level=1,
                document_id=document.id,
                sentences=tuple(sentences[row] for row in rows),
            )
        )
    return tuple(entries)


def _below_cast(extractor: Extractor, sentences: Mapping[int, SummarySentence]) -> tuple[OutlineEntry, ...]:
    """What is quoted of a long story without chapters, below the names of who is in it and where."""
    request, words = extractor.request, int(extractor.candidates.num_words.sum())
    if (
        not (extractor.is_story and request.is_read)
        or request.all_lengths
        or extractor.eligible is not None
        or len(extractor.documents) > 1
        or words < _WORDS_OF_A_CAST
    ):
        return ()
    from lsum_cli.methods.extract.outline import Cast

    document = extractor.documents[0]
    entry = Cast.of(document, divide(document, is_book=True, is_story=True).parts).of_book(document)
    if not (entry.people or entry.places):
        return ()
    heading = document.title or "The story"
    return (replace(entry, heading=heading, sentences=tuple(sentences.values())),)


def _shorter(extractor: Extractor, chosen: Sequence[int]) -> list[list[int]] | None:
    """What the shorter lengths hold of talk; ``None`` for what they hold of any text.

    Of a meeting that decided something the one sentence does not tell what would be ("if we agreed to …").
    """
    if not (extractor.is_talk and extractor.request.all_lengths):
        return None
    from lsum_cli.methods.extract.conversations.commitments import suppositions

    candidates = extractor.candidates
    if extractor.passages:
        named = sorted(NAMED_LENGTHS.values())[:-1]
        one, others = extractor.one_of(chosen), [_passages_within(extractor, words) for words in named]
    else:
        one, *others = extractor.within(chosen)
    supposed = set(suppositions(candidates, chosen))
    if supposed.issuperset(one) and Mark.DECISION in _commitments(extractor, range(len(candidates))).values():
        told = next((held for held in others if not supposed.issuperset(held)), chosen)
        one = extractor.one_of([position for position in told if position not in supposed]) or one
    return [one, *others]


def text_positions(extractor: Extractor) -> list[int]:
    """The positions of what a text of one document quotes, in order."""
    extractor = _of_talk(extractor)
    eligible, _ = _in_question(extractor)
    made = _digest(extractor, eligible)
    return list(made.positions) if made is not None else _choose(extractor, eligible)


def _other_sections(
    extractor: Extractor,
    chosen: Sequence[int],
    told: Collection[int] = (),
    *,
    by_part: bool = False,
) -> tuple[str, ...]:
    """The sections that are not quoted, of one document that is summarised as suits it.

    Args:
        chosen: The positions of what is quoted.
        told: The indices of sentences of parts that are told by the headings in them.
        by_part: See :func:`~lsum_cli.methods.extract.contents.other_sections`.
    """
    request, structure = extractor.request, extractor.structure
    if (
        not request.as_suits
        or request.focus is not None
        or request.show_chapters
        or request.style is Style.OUTLINE
        # Of a story the headings of chapters tell what happens in those that are not quoted.
        or not (structure.source_kind is SourceKind.PROSE or (by_part and extractor.is_story))
        or len(extractor.documents) > 1
    ):
        return ()
    from lsum_cli.methods.extract.contents import other_sections

    quoted = {extractor.candidates.sentences[position].index for position in chosen}.union(told)
    return other_sections(extractor.documents[0], structure, quoted, by_part=by_part)


def _topics(extractor: Extractor) -> tuple[str, ...]:
    """What is talked about, of one conversation that is summarised as suits it, or to be zoomed."""
    request, candidates = extractor.request, extractor.candidates
    if (
        not (extractor.is_talk and (request.as_suits or request.is_zoom))
        or request.focus is not None
        or request.show_chapters
        # What is to be zoomed has an outline besides the text.
        or (request.style is Style.OUTLINE and not request.is_zoom)
        or candidates.language not in (None, "en")
    ):
        return ()
    from lsum_cli.methods.extract.conversations.topics import topics

    return topics(candidates)


def _of_talk(extractor: Extractor) -> Extractor:
    """Of talk only what is understood, alone or after what is said before it, comes into question."""
    if not extractor.is_talk or extractor.eligible is not None:
        return extractor
    from lsum_cli.methods.extract.conversations.utterances import frame_of, is_hearing, quotable
    from lsum_cli.methods.extract.conversations.votes import vote_outcomes

    by_passage = _by_passage(extractor)
    if by_passage is not None:
        return by_passage
    structure, scores = extractor.structure, extractor.scores
    shown = structure.is_presentable
    if np.count_nonzero(shown) > _MANY_SENTENCES:
        # What scores lowest is not quoted whatever it is like, but by what needs it as its antecedent.
        shown = shown & (scores.values >= quantile(scores.values[shown], 1 - _SHARE_LOOKED_AT))
        shown[:-1] |= structure.is_presentable[:-1] & shown[1:]
    # What a meeting is for and comes to is told though it is short, or said in the words of any meeting.
    frame = frame_of(extractor.candidates)
    of_frame = extractor.mask([*frame.purposes, *frame.outcomes])
    found = quotable(extractor.candidates, shown | of_frame)
    if not (found.first >= 0).any():
        return extractor
    quoted = np.flatnonzero(found.first >= 0).tolist()
    added = -found.cost
    for position, mark in _commitments(extractor, quoted).items():
        added[position] += _OF_A_DECISION if mark is Mark.DECISION else _OF_AN_ACTION
    if extractor.candidates.language in (None, "en"):
        if is_hearing(extractor.candidates):
            votes = list(vote_outcomes(extractor.candidates, np.flatnonzero(structure.is_presentable)))
            found.first[votes] = votes
            added[votes] = _OF_A_VOTE
        else:
            added = _as_of_a_meeting(extractor, quoted, added)
    values = scores.values + float(scores.values.std()) * added
    return replace(
        extractor,
        structure=replace(
            structure,
            is_presentable=structure.is_presentable | (of_frame & (found.first >= 0)),
            first=found.first,
            first_by_opening=found.first,
        ),
        scores=replace(scores, values=values),
    )


def _by_passage(extractor: Extractor) -> Extractor | None:
    """A meeting of which passages are quoted; ``None`` where it is short, or has few that are sound."""
    from lsum_cli.methods.extract.conversations.passages import Utterances, passages_of, value_of
    from lsum_cli.methods.extract.conversations.utterances import is_hearing

    candidates, structure = extractor.candidates, extractor.structure
    if (
        not extractor.request.is_read
        or candidates.language not in (None, "en")
        or int(candidates.num_words.sum()) < _WORDS_OF_A_MEETING
        or is_hearing(candidates)
    ):
        return None
    told = Utterances.of(candidates, structure.is_presentable)
    if np.count_nonzero(told.opens) < _FEWEST_PASSAGES:
        return None
    sound = np.flatnonzero(told.is_sound).tolist()
    added = told.added.copy()
    for position, mark in _commitments(extractor, sound).items():
        added[position] += _OF_A_DECISION if mark is Mark.DECISION else _OF_AN_ACTION
    values = value_of(extractor.scores.values) + _as_of_a_meeting(extractor, sound, added)
    return replace(
        extractor,
        structure=replace(
            structure,
            is_presentable=structure.is_presentable | told.is_sound,
            first=np.where(told.opens, np.arange(len(values)), -1),
        ),
        scores=replace(extractor.scores, values=values),
        passages=passages_of(candidates, told, values),
    )


def _as_of_a_meeting(extractor: Extractor, positions: Sequence[int], added: FloatArray) -> FloatArray:
    """The same with what sentences at these positions count for the outcome, and for the topics they name."""
    from lsum_cli.methods.extract.conversations.commitments import outcomes
    from lsum_cli.methods.extract.conversations.plainness import plainness
    from lsum_cli.methods.extract.conversations.speech import tidy
    from lsum_cli.methods.extract.conversations.topics import by_topic
    from lsum_cli.methods.extract.conversations.utterances import bodies

    candidates, values = extractor.candidates, extractor.scores.values
    told, of_topics = added.copy(), np.zeros(len(added))
    for position, worth in outcomes(candidates, positions):
        told[position] += worth
    said, settled = bodies(candidates), _commitments(extractor, positions)
    for position in positions:
        plain = plainness(tidy(said[position]).lower())
        told[position] += max(0.0, plain) if position in settled else plain
    preferred = values + float(values.std()) * told
    for named in by_topic(candidates, positions):
        understood = [position for position in named if added[position] >= _LEAST_UNDERSTOOD]
        best = sorted(understood, key=lambda position: -preferred[position])
        for position, worth in zip(best, _OF_A_TOPIC, strict=False):
            of_topics[position] = max(of_topics[position], worth)
    return told + of_topics


def _commitments(extractor: Extractor, positions: Sequence[int]) -> dict[int, Mark]:
    """What those of these sentences of a conversation are that settle something, or take something on."""
    if not extractor.is_talk or extractor.candidates.language not in (None, "en"):
        return {}
    from lsum_cli.methods.extract.conversations.commitments import commitments

    return dict(commitments(extractor.candidates, positions))


def _in_question(extractor: Extractor) -> tuple[BoolArray | None, tuple[str, ...]]:
    """The sentences that come into question, ``None`` for all, and what is to be said about the others."""
    if extractor.eligible is not None:
        return extractor.eligible, ()
    if extractor.is_story:
        return _without_front_matter(extractor)
    return None, ()


def story_by_part(extractor: Extractor) -> Extractor:
    """A story each part of which is summarised by itself: what somebody does, no front or back matter."""
    if not extractor.is_story or extractor.eligible is not None:
        return extractor
    from lsum_cli.methods.extract.story_scores import event_scores

    eligible, _ = _without_front_matter(extractor)
    candidates, scores = extractor.candidates, extractor.scores
    events = event_scores(candidates, extractor.documents[0], extractor.structure, scores.values)
    values = standardised(scores.values) + _SPOKEN * dialogue(candidates)
    if events is not None:
        values = values + _EVENTS * np.where(np.isfinite(events), np.clip(events, 0.0, None), 0.0)
    return replace(extractor, eligible=eligible, scores=replace(scores, values=values))


def _without_front_matter(extractor: Extractor) -> tuple[BoolArray | None, tuple[str, ...]]:
    """The sentences of the book itself; ``None`` where it has no front or back matter."""
    division = divide(extractor.documents[0], is_book=True, is_story=True)
    silent = [
        part for part in division.parts if part.is_silent and part.sentences and not lists_the_cast(part)
    ]
    if not silent:
        return None, ()
    named = ", ".join(part.heading for part in silent)
    indices = [index for part in silent for index in part.sentences]
    is_book = ~np.isin([sentence.index for sentence in extractor.candidates.sentences], indices)
    return is_book, (f"front and back matter is not quoted: {named}",)


# ---- a choice from the whole


def _choose(extractor: Extractor, eligible: BoolArray | None) -> list[int]:
    """The positions of the sentences of a text, in order."""
    num_words, as_suits = extractor.num_words, extractor.request.as_suits
    candidates, structure = extractor.candidates, extractor.structure
    if extractor.passages:
        return _passages_within(extractor, _suiting_words(extractor) if as_suits else num_words)
    whole = whole_summary(extractor) if extractor.eligible is None and as_suits else []
    is_proposal = structure.document_kind is DocumentKind.PROPOSAL
    if extractor.eligible is None and as_suits and is_proposal:
        return select_proposal(extractor, whole)
    if extractor.eligible is None and as_suits and is_review(extractor):
        return select_review(extractor)
    if whole:
        num_words = int(_FACTORS.get(structure.document_kind, 1.0) * num_words)
        words, suiting = candidates.num_words[whole].sum(), _suiting_words(extractor)
        if words < _LEAST_OF_A_WHOLE * suiting and only_announces(extractor, whole):
            # What it announces ("This report makes recommendations") other parts tell.
            ending = comes_to(extractor)
            told = extractor.mask(whole) | ending if ending.any() else eligible
            return extractor.select(suiting, told, as_suits=True, given=whole)
        if words >= LEAST_OF_A_SUMMARY:
            return whole
        return extractor.select(num_words, eligible, as_suits=True, given=whole)
    if extractor.eligible is None and as_suits:
        own = own_summary(extractor)
        if own is None:
            num_words = _suiting_words(extractor)
        else:
            eligible, num_words = own
            if structure.document_kind is DocumentKind.PAPER:
                eligible, values = own_abstract(extractor, eligible)
                extractor = replace(extractor, scores=replace(extractor.scores, values=values))
    if extractor.eligible is None and extractor.is_story:
        from lsum_cli.methods.extract.story import select_story

        values, document = extractor.scores.values, extractor.documents[0]
        chosen = select_story(
            candidates,
            document,
            structure,
            values,
            eligible,
            int(_FACTOR_OF_A_DIGEST * num_words) if as_suits else num_words,
        )
        if chosen:
            return chosen
    if extractor.eligible is None and as_suits and is_manual(candidates, structure):
        num_words = min(num_words, _WORDS_OF_A_SUMMARY_OF_A_MANUAL)
        openings = structure.gist.weight > 0
        if candidates.num_words[openings & structure.is_presentable].sum() > 3 * num_words:
            eligible = openings if eligible is None else eligible & openings
    is_prose = structure.source_kind is SourceKind.PROSE and structure.document_kind is DocumentKind.OTHER
    if is_prose and as_suits and extractor.eligible is None:
        of_text = of_no_matter(extractor)
        extractor = without_scaffold(extractor, of_text)
        structure = extractor.structure
        # Where little else is to be told, it would fill the words that are left.
        told = structure.is_presentable & ~of_text
        if (told & structure.stands_alone).any():
            extractor = replace(extractor, structure=replace(structure, is_presentable=told))
    chosen = []
    if is_prose and as_suits and extractor.eligible is None and not candidates.is_of_events:
        chosen = _of_essay(extractor, num_words)
    chosen = chosen or extractor.select(
        num_words, eligible, as_suits=as_suits and not extractor.is_talk, shares=_shares(extractor)
    )
    if is_prose and as_suits and extractor.eligible is None:
        chosen = sorted({*chosen, *_leading_lists(extractor)})
    if extractor.faq is not None and extractor.structure.source_kind is SourceKind.PROSE:
        most = num_words if extractor.request.has_length else math.inf
        return extractor.faq.with_questions(chosen, candidates, most)
    if extractor.eligible is None and as_suits and extractor.is_talk:
        from lsum_cli.methods.extract.conversations.repeats import without_repeats
        from lsum_cli.methods.extract.conversations.utterances import with_questions

        return with_questions(candidates, without_repeats(candidates, chosen, extractor.scores.values))
    return chosen


def _passages_within(extractor: Extractor, num_words: int) -> list[int]:
    """The positions of the passages that tell a meeting in so many words.

    Those of a named length are among those of the next longer one.
    """
    from lsum_cli.methods.extract.conversations.passages import select_passages

    named = sorted(NAMED_LENGTHS.values(), reverse=True)
    longer = [words for words in named if words > num_words] if num_words in named else []
    chosen: list[int] | None = None
    for words in (*longer, num_words):
        chosen = select_passages(extractor.candidates, extractor.passages, words, chosen)
    return chosen or []


def _of_essay(extractor: Extractor, num_words: int) -> list[int]:
    """The positions of what a long text without headings says from its beginning to its end."""
    from lsum_cli.methods.extract.outline import passages_of_essay

    if len(extractor.documents) > 1 or extractor.documents[0].language not in (None, "en"):
        return []
    return passages_of_essay(
        extractor.candidates, extractor.documents[0], extractor.structure, extractor.scores, num_words
    )


def _shares(extractor: Extractor) -> list[Share]:
    """A share for each topic of a focus, and all that is left for any; none where it has one topic."""
    # First what is said least of: the others find another sentence that fits.
    topics = sorted(extractor.topics.values(), key=np.sum)
    shares = [Share(topic, 1 / len(topics), is_asked_for=True) for topic in topics]
    rest = Share(np.ones(len(extractor.candidates), bool), 1.0, is_asked_for=True)
    return [*shares, rest] if shares else []


def _without_room(extractor: Extractor, chosen: Sequence[int]) -> tuple[str, ...]:
    """What is to be said of topics of a focus that are answered and of which nothing is quoted."""
    silent = [topic for topic, answers in extractor.topics.items() if not answers[list(chosen)].any()]
    return tuple(f"there is no room for what answers “{topic}”: give more --length" for topic in silent)


def _suiting_words(extractor: Extractor) -> int:
    """How many words suit a text that is chosen from the whole document."""
    kind, factor, more = extractor.structure.document_kind, 1.0, 0
    if extractor.is_talk:
        from lsum_cli.methods.extract.conversations.utterances import frame_of, is_hearing

        purpose = frame_of(extractor.candidates).purpose(np.flatnonzero(extractor.structure.first >= 0))
        if purpose is not None:
            more = min(_MOST_OF_A_PURPOSE, int(extractor.candidates.num_words[purpose]))
        if is_hearing(extractor.candidates):
            factor = _FACTOR_OF_A_HEARING
        elif int(extractor.candidates.num_words.sum()) >= _WORDS_OF_A_MEETING:
            factor = _FACTOR_OF_A_MEETING
    elif not extractor.is_story:
        factor = _FACTORS.get(kind, factor)
        candidates = extractor.candidates
        if kind is DocumentKind.OTHER and candidates.is_of_events:
            words = int(candidates.num_words.sum())
            most = math.inf if words >= _WORDS_OF_EVENTS else _MOST_OF_EVENTS * words / extractor.num_words
            factor = max(factor, min(_FACTOR_OF_EVENTS, most))
    return int(factor * extractor.num_words) + more


# ---- a digest by parts


def _digest(extractor: Extractor, eligible: BoolArray | None) -> Digest | None:
    """The digest of a document that is read by its parts."""
    candidates, structure = extractor.candidates, extractor.structure
    words = int(candidates.num_words.sum())
    own = candidates.num_words[structure.gist.is_own_summary & structure.is_presentable].sum()
    is_around = extractor.scores.is_ranked and _least_words(extractor) > words >= _LEAST_WORDS_AROUND
    # The document's own summary stands for it only where it is long enough; else the parts follow it.
    least_of_own = max(LEAST_OF_A_SUMMARY, LEAST_OF_AN_OWN_SUMMARY * extractor.num_words)
    if (
        not extractor.request.is_read
        or extractor.eligible is not None
        or len(extractor.documents) > 1
        or extractor.documents[0].language not in (None, "en")
        or structure.document_kind is not DocumentKind.OTHER
        or not (is_around or words >= _least_words(extractor))
        or own >= least_of_own
        or not (extractor.is_story or structure.source_kind is SourceKind.PROSE)
    ):
        return None
    made: Digest | None = None
    factor = _FACTOR_OF_ANSWERS if answers_questions(extractor.documents[0]) else _FACTOR_OF_A_DIGEST
    for num_words in _budgets(extractor, _FACTOR_AROUND if is_around else factor):
        if is_around:
            made = _digest_around(extractor, eligible, num_words, is_shortened=made is not None)
        else:
            made = _digest_of(extractor, eligible, num_words)
        if made is None:
            return None
        eligible = extractor.mask(made.positions)
    return made


def _least_words(extractor: Extractor) -> int:
    """The words of a document from which it is told by its parts."""
    if extractor.is_story:
        return _WORDS_OF_CHAPTERS
    # Answers are read under their questions.
    return 0 if answers_questions(extractor.documents[0]) else WORDS_OF_A_MANUAL


def _digest_of(extractor: Extractor, eligible: BoolArray | None, num_words: int) -> Digest | None:
    """The digest of so many words; a story's is told by its chapters."""
    candidates, structure, scores = extractor.candidates, extractor.structure, extractor.scores
    document = extractor.documents[0]
    if extractor.is_story:
        from lsum_cli.methods.extract.story import story_digest

        return story_digest(candidates, document, structure, scores.values, eligible, num_words)
    own = whole_summary(extractor) if extractor.request.as_suits else []
    return digest(
        candidates,
        document,
        structure,
        scores,
        num_words,
        eligible,
        is_book=extractor.is_book,
        own=own,
        names_sections=extractor.request.as_suits,
    )


def _digest_around(
    extractor: Extractor, eligible: BoolArray | None, num_words: int, *, is_shortened: bool
) -> Digest | None:
    """What says most of the whole, with a sentence of the parts it leaves out."""
    own = whole_summary(extractor) if extractor.request.as_suits else []
    extractor = without_scaffold(extractor, of_no_matter(extractor))
    core = extractor.select(int(_SHARE_OF_CORE * num_words), eligible, as_suits=True, given=own)
    return digest_around(
        core,
        extractor.candidates,
        extractor.documents[0],
        extractor.structure,
        extractor.scores,
        num_words,
        eligible,
        lists=_leading_lists(extractor) if eligible is None else (),
        own=own,
        is_shortened=is_shortened,
        names_sections=extractor.request.as_suits,
    )


def _budgets(extractor: Extractor, factor: float) -> Sequence[int]:
    """The numbers of words to select from one another: a named length is part of the next longer one."""
    if extractor.request.as_suits:
        return [min(int(factor * extractor.num_words), max(extractor.num_words, _MOST_OF_A_DIGEST))]
    named = sorted(NAMED_LENGTHS.values(), reverse=True)
    if extractor.num_words not in named:
        return [extractor.num_words]
    return [words for words in named if words >= extractor.num_words]


def _by_part(extractor: Extractor, made: Digest) -> Extract:
    """A digest as it is shown: the opening, then the parts that are quoted, each under its heading."""
    sentences = extractor.quote_all(made.positions)
    if not extractor.is_story:
        for each in made.parts:
            names = setting_names(extractor.candidates, each.part.heading, each.positions)
            sentences |= {
                position: replace(sentences[position], label=name)
                for position, name in names.items()
                if not (sentences[position].label or sentences[position].is_item)
            }
    document = extractor.documents[0]
    entries: list[OutlineEntry] = []
    if extractor.is_story:
        from lsum_cli.methods.extract.outline import Cast

        # Who is in each chapter the outline lists; here the names of the whole are enough.
        division = divide(document, is_book=True, is_story=True)
        entries.append(Cast.of(document, division.parts).of_book(document))
    entries += [
        OutlineEntry(
            heading=_named_below(each.part, before.part if before else None, document.title),
            level=2 if extractor.is_story else 1,
            document_id=document.id,
            sentences=tuple(sentences[position] for position in each.positions),
            sections=each.sections,
        )
        for before, each in zip((None, *made.parts), made.parts, strict=False)
    ]
    told = {each.part.sentences[0] for each in made.parts if each.sections}
    named = {name for each in made.parts for name in each.sections}
    others = _other_sections(extractor, made.positions, told, by_part=True)
    if extractor.is_story:
        from lsum_cli.methods.extract.story import NUMBERED

        others = tuple(each for each in others if not NUMBERED.fullmatch(each))
    return Extract(
        sentences=tuple(sentences.values()),
        outline=() if extractor.request.all_lengths else tuple(entries),
        lengths=extractor.lengths(sentences),
        other_sections=tuple(each for each in others if shown_heading(each) not in named),
    )


def _named_below(part: Part, before: Part | None, title: str | None) -> str:
    """The heading of a part, after that of the chapter it is the first one shown of.

    Args:
        part: The part.
        before: The part that is shown before it.
        title: That of the document, which is no chapter.
    """
    is_first = part.above and (before is None or part.above not in (before.above, before.heading))
    if not is_first or plain_heading(part.above) == plain_heading(title):
        return part.heading
    return f"{part.above}: {part.heading}"
