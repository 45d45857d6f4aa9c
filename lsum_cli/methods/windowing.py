"""The method ``windowing``: a pointer-generator that reads on window by window (Schüller et al. 2020)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lsum_cli.checkpoints.loading import LoadedCheckpoint
from lsum_cli.documents import Document
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.locality import Locality, LocalityChoice, Page
from lsum_cli.machine.devices import AUTO
from lsum_cli.machine.memory import explain_out_of_memory
from lsum_cli.methods.choice import MethodChoice
from lsum_cli.methods.method import Cost, SentenceListener, Written
from lsum_cli.methods.opening import OpenedCheckpoint
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.search_settings import (
    SearchSettings,
    read_generation_defaults,
    recorded_settings,
    tokens_per_word,
)
from lsum_cli.methods.source_windows import SourceWindows
from lsum_cli.methods.window_writer import WindowWriter
from lsum_cli.methods.windowing_cost import estimate_windowing
from lsum_cli.progress import ProgressEvent, ProgressListener

if TYPE_CHECKING:
    from lsum_cli.generation.options import GenerationOptions
    from lsum_cli.models.windowing.engine import WindowingDecoder, WindowingEngine
    from lsum_cli.models.windowing.settings import WindowingSettings
    from lsum_cli.models.windowing.windows import WindowRules

BEAMS, LENGTH_PENALTY = 3, 1.0
_LISTED = 8
_MUCH_UNKNOWN = 0.5
_MANY_SILENT = 0.5


class WindowingMethod:
    """A windowing model with one checkpoint, which is loaded at the first summary and kept.

    Args:
        choice: Its folder and manifest.
        options: How summaries are to be made.

    Raises:
        CheckpointError: The checkpoint is of another architecture, or damaged.
        OptionError: Windows that would skip text, a windowing the checkpoint was not trained for, or a
            length for a model that decides on it itself.
    """

    name = "windowing"
    pages = None
    max_page_len = None

    def __init__(self, choice: MethodChoice, options: SummaryOptions) -> None:
        self._opened = opened = OpenedCheckpoint.of(choice, options)
        self._options = options
        self._config = config = _read_config(opened)
        self._windowing = options.windowing or config.windowing
        self._check_windowing()
        schedule = self._rules().schedule(1, config)
        self.page_len, self._stride = schedule.layout.window_len, schedule.layout.stride
        self._text: SourceWindows | None = None
        self._loaded: tuple[LoadedCheckpoint, WindowingEngine] | None = None
        self.locality: LocalityChoice | None = LocalityChoice(
            locality=Locality.SPATIAL, reason=f"{self._windowing} windows, {self._stride} words apart"
        )

    def count_tokens(self, text: str) -> int:
        """Words and marks of a sentence."""
        from lsum_cli.models.windowing.vocabulary import encode_source

        return len(encode_source(self._opened.tokenizer, [text]))

    def make_pages(self, documents: Sequence[Document]) -> tuple[Page, ...]:
        """The windows of the documents' text; see :attr:`SourceWindows.pages`."""
        return self._read(documents).pages

    def estimate(self, pages: Sequence[Page]) -> Cost:
        """Time and memory from the configuration and this machine's speed; loads no weights."""
        num_tokens = sum(page.num_tokens for page in pages)
        steps = round(self._config.summary_len * num_tokens / self._config.source_len) + len(pages)
        if self._options.max_tokens:
            steps = min(steps, self._options.max_tokens + len(pages))
        return estimate_windowing(self._opened, num_tokens, steps, self._settings(steps).beams)

    def write(
        self,
        pages: Sequence[Page],
        documents: Sequence[Document],
        options: SummaryOptions,
        progress: ProgressListener,
    ) -> Written:
        """Write a summary of the windows.

        Raises:
            CheckpointError: The checkpoint is damaged, or writes nothing.
            DeviceError: There is no such device, or its memory does not suffice.
        """
        return self.stream(pages, documents, options, progress, lambda _: None)

    def stream(
        self,
        pages: Sequence[Page],
        documents: Sequence[Document],
        options: SummaryOptions,
        progress: ProgressListener,
        listener: SentenceListener,
    ) -> Written:
        """Write a summary of the windows, and tell of each sentence once no beam can change it."""
        from lsum_cli.generation.beam import beam_search
        from lsum_cli.machine.processor import one_thread

        text = self._read(documents)
        # Steps of a small LSTM are too short to be shared: two threads take half as long again.
        with explain_out_of_memory(options.device), one_thread():
            times = [time.perf_counter()]
            loaded, engine = self._loaded or self._load(progress)
            times.append(time.perf_counter())
            decoder = engine.encode([text.source], self._rules(pages), progress=progress)
            times.append(time.perf_counter())
            settings = self._settings(decoder.max_length - 1)
            writer = WindowWriter(text, self._opened, decoder, listener, attribute=options.attribution)
            beam_search(
                decoder,
                self._generation_options(settings, decoder),
                progress=_in_windows(progress, len(text.layout), writer),
                on_settled=lambda _, tokens: writer.extend(tokens),
            )
            sentences = writer.finish()
            times.append(time.perf_counter())
        if not sentences:
            raise self._opened.wrote_nothing()
        stages = ("load", "encode", "decode")
        return Written(
            sentences=tuple(sentences),
            options={
                **recorded_settings(options, settings, loaded),
                "windowing": self._windowing,
                "window": self.page_len,
                "stride": self._stride,
                "coverage_penalty": options.coverage_penalty or 0.0,
            },
            seconds={stage: times[i + 1] - times[i] for i, stage in enumerate(stages)},
            checkpoint=loaded.reference,
            warnings=tuple(self._doubts(text, decoder, writer)),
        )

    def _read(self, documents: Sequence[Document]) -> SourceWindows:
        """The documents as the model reads them; kept, for they are paged before they are summarised."""
        text = self._text
        if text is None or list(map(id, text.documents)) != list(map(id, documents)):
            text = self._text = SourceWindows.of(
                documents,
                self._opened.tokenizer,
                window_len=self.page_len,
                stride=self._stride,
                keep_references=self._options.keep_references,
                first_window_only=self._windowing == "none",
            )
        return text

    def _load(self, progress: ProgressListener) -> tuple[LoadedCheckpoint, WindowingEngine]:
        from lsum_cli.machine.devices import Precision
        from lsum_cli.models.blocks.precision import keeps_compact
        from lsum_cli.models.windowing.engine import WindowingEngine
        from lsum_cli.models.windowing.network import WindowingNetwork

        loaded = self._opened.load(progress, for_engine=True)
        if not isinstance(loaded.model, WindowingNetwork):
            raise _other_architecture(self._opened.name, type(loaded.model).__name__)
        is_plain = loaded.device.type == "cpu" and loaded.precision is Precision.FLOAT32
        if self._options.dtype == AUTO and is_plain and keeps_compact():
            # Finer than the bfloat16 that newer processors choose, and half the bytes of float32.
            loaded = replace(loaded, precision=Precision.FLOAT16)
        engine = WindowingEngine.prepare(loaded.model, loaded.precision, device=loaded.device)
        self._loaded = loaded, engine
        return self._loaded

    def _check_windowing(self) -> None:
        options, trained = self._options, self._config.windowing
        if self._windowing == "dynamic" and trained != "dynamic":
            raise OptionError(
                f"{self._opened.name} was trained with {trained} windowing and knows no window shift",
                "leave out --windowing",
            )
        if options.length is not None and self._windowing == "dynamic":
            raise OptionError(
                "with dynamic windowing the model decides how much it writes: --length has no meaning",
                "give --windowing static to keep to a length, or --max-tokens for an upper limit",
            )

    def _rules(self, pages: Sequence[Page] = ()) -> WindowRules:
        from lsum_cli.models.windowing.windows import WindowRules

        options, words = self._options, None
        if options.length is not None and pages:
            words = max(1, round(options.num_words * tokens_per_word(pages)))
        return WindowRules(
            windowing=self._windowing,
            window_len=options.window,
            stride=options.stride,
            summary_tokens=words,
            coverage_penalty=options.coverage_penalty or 0.0,
            # Nothing of a text is passed over, unless the user sets a limit.
            finish_windows=options.max_tokens is None,
            paced=True,
            min_words=options.min_tokens or 0,
            max_words=options.max_tokens,
        )

    def _settings(self, most: int) -> SearchSettings:
        """How to search; the windows, not the checkpoint, say how long a summary becomes."""
        options = self._options
        defaults = read_generation_defaults(self._opened.folder, self._opened.manifest.generation)
        beams = options.beams or defaults.beams or BEAMS
        penalties = (options.length_penalty, defaults.length_penalty, LENGTH_PENALTY)
        sizes = (options.no_repeat_ngram, defaults.no_repeat_ngram, 0)
        return SearchSettings(
            min_tokens=options.min_tokens or 0,
            max_tokens=options.max_tokens or most,
            beams=beams,
            length_penalty=next(value for value in penalties if value is not None),
            no_repeat_ngram=next(value for value in sizes if value is not None),
            early_stopping=False,
            length_in_words=options.length is not None,
        )

    def _generation_options(self, settings: SearchSettings, decoder: WindowingDecoder) -> GenerationOptions:
        from lsum_cli.generation.options import GenerationOptions
        from lsum_cli.models.windowing.vocabulary import PAD_ID, START_ID, UNKNOWN_ID

        return GenerationOptions(
            beams=settings.beams,
            max_length=max(2, decoder.max_length),
            length_penalty=settings.length_penalty,
            no_repeat_ngram=settings.no_repeat_ngram,
            ngram_exempt_token_ids=(self._config.shift_token_id,),
            start_token_id=START_ID,
            end_token_id=self._eos,
            banned_token_ids=(PAD_ID, UNKNOWN_ID, START_ID),
        )

    @property
    def _eos(self) -> int:
        return int(self._config.eos_token_id or 0)

    def _doubts(self, text: SourceWindows, decoder: WindowingDecoder, writer: WindowWriter) -> list[str]:
        """What the user should know of how the summary came about."""
        windows, doubts = len(text.layout), []
        guarded = decoder.guarded(0, writer.token_ids)
        if guarded:
            doubts.append(
                f"the model did not stop writing for {_list_windows(guarded, windows)}: it was moved on after"
                f" {self._config.max_window_tokens} words"
            )
        last = max(writer.windows, default=0)
        is_limited = self._options.max_tokens is not None and writer.num_words >= self._options.max_tokens
        if is_limited:
            doubts.append(f"the summary was broken off at --max-tokens, in window {last + 1} of {windows}")
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
                f"{unknown:.0%} of the words are unknown to {self._opened.name}: it can only copy them"
            )
        return doubts


