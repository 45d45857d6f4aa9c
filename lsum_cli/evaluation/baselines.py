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
from functools import partial

from lsum_cli.attribution.alignment import align
from lsum_cli.checkpoints.manifest import read_config
from lsum_cli.datasets.example import Example
from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.evaluation.metrics.rouge import SummaryTokenizer, choose_tokenizer
from lsum_cli.evaluation.options import RougeSettings, Tokenizer
from lsum_cli.evaluation.results import SystemResult, hash_text
from lsum_cli.evaluation.summary_cache import example_key
from lsum_cli.evaluation.systems import SummarizerSystem, System, fingerprint_of
from lsum_cli.locality import Page
from lsum_cli.methods.base import Plan
from lsum_cli.methods.extract.method import extract
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.progress import ProgressListener
from lsum_cli.summaries import (
    Attribution,
    CheckpointReference,
    OptionValue,
    Summary,
    SummarySentence,
)
from lsum_cli.text.importance import choose_sentences
from lsum_cli.text.terms import UNSPACED, count_words

_tokenizers: dict[Tokenizer, SummaryTokenizer] = {}


def choose_oracle(reference: str, sentences: Sequence[str]) -> list[int]:
    """The extractive oracle: sentences chosen with the reference in view (Nallapati et al. 2017).

    Adds the sentence that raises ROUGE-1 plus ROUGE-2 (F1) most until none does; no extraction can score
    much higher. Bigrams do not cross sentences; words are stemmed.

    Args:
        reference: The human-written summary.
        sentences: Sentences of the source.

    Returns:
        The positions of the chosen sentences, in source order.

    Raises:
        MissingDependency: ``rouge-score`` is not installed.
    """
    kind = choose_tokenizer([reference])
    tokenizer = _tokenizers.setdefault(kind, SummaryTokenizer(RougeSettings(tokenizer=kind)))
    return choose_sentences(tokenizer.sentences(reference), [tokenizer.tokens(each) for each in sentences])


