"""The common part of methods with a checkpoint: load it, search part by part, attribute, record how."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lsum_cli.checkpoints.loading import (
    LoadedCheckpoint,
    check_settings,
    load_folder,
    precision_of,
    read_tokenizer,
)
from lsum_cli.checkpoints.manifest import GenerationDefaults, read_config
from lsum_cli.checkpoints.store import list_installed
from lsum_cli.checkpoints.values import VERBATIM
from lsum_cli.documents import Document
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.locality import Page
from lsum_cli.machine.memory import explain_out_of_memory
from lsum_cli.machine.network import configure_network
from lsum_cli.methods.base import AnyPlan, Cost, Method, MethodChoice, OwnPlan
from lsum_cli.methods.batching import BATCH_TOKENS, BATCH_TOKENS_FLAG
from lsum_cli.methods.costs import PROGRAM_BYTES, ModelSizes, Work, estimate_cost, tokens_in_memory
from lsum_cli.methods.detokenising import (
    CUT_OFF,
    TokenSentence,
    end_at_sentence,
    mean_log_prob,
    split_tokens,
)
from lsum_cli.methods.length import NAMED_LENGTHS, SENTENCE
from lsum_cli.methods.model_inputs import SequenceFrame, count_text_tokens
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.salient import ALL, SALIENT, Selected, select_salient, tokens_to_read
from lsum_cli.methods.search_settings import (
    SearchSettings,
    choose_search,
    read_generation_defaults,
    recorded_settings,
    tokens_per_word,
)
from lsum_cli.methods.verbatim import VerbatimSource, WrittenVerbatim
from lsum_cli.methods.word_pieces import is_in_pieces, read_pieces
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.summaries import Attribution, OptionValue, Summary, SummaryLength, SummarySentence
from lsum_cli.text.languages import detect, name_language

if TYPE_CHECKING:
    import torch

    from lsum_cli.generation.hypotheses import Hypothesis


class Clock:
    """Adds up wall-clock time by stage.

    Args:
        seconds: Time that was taken already.
    """

    def __init__(self, seconds: Mapping[str, float] | None = None) -> None:
        self.seconds = dict(seconds or {})
        self._since = time.perf_counter()

    def stop(self, stage: str) -> None:
        """Add the time since the last call to a stage."""
        now = time.perf_counter()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + now - self._since
        self._since = now


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What the search found for pages that were read together, before it becomes sentences.

    Attributes:
        hypothesis: The best one; the trace of a token is (pages,) or (sentences,), what it was read from.
        settings: How it was searched for.
        remarks: What the reader should know of how the pages were read, one line each.
        verbatim: The only sentences that could be written, in a verbatim search.
    """

    pages: tuple[Page, ...]
    hypothesis: Hypothesis[NDArray[np.float32]]
    settings: SearchSettings
    remarks: tuple[str, ...] = ()
    verbatim: VerbatimSource | None = None


