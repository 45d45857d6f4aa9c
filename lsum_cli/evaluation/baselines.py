"""Baselines: leading sentences, random sentences, extraction, the oracle, and simple uses of a model.

All choose from the same pages that extraction reads. Without a requested length each summary gets the
length of its own reference, so that no baseline gains or loses by its length.
"""

from __future__ import annotations

import random
import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from lsum_cli.attribution.alignment import align
from lsum_cli.checkpoints.description import read_config
from lsum_cli.datasets.example import Example
from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.evaluation.metrics.rouge import SummaryTokenizer, choose_tokenizer
from lsum_cli.evaluation.options import RougeSettings, Tokenizer
from lsum_cli.evaluation.results import SystemResult, hash_text
from lsum_cli.evaluation.summary_cache import key_of
from lsum_cli.evaluation.systems import SummarizerSystem, System, identify
from lsum_cli.locality import Page
from lsum_cli.methods.base import Plan
from lsum_cli.methods.extract import extract
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.progress import ProgressListener
from lsum_cli.summaries import (
    Attribution,
    AttributionKind,
    CheckpointReference,
    Evidence,
    OptionValue,
    PageWeight,
    Summary,
    SummarySentence,
)
from lsum_cli.text.importance import choose_sentences
from lsum_cli.text.terms import UNSPACED, count_words

_tokenizers: dict[Tokenizer, SummaryTokenizer] = {}


def choose_greedily(reference: str, sentences: Sequence[str]) -> list[int]:
    """Add the sentence that raises ROUGE-1 plus ROUGE-2 (F1) most, until none does; in source order.

    Pairs of words are counted within sentences, with stems.

    Args:
        reference: The summary a person wrote.
        sentences: Of the source.

    Raises:
        MissingDependency: ``rouge-score`` is not installed.
    """
    kind = choose_tokenizer([reference])
    tokenizer = _tokenizers.setdefault(kind, SummaryTokenizer(RougeSettings(tokenizer=kind)))
    return choose_sentences(tokenizer.sentences(reference), [tokenizer.tokens(each) for each in sentences])


NAMES = "leadN, lead, lead:SYSTEM, random, extract, oracle, concat:MODEL, stan:MODEL"
_LEAD = re.compile(r"lead-?([1-9]\d*)")
_SHORTEST_PART = 10  # words
_UNSPACED = re.compile(f"[{UNSPACED}]")

# Which sentences of the pages, given the example and the words they may hold together.
Choose = Callable[[Example, Sequence[str], int], Sequence[int]]


def make_yardstick(text: str, options: SummaryOptions) -> System:
    """The yardstick that a name stands for.

    Args:
        text: ``lead3`` (so many sentences), ``lead`` (as many words as wished for, cut at the last),
            ``lead:SYSTEM`` (as many as the summary of that system has), ``random``, ``extract``,
            ``oracle`` (sentences added while ROUGE-1 and ROUGE-2 against the
            reference grow), ``concat:MODEL`` (every page summarised on its own, the summaries joined),
            or ``stan:MODEL`` (a windowing checkpoint without windows, which reads the beginning alone).
        options: ``length``, ``seed`` and, for those with a model, everything else.

    Raises:
        OptionError: There is no such yardstick.
        CheckpointError: Its checkpoint cannot be used.
    """
    name, _, model = text.partition(":")
    if name == "lead" and model:
        return LeadOfSystem(model, options)
    if name in ("concat", "stan"):
        if not model:
            raise OptionError(f"the yardstick {name} needs a checkpoint", f"give it as {name}:MODEL")
        theirs = replace(options, method="auto", model=model)
        return PartByPart(theirs, text) if name == "concat" else _Stan(theirs, text)
    if model:
        raise OptionError(f"the yardstick {name} takes no checkpoint", f"leave out :{model}")
    return ChosenSentences(name, _choice_of(name, options.seed), options)