_SHORTEST_PART = 10  # words
_UNSPACED = re.compile(f"[{UNSPACED}]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """What a baseline chooses sentences from.

    Attributes:
        example: The example to summarise.
        sentences: The sentences of its pages.
        num_words: Number of words that the summary may have.
        count: Number of sentences in the baseline's name, as in ``lead3``; 0 without one.
        seed: Seed of random choices.
    """

    example: Example
    sentences: Sequence[str]
    num_words: int
    count: int
    seed: int


Choose = Callable[[Choice], Sequence[int]]


def choose_first(choice: Choice) -> Sequence[int]:
    """The first sentences, as many as the name says."""
    return range(min(choice.count, len(choice.sentences)))


def choose_leading(choice: Choice) -> Sequence[int]:
    """The first sentences until they have the words allowed; the last one may exceed them."""
    taken = 0
    for position, sentence in enumerate(choice.sentences):
        if taken >= choice.num_words:
            return range(position)
        taken += count_words(sentence)
    return range(len(choice.sentences))


def choose_random(choice: Choice) -> Sequence[int]:
    """Random sentences, skipping those that no longer fit; the same for the same example and seed."""
    order = list(range(len(choice.sentences)))
    random.Random(f"{choice.seed} {example_key(choice.example)}").shuffle(order)  # noqa: S311
    chosen, room = [], choice.num_words
    for position in order:
        words = count_words(choice.sentences[position])
        if words <= room:
            chosen.append(position)
            room -= words
    return sorted(chosen) or order[:1]


def choose_by_reference(choice: Choice) -> Sequence[int]:
    """The sentences that :func:`choose_oracle` chooses."""
    return choose_oracle(choice.example.reference or "", choice.sentences)


class ChosenSentences:
    """A baseline that chooses sentences of the source, in source order.

    Args:
        choose: Chooses the sentences.
        name: Name in tables.
        options: Only ``length``, ``seed`` and ``keep_references`` matter.
    """

    is_baseline = True
    checkpoint: CheckpointReference | None = None

    def __init__(self, choose: Choose, name: str, options: SummaryOptions) -> None:
        self.name, self._choose = name, choose
        # Read now: a system is renamed where another one has its name.
        digits = re.search(r"\d+$", name)
        self._count = int(digits.group()) if digits else 0
        self.requested_words = options.num_words if options.length else None
        self._seed = options.seed
        self._summarizer = Summarizer(
            SummaryOptions(method="extract", length=options.length, keep_references=options.keep_references)
        )

    @property
    def settings(self) -> Mapping[str, OptionValue]:
        """See :class:`~lsum_cli.evaluation.systems.System`."""
        settings: dict[str, OptionValue] = {"baseline": self.name, "length": self.requested_words}
        if self._choose is choose_random:
            settings["seed"] = self._seed
        return settings | {"keep_references": self._summarizer.options.keep_references}

    @property
    def fingerprint(self) -> str:
        """See :class:`~lsum_cli.evaluation.systems.System`."""
        return fingerprint_of({**self.settings, "length": self.requested_words or 0})

    def summarize(self, example: Example, progress: ProgressListener) -> Summary:
        """Choose sentences of the example's documents."""
        plan = self._summarizer.plan(example.documents)
        sentences = self._select(example, plan, self._num_words(example), progress)
        return _summary(self.name, example, plan, sentences)

    def _select(
        self, example: Example, plan: Plan, num_words: int, progress: ProgressListener
    ) -> Sequence[SummarySentence]:
        del progress  # choosing takes no time
        places = [_Place(page, number) for page in plan.pages for number in range(len(page.sentences))]
        choice = Choice(
            example=example,
            sentences=[place.text for place in places],
            num_words=num_words,
            count=self._count,
            seed=self._seed,
        )
        return [places[position].quote(index) for index, position in enumerate(self._choose(choice))]

    def _num_words(self, example: Example) -> int:
        """Number of words that a summary of this example may have."""
        return self.requested_words or max(1, count_words(example.reference or ""))


class LeadingWords(ChosenSentences):
    """The first words: the last sentence is cut where the length is reached."""

    def __init__(self, name: str, options: SummaryOptions) -> None:
        super().__init__(choose_leading, name, options)

    def _select(
        self, example: Example, plan: Plan, num_words: int, progress: ProgressListener
    ) -> Sequence[SummarySentence]:
        return _cut(super()._select(example, plan, num_words, progress), num_words)


class LeadOfSystem(LeadingWords):
    """The first words, as many as another system's summary has.

    Args:
        name: ``lead:`` and the other system's name.
        options: Only ``keep_references`` matters.
    """

    def __init__(self, name: str, options: SummaryOptions) -> None:
        super().__init__(name, replace(options, length=None))
        self.followed = name.partition(":")[2]
        self._words: dict[str, int] = {}

    def follow(self, result: SystemResult) -> None:
        """Take the lengths of the other system's summaries, of several runs their mean."""
        lengths: dict[str, list[int]] = {}
        for row in result.rows:
            lengths.setdefault(row.where, []).append(count_words(row.text))
        self._words = {where: round(sum(each) / len(each)) for where, each in lengths.items()}

    @property
    def settings(self) -> Mapping[str, OptionValue]:
        """See :class:`~lsum_cli.evaluation.systems.System`."""
        return {**super().settings, "lengths": hash_text(repr(sorted(self._words.items())))}

    def _num_words(self, example: Example) -> int:
        return self._words[example.where]


class Extraction(ChosenSentences):
    """The method ``extract``, at the length of the reference where none is requested."""

    def __init__(self, name: str, options: SummaryOptions) -> None:
        super().__init__(choose_leading, name, options)

    def _select(
        self, example: Example, plan: Plan, num_words: int, progress: ProgressListener
    ) -> Sequence[SummarySentence]:
        return extract(plan.pages, example.documents, num_words=num_words, progress=progress)


@dataclass(frozen=True)
class _Place:
    """A sentence and its place."""

    page: Page
    number: int

    @property
    def text(self) -> str:
        return self.page.sentences[self.number].text

    def quote(self, index: int) -> SummarySentence:
        """The sentence as one of a summary."""
        sentence = self.page.sentences[self.number]
        attribution = Attribution.verbatim(sentence, self.page)
        return SummarySentence(text=sentence.text, index=index, attribution=attribution)


class PageByPage(SummarizerSystem):
    """A model that summarises every page on its own; the summaries are joined.

    A requested length is divided among the pages.
    """

    is_baseline = True

    @property
    def settings(self) -> Mapping[str, OptionValue]:
        """See :class:`~lsum_cli.evaluation.systems.System`."""
        return {**super().settings, "baseline": "concat"}

    def summarize_batch(self, examples: Sequence[Example], progress: ProgressListener) -> None:  # noqa: ARG002
        """Return ``None``: every example is summarised on its own."""
        return

    def summarize(self, example: Example, progress: ProgressListener) -> Summary:
        """Summarise page by page."""
        plan = Summarizer(self.options).plan(example.documents)
        options = self.options
        if self.requested_words:
            share = max(_SHORTEST_PART, self.requested_words // len(plan.pages))
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


class FixedInput(SummarizerSystem):
    """The standard model of the windowing paper, which reads the beginning of the input and nothing else."""

    is_baseline = True

    def __init__(self, options: SummaryOptions, name: str) -> None:
        super().__init__(options, name)
        folder = self.choice.folder
        kind = read_config(folder).get("windowing") if folder else None
        if kind != "none":
            raise CheckpointError(
                f"{options.model} is not a standard model: its windowing is {kind or self.choice.name}",
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


def _cut(sentences: Sequence[SummarySentence], num_words: int) -> list[SummarySentence]:
    """Cut the last sentence so that all together have at most this many words."""
    if not sentences:
        return []
    *whole, last = sentences
    room = num_words - sum(count_words(sentence.text) for sentence in whole)
    if count_words(last.text) <= room:
        return list(sentences)
    # Before a space, or anywhere in a script without spaces.
    ends = [place for place in range(1, len(last.text)) if _ends_word(last.text, place)]
    end = ends[bisect_right(ends, room, key=lambda place: count_words(last.text[:place])) - 1]
    return [*whole, replace(last, text=last.text[:end])]


def _ends_word(text: str, place: int) -> bool:
    """Whether a text may be cut before the character at this position."""
    return text[place].isspace() or bool(_UNSPACED.match(text, place - 1))


@dataclass(frozen=True, kw_only=True, slots=True)
class Baseline:
    """A row of the registry.

    Attributes:
        usage: Its name as shown to users; after a colon, what must be named with it.
        make: Makes the system of a name and options.
        pattern: What its name looks like; ``None`` for the name in ``usage``.
    """

    usage: str
    make: Callable[[str, SummaryOptions], System]
    pattern: str | None = None

    @property
    def takes_argument(self) -> bool:
        """Whether something must be named after a colon."""
        return ":" in self.usage

    def has_name(self, name: str) -> bool:
        """Whether this is what comes before the colon."""
        return re.fullmatch(self.pattern or self.usage.partition(":")[0], name) is not None


BASELINES = (
    Baseline(usage="leadN", pattern=r"lead-?[1-9]\d*", make=partial(ChosenSentences, choose_first)),
    Baseline(usage="lead", make=LeadingWords),
    Baseline(usage="lead:SYSTEM", make=LeadOfSystem),
    Baseline(usage="random", make=partial(ChosenSentences, choose_random)),
    Baseline(usage="extract", make=Extraction),
    Baseline(
        usage="oracle",
        make=partial(ChosenSentences, choose_by_reference),
    ),
    Baseline(usage="concat:MODEL", make=lambda name, options: PageByPage(_with_model(name, options), name)),
    Baseline(usage="stan:MODEL", make=lambda name, options: FixedInput(_with_model(name, options), name)),
)


def make_baseline(text: str, options: SummaryOptions) -> System:
    """Make the baseline of a name.

    Args:
        text: ``lead3`` (the first 3 sentences), ``lead`` (the first words, as many as requested),
            ``lead:SYSTEM`` (as many words as the summary of that system), ``random``, ``extract``,
            ``oracle`` (:func:`choose_oracle`), ``concat:MODEL`` (every page summarised on its own, the
            summaries joined), or ``stan:MODEL`` (a windowing checkpoint without windows, which reads
            only the beginning).
        options: ``length``, ``seed`` and, for baselines with a model, everything else.

    Raises:
        OptionError: There is no such baseline.
        CheckpointError: Its checkpoint cannot be used.
    """
    name, _, argument = text.partition(":")
    rows = [row for row in BASELINES if row.has_name(name)]
    if not rows:
        usages = ", ".join(row.usage for row in BASELINES)
        raise OptionError(f"there is no baseline '{text}'", f"choose from {usages}")
    for row in rows:
        if row.takes_argument == bool(argument):
            return row.make(text.removesuffix(":"), options)
    if argument:
        raise OptionError(f"the baseline {name} takes no checkpoint", f"leave out :{argument}")
    raise OptionError(f"the baseline {name} needs a checkpoint", f"give it as {rows[0].usage}")


def _with_model(name: str, options: SummaryOptions) -> SummaryOptions:
    return replace(options, method="auto", model=name.partition(":")[2])