class ModelMethod(Method[AnyPlan]):
    """A method with a checkpoint; its weights are loaded at the first summary, and stay.

    Raises:
        CheckpointError: There is no checkpoint, or its configuration or tokenizer is damaged.

    Attributes:
        config: The checkpoint's ``config.json``.
        max_written: Tokens of a summary that the model can write at most; ``None`` for no limit.
    """

    max_written: int | None = None
    # Whether an engine takes the weights over, so that no model need come with them.
    _loads_for_engine = True

    def __init__(
        self,
        choice: MethodChoice,
        options: SummaryOptions,
        progress: ProgressListener = ignore_progress,
    ) -> None:
        super().__init__(choice, options, progress)
        if choice.folder is None or choice.manifest is None:
            raise CheckpointError(f"the method {choice.name} needs a checkpoint", "give --model")
        configure_network(offline=options.offline)
        self.folder, self.manifest = choice.folder, choice.manifest
        self.config = read_config(self.folder)
        check_settings(self.config)
        self.tokenizer = read_tokenizer(self.folder)
        # A focus decides what a model reads.
        focused = SALIENT if options.focus is not None else None
        self.read = options.read or self.manifest.read or focused or ALL

    @property
    def is_verbatim(self) -> bool:
        """Whether only sentences of the source may be written."""
        return self.faithful == VERBATIM

    @cached_property
    def frame(self) -> SequenceFrame:
        """The special tokens around what the model reads."""
        return SequenceFrame.of(self.tokenizer)

    @cached_property
    def generation_defaults(self) -> GenerationDefaults:
        """The checkpoint's own lengths and search settings."""
        return read_generation_defaults(self.folder, self.manifest.generation)

    @cached_property
    def loaded(self) -> LoadedCheckpoint:
        """The checkpoint with its weights.

        Raises:
            CheckpointError: They are missing, damaged, or of another architecture.
            DeviceError: There is no such device.
        """
        return self._load()

    def prepare(self) -> None:
        """See :meth:`~lsum_cli.methods.base.Method.prepare`."""
        with explain_out_of_memory(self.options.device):
            self._load_engine()

    def _load_engine(self) -> None:
        """Load the weights, for methods with an engine into that."""
        _ = self.loaded

    def check_languages(self, documents: Sequence[Document]) -> None:
        """Refuse documents that are certainly in a language that the checkpoint does not read.

        Raises:
            CheckpointError: One is, and the options do not allow it.
        """
        for document in documents:
            if self.options.any_language or self.manifest.reads(document.language):
                continue
            # What a source declares may be wrong.
            language = detect(document.text).certain
            if not self.manifest.reads(language):
                reads = " and ".join(map(name_language, self.manifest.languages))
                which = document.source if len(documents) > 1 else "this document"
                raise CheckpointError(
                    f"{self.manifest.name} reads {reads}; {which} is {name_language(language or '')}",
                    _suggest(language),
                )

    def _plan(
        self, kind: type[OwnPlan], documents: Sequence[Document], pages: Sequence[Page], **own: Any
    ) -> OwnPlan:
        self.check_languages(documents)
        return super()._plan(kind, documents, pages, **own)

    def count_tokens(self, text: str) -> int:
        """Tokens of a sentence, as the checkpoint's tokenizer makes them within running text."""
        return count_text_tokens(self.tokenizer, text)

    def select(self, documents: Sequence[Document]) -> Selected:
        """What is read of documents: all, or their most salient sentences."""
        num_tokens = self.tokens_to_read
        if num_tokens is None:
            return Selected(documents=tuple(documents))
        return select_salient(
            documents,
            num_tokens,
            self.count_tokens,
            keep_references=self.options.keep_references,
            focus=self.options.focus,
        )

    @property
    def tokens_to_read(self) -> int | None:
        """Maximum number of tokens that are read; ``None`` for all."""
        return tokens_to_read(self.read, self.source_len)

    def _load(self) -> LoadedCheckpoint:
        self.progress(ProgressEvent(stage=f"loading {self.manifest.name}", done=0))
        return load_folder(
            self.folder,
            device=self.options.device,
            dtype=self.options.dtype,
            for_engine=self._loads_for_engine,
        )

    def _size(self, name: str, default: int | None = None) -> int:
        """A size from the configuration, at least 4.

        Raises:
            CheckpointError: It is missing or makes no sense.
        """
        value = self.config.get(name, default)
        if type(value) is not int or value < 4:
            raise self._damaged(name, value)
        return value

    def _damaged(self, name: str, value: object) -> CheckpointError:
        return CheckpointError(
            f"the configuration of the checkpoint is damaged: {name} is {value!r}",
            "import or download the checkpoint again",
        )

    def _other_architecture(self, wanted: str, found: str) -> CheckpointError:
        return CheckpointError(
            f"{self.manifest.name} is not a {wanted} but a {found}",
            f"give a checkpoint for the method {self.name}, or leave out --method",
        )

    @property
    def _device(self) -> torch.device:
        """The device that the options name."""
        from lsum_cli.machine.devices import choose_device

        return choose_device(self.options.device)

    def _estimate(self, work: Work) -> Cost:
        """Time and memory on the device that the options name, from the configuration."""
        device = self._device
        precision = precision_of(self.manifest, self.options.dtype, device)
        return estimate_cost(ModelSizes.of(self.config), work, device, precision)

    @property
    def _usual_tokens(self) -> int:
        """How many tokens are best written about together on this device."""
        return BATCH_TOKENS

    def _tokens_together(self, plans: Sequence[AnyPlan], wanted: int | None) -> int:
        """See :meth:`~lsum_cli.methods.base.Method._tokens_together`; a wish that cannot be met is told."""
        most = wanted or self._usual_tokens
        if wanted and self.alone_because:
            self.tell(f"{BATCH_TOKENS_FLAG} has no effect: {self.alone_because}")
        if not wanted and self._device.type == "cpu":
            # So few that no machine that holds the model lacks the memory.
            return most
        cost = max((plan.cost for plan in plans), key=lambda cost: cost.memory_bytes)
        fixed = cost.memory_bytes - round(cost.token_bytes * cost.held_tokens)
        # Weights that are loaded are not in what is free; before, the program itself is not.
        still = 0 if "loaded" in vars(self) else max(0, fixed - PROGRAM_BYTES)
        room = tokens_in_memory(self._device, still, cost.token_bytes)
        total = sum(page.num_tokens for plan in plans for page in plan.pages)
        if room is None or min(most, total) <= room:
            return most
        if wanted:
            self.tell(
                f"{BATCH_TOKENS_FLAG} {wanted}: the memory that is free suffices for about {room} together,"
                " as lsum plan estimates; so many are written about at a time"
            )
        return room

    def _settings(self, pages: Sequence[Page]) -> SearchSettings:
        """How to search for a summary of these pages; of all lengths for the longest.

        Raises:
            OptionError: A length that the model cannot write, or that contradicts the checkpoint's.
        """
        if self.options.all_lengths:
            return list(self._settings_by_length(pages).values())[-1]
        return self._choose_search(self.options, pages)

    def _settings_by_length(self, pages: Sequence[Page]) -> dict[str, SearchSettings]:
        """How to search for each named length that the model can write, the shortest first.

        Raises:
            OptionError: It can write none.
        """
        found: dict[str, SearchSettings] = {}
        for name in NAMED_LENGTHS:
            try:
                found[name] = self._choose_search(replace(self.options, length=name), pages)
            except OptionError:
                if not found:
                    raise
                break
            if found[name].falls_short:
                break
        return found

    def _choose_search(self, options: SummaryOptions, pages: Sequence[Page]) -> SearchSettings:
        return choose_search(
            options,
            self.generation_defaults,
            tokens_per_word=tokens_per_word(pages),
            positions=self.max_written,
        )

    def _join_lengths(self, summaries: Mapping[str, Summary], seconds: Mapping[str, float]) -> Summary:
        """One summary with all lengths: that of the longest, and the first sentence of the shortest.

        Args:
            summaries: By the name of their length, the shortest first.
            seconds: Wall-clock time of all of them, by stage.
        """
        longest, shortest = list(summaries.values())[-1], next(iter(summaries.values()))
        texts = {SENTENCE: shortest.sentences[:1]}
        texts |= {name: summary.sentences for name, summary in summaries.items()}
        missing = " and ".join(name for name in NAMED_LENGTHS if name not in summaries)
        remarks = [f"{self.manifest.name} cannot write so much: {missing} is left out"] if missing else []
        warnings = [warning for summary in summaries.values() for warning in summary.warnings]
        return replace(
            longest,
            lengths=tuple(SummaryLength(name=name, sentences=text) for name, text in texts.items()),
            seconds=seconds,
            warnings=tuple(dict.fromkeys((*warnings, *remarks))),
        )

    def _attribute(
        self, sentences: Sequence[TokenSentence], outcome: Outcome
    ) -> Sequence[Attribution | None]:
        """Where each sentence came from, by what the search found."""
        raise NotImplementedError

    def _page_weights(
        self,
        sentence: TokenSentence,  # noqa: ARG002
        outcome: Outcome,  # noqa: ARG002
    ) -> NDArray[np.float32] | None:
        """What a sentence says of each page, (pages,), to choose between several that hold it."""
        return None

    def _origins(self, sentences: Sequence[TokenSentence], outcome: Outcome) -> Sequence[Attribution | None]:
        """Where each sentence came from; of verbatim ones this is known."""
        if outcome.verbatim is None:
            return self._attribute(sentences, outcome)
        return [
            sentence.source.attribution(outcome.pages, self._page_weights(sentence, outcome))
            for sentence in sentences
            if isinstance(sentence, WrittenVerbatim)
        ]

    def _own_options(self, plan: AnyPlan) -> dict[str, OptionValue]:  # noqa: ARG002
        """What the summary records besides the settings that all models have."""
        return {}

    def _compose(
        self, plan: AnyPlan, outcomes: Iterable[Outcome], settings: SearchSettings, clock: Clock
    ) -> Summary:
        """The summary of what was found, one outcome after the other.

        Args:
            settings: How was searched in all, which the summary records.

        Raises:
            CheckpointError: No part has any text.
        """
        sentences: list[SummarySentence] = []
        warnings: list[str] = []
        for outcome in outcomes:
            found, remarks = self._sentences(plan, outcome)
            start = len(sentences)
            origins: Sequence[Attribution | None] = [None] * len(found)
            if self.options.attribution and found:
                origins = self._origins(found, outcome)
            sentences += [
                SummarySentence(
                    text=sentence.text,
                    index=index,
                    log_prob=mean_log_prob(sentence, outcome.hypothesis.log_probs),
                    attribution=origin,
                )
                for index, (sentence, origin) in enumerate(zip(found, origins, strict=True), start)
            ]
            warnings += [remark for remark in remarks if remark not in warnings]
            clock.stop("attribute")
        return self._record(plan, sentences, settings, clock, warnings)

    def _sentences(self, plan: AnyPlan, outcome: Outcome) -> tuple[Sequence[TokenSentence], list[str]]:
        """The sentences that were found for a part, and what the reader should know of them."""
        token_ids = outcome.hypothesis.token_ids
        if outcome.verbatim is not None:
            return outcome.verbatim.read(token_ids), list(outcome.remarks)
        found: Sequence[TokenSentence]
        if is_in_pieces(self.tokenizer):
            found = read_pieces(self.tokenizer, token_ids, outcome.pages, plan.documents[0].language)
        else:
            found = split_tokens(self.tokenizer, token_ids, plan.documents[0].language)
        if not found:
            return [], [f"nothing was written for {outcome.pages[0].label}"]
        found, is_broken_off = end_at_sentence(found, outcome.settings, len(token_ids))
        return found, [CUT_OFF] * is_broken_off + list(outcome.remarks)

    def _record(
        self,
        plan: AnyPlan,
        sentences: Sequence[SummarySentence],
        settings: SearchSettings,
        clock: Clock,
        warnings: Sequence[str],
    ) -> Summary:
        """The finished summary, with how it was made.

        Raises:
            CheckpointError: There are no sentences.
        """
        if not sentences:
            raise CheckpointError(
                f"the checkpoint {self.manifest.name} wrote no text", "give --min-tokens or another --model"
            )
        if settings.falls_short:
            most = f"{self.manifest.name} writes at most {settings.max_tokens} tokens"
            warnings = [*warnings, f"{most}: less than the {self.options.num_words} words asked for"]
        return plan.summary(
            sentences,
            checkpoint=self.loaded.reference,
            options={
                **recorded_settings(self.options, settings, self.loaded),
                "faithful": self.faithful,
                "read": self.read,
                **self._own_options(plan),
            },
            seconds=clock.seconds,
            warnings=warnings,
        )


def _suggest(language: str | None) -> str:
    """What summarises a document in a language: an installed checkpoint that says it does, or extraction."""
    able = [
        found.name
        for found in list_installed()
        if found.manifest and found.problem is None and language in found.manifest.languages
    ]
    model = f"--model {able[0]}, " if able else ""
    return f"give {model}--method extract, which reads every language, or --any-language"
