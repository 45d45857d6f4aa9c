"""The common part of methods whose input length is limited: long input is read part by part.

The summaries of the parts are joined, or, where they are too long together, summarised again until they are
not; every sentence is then traced back to the source through all stages.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from lsum_cli.documents import Document
from lsum_cli.locality import Page
from lsum_cli.machine.memory import explain_out_of_memory
from lsum_cli.methods.base import Plan, SentenceListener
from lsum_cli.methods.drafts import Draft, trace_back, write_document
from lsum_cli.methods.model_method import Clock, ModelMethod, Outcome
from lsum_cli.methods.salient import Selected
from lsum_cli.methods.search_settings import SearchSettings, choose_search, tokens_per_word
from lsum_cli.methods.verbatim import VerbatimSource
from lsum_cli.summaries import OptionValue, Summary

AGAIN, JOIN = "again", "join"
# Where no length was asked for, summaries are joined up to this many times the checkpoint's own length.
JOINED_LENGTHS = 3
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


class PartsMethod(ModelMethod[PartsPlan]):
    """A method that summarises long input part by part; nothing is cut."""

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
    def _search(
        self,
        plan: PartsPlan,
        number: int,
        settings: SearchSettings,
        clock: Clock,
        source: VerbatimSource | None = None,
    ) -> Outcome:
        """The result for the part with this number; its time is reported to the clock.

        Args:
            source: The only sentences that may be written; ``None`` for any text.
        """

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
            return [self._settings_for(plan, number, settings) for number in range(len(plan.parts))]
        return [own] * len(plan.parts) + [settings]

    def _prepare(self) -> None:
        """Load what writes."""
        _ = self.loaded

    def _decoding(self) -> AbstractContextManager[object]:
        """What holds while the model works."""
        return nullcontext()

    def _write(self, plan: PartsPlan, hear: SentenceListener) -> Summary:  # noqa: ARG002
        settings, clock = self._settings(plan.pages), Clock()
        with explain_out_of_memory(self.options.device), self._decoding():
            self._prepare()
            clock.stop("load")
            return self._write_stage(plan, settings, clock)

    def _write_stage(self, plan: PartsPlan, settings: SearchSettings, clock: Clock) -> Summary:
        """The summary of a plan, whose parts' summaries are summarised again if they are too long.

        Args:
            settings: How to search for the summary as a whole.
        """
        own = self._own_length(plan, settings)
        if own is None:
            shares = [self._settings_for(plan, number, settings) for number in range(len(plan.parts))]
            return self._compose(plan, self._outcomes(plan, shares, clock), settings, clock)
        outcomes = list(self._outcomes(plan, [own] * len(plan.parts), clock))
        joined = self._compose(plan, outcomes, settings, clock)
        limit = settings.max_tokens * (1 if self._has_length else JOINED_LENGTHS)
        if self._count(joined) <= limit:
            return joined
        drafts = self._drafts(plan, outcomes, joined)
        document = write_document([draft.texts for draft in drafts], plan.documents[0].language)
        pages = self._paginate([document])
        again = self._plan_parts([document], pages, reference=plan.reference)
        if sum(again.lengths()) >= sum(plan.lengths()):
            # Summaries as long as their parts never become short.
            shares = [self._settings_for(plan, number, settings) for number in range(len(plan.parts))]
            return self._compose(plan, self._outcomes(plan, shares, clock), settings, clock)
        summary = self._write_stage(again, settings, clock)
        stages = summary.options["stages"]
        assert isinstance(stages, int)
        return replace(
            joined,
            sentences=trace_back(summary, drafts),
            options={**joined.options, "stages": stages + 1},
            seconds=clock.seconds,
            warnings=tuple(dict.fromkeys((*joined.warnings, *summary.warnings))),
        )

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
        self, plan: PartsPlan, settings: Sequence[SearchSettings], clock: Clock
    ) -> Iterator[Outcome]:
        """The results of all parts, with these settings."""
        if not self.is_verbatim:
            for number, own in enumerate(settings):
                yield self._search(plan, number, own, clock)
            return
        written: set[str] = set()
        sources, unused = [], 0
        for number, (part, share) in enumerate(zip(plan.parts, settings, strict=True)):
            page_ids = self._page_ids(part)
            source = VerbatimSource.of(
                part, plan.documents, self.tokenizer, page_ids=page_ids, written=written
            )
            own = replace(share, max_tokens=share.max_tokens + unused)
            sources.append(source)
            is_last_chance = number == len(settings) - 1 and not written
            if not source.fits(own) and not is_last_chance:
                # Its share of the length goes to the next one.
                unused = own.max_tokens
                continue
            if is_last_chance and not source.fits(own):
                number = min(
                    (each for each, other in enumerate(sources) if len(other.index)),
                    key=lambda each: sources[each].index.shortest,
                    default=number,
                )
                source, part = sources[number], plan.parts[number]
            unused = 0
            own, remarks = source.fitted(own, self.max_written)
            outcome = self._search(plan, number, own, clock, source)
            written.update(sentence.text for sentence in source.read(outcome.hypothesis.token_ids))
            yield replace(outcome, verbatim=source, remarks=(*remarks, *outcome.remarks))

    def _own_options(self, plan: PartsPlan) -> dict[str, OptionValue]:
        return {"parts": len(plan.parts), "stages": 1}
