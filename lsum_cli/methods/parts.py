"""The common part of methods whose input length is limited: long input is read part by part.

The summaries of the parts are joined, or, where they are too long together, summarised again until they are
not; every sentence is then traced back to the source through all stages.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from lsum_cli.documents import Document
from lsum_cli.locality import Page
from lsum_cli.machine.memory import explain_out_of_memory
from lsum_cli.methods.base import Plan, SentenceListener
from lsum_cli.methods.batching import BATCH_TOKENS, group_neighbours
from lsum_cli.methods.costs import Work
from lsum_cli.methods.drafts import Draft, trace_back, write_document
from lsum_cli.methods.model_method import Clock, ModelMethod, Outcome
from lsum_cli.methods.salient import Selected
from lsum_cli.methods.search_settings import SearchSettings, choose_search, tokens_per_word
from lsum_cli.methods.verbatim import VerbatimSource
from lsum_cli.summaries import OptionValue, Summary

JOIN = "join"
# Where no length was asked for, summaries are joined up to this many times the checkpoint's own length.
JOINED_LENGTHS = 3
# Parts as a model has read them.
Encoded = TypeVar("Encoded")
Result = TypeVar("Result")
_LENGTHS = ("length", "min_tokens", "max_tokens")


@dataclass(frozen=True, kw_only=True)
class PartsPlan(Plan):
    """A plan for models whose input length is limited.

    Attributes:
        parts: The pages in order, as many together as the model reads at once.
    """

    parts: tuple[tuple[Page, ...], ...]

    def lengths(self) -> list[int]:
        """Tokens of the sentences of each part."""
        return [sum(page.num_tokens for page in part) for part in self.parts]


@dataclass(frozen=True, kw_only=True, eq=False)
class Search:
    """A search that is to be made.

    Attributes:
        number: Of the part.
        source: The only sentences that may be written; ``None`` for any text.
        remarks: What the reader should know of it.
    """

    plan: PartsPlan
    number: int
    settings: SearchSettings
    source: VerbatimSource | None = None
    remarks: tuple[str, ...] = ()

    @property
    def pages(self) -> tuple[Page, ...]:
        """The pages of the part."""
        return self.plan.parts[self.number]

    @property
    def num_tokens(self) -> int:
        """Tokens of the part's sentences."""
        return sum(page.num_tokens for page in self.pages)


# Asks for searches, is given what they found, and returns what it makes of that in the end.
Searching = Generator[Sequence[Search], Sequence[Outcome], Result]