def _in_windows(progress: ProgressListener, windows: int, writer: WindowWriter) -> ProgressListener:
    """Tell in windows how far the writing is; how many tokens there will be nobody knows."""

    def tell(event: ProgressEvent) -> None:
        done = writer.windows[-1] if writer.windows else 0
        progress(ProgressEvent(stage=event.stage, done=done, total=windows, unit="windows"))

    return tell


def _list_windows(windows: Sequence[int], total: int) -> str:
    """``"3 of 30 windows (4, 5, 9)"``."""
    if len(windows) == total:
        return "the only window" if total == 1 else f"any of {total} windows"
    listed = ", ".join(str(window + 1) for window in windows[:_LISTED])
    more = ", …" if len(windows) > _LISTED else ""
    return f"{len(windows)} of {total} windows ({listed}{more})"


def _read_config(opened: OpenedCheckpoint) -> WindowingSettings:
    from lsum_cli.models.windowing.settings import WindowingSettings

    if opened.config["model_type"] != WindowingMethod.name:
        raise _other_architecture(opened.name, str(opened.config["model_type"]))
    try:
        return WindowingSettings.known(opened.config)
    except (TypeError, ValueError) as error:
        raise CheckpointError(
            f"the configuration of {opened.name} is damaged: {error}", "train or download it again"
        ) from error


def _other_architecture(name: str, found: str) -> CheckpointError:
    return CheckpointError(
        f"{name} is no windowing model but a {found}", "give a windowing checkpoint, or leave out --method"
    )