def _choice_of(name: str, seed: int) -> Choose:
    leading = _LEAD.fullmatch(name)
    if leading:
        count = int(leading.group(1))
        return lambda example, sentences, num_words: range(min(count, len(sentences)))  # noqa: ARG005
    choices: dict[str, Choose] = {
        "lead": _choose_leading,
        "random": lambda *given: _choose_by_chance(seed, *given),
        "extract": lambda *_: (),
        "oracle": lambda example, sentences, _: choose_greedily(example.reference or "", sentences),
    }
    if name not in choices:
        raise OptionError(f"there is no yardstick '{name}'", f"choose of {NAMES}")
    return choices[name]


class ChosenSentences:
    """A yardstick whose summaries are sentences of the source, in its order.

    Args:
        name: As tables call it.
        choose: Which sentences.
        options: ``length`` and ``keep_references`` count.
    """

    is_yardstick = True
    checkpoint: CheckpointReference | None = None

    def __init__(self, name: str, choose: Choose, options: SummaryOptions) -> None:
        self.name, self._choose = name, choose
        self.wished_words = options.num_words if options.length else None
        self._seed = options.seed
        self._summarizer = Summarizer(
            SummaryOptions(method="extract", length=options.length, keep_references=options.keep_references)
        )

    @property
    def settings(self) -> Mapping[str, OptionValue]:
        """See :class:`~lsum_cli.evaluation.systems.System`."""
        settings: dict[str, OptionValue] = {"yardstick": self.name, "length": self.wished_words}
        if self.name == "random":
            settings["seed"] = self._seed
        return settings | {"keep_references": self._summarizer.options.keep_references}

    @property
    def fingerprint(self) -> str:
        """See :class:`~lsum_cli.evaluation.systems.System`."""
        return identify({**self.settings, "length": self.wished_words or 0})

    def summarize(self, example: Example, progress: ProgressListener) -> Summary:
        """Choose sentences of the example's documents."""
        plan = self._summarizer.plan(example.documents)
        num_words = self._num_words(example)
        if self.name == "extract":
            found = extract(plan.pages, example.documents, num_words=num_words, progress=progress)
            return _summary(self.name, example, plan, found)
        places = [_Place(page, number) for page in plan.pages for number in range(len(page.sentences))]
        texts = [place.text for place in places]
        chosen = [places[position] for position in self._choose(example, texts, num_words)]
        sentences = [place.quote(index) for index, place in enumerate(chosen)]
        if self._choose is _choose_leading:
            sentences = _cut(sentences, num_words)
        return _summary(self.name, example, plan, sentences)

    def _num_words(self, example: Example) -> int:
        """How many words a summary of this example may have."""
        return self.wished_words or max(1, count_words(example.reference or ""))


class LeadOfSystem(ChosenSentences):
    """The leading words, as many as the summary of another system has.

    Args:
        followed: The other system's name, as tables call it.
        options: ``keep_references`` counts.
    """

    def __init__(self, followed: str, options: SummaryOptions) -> None:
        super().__init__(f"lead:{followed}", _choose_leading, replace(options, length=None))
        self.followed = followed
        self._words: dict[str, int] = {}

    def follow(self, result: SystemResult) -> None:
        """Hear what the other system wrote, before anything is summarised."""
        self._words = {row.where: count_words(row.text) for row in result.rows}

    @property
    def settings(self) -> Mapping[str, OptionValue]:
        """See :class:`~lsum_cli.evaluation.systems.System`."""
        return {**super().settings, "lengths": hash_text(repr(sorted(self._words.items())))}

    def _num_words(self, example: Example) -> int:
        return self._words[example.where]


@dataclass(frozen=True)
class _Place:
    """A sentence where it stands."""

    page: Page
    number: int

    @property
    def text(self) -> str:
        return self.page.sentences[self.number].text

    def quote(self, index: int) -> SummarySentence:
        """Itself as a sentence of a summary."""
        sentence = self.page.sentences[self.number]
        evidence = Evidence(
            text=sentence.text,
            document_id=self.page.document_id,
            sentence_index=sentence.index,
            page=self.page.index,
            pdf_page=sentence.pdf_page,
            score=1.0,
        )
        attribution = Attribution(
            kind=AttributionKind.EXTRACTION,
            pages=(PageWeight(page=self.page.index, weight=1.0),),
            evidence=(evidence,),
        )
        return SummarySentence(text=sentence.text, index=index, attribution=attribution)


