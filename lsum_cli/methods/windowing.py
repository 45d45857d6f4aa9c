"""The method ``windowing``: a pointer-generator that reads on window by window (Schüller et al. 2020)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from lsum_cli.attribution.window import WindowAttributor
from lsum_cli.checkpoints.loading import LoadedCheckpoint
from lsum_cli.documents import Document
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.generation.options import Slots
from lsum_cli.locality import Locality, LocalityChoice, Page
from lsum_cli.machine.devices import AUTO
from lsum_cli.machine.memory import explain_out_of_memory
from lsum_cli.methods.base import Cost, MethodChoice, Plan, SentenceListener
from lsum_cli.methods.batching import group_neighbours
from lsum_cli.methods.costs import PROGRAM_BYTES, measure_rates
from lsum_cli.methods.detokenising import SentenceBuilder, Spelling, TokenSentence
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.methods.model_method import Clock, ModelMethod
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.search_settings import SearchSettings, tokens_per_word
from lsum_cli.methods.source_windows import SourceWindows
from lsum_cli.methods.verbatim import NOTHING_FITS, WindowedSource, WrittenVerbatim
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.summaries import OptionValue, Summary, SummarySentence
from lsum_cli.text.tokenizers import Tokenizer

if TYPE_CHECKING:
    from lsum_cli.generation.constraints import Constraint
    from lsum_cli.generation.hypotheses import StreamedToken
    from lsum_cli.generation.options import GenerationOptions
    from lsum_cli.models.windowing.engine import WindowingDecoder, WindowingEngine, WindowStep
    from lsum_cli.models.windowing.settings import WindowingSettings
    from lsum_cli.models.windowing.windows import WindowRules

BEAMS, LENGTH_PENALTY = 3, 1.0
_LISTED = 8
_MUCH_UNKNOWN = 0.5
_MANY_SILENT = 0.5
# Share of the rate of matrix products that recurrence reaches, and bytes stored per word.
_RECURRENT_SHARE = 0.3
_BYTES_PER_WORD = 250
# Time of a step beyond arithmetic: choosing among the candidates.
_STEP_SECONDS = 1.5e-3


@dataclass(frozen=True, kw_only=True)
class WindowingPlan(Plan):
    """A plan with the text as the model reads it; a window is a page."""

    text: SourceWindows


class WindowingMethod(ModelMethod[WindowingPlan]):
    """A windowing model with one checkpoint; see :class:`~lsum_cli.methods.model_method.ModelMethod`.

    Raises:
        CheckpointError: The checkpoint is of another architecture.
        OptionError: Windows that would skip text, a windowing the checkpoint was not trained for, or a
            length for a model that decides on it itself.
    """

    name = "windowing"
    writes_together = True

    def __init__(
        self, choice: MethodChoice, options: SummaryOptions, progress: ProgressListener = ignore_progress
    ) -> None:
        super().__init__(choice, options, progress)
        self._model_config = config = self._read_config()
        self._windowing = options.windowing or config.windowing
        self._paced = config.paced if options.paced is None else options.paced
        self._check_windowing()
        layout = self._rules().schedule(1, config).layout
        self.page_len, self._stride = layout.window_len, layout.stride
        self.locality = LocalityChoice(
            locality=Locality.SPATIAL, reason=f"{self._windowing} windows, {self._stride} words apart"
        )

    @cached_property
    def engine(self) -> WindowingEngine:
        """What encodes and decodes.

        Raises:
            CheckpointError: The checkpoint is damaged or of another architecture.
            DeviceError: There is no such device.
        """
        from lsum_cli.models.windowing.engine import WindowingEngine

        loaded = self.loaded
        return WindowingEngine.prepare(loaded.model, loaded.precision, device=loaded.device)

    def _load_engine(self) -> None:
        _ = self.engine

    def count_tokens(self, text: str) -> int:
        """Count the words and punctuation marks of a sentence."""
        from lsum_cli.models.windowing.vocabulary import encode_source

        return len(encode_source(self.tokenizer, [text]))

    def plan(
        self, documents: Sequence[Document], *, title: str | None = None, reference: str | None = None
    ) -> WindowingPlan:
        """Lay the windows over the text; see :attr:`SourceWindows.pages`."""
        read = self.select(documents)
        text = SourceWindows.of(
            read.documents,
            self.tokenizer,
            window_len=self.page_len,
            stride=self._stride,
            keep_references=self.options.keep_references,
            first_window_only=self._windowing == "none",
        )
        longest = max((page.num_tokens for page in text.pages), default=0)
        return self._plan(
            WindowingPlan,
            documents,
            text.pages,
            title=title,
            reference=reference,
            page_len=longest,
            read=read.documents,
            remarks=read.remarks,
            text=text,
        )

    def estimate(self, plan: WindowingPlan) -> Cost:
        """Time and memory from the configuration and this machine's speed; loads no weights."""
        from lsum_cli.machine.devices import choose_device, choose_precision
        from lsum_cli.models.blocks.precision import keeps_compact
        from lsum_cli.models.windowing.encoded_text import CACHED_AHEAD

        config, most = self._model_config, self._max_words
        num_tokens = sum(page.num_tokens for page in plan.pages)
        steps = round(config.summary_len * num_tokens / config.source_len) + len(plan.pages)
        if most:
            steps = min(steps, most + len(plan.pages))
        beams = self._search_settings(steps).beams
        vocab, embedding, hidden = (
            int(self.config[name]) for name in ("vocab_size", "embedding_size", "hidden_size")
        )
        device = choose_device(self.options.device)
        flops_rate, bytes_rate = measure_rates(device, choose_precision("float32", device))
        is_compact = device.type == "cpu" and self.options.dtype == AUTO and keeps_compact()
        reading = 2 * 2 * num_tokens * 4 * hidden * (embedding + hidden)
        writing = 2 * beams * steps * (vocab * embedding + 8 * hidden * (embedding + 2 * hidden))
        weights = 4 * (vocab * embedding + 40 * hidden * (embedding + hidden))
        return Cost(
            seconds=reading / (flops_rate * _RECURRENT_SHARE)
            + writing / flops_rate
            + steps * (_STEP_SECONDS + (2 if is_compact else 4) * vocab * embedding / bytes_rate),
            memory_bytes=PROGRAM_BYTES
            + 2 * weights
            + num_tokens * _BYTES_PER_WORD
            + min(num_tokens, CACHED_AHEAD) * 4 * hidden,
            token_bytes=_BYTES_PER_WORD + 4 * hidden,
            held_tokens=num_tokens,
        )

    def _write(self, plan: WindowingPlan, on_sentence: SentenceListener) -> Summary:
        """Write a summary of the windows, and tell of each sentence once no beam can change it."""
        (summary,) = self._write_together([plan], self._rules(plan.pages), on_sentence)
        return summary

    def _write_all(self, plans: Sequence[WindowingPlan], batch_tokens: int) -> list[Summary]:
        """A summary for each plan; those whose windows are moved through alike are decoded together."""
        found: dict[int, Summary] = {}
        alike: dict[tuple[WindowRules, ...], list[int]] = {}
        lengths: Iterable[int | None] = NAMED_LENGTHS.values() if self.options.all_lengths else (None,)
        for place, plan in enumerate(plans):
            alike.setdefault(tuple(self._rules(plan.pages, each) for each in lengths), []).append(place)
        for (rules, *_), places in alike.items():
            tokens = [len(plans[place].text.source) for place in places]
            most = 0 if self.alone_because else batch_tokens
            for batch in group_neighbours(places, tokens, most):
                summaries = self._write_together([plans[place] for place in batch], rules, lambda _: None)
                found |= zip(batch, summaries, strict=True)
        return [found[place] for place in range(len(plans))]

    @property
    def alone_because(self) -> str | None:
        """See :attr:`~lsum_cli.methods.base.Method.alone_because`."""
        # What may be written verbatim is a matter of each text's own windows.
        return "windowing writes verbatim sentences of one document at a time" if self.is_verbatim else None

    def _write_together(
        self, plans: Sequence[WindowingPlan], rules: WindowRules, on_sentence: SentenceListener
    ) -> list[Summary]:
        """Summaries of texts that are read and written together, a single one in a verbatim search."""
        from lsum_cli.machine.processor import one_thread

        # Steps of a small LSTM are too short to be shared: two threads take half as long again.
        with explain_out_of_memory(self.options.device), one_thread():
            clock = Clock()
            engine = self.engine
            clock.stop("load")
            source = WindowedSource(plans[0].text) if self.is_verbatim else None
            if source and rules.max_words and rules.max_words < source.shortest:
                rules = replace(rules, max_words=source.shortest, min_words=0)
                source.remarks += (NOTHING_FITS,)
            decoder = engine.encode([plan.text.source for plan in plans], rules, progress=self.progress)
            clock.stop("encode")
            if not self.options.all_lengths:
                return self._decode(plans, decoder, rules, source, on_sentence, clock)
            by_length = {}
            for name, words in NAMED_LENGTHS.items():
                # Texts of the same rules have the same number of tokens for a word.
                own = self._rules(plans[0].pages, words)
                by_length[name] = self._decode(plans, decoder.under(own), own, source, lambda _: None, clock)
        shares = {stage: taken / len(plans) for stage, taken in clock.seconds.items()}
        return [
            self._join_lengths(
                {name: summaries[place] for name, summaries in by_length.items()}, plan.with_seconds(shares)
            )
            for place, plan in enumerate(plans)
        ]

    def _decode(
        self,
        plans: Sequence[WindowingPlan],
        decoder: WindowingDecoder,
        rules: WindowRules,
        source: WindowedSource | None,
        on_sentence: SentenceListener,
        clock: Clock,
    ) -> list[Summary]:
        """Write by these rules what the decoder has read."""
        from lsum_cli.generation.beam import beam_search

        settings = self._search_settings(decoder.max_length - 1)
        attribute = self.options.attribution
        writers = [
            _Writer(
                plan.text,
                self.tokenizer,
                decoder,
                on_sentence,
                source,
                document=document,
                attribute=attribute,
            )
            for document, plan in enumerate(plans)
        ]
        options = self._generation_options(settings, decoder)
        constraints: list[Constraint] = []
        if source:
            (plan,) = plans
            options, rule = _constrain(source, options, decoder, self._shift_token_id, rules, plan.text)
            constraints.append(rule)
        beam_search(
            decoder,
            options,
            constraints=constraints,
            progress=_in_windows(self.progress, sum(len(plan.text.layout) for plan in plans), writers),
            on_settled=lambda document, tokens: writers[document].extend(tokens),
        )
        written = [writer.finish() for writer in writers]
        clock.stop("decode")
        shares = Clock({stage: taken / len(plans) for stage, taken in clock.seconds.items()})
        summaries = []
        for plan, writer, sentences in zip(plans, writers, written, strict=True):
            doubts = self._doubts(plan.text, decoder, writer) if sentences else []
            doubts += source.remarks if source else ()
            summaries.append(self._record(plan, sentences, settings, shares, doubts))
        return summaries

    def _own_options(self, plan: WindowingPlan) -> dict[str, OptionValue]:  # noqa: ARG002
        return {
            "windowing": self._windowing,
            "window": self.page_len,
            "stride": self._stride,
            "paced": self._paced,
            "coverage_penalty": self.options.coverage_penalty or 0.0,
        }

    def _read_config(self) -> WindowingSettings:
        from lsum_cli.models.windowing.settings import WindowingSettings

        found = self.config["model_type"]
        if found != self.name:
            raise self._other_architecture("windowing model", str(found))
        try:
            return WindowingSettings.known(self.config)
        except (TypeError, ValueError) as error:
            raise CheckpointError(
                f"the configuration of {self.manifest.name} is damaged: {error}",
                "train or download it again",
            ) from error

    def _load(self) -> LoadedCheckpoint:
        from lsum_cli.machine.devices import Precision
        from lsum_cli.models.blocks.precision import keeps_compact
        from lsum_cli.models.windowing.network import WindowingNetwork

        loaded = super()._load()
        if not isinstance(loaded.model, WindowingNetwork):
            raise self._other_architecture("windowing model", type(loaded.model).__name__)
        if self.options.dtype == AUTO and loaded.device.type == "cpu" and keeps_compact():
            # For a few rows faster than bfloat16 also where processors have it, and finer.
            loaded = replace(loaded, precision=Precision.FLOAT16)
        return loaded

    def _check_windowing(self) -> None:
        options, trained = self.options, self._model_config.windowing
        if self._windowing == "dynamic" and trained != "dynamic":
            raise OptionError(
                f"{self.manifest.name} was trained with {trained} windowing and has no window-shift token",
                "leave out --windowing",
            )
        if options.length is not None and self._windowing == "dynamic":
            raise OptionError(
                "with dynamic windowing the model decides how much it writes: --length has no effect",
                "give --windowing static to keep to a length, or --max-tokens for an upper limit",
            )

    def _rules(self, pages: Sequence[Page] = (), num_words: int | None = None) -> WindowRules:
        """How the windows are moved through.

        Args:
            num_words: Length of the summary; by default as the options have it.
        """
        from lsum_cli.models.windowing.windows import WindowRules

        options, words = self.options, None
        if options.length is not None and pages:
            words = max(1, round((num_words or options.num_words) * tokens_per_word(pages)))
        return WindowRules(
            windowing=self._windowing,
            window_len=options.window,
            stride=options.stride,
            summary_tokens=words,
            coverage_penalty=options.coverage_penalty or 0.0,
            # No text is skipped unless the user sets a limit, or the model has learnt to end anywhere.
            finish_windows=self._max_words is None and self._model_config.shifts == "throughout",
            paced=self._paced,
            min_words=options.min_tokens or 0,
            max_words=self._max_words,
        )

    @property
    def _max_words(self) -> int | None:
        """The limit of the summary: the user's, else the checkpoint's unless a length was asked for."""
        options = self.options
        return options.max_tokens or (self.generation_defaults.max_tokens if options.length is None else None)

    def _search_settings(self, most: int) -> SearchSettings:
        """The search settings; the length of the summary is determined by the windows."""
        options, defaults = self.options, self.generation_defaults
        beams = options.beams or defaults.beams or BEAMS
        penalties = (options.length_penalty, defaults.length_penalty, LENGTH_PENALTY)
        sizes = (options.no_repeat_ngram, defaults.no_repeat_ngram, 0)
        return SearchSettings(
            min_tokens=options.min_tokens or 0,
            max_tokens=self._max_words or most,
            beams=beams,
            length_penalty=next(value for value in penalties if value is not None),
            no_repeat_ngram=next(value for value in sizes if value is not None),
            early_stopping=False,
            length_in_words=options.length is not None,
            slots=defaults.slots or Slots.SEPARATE,
        )

    @property
    def _shift_token_id(self) -> int:
        return self._model_config.shift_token_id

    def _generation_options(self, settings: SearchSettings, decoder: WindowingDecoder) -> GenerationOptions:
        from lsum_cli.generation.options import GenerationOptions
        from lsum_cli.models.windowing.vocabulary import PAD_ID, START_ID, UNKNOWN_ID

        return GenerationOptions(
            beams=settings.beams,
            max_length=max(2, decoder.max_length),
            length_penalty=settings.length_penalty,
            no_repeat_ngram=settings.no_repeat_ngram,
            slots=settings.slots,
            ngram_exempt_token_ids=(self._shift_token_id,),
            start_token_id=START_ID,
            end_token_id=int(self._model_config.eos_token_id or 0),
            banned_token_ids=(PAD_ID, UNKNOWN_ID, START_ID),
        )

    def _doubts(self, text: SourceWindows, decoder: WindowingDecoder, writer: _Writer) -> list[str]:
        """Warnings about how the summary was written."""
        windows, doubts = len(text.layout), []
        guarded = decoder.guarded(writer.document, writer.token_ids)
        if guarded:
            doubts.append(
                f"the model did not stop writing for {_list_windows(guarded, windows)}:"
                f" the window was advanced after {self._model_config.max_window_tokens} words"
            )
        last = max(writer.windows, default=0)
        limit = None if self.is_verbatim else self._max_words
        is_limited = limit is not None and writer.num_words >= limit
        if is_limited:
            what = "--max-tokens" if self.options.max_tokens else f"the checkpoint's {limit} tokens"
            doubts.append(f"the summary was cut off at {what}, in window {last + 1} of {windows}")
        elif last + 1 < windows:
            doubts.append(
                f"the summary ended in window {last + 1} of {windows}: what follows it is not summarised"
            )
        silent = windows - len(writer.written_windows)
        if silent > _MANY_SILENT * windows and not is_limited:
            doubts.append(f"the model wrote nothing for {silent} of {windows} windows")
        source = text.source
        unknown = float((source.input_ids != source.extended_ids).mean())
        if unknown > _MUCH_UNKNOWN:
            doubts.append(
                f"{unknown:.0%} of the words are unknown to {self.manifest.name}: it can only copy them"
            )
        return doubts


