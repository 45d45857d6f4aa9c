"""How a summary is to be made."""

from __future__ import annotations

import math
from dataclasses import dataclass

from lsum_cli.errors import OptionError
from lsum_cli.locality import Locality

NAMED_LENGTHS = {"short": 75, "medium": 150, "long": 300}
DEFAULT_LENGTH = "medium"
WINDOWINGS = ("dynamic", "static")
POOLINGS = ("avg", "ada", "oracle")
# Options that only some methods know: by name, the methods.
METHODS_OF_OPTIONS = {
    "windowing": ("windowing",),
    "window": ("windowing",),
    "stride": ("windowing",),
    "coverage_penalty": ("windowing",),
    "pooling": ("topdown", "book"),
    "chapter_model": ("book",),
    "show_chapters": ("book",),
}
# Options that some methods have no use for.
METHODS_WITHOUT_OPTIONS = {
    "page_tokens": ("windowing",),
    "pages": ("windowing", "book"),
    "locality": ("windowing", "book"),
}


@dataclass(frozen=True, kw_only=True)
class SummaryOptions:
    """How a summary is to be made.

    Attributes:
        method: A method's name, or ``"auto"``: that of the checkpoint, or the best one installed.
        locality: ``None`` for ``auto``.
        model: A checkpoint: a name, a hub id, or a directory; ``None`` for the best one installed.
        length: ``"short"``, ``"medium"``, ``"long"``, or a number of words; ``None`` for what the
            checkpoint was made to write, and ``"medium"`` without one.
        min_tokens: Tokens of the summary at least; with ``max_tokens`` it goes before ``length``.
        max_tokens: Tokens of the summary at most.
        beams: Width of the beam search; ``None``, here and below, for the checkpoint's own.
        length_penalty: Exponent of the length by which the beam search divides scores.
        no_repeat_ngram: No n-gram of this size comes twice; 0 allows all.
        coverage_penalty: How much a beam loses for reading the same words again and again.
        windowing: ``dynamic`` or ``static``; ``None``, here and below, for the checkpoint's own.
        window: Tokens of a window.
        stride: Tokens from the beginning of a window to that of the next.
        pooling: How segments are pooled from tokens: ``avg``, ``ada`` or ``oracle``.
        chapter_model: Of a book, the checkpoint that summarises its chapters; ``None`` for ``model``.
        show_chapters: Of a book, whether its chapters' summaries are part of the result.
        page_tokens: Tokens a page holds at most; ``None`` for the method's own.
        pages: Number of pages wished for; ``None`` for as many as the text needs.
        keep_references: Whether reference lists are read.
        attribution: Whether to say where every sentence came from.
        device: ``auto``, ``cpu``, ``cuda``, ``cuda:N`` or ``mps``.
        dtype: ``auto``, ``float32``, ``bfloat16``, ``float16`` or ``int8``.
        seed: Of whatever chance a model takes.
        offline: Whether no connection may be made.

    Raises:
        OptionError: A value out of range, or wishes that exclude one another.
    """

    method: str = "auto"
    locality: Locality | None = None
    model: str | None = None
    length: str | None = None
    min_tokens: int | None = None
    max_tokens: int | None = None
    beams: int | None = None
    length_penalty: float | None = None
    no_repeat_ngram: int | None = None
    coverage_penalty: float | None = None
    windowing: str | None = None
    window: int | None = None
    stride: int | None = None
    pooling: str | None = None
    chapter_model: str | None = None
    show_chapters: bool = False
    page_tokens: int | None = None
    pages: int | None = None
    keep_references: bool = False
    attribution: bool = True
    device: str = "auto"
    dtype: str = "auto"
    seed: int = 0
    offline: bool = False

    def __post_init__(self) -> None:
        for problem, next_step in self._conflicts():
            raise OptionError(problem, next_step)

    @property
    def num_words(self) -> int:
        """The wished length in words."""
        length = self.length or DEFAULT_LENGTH
        if length in NAMED_LENGTHS:
            return NAMED_LENGTHS[length]
        try:
            return int(length)
        except ValueError:
            named = ", ".join(NAMED_LENGTHS)
            raise OptionError(
                f"'{length}' is no length", f"give --length {named} or a number of words"
            ) from None

    def check_method(self, name: str) -> None:
        """Refuse wishes that the method chosen cannot grant.

        Raises:
            OptionError: An option of other methods was given.
        """
        for option, methods in METHODS_OF_OPTIONS.items():
            if getattr(self, option) not in (None, False) and name not in methods:
                raise OptionError(
                    f"{_flag(option)} has no meaning for the method {name}",
                    f"leave it out, or give --method {' or '.join(methods)}",
                )
        for option, methods in METHODS_WITHOUT_OPTIONS.items():
            if getattr(self, option) is not None and name in methods:
                raise OptionError(f"{_flag(option)} has no meaning for the method {name}", "leave it out")

    def _conflicts(self) -> list[tuple[str, str]]:
        """Every wish that cannot be granted, with what to do about it."""
        at_least_one = {
            "--page-tokens": self.page_tokens,
            "--pages": self.pages,
            "--max-tokens": self.max_tokens,
            "--beams": self.beams,
            "--window": self.window,
            "--stride": self.stride,
        }
        at_least_zero = {
            "--min-tokens": self.min_tokens,
            "--no-repeat-ngram": self.no_repeat_ngram,
            "--seed": self.seed,
        }
        limits = [(at_least_one, 1), (at_least_zero, 0)]
        conflicts = [
            (f"{flag} {value} is too small", f"give {flag} at least {least}")
            for values, least in limits
            for flag, value in values.items()
            if value is not None and value < least
        ]
        checks = (
            (
                self.num_words < 1,
                f"a summary of {self.num_words} words is empty",
                "ask for at least 1 word with --length",
            ),
            (
                self.pages is not None and self.locality is Locality.DOCUMENT,
                "--pages cannot be used with document locality, where a document is a page",
                "leave out --pages or choose another --locality",
            ),
            (
                None not in (self.min_tokens, self.max_tokens)
                and (self.min_tokens or 0) > (self.max_tokens or 0),
                f"--min-tokens {self.min_tokens} exceeds --max-tokens {self.max_tokens}",
                "lower the one or raise the other",
            ),
            (
                self.length_penalty is not None and not math.isfinite(self.length_penalty),
                f"--length-penalty {self.length_penalty} ranks nothing",
                "give it a finite number",
            ),
            (
                self.beams == 1 and self.length_penalty is not None,
                "--length-penalty has no effect with --beams 1, which ranks nothing",
                "leave it out, or give more --beams",
            ),
            (
                self.windowing not in (None, *WINDOWINGS),
                f"there is no --windowing '{self.windowing}'",
                f"give one of {', '.join(WINDOWINGS)}",
            ),
            (
                None not in (self.window, self.stride) and (self.stride or 0) > (self.window or 0),
                f"--stride {self.stride} exceeds --window {self.window}: it would skip text",
                "give a --stride of at most the --window",
            ),
            (
                self.coverage_penalty is not None
                and not (math.isfinite(self.coverage_penalty) and self.coverage_penalty >= 0),
                f"--coverage-penalty {self.coverage_penalty} penalises nothing",
                "give it a number from 0 (off)",
            ),
            (
                self.pooling not in (None, *POOLINGS),
                f"there is no --pooling '{self.pooling}'",
                f"give one of {', '.join(POOLINGS)}",
            ),
            (
                self.method == "extract" and self.model is not None,
                f"--method extract needs no checkpoint, but --model {self.model} was given",
                "leave one of them out",
            ),
        )
        return conflicts + [(problem, next_step) for found, problem, next_step in checks if found]


def _flag(option: str) -> str:
    return f"--{option.replace('_', '-')}"