class PartsMethod(ModelMethod[PartsPlan], Generic[Encoded]):
    """A method that summarises long input part by part; nothing is cut.

    Parts that are searched for alike are decoded together, whether of one document or of several.
    """

    writes_together = True

    def plan(
        self, documents: Sequence[Document], *, title: str | None = None, reference: str | None = None
    ) -> PartsPlan:
        """See :meth:`~lsum_cli.methods.base.Method.plan`."""
        read = self.select(documents)
        pages = self._paginate(documents, read.documents)
        return self._plan_parts(documents, pages, title=title, reference=reference, read=read)

    def _plan_parts(
        self,
        documents: Sequence[Document],
        pages: Sequence[Page],
        *,
        title: str | None = None,
        reference: str | None = None,
        read: Selected | None = None,
    ) -> PartsPlan:
        return self._plan(
            PartsPlan,
            documents,
            pages,
            title=title,
            reference=reference,
            read=read.documents if read else None,
            remarks=read.remarks if read else (),
            parts=tuple(map(tuple, self._parts(pages))),
        )

    @abstractmethod
    def _parts(self, pages: Sequence[Page]) -> Sequence[Sequence[Page]]:
        """The pages in order, as many together as the model reads at once."""

    @abstractmethod
    def _encode(self, parts: Sequence[Search], clock: Clock) -> Encoded:
        """Parts as the model has read them, each on its own; the time is reported to the clock."""

    @abstractmethod
    def _decode(self, encoded: Encoded, searches: Sequence[Search], clock: Clock) -> list[Outcome]:
        """What is found for each part; the time is reported to the clock.

        Args:
            encoded: The parts; they can be decoded again.
            searches: One for each part, all alike but for their lengths.
        """

    def offer(self, plan: PartsPlan, number: int, written: Collection[str]) -> VerbatimSource:
        """The sentences of a part that may be written, without those that are."""
        part = plan.parts[number]
        page_ids = self._page_ids(part)
        return VerbatimSource.of(part, plan.documents, self.tokenizer, page_ids=page_ids, written=written)

    def _page_ids(self, part: Sequence[Page]) -> Sequence[Sequence[int]]:  # noqa: ARG002
        """What is read of each page of a part where its first sentence begins otherwise than the others."""
        return ()

    def _settings_for(self, plan: PartsPlan, number: int, settings: SearchSettings) -> SearchSettings:
        """How to search for the summary of a part, given the settings for all of them.

        A length asked for is shared among the parts; a checkpoint's own holds for each of them.
        """
        if not settings.length_in_words and not self._has_length:
            return settings
        tokens = plan.lengths()
        return settings.for_share(tokens[number] / max(1, sum(tokens)))

    @property
    def _has_length(self) -> bool:
        return any(getattr(self.options, name) is not None for name in _LENGTHS)

    def passes(self, plan: PartsPlan) -> list[SearchSettings]:
        """How each part is searched for, and what follows if their summaries are expected to be too long."""
        settings = self._settings(plan.pages)
        own = self._own_length(plan, settings)
        if own is None:
            return list(self._shares(plan, settings))
        return [own] * len(plan.parts) + [settings]

    def _work(self, plan: PartsPlan, page_lengths: Sequence[int], *, copies: int) -> Work:
        """What is to be computed for a plan.

        Args:
            page_lengths: What attends to one another in the encoder, in tokens.
            copies: Of the keys and values of what is read, for each part.
        """
        passes, lengths = self.passes(plan), plan.lengths()
        parts = passes[: len(plan.parts)]
        batches = group_neighbours(lengths, lengths, BATCH_TOKENS)
        return Work(
            page_lengths=tuple(page_lengths),
            steps=max(own.max_tokens for own in parts),
            passes=len(batches) + len(passes) - len(parts),
            rows=passes[0].beams * max(map(len, batches)),
            memory_copies=copies,
            held_tokens=max(map(sum, batches)),
        )

    def _prepare(self) -> None:
        """Load what writes."""
        _ = self.loaded

    def _decoding(self) -> AbstractContextManager[object]:
        """What holds while the model works."""
        return nullcontext()

    def _write(self, plan: PartsPlan, on_sentence: SentenceListener) -> Summary:  # noqa: ARG002
        (summary,) = self._write_all([plan], BATCH_TOKENS)
        return summary

    def _write_all(self, plans: Sequence[PartsPlan], batch_tokens: int) -> list[Summary]:
        clock = Clock()
        with explain_out_of_memory(self.options.device), self._decoding():
            self._prepare()
            clock.stop("load")
            searching = [self._summary(plan, clock) for plan in plans]
            summaries = self._search_together(searching, batch_tokens, clock)
        shares = {stage: taken / len(plans) for stage, taken in clock.seconds.items()}
        return [
            replace(summary, seconds=plan.with_seconds(shares))
            for plan, summary in zip(plans, summaries, strict=True)
        ]

    def _summary(self, plan: PartsPlan, clock: Clock) -> Searching[Summary]:
        """The summary of a plan, with all lengths where they are asked for."""
        if not self.options.all_lengths:
            (summary,) = yield from self._stage(plan, [self._settings(plan.pages)], clock)
            return summary
        wanted = self._settings_by_length(plan.pages)
        written = yield from self._stage(plan, list(wanted.values()), clock)
        return self._join_lengths(dict(zip(wanted, written, strict=True)), {})

    def _stage(
        self, plan: PartsPlan, wanted: Sequence[SearchSettings], clock: Clock
    ) -> Searching[list[Summary]]:
        """Summaries of a plan, whose parts' summaries are summarised again if they are too long.

        Args:
            wanted: How to search for each summary as a whole. All of them read the same parts, once.
        """
        owns = [self._own_length(plan, settings) for settings in wanted]
        runs = [
            self._shares(plan, settings) if own is None else (own,) * len(plan.parts)
            for own, settings in zip(owns, wanted, strict=True)
        ]
        found = yield from self._outcomes(plan, runs)
        made = [
            self._compose(plan, outcomes, settings, clock)
            for outcomes, settings in zip(found, wanted, strict=True)
        ]
        too_long = [
            place
            for place, (own, joined) in enumerate(zip(owns, made, strict=True))
            if own is not None and self._count(joined) > self._joined_limit(wanted[place])
        ]
        if not too_long:
            return made
        # A checkpoint's own length does not depend on the one wanted: these have the same drafts.
        joined = made[too_long[0]]
        drafts = self._drafts(plan, found[too_long[0]], joined)
        document = write_document([draft.texts for draft in drafts], plan.documents[0].language)
        pages = self._paginate([document])
        again = self._plan_parts([document], pages, reference=plan.reference)
        longer = [wanted[place] for place in too_long]
        if sum(again.lengths()) >= sum(plan.lengths()):
            # Summaries as long as their parts never become short.
            found = yield from self._outcomes(plan, [self._shares(plan, settings) for settings in longer])
            for place, outcomes in zip(too_long, found, strict=True):
                made[place] = self._compose(plan, outcomes, wanted[place], clock)
            return made
        shorter = yield from self._stage(again, longer, clock)
        for place, summary in zip(too_long, shorter, strict=True):
            stages = summary.options["stages"]
            assert isinstance(stages, int)
            made[place] = replace(
                made[place],
                sentences=trace_back(summary, drafts),
                options={**made[place].options, "stages": stages + 1},
                warnings=tuple(dict.fromkeys((*joined.warnings, *summary.warnings))),
            )
        return made

    def _shares(self, plan: PartsPlan, settings: SearchSettings) -> tuple[SearchSettings, ...]:
        return tuple(self._settings_for(plan, number, settings) for number in range(len(plan.parts)))

    def _joined_limit(self, settings: SearchSettings) -> int:
        """Tokens up to which the summaries of parts are joined."""
        return settings.max_tokens * (1 if self._has_length else JOINED_LENGTHS)

    def _own_length(self, plan: PartsPlan, settings: SearchSettings) -> SearchSettings | None:
        """The settings for each part if the summaries may be summarised again, else ``None``."""
        if self.options.parts == JOIN or len(plan.parts) == 1:
            return None
        own = choose_search(
            replace(self.options, **dict.fromkeys(_LENGTHS)),  # type: ignore[arg-type]
            self.generation_defaults,
            tokens_per_word=tokens_per_word(plan.pages),
            positions=self.max_written,
        )
        # So long a summary has to be written part by part.
        return None if settings.max_tokens >= own.max_tokens * len(plan.parts) else own

    def _count(self, summary: Summary) -> int:
        return sum(self.count_tokens(sentence.text) for sentence in summary.sentences)

    def _drafts(self, plan: PartsPlan, outcomes: Sequence[Outcome], joined: Summary) -> list[Draft]:
        """The summaries of the parts, under the labels of their pages."""
        remaining = iter(joined.sentences)
        drafts = []
        for outcome in outcomes:
            found, _ = self._sentences(plan, outcome)
            sentences = tuple(next(remaining) for _ in found)
            first, last = outcome.pages[0].label, outcome.pages[-1].label
            if sentences:
                label = first if first == last else f"{first} – {last}"
                drafts.append(Draft(label=label, sentences=sentences))
        return drafts

    def _outcomes(
        self, plan: PartsPlan, runs: Sequence[Sequence[SearchSettings]]
    ) -> Searching[list[list[Outcome]]]:
        """The results of all parts for each run, which has settings for every part."""
        distinct = list(dict.fromkeys(map(tuple, runs)))
        kind = _VerbatimRun if self.is_verbatim else _Run
        by_settings = {run: kind(self, plan, run) for run in distinct}
        numbers = range(len(plan.parts))
        # What may be written verbatim depends on what was written of the parts before.
        for together in [[number] for number in numbers] if self.is_verbatim else [numbers]:
            wanted = [
                (run, search)
                for number in together
                for run in by_settings.values()
                if (search := run.wanted(number)) is not None
            ]
            outcomes = yield [search for _, search in wanted]
            for (run, search), outcome in zip(wanted, outcomes, strict=True):
                run.found(search, outcome)
        return [by_settings[tuple(run)].outcomes for run in runs]

    def _search_together(
        self, all_searching: Sequence[Searching[Result]], batch_tokens: int, clock: Clock
    ) -> list[Result]:
        """Let all of them go on, one step at a time, each step's searches made together."""
        results: dict[int, Result] = {}
        found: dict[int, Sequence[Outcome] | None] = dict.fromkeys(range(len(all_searching)))
        while found:
            wanted: dict[int, Sequence[Search]] = {}
            for place, outcomes in found.items():
                searching = all_searching[place]
                try:
                    wanted[place] = next(searching) if outcomes is None else searching.send(outcomes)
                except StopIteration as end:
                    results[place] = end.value
            remaining = iter(self._search(wanted, batch_tokens, clock))
            found = {place: [next(remaining) for _ in searches] for place, searches in wanted.items()}
        return [results[place] for place in range(len(all_searching))]

    def _search(
        self, wanted: Mapping[int, Sequence[Search]], batch_tokens: int, clock: Clock
    ) -> list[Outcome]:
        """Make searches; every part is encoded once, and parts searched for alike are decoded together.

        Args:
            wanted: By a number of their plan.
            batch_tokens: How many tokens the parts of a batch may have.
        """
        searches = [search for of_plan in wanted.values() for search in of_plan]
        parts: dict[tuple[int, int], list[int]] = {}
        plans = (plan for plan, of_plan in wanted.items() for _ in of_plan)
        for place, (plan, search) in enumerate(zip(plans, searches, strict=True)):
            parts.setdefault((plan, search.number), []).append(place)
        alike: dict[tuple[SearchSettings, ...], list[list[int]]] = {}
        for places in parts.values():
            kind = tuple(searches[place].settings.without_lengths for place in places)
            alike.setdefault(kind, []).append(places)
        found: dict[int, Outcome] = {}
        for group in alike.values():
            lengths = [searches[places[0]].num_tokens for places in group]
            for batch in group_neighbours(group, lengths, batch_tokens):
                encoded = self._encode([searches[places[0]] for places in batch], clock)
                for same in zip(*batch, strict=True):
                    outcomes = self._decode(encoded, [searches[place] for place in same], clock)
                    found |= zip(same, outcomes, strict=True)
        return [found[place] for place in range(len(searches))]

    def _own_options(self, plan: PartsPlan) -> dict[str, OptionValue]:
        return {"parts": len(plan.parts), "stages": 1}


