"""How an evaluation is done, besides what is evaluated and on what."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from pathlib import Path

from lsum_cli.errors import OptionError

DEFAULT_RESAMPLES = 1000


class Tokenizer(enum.StrEnum):
    """How a sentence becomes tokens."""

    AUTO = "auto"
    ROUGE_SCORE = "rouge-score"
    UNICODE = "unicode"


class Preparation(enum.StrEnum):
    """What is done to a text before it is tokenised."""

    NONE = "none"
    PTB = "ptb"


@dataclass(frozen=True, kw_only=True)
class RougeSettings:
    """What ROUGE scores depend on besides the texts.

    Attributes:
        stem: Whether English endings are taken off (Porter), as in nearly all published scores.
        tokenizer: ``rouge-score`` knows the letters a-z and digits alone; ``unicode`` keeps those of
            every script, one token a character in scripts without spaces, and is the same on
            English text; ``auto`` chooses by the references.
        prepare: ``ptb`` sets words and punctuation apart as the Penn Treebank does, brackets as
            ``-LRB-``, and lower-cases: what scores of the Perl script were mostly computed on.
    """

    stem: bool = True
    tokenizer: Tokenizer = Tokenizer.AUTO
    prepare: Preparation = Preparation.NONE


@dataclass(frozen=True, kw_only=True)
class ModelScores:
    """Which encoders of the hub score besides ROUGE; none unless named.

    Attributes:
        bertscore: For BERTScore, ``OWNER/NAME`` or a folder.
        coherence: A BERT with a next-sentence head, for semantic coherence.
        device: Where they run.
        offline: Whether no connection may be made; none is made in any case.
    """

    bertscore: str | None = None
    coherence: str | None = None
    device: str = "auto"
    offline: bool = False


@dataclass(frozen=True, kw_only=True)
class EvaluationOptions:
    """How an evaluation is done.

    Attributes:
        rouge: What ROUGE scores depend on.
        resamples: Of the bootstrap, for intervals and comparisons.
        seed: Of the bootstrap.
        processes: How many processes compute ROUGE.
        batch_size: How many summaries a system may write together, which takes more memory; the default
            writes one after the other, and what comes of it may differ by rounding.
        results: The folder where summaries are kept and taken from; ``None`` keeps none.
        fresh: Write every summary anew, whatever is kept.
        models: Encoders that score besides.

    Raises:
        OptionError: A number that is too small.
    """

    rouge: RougeSettings = field(default_factory=RougeSettings)
    resamples: int = DEFAULT_RESAMPLES
    seed: int = 0
    processes: int = 1
    batch_size: int = 1
    results: Path | None = None
    fresh: bool = False
    models: ModelScores = field(default_factory=ModelScores)

    def __post_init__(self) -> None:
        for flag, value, least in (
            ("--resamples", self.resamples, 1),
            ("--bootstrap-seed", self.seed, 0),
            ("--processes", self.processes, 1),
            ("--batch-size", self.batch_size, 1),
        ):
            if value < least:
                raise OptionError(f"{flag} {value} is too small", f"give {flag} at least {least}")