class _Writer:
    """Turns final tokens into sentences with their attribution.

    Args:
        text: The source.
        tokenizer: The checkpoint's tokenizer.
        decoder: What writes.
        on_sentence: Told of every sentence.
        source: The only sentences that can be written, in a verbatim search.
        document: The number of the text among those of the decoder.
        attribute: Whether to attribute sentences.

    Attributes:
        token_ids: All tokens so far, window shifts among them.
        windows: The window of each.
    """

    def __init__(
        self,
        text: SourceWindows,
        tokenizer: Tokenizer,
        decoder: WindowingDecoder,
        on_sentence: SentenceListener,
        source: WindowedSource | None = None,
        *,
        document: int,
        attribute: bool,
    ) -> None:
        from lsum_cli.generation.verbatim import SentenceReader
        from lsum_cli.models.windowing.vocabulary import SPECIAL_TOKENS

        self.document = document
        self._num_special = len(SPECIAL_TOKENS)
        self._on_sentence = on_sentence
        self._source, self._reader = source, SentenceReader()
        self._pages, self._attribute = text.pages, attribute
        spelling = Spelling(text, tokenizer)
        self._builder = SentenceBuilder(spelling, text.documents[0].language)
        self._attributor = (
            WindowAttributor(text, decoder.tracer(document), spelling.plain) if attribute else None
        )
        self._log_probs: list[float] = []
        self._norms: list[float] = []
        self._sentences: list[SummarySentence] = []
        self.token_ids: list[int] = []
        self.windows: list[int] = []

    @property
    def num_words(self) -> int:
        """Words and punctuation marks so far."""
        return sum(1 for token_id in self.token_ids if token_id >= self._num_special)

    @property
    def written_windows(self) -> set[int]:
        """The windows for which words were written."""
        pairs = zip(self.token_ids, self.windows, strict=True)
        return {window for token_id, window in pairs if token_id >= self._num_special}

    def extend(self, tokens: Sequence[StreamedToken[WindowStep]]) -> None:
        """Add the next tokens."""
        for token in tokens:
            assert token.trace is not None
            window = token.trace.window
            place = len(self.token_ids)
            self.token_ids.append(token.token_id)
            self.windows.append(window)
            self._norms.append(token.trace.log_gen_norm)
            self._log_probs.append(token.log_prob)
            if self._source is not None:
                self._read(place, token.token_id, window)
            elif token.token_id < self._num_special:
                # Where the window moves or the summary ends, so does the sentence.
                self._emit(self._builder.finish())
            elif sentence := self._builder.add(place, token.token_id, window):
                self._emit([sentence])

    def finish(self) -> list[SummarySentence]:
        """All sentences, after the last token."""
        self._emit(self._builder.finish())
        return self._sentences

    def _read(self, place: int, token_id: int, window: int) -> None:
        """Add a token of a verbatim search."""
        assert self._source is not None
        written = self._reader.add(place, token_id, self._source.index(window))
        if written is not None:
            sentence = self._source.sentence(written.number)
            self._emit([WrittenVerbatim(text=sentence.text, tokens=written.places, source=sentence)])

    def _emit(self, found: Sequence[TokenSentence]) -> None:
        for sentence in found:
            attribution = None
            if isinstance(sentence, WrittenVerbatim):
                attribution = sentence.source.attribution(self._pages) if self._attribute else None
            elif self._attributor:
                attribution = self._attributor.attribute(
                    sentence.tokens, self.token_ids, self.windows, self._norms
                )
            written = SummarySentence(
                text=sentence.text,
                index=len(self._sentences),
                log_prob=sum(self._log_probs[place] for place in sentence.tokens) / len(sentence.tokens),
                attribution=attribution,
            )
            self._sentences.append(written)
            self._on_sentence(written)