class _Run:
    """The searches for one summary."""

    def __init__(self, method: PartsMethod[Any], plan: PartsPlan, settings: Sequence[SearchSettings]) -> None:
        self._method, self._plan, self._settings = method, plan, settings
        self.outcomes: list[Outcome] = []

    def wanted(self, number: int) -> Search | None:
        """What to search for in a part; ``None`` for nothing."""
        return Search(plan=self._plan, number=number, settings=self._settings[number])

    def found(self, search: Search, outcome: Outcome) -> None:
        """Keep what was found."""
        self.outcomes.append(
            replace(outcome, verbatim=search.source, remarks=(*search.remarks, *outcome.remarks))
        )


class _VerbatimRun(_Run):
    """The same with source sentences alone, none of them twice; a part without one that fits is left out."""

    def __init__(self, method: PartsMethod[Any], plan: PartsPlan, settings: Sequence[SearchSettings]) -> None:
        super().__init__(method, plan, settings)
        self._written: set[str] = set()
        self._sources: list[VerbatimSource] = []
        self._unused = 0

    def wanted(self, number: int) -> Search | None:
        """See :meth:`_Run.wanted`."""
        source = self._method.offer(self._plan, number, self._written)
        own = self._settings[number]
        own = replace(own, max_tokens=own.max_tokens + self._unused)
        self._sources.append(source)
        is_last_chance = number == len(self._settings) - 1 and not self._written
        if not source.fits(own) and not is_last_chance:
            # Its share of the length goes to the next one.
            self._unused = own.max_tokens
            return None
        if is_last_chance and not source.fits(own):
            number = min(
                (each for each, other in enumerate(self._sources) if len(other.index)),
                key=lambda each: self._sources[each].index.shortest,
                default=number,
            )
            source = self._sources[number]
        self._unused = 0
        own, remarks = source.fitted(own, self._method.max_written)
        return Search(plan=self._plan, number=number, settings=own, source=source, remarks=tuple(remarks))

    def found(self, search: Search, outcome: Outcome) -> None:
        """See :meth:`_Run.found`."""
        assert search.source is not None
        self._written.update(sentence.text for sentence in search.source.read(outcome.hypothesis.token_ids))
        super().found(search, outcome)
