"""What a reader would quote of a part of a document, under its heading: a linear ranker.

Readers chose one to three sentences of 884 parts of 131 manuals, web pages, reports, proposals and papers,
and said whether the part should be quoted at all. The weights are fitted to their choices (a listwise loss,
Cao et al. 2007); ``benchmarks.summaries.part_choices`` fits and measures them. A reader wants the point of
the part: not what leads up to it, no step, no entry of a list.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.ranking.argument import claim_values, is_essay
from lsum_cli.methods.extract.ranking.salience import standardised
from lsum_cli.methods.extract.ranking.scoring import Scores
from lsum_cli.methods.extract.sentences.gist import place_in_section
from lsum_cli.methods.extract.sentences.presentability import is_presentable as is_form_presentable
from lsum_cli.methods.extract.sentences.wording import Subject, wording
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray, distinct, is_function_word

# What counts how much: the place in the part, the score in the whole document, the rank of that in the part,
# whether it needs an antecedent, how it is worded. The unit is that of the fit: a half more makes a sentence
# 1.6 times as likely to be chosen.
WEIGHTS = {
    "near_beginning": 1.193,
    "score": 0.339,
    "rank": -0.179,
    "needs_antecedent": -0.579,
    "centrality": 1.284,
    "salience": 0.18,
    "content": 1.344,
    "words": 0.338,
    "answers": 1.414,
    "makes_point": 0.925,
    "names_subject": 0.59,
    "leads_up": -0.69,
    "is_step": -0.328,
    "is_order": -0.89,
    "is_entry": -1.063,
}
# What a part's best sentence is worth where about every second reader would quote the part by it.
WORTH_QUOTING = 3.5
# Words of a sentence that can be quoted, alone and with its antecedents.
_SHORTEST, _LONGEST = 5, 60
# How many of the first sentences of a part are considered, and how many others.
_FIRST_SEEN, _LATER_SEEN = 10, 4
# Of a text that argues a part of so many sentences is a chapter, which comes to its point at its end: that
# share of it is considered too, and how much it counts to stand there. Set by hand: readers chose in few
# parts of that length.
_SENTENCES_OF_A_CHAPTER, _LAST_SEEN, _NEAR_END = 60, 0.1, 0.9
# The share of its sentences in which such a text argues, which a manual hardly does.
_MUCH_ARGUED = 0.06
# Within how many sentences of the end, as a share of them.
_END, _LEAST_END, _MOST_END = 0.03, 6, 25
# What begins within a paragraph leans on what stands before it: of such sentences readers found three times
# as many to lean on what was not shown.
_WITHIN_PARAGRAPH = -0.4
# How much it counts that a sentence of a chapter argues, points back, supposes what is not so or begins to
# tell of a day.
_ARGUED, _POINTING, _SUPPOSED, _DATED = 0.9, -1.2, -1.0, -0.9
# What is said of the thing that the heading names, which is its subject: "Called when a user logs out."
_SAID_OF_HEADING = regex(
    r"(?:sent|called|raised|fired|emitted|triggered|invoked|executed|returned|issued|used|run) "
    r"(?:when(?:ever)?|if|every|each|during|by|after|before|once|for|to)\b[^:;,]*\.$",
    re.IGNORECASE,
)
# What it does, in the first sentence below it: "Returns the level of the river.", "Create, unpack, and
# manipulate bundle files."
_DONE_BY_HEADING = regex(
    r"(?!(?:Suppose|Assume|Imagine|Consider|Recall|Let|See|Note|Notice|Say|Please|Inside|Outside|Beyond|Behind)\b)"
    r"(?:[A-Z][a-z]{2,} (?:the|an?|all|any|each|every|whether|one|its|their|your)\b"
    r"|(?:(?:Res|S|G)et|Move|Add|Call|Change|Check|Clear|Clip|Close|Compute|Configure|Convert|Create|Delete"
    r"|Display|Extract|Fetch|Generate|Insert|Install|Join|List|Load|Make|Manage|Measure|Open|Parse|Print|Read"
    r"|Receive|Register|Remove|Rename|Replace|Retrieve|Return|Run|Search|Send|Show|Sort|Split|Start|Stop|Store"
    r"|Transfer|Update|Validate|Write)s? [a-z]"
    r"|[A-Z][a-z]{2,}, [a-z]+,? (?:and|or) [a-z]+ )"
)
# Among how many of the first sentences under a heading that is, and what it counts.
_SENTENCES_OF_OPENING, _OF_HEADING = 3, 1.0
# Of chapters, in lower case: what its author holds, what only those before explain, what is not so.
_ARGUES = regex(
    r"\b(?:i (?:argue|believe|claim|contend|maintain|conclude)|my (?:claim|argument|point|thesis|aim)"
    r"|the (?:central |real |main |fundamental )?(?:point|lesson|truth|argument|claim|thesis) (?:is|of)"
    r"|in (?:short|sum)|to (?:conclude|summari[sz]e|sum up)|we (?:must|should))\b"
)
_POINTS_BACK = regex(
    r".{0,60}?\b(?:of|in|on|under|at|by|for|from|to|use|using) (?:that|this|those|these)"
    r"(?:,| (?!(?:book|chapter|country|century|way)\b)[a-z])|(?:(?!\w{1,30}s\b)[^.]){0,200}?\bthey\b"
)
_SUPPOSES = regex(
    r"if [^,.]{3,80}\b(?:were|had|wanted)\b|(?:[a-z]\. )?(?:finally,? )?there (?:are|is)\b"
    r"|(?:(?:simply|just) because|even (?:if|though))\b|.*!$"
)
_ARGUMENT = regex(
    r"\W(?:argu(?:es?|ed|ing|ments?)|claim(?:s|ed)?|believ\w+|indeed|of course|therefore|thus|merely|surely"
    r"|perhaps|truth|society|century)\b"
)
_OF_A_DAY = regex(r"(?:(?:in|on|by) (?:\S+ ){0,4}?(?:1[5-9]|20)\d\d\b|(?:the|one) (?:day|morning|evening)\b)")
# What what it claims counts in an essay, of the unit of the weights.
_CLAIMED = 0.6
# The most that the wording can add.
_MOST_OF_WORDING = sum(WEIGHTS[name] for name in ("makes_point", "names_subject")) + _ARGUED


class PartRanker:
    """What readers would quote of the parts of a document.

    Attributes:
        candidates: The sentences of the document.
        structure: What is known of them.
        standing: What each is worth wherever it stands, and however it is worded.
    """

    def __init__(self, candidates: Candidates, structure: Structure, scores: Scores) -> None:
        """Prepare what does not depend on the part.

        Args:
            scores: What each sentence is worth in the whole document.
        """
        self.candidates, self.structure = candidates, structure
        self._score = standardised(scores.values)
        positions = np.arange(len(candidates))
        asks = [sentence.text.rstrip().endswith("?") for sentence in candidates.sentences]
        place = place_in_section(candidates)
        self._is_of_heading: BoolArray = (place < _SENTENCES_OF_OPENING) & np.array(
            [_SAID_OF_HEADING.fullmatch(sentence.text) is not None for sentence in candidates.sentences], bool
        )
        for position in np.flatnonzero((place == 0) & ~structure.is_presentable).tolist():
            self._is_of_heading[position] |= _is_done(candidates.sentences[position].text)
        self._quotable: BoolArray = (
            (structure.is_presentable | self._is_of_heading)
            & structure.is_own
            & (candidates.num_words >= _SHORTEST)
            & ~np.array(asks, bool)
        )
        answers = np.array([False, *asks[:-1]], bool)
        self._features: dict[str, FloatArray] = {
            "score": self._score,
            "needs_antecedent": (
                (structure.first_by_opening != positions) & (structure.first_under_heading != positions)
            ).astype(float),
            "centrality": scores.features["centrality"],
            "salience": standardised(scores.salience),
            "content": scores.features["content"],
            "words": np.log1p(candidates.num_words),
            "answers": answers.astype(float),
        }
        self.standing = sum(
            (WEIGHTS[name] * values for name, values in self._features.items()), np.zeros(len(candidates))
        )
        self.standing = self.standing + _OF_HEADING * self._is_of_heading
        if is_essay(candidates):
            can_stand = structure.stands_alone & structure.is_presentable
            self.standing = self.standing + _CLAIMED * claim_values(candidates, can_stand)

    def ranked(
        self, heading: str, places: IntArray, eligible: BoolArray | None = None
    ) -> Iterator[tuple[float, tuple[int, ...]]]:
        """The passages that can be quoted of a part, the best first, each with what it is worth.

        A passage is a sentence with its antecedents in the part.

        Args:
            heading: The heading of the part.
            places: The positions of its sentences, in order.
            eligible: Which sentences may be quoted; by default all.
        """
        num_words = self.candidates.num_words
        rows = self.quotable(places, eligible)
        if not len(rows):
            return
        values = self.standing[places[rows]]
        firsts = self._firsts(places)[rows]
        for name, of_part in self._place(places, rows).items():
            values = values + WEIGHTS[name] * of_part
        is_chapter = self._is_chapter(places)
        if is_chapter:
            end = min(_MOST_END, max(_LEAST_END, _END * len(places)))
            values = values + _NEAR_END * np.exp(-(len(places) - 1 - rows) / end)
        else:
            values = values + _WITHIN_PARAGRAPH * ~self.candidates.opens_paragraph[firsts].astype(bool)
        subject = Subject.of(heading)
        inside = set(places.tolist())
        found: list[tuple[float, int, int]] = []
        # The wording is looked at only where it can still matter.
        for number in np.argsort(-values, kind="stable"):
            while found and -found[0][0] >= values[number] + _MOST_OF_WORDING:
                yield self._passage(*heapq.heappop(found))
            position = int(places[rows[number]])
            passage = range(int(firsts[number]), position + 1)
            if int(num_words[passage.start : passage.stop].sum()) <= _LONGEST and inside.issuperset(passage):
                text = self._text(position)
                worth = float(values[number]) + worth_of_wording(text, subject)
                if is_chapter:
                    worth += _worth_in_a_chapter(text.lower())
                heapq.heappush(found, (-worth, position, passage.start))
        while found:
            yield self._passage(*heapq.heappop(found))

    def quotable(self, places: IntArray, eligible: BoolArray | None = None) -> IntArray:
        """Which sentences of a part can be quoted, by their number in it."""
        may = self._quotable[places] if eligible is None else (self._quotable & eligible)[places]
        # The heading of a section within the part is not shown.
        section = self.candidates.section[places]
        may = may & (self.structure.is_presentable[places] | (section == section[:1]))
        rows = np.flatnonzero(may & (self._firsts(places) >= places[:1]))
        # Of a long part readers chose among its first sentences, and some that score high in the whole.
        later = rows[rows >= _FIRST_SEEN]
        best = later[np.argsort(-self._score[places[later]], kind="stable")][:_LATER_SEEN]
        if self._is_chapter(places):
            best = np.concatenate([best, later[later >= (1 - _LAST_SEEN) * len(places)]])
        return np.concatenate([rows[rows < _FIRST_SEEN], distinct(best)])

    def _is_chapter(self, places: IntArray) -> bool:
        return len(places) >= _SENTENCES_OF_A_CHAPTER and self.argues

    @cached_property
    def argues(self) -> bool:
        """Whether the document argues, as essays and treatises do."""
        texts = (f" {sentence.text.lower()}" for sentence in self.candidates.sentences)
        found = (True for text in texts if _ARGUMENT.search(text))
        # No further than where that is plain.
        return next(islice(found, int(_MUCH_ARGUED * len(self.candidates)), None), False)

    def _firsts(self, places: IntArray) -> IntArray:
        """The first sentence that each of a part is taken with; it may refer to the heading of the part."""
        first = np.where(self._is_of_heading[places], places, self.structure.first_under_heading[places])
        own = first == np.where(self._is_of_heading[places], places, places[:1])
        return np.where(own, first, self.structure.first[places])

    def features(self, heading: str, places: IntArray) -> dict[str, FloatArray]:
        """What is weighed of the sentences of a part that can be quoted, by the name of its weight.

        Args:
            heading: The heading of the part.
            places: The positions of its sentences, in order.
        """
        rows = self.quotable(places)
        subject = Subject.of(heading)
        worded = [wording(self._text(position), subject) for position in places[rows].tolist()]
        return {
            **{name: values[places[rows]] for name, values in self._features.items()},
            **self._place(places, rows),
            **{
                name: np.array([each[name] for each in worded], float) for name in wording("", Subject.of(""))
            },
        }

    def _place(self, places: IntArray, rows: IntArray) -> dict[str, FloatArray]:
        """How near each stands to the beginning of the part, and how its score ranks there."""
        rank = np.empty(len(rows))
        rank[np.argsort(-self._score[places[rows]], kind="stable")] = np.arange(len(rows))
        return {"near_beginning": np.exp(-rows / 4), "rank": np.log1p(rank)}

    def _text(self, position: int) -> str:
        return self.candidates.sentences[position].text[int(self.structure.offset[position]) :]

    def _passage(self, negative: float, position: int, first: int) -> tuple[float, tuple[int, ...]]:
        return -negative, tuple(range(first, position + 1))


def says_nothing_new(
    candidates: Candidates, passage: Sequence[int], heading: str, held: BoolArray, most: float
) -> bool:
    """Whether more than this share of the terms of a passage is quoted already.

    What begins with a heading of several words ("Many to one") says something of that, in whatever terms.

    Args:
        candidates: The sentences of the document.
        passage: The positions of the passage.
        heading: The heading of its part.
        held: Which terms are quoted.
        most: The share.
    """
    columns = candidates.terms.columns_of(passage)
    if not len(columns) or held[columns].mean() <= most:
        return False
    subject = Subject.of(heading)
    return " " not in subject.words or not subject.opens(candidates.sentences[passage[-1]].text)


def worth_of_wording(text: str, subject: Subject) -> float:
    """What the wording of a sentence is worth under the heading of this subject."""
    return sum(WEIGHTS[name] * value for name, value in wording(text, subject).items())


def _is_done(text: str) -> bool:
    """Whether a sentence lacks but its subject, which is the heading."""
    word = text.partition(" ")[0].strip(",")
    return (
        _DONE_BY_HEADING.match(text) is not None
        and not is_function_word(word.lower())
        and not word.endswith(("ing", "ed"))
        # As a line it may have no stop.
        and is_form_presentable(f"It {text[:1].lower()}{text[1:]}{'.' * text[-1:].isalnum()}")
    )


def _worth_in_a_chapter(lowered: str) -> float:
    return (
        _ARGUED * (_ARGUES.search(lowered) is not None)
        + _POINTING * (_POINTS_BACK.match(lowered) is not None)
        + _SUPPOSED * (_SUPPOSES.match(lowered) is not None)
        + _DATED * (_OF_A_DAY.match(lowered) is not None)
    )
