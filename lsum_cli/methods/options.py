"""The options of summarising."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from lsum_cli.checkpoints.values import FAITHFULNESS, READING
from lsum_cli.errors import OptionError
from lsum_cli.locality import Locality
from lsum_cli.methods.length import ALL_LENGTHS, AUTO_LENGTH, DEFAULT_WORDS, parse_length
from lsum_cli.options import Panel, check_options, device_option, offline_option, option, options_of
from lsum_cli.paging import Paging
from lsum_cli.summaries import TOPIC_BREAK, Style

# Shown for a value that the checkpoint determines.
_CHECKPOINT_DEFAULT = "set by the checkpoint"
_CHECKPOINT = "NAME|OWNER/NAME[@REVISION]|DIR"


@dataclass(frozen=True, kw_only=True)
class SummaryOptions:
    """How to make a summary; the flags of ``lsum summarize`` set these fields.

    ``None`` means the checkpoint's default, or a value chosen for the text. Each field is described by its
    ``help``. With ``zoom``, extraction writes every length and the outline where none is asked for.

    Raises:
        OptionError: A value is out of range, or options exclude one another.
    """

    method: str = option(
        "auto",
        "--method",
        metavar="auto|extract|pagesum|topdown|windowing|seq2seq|book",
        help="How the summary is made; auto is the checkpoint's method, or the best one installed.",
        panel=Panel.SUMMARY,
    )
    locality: Locality | None = option(
        None,
        "--locality",
        help="What the sentences of a part share, which a model reads on its own: neighbourhood, section or"
        " document.",
        panel=Panel.SUMMARY,
        none_choice="auto",
        not_for=("windowing", "book"),
    )
    model: str | None = option(
        None,
        "-m",
        "--model",
        metavar=_CHECKPOINT,
        help="The checkpoint that writes the summary.",
        panel=Panel.MODEL,
        shown_default="the best one installed",
    )
    length: str | None = option(
        None,
        "--length",
        metavar="auto|short|medium|long|all|WORDS",
        help="Length of the summary: auto suits the source, or is the checkpoint's own; WORDS is the most;"
        " all gives every named length, and a single sentence, from one run.",
        panel=Panel.SUMMARY,
        shown_default="auto",
    )
    style: Style = option(
        Style.PROSE,
        "--style",
        help="Shape of the summary: running text, a list of sentences, or the document's outline with a"
        " sentence or two for each part.",
        panel=Panel.SUMMARY,
    )
    focus: str | None = option(
        None,
        "--focus",
        metavar="TEXT",
        help="What the summary is to be about: a question, or some words; may be given several times.",
        panel=Panel.SUMMARY,
        env=False,
        join=TOPIC_BREAK,
        shown_default="the whole",
    )
    keywords: bool = option(
        False, "--keywords/--no-keywords", help="Add the key phrases of the documents.", panel=Panel.SUMMARY
    )
    min_tokens: int | None = option(
        None,
        "--min-tokens",
        help="Minimum length of the summary in tokens; overrides --length.",
        panel=Panel.MODEL,
        shown_default=_CHECKPOINT_DEFAULT,
        minimum=0,
        for_models=True,
    )
    max_tokens: int | None = option(
        None,
        "--max-tokens",
        help="Maximum length of the summary in tokens; overrides --length.",
        panel=Panel.MODEL,
        shown_default=_CHECKPOINT_DEFAULT,
        minimum=1,
        for_models=True,
    )
    beams: int | None = option(
        None,
        "--beams",
        help="Width of the beam search; 1 is greedy decoding, the fastest.",
        panel=Panel.MODEL,
        shown_default=_CHECKPOINT_DEFAULT,
        minimum=1,
        for_models=True,
    )
    length_penalty: float | None = option(
        None,
        "--length-penalty",
        help="Exponent of the length by which scores are divided; higher values favour longer summaries.",
        panel=Panel.MODEL,
        shown_default=_CHECKPOINT_DEFAULT,
        for_models=True,
    )
    no_repeat_ngram: int | None = option(
        None,
        "--no-repeat-ngram",
        help="Never write the same sequence of this many tokens twice; 0 allows repetition.",
        panel=Panel.MODEL,
        shown_default=_CHECKPOINT_DEFAULT,
        minimum=0,
        for_models=True,
    )
    coverage_penalty: float | None = option(
        None,
        "--coverage-penalty",
        help="Windowing: penalty for attending to the same words repeatedly; 0 turns it off.",
        panel=Panel.MODEL,
        shown_default=_CHECKPOINT_DEFAULT,
        minimum=0,
        only_for=("windowing",),
    )
    windowing: str | None = option(
        None,
        "--windowing",
        help="Windowing: dynamic lets the model decide when to move its window; static moves it by"
        " lengths fixed beforehand.",
        panel=Panel.MODEL,
        shown_default=_CHECKPOINT_DEFAULT,
        choices=("dynamic", "static"),
        only_for=("windowing",),
    )
    paced: bool | None = option(
        None,
        "--paced/--no-paced",
        help="Dynamic windowing: move the window as often as the model expects to, or (--no-paced) whenever"
        " the beam search chooses the window-shift token, as in the paper.",
        panel=Panel.MODEL,
        shown_default=_CHECKPOINT_DEFAULT,
        only_for=("windowing",),
    )
    window: int | None = option(
        None,
        "--window",
        help="Windowing: width of the window in tokens.",
        panel=Panel.MODEL,
        shown_default=_CHECKPOINT_DEFAULT,
        minimum=1,
        only_for=("windowing",),
    )
    stride: int | None = option(
        None,
        "--stride",
        help="Windowing: tokens from the start of one window to the start of the next; at most --window.",
        panel=Panel.MODEL,
        shown_default=_CHECKPOINT_DEFAULT,
        minimum=1,
        only_for=("windowing",),
    )
    pooling: str | None = option(
        None,
        "--pooling",
        help="Top-Down: how a segment weights its tokens: equally (avg), by the importance tagger (ada), or"
        " by the reference (oracle; lsum eval only).",
        panel=Panel.MODEL,
        shown_default=_CHECKPOINT_DEFAULT,
        choices=("avg", "ada", "oracle"),
        only_for=("topdown", "book"),
    )
    chapter_model: str | None = option(
        None,
        "--chapter-model",
        metavar=_CHECKPOINT,
        help="Books: the checkpoint that summarises the chapters.",
        panel=Panel.MODEL,
        shown_default="the book's checkpoint",
        only_for=("book",),
    )
    show_chapters: bool = option(
        False,
        "--show-chapters",
        help="Books: write the chapter summaries too.",
        panel=Panel.OUTPUT,
        only_for=("book", "extract"),
    )
    page_tokens: int | None = option(
        None,
        "--page-tokens",
        help="Maximum length of a part in tokens.",
        panel=Panel.SUMMARY,
        shown_default="set by the method",
        minimum=1,
        not_for=("windowing",),
    )
    pages: int | None = option(
        None,
        "--pages",
        help="Number of parts (spatial locality), or the maximum number (discourse locality: short sections"
        " then share a part); with published paging the number that the checkpoint was trained with.",
        panel=Panel.SUMMARY,
        shown_default="as many as needed",
        minimum=1,
        not_for=("windowing", "book"),
    )
    paging: Paging | None = option(
        None,
        "--paging",
        help="PageSum: how pages are made: whole keeps every sentence; published divides, cuts and drops as"
        " the code did that the published checkpoints were trained with.",
        panel=Panel.SUMMARY,
        shown_default=_CHECKPOINT_DEFAULT,
        only_for=("pagesum",),
    )
    read: str | None = option(
        None,
        "--read",
        metavar="all|salient[:TOKENS]",
        help="What the model reads: everything, or the sentences that extraction ranks first, up to as many"
        " tokens as it reads at once (1024 where it has no limit) or as given.",
        panel=Panel.SUMMARY,
        shown_default="all, or set by the checkpoint",
        not_for=("extract",),
    )
    faithful: str | None = option(
        None,
        "--faithful",
        help="Whether what a model writes is checked against its source: not at all (off); sentence by"
        " sentence, with doubts shown (flag); or the model may only write sentences of the source, whole"
        " (verbatim).",
        panel=Panel.SUMMARY,
        choices=FAITHFULNESS,
        shown_default="flag, or set by the checkpoint",
        for_models=True,
    )
    parts: str | None = option(
        None,
        "--parts",
        help="Text that is longer than the model reads at once: summarise the summaries of its parts again"
        " if they are too long together (again), or join them (join).",
        panel=Panel.SUMMARY,
        choices=("again", "join"),
        shown_default="again",
        only_for=("seq2seq", "topdown", "book"),
    )
    keep_references: bool = option(
        False,
        "--keep-references/--no-references",
        help="Read the list of references (bibliography) too.",
        panel=Panel.READING,
    )
    attribution: bool = option(
        True,
        "--attribution/--no-attribution",
        help="Show where every sentence came from.",
        panel=Panel.OUTPUT,
    )
    any_language: bool = option(
        False,
        "--any-language",
        help="Let a checkpoint read a language that it was not made for.",
        panel=Panel.MODEL,
        for_models=True,
    )
    device: str = device_option()
    dtype: str = option(
        "auto",
        "--dtype",
        help="Precision of the weights; auto is the fastest on this machine without measurable loss.",
        panel=Panel.MODEL,
        choices=("auto", "float32", "bfloat16", "float16", "int8"),
        for_models=True,
    )
    seed: int = option(
        0, "--seed", help="Seed for random choices.", panel=Panel.MODEL, minimum=0, for_models=True
    )
    offline: bool = offline_option()
    # No flag: what reads on a screen wants more than what is printed, where it costs next to nothing.
    zoom: bool = False

    def __post_init__(self) -> None:
        if self.length == AUTO_LENGTH:
            object.__setattr__(self, "length", None)
        check_options(self)
        for problem, next_step in self._conflicts():
            raise OptionError(problem, next_step)

    @property
    def num_words(self) -> int:
        """The requested length in words; without one, what a model writes that has no length of its own.

        Raises:
            OptionError: It is not a length.
        """
        return DEFAULT_WORDS if self.length is None else parse_length(self.length)

    @property
    def all_lengths(self) -> bool:
        """Whether every named length is to be written in one run."""
        return self.length == ALL_LENGTHS

    def check_method(self, name: str) -> None:
        """Refuse options that do not apply to the chosen method.

        Raises:
            OptionError: An option that applies only to other methods was given.
        """
        for field, known in options_of(SummaryOptions).items():
            value = getattr(self, field)
            if value is None or (value is False and field != "paced") or known.suits(name):
                continue
            instead = f", or give --method {' or '.join(known.only_for)}" if known.only_for else ""
            raise OptionError(f"{known.flag} does not apply to the method {name}", f"leave it out{instead}")

    def for_method(self, name: str) -> SummaryOptions:
        """These options without those that do not apply to a method."""
        foreign = [field for field, known in options_of(SummaryOptions).items() if not known.suits(name)]
        defaults = {field.name: field.default for field in fields(SummaryOptions) if field.name in foreign}
        return replace(self, **defaults)  # type: ignore[arg-type]

    def _conflicts(self) -> Iterator[tuple[str, str]]:
        """Refuse options that exclude one another, with a hint on how to resolve it."""
        _ = self.num_words  # raises where it is no length
        if self.focus is not None and not self.focus.strip():
            yield f"--focus {self.focus!r} is empty", "say in a word or a question what to look for"
        # A checkpoint may have been trained with published paging, which has so many pages in any locality.
        is_whole = self.paging is Paging.WHOLE or (self.paging is None and self.model is None)
        if self.pages is not None and self.locality is Locality.DOCUMENT and is_whole:
            yield (
                "--pages cannot be used with document locality, where every document is a page",
                "leave out --pages or choose another --locality",
            )
        if self.min_tokens is not None and self.max_tokens is not None and self.min_tokens > self.max_tokens:
            yield (
                f"--min-tokens {self.min_tokens} exceeds --max-tokens {self.max_tokens}",
                "lower one or raise the other",
            )
        if self.read is not None and not READING.fullmatch(self.read):
            yield f"'{self.read}' is not a valid --read", "give all, salient or salient:TOKENS"
        elif self.read is not None and self.read.partition(":")[2].strip("0") == "" and ":" in self.read:
            yield f"--read {self.read} reads nothing", "give salient:TOKENS at least 1 token"
        if self.read == "all" and self.focus is not None:
            yield "--focus chooses what is read, and --read all reads everything", "leave out one of them"
        for limit in ("min_tokens", "max_tokens"):
            if self.all_lengths and getattr(self, limit) is not None:
                flag = f"--{limit.replace('_', '-')}"
                yield f"--length all and {flag} exclude each other", "leave out one of them"
        if self.beams == 1 and self.length_penalty is not None:
            yield (
                "--length-penalty has no effect with --beams 1: greedy decoding ranks nothing",
                "leave it out, or give more --beams",
            )
        if self.window is not None and self.stride is not None and self.stride > self.window:
            yield (
                f"--stride {self.stride} exceeds --window {self.window}: it would skip text",
                "give a --stride of at most the --window",
            )
        if self.method == "extract" and self.model is not None:
            yield (
                f"--method extract needs no checkpoint, but --model {self.model} was given",
                "leave one of them out",
            )