def _constrain(
    source: WindowedSource,
    options: GenerationOptions,
    decoder: WindowingDecoder,
    shift_token_id: int,
    rules: WindowRules,
    text: SourceWindows,
) -> tuple[GenerationOptions, Constraint]:
    """The options and the constraint under which the sentences of each row's window can be written."""
    from lsum_cli.generation.verbatim import Offer, VerbatimSentences, without_limits

    class WindowOffers:
        """Offers the sentences of each row's window."""

        def offer(self, document: int, row: int, length: int) -> Offer:  # noqa: ARG002
            """See ``Offers.offer``."""
            state = decoder.state(row)
            return Offer(
                index=source.index(state.window),
                room=None if rules.max_words is None else rules.max_words - state.total,
                way_out=shift_token_id if decoder.allows_shift(row) else options.end_token_id,
            )

    rule = VerbatimSentences(WindowOffers(), [options], (shift_token_id,))
    decoder.guide(rule.is_within, lambda row, window: rule.has_written_all(row, source.index(window)))
    # Every window may be left a sentence later than its limit says.
    longer = options.max_length + len(text.layout) * source.longest
    return without_limits(replace(options, max_length=longer)), rule


def _in_windows(progress: ProgressListener, windows: int, writers: Sequence[_Writer]) -> ProgressListener:
    """Report progress in windows: the number of tokens is not known beforehand."""

    def tell(event: ProgressEvent) -> None:
        done = sum(writer.windows[-1] for writer in writers if writer.windows)
        progress(ProgressEvent(stage=event.stage, done=done, total=windows, unit="windows"))

    return tell


def _list_windows(windows: Sequence[int], total: int) -> str:
    """``"3 of 30 windows (4, 5, 9)"``."""
    if len(windows) == total:
        return "the only window" if total == 1 else f"any of {total} windows"
    listed = ", ".join(str(window + 1) for window in windows[:_LISTED])
    more = ", …" if len(windows) > _LISTED else ""
    return f"{len(windows)} of {total} windows ({listed}{more})"