class PartByPart(SummarizerSystem):
    """A model that summarises every page as if it were all there is; the summaries are joined.

    A length asked for is shared out among the pages.
    """

    is_yardstick = True

    @property
    def settings(self) -> Mapping[str, OptionValue]:
        """See :class:`~lsum_cli.evaluation.systems.System`."""
        return {**super().settings, "yardstick": "concat"}

    def summarize_batch(self, examples: Sequence[Example], progress: ProgressListener) -> None:  # noqa: ARG002
        """One after the other."""
        return

    def summarize(self, example: Example, progress: ProgressListener) -> Summary:
        """Summarise page by page."""
        plan = Summarizer(self.options).plan(example.documents)
        options = self.options
        if self.wished_words:
            share = max(_SHORTEST_PART, self.wished_words // len(plan.pages))
            options = replace(options, length=str(share))
        summarizer = Summarizer(replace(options, attribution=False), progress)
        parts = [summarizer.summarize([_as_document(page)]) for page in plan.pages]
        texts = [sentence.text for part in parts for sentence in part.sentences]
        origins = align(texts, plan.pages)
        sentences = [
            SummarySentence(text=text, index=index, attribution=origin)
            for index, (text, origin) in enumerate(zip(texts, origins, strict=True))
        ]
        warnings = tuple(dict.fromkeys(warning for part in parts for warning in part.warnings))
        summary = _summary(self.name, example, plan, sentences)
        return replace(summary, checkpoint=self.checkpoint, warnings=warnings)


class _Stan(SummarizerSystem):
    """The standard model of the windowing paper: it reads the first window and nothing beyond."""

    is_yardstick = True

    def __init__(self, options: SummaryOptions, name: str) -> None:
        super().__init__(options, name)
        folder = self.choice.folder
        kind = read_config(folder).get("windowing") if folder else None
        if kind != "none":
            raise CheckpointError(
                f"{options.model} is no standard model: its windowing is {kind or self.choice.name}",
                "give stan: a windowing checkpoint trained with windowing none",
            )


def _as_document(page: Page) -> Document:
    return compose_document(
        [Passage(paragraphs=(Paragraph.of(page.text),))], id="d0", source=page.label, title=page.label
    )


def _summary(name: str, example: Example, plan: Plan, sentences: Sequence[SummarySentence]) -> Summary:
    return Summary(
        title=None,
        sentences=tuple(sentences),
        pages=plan.pages,
        documents=example.documents,
        method=name,
        locality=plan.locality,
        locality_reason=plan.locality_reason,
        coverage=plan.coverage,
    )


def _choose_leading(example: Example, sentences: Sequence[str], num_words: int) -> Sequence[int]:  # noqa: ARG001
    taken = 0
    for position, sentence in enumerate(sentences):
        if taken >= num_words:
            return range(position)
        taken += count_words(sentence)
    return range(len(sentences))


def _choose_by_chance(seed: int, example: Example, sentences: Sequence[str], num_words: int) -> Sequence[int]:
    """Sentences in the order of chance, leaving out what no longer fits; the same for the same example."""
    order = list(range(len(sentences)))
    random.Random(f"{seed} {key_of(example)}").shuffle(order)  # noqa: S311
    chosen = []
    for position in order:
        words = count_words(sentences[position])
        if words <= num_words:
            chosen.append(position)
            num_words -= words
    return sorted(chosen) or order[:1]


def _cut(sentences: Sequence[SummarySentence], num_words: int) -> list[SummarySentence]:
    """Cut the last sentence so that all together hold no more words than wished for."""
    if not sentences:
        return []
    *whole, last = sentences
    room = num_words - sum(count_words(sentence.text) for sentence in whole)
    if count_words(last.text) <= room:
        return list(sentences)
    # Before a space, or within a script that has none.
    ends = [place for place in range(1, len(last.text)) if _ends_word(last.text, place)]
    end = ends[bisect_right(ends, room, key=lambda place: count_words(last.text[:place])) - 1]
    return [*whole, replace(last, text=last.text[:end])]


def _ends_word(text: str, place: int) -> bool:
    """Whether a text may be cut before the character at this place."""
    return text[place].isspace() or bool(_UNSPACED.match(text, place - 1))
