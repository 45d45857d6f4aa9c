"""Options of an evaluation: ROUGE, the bootstrap, encoder metrics, caching."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path

from lsum_cli.errors import OptionError
from lsum_cli.options import Panel, check_options, device_option, offline_option, option, option_group

DEFAULT_RESAMPLES = 1000


class Tokenizer(enum.StrEnum):
    """The tokenizer of ROUGE."""

    AUTO = "auto"
    ROUGE_SCORE = "rouge-score"
    UNICODE = "unicode"


class Preparation(enum.StrEnum):
    """Preparation of a text before it is tokenised."""

    NONE = "none"
    PTB = "ptb"


class EntailmentEvidence(enum.StrEnum):
    """What must entail a summary."""

    DOCUMENT = "document"
    CITED = "cited"


@dataclass(frozen=True, kw_only=True)
class RougeSettings:
    """What ROUGE scores depend on besides the texts.

    Attributes:
        tokenizer: ``rouge-score`` handles only the letters a-z and digits; ``unicode`` handles every
            script, with one token per character in scripts without spaces, and is the same on
            English text; ``auto`` chooses by the references.
        prepare: ``ptb`` tokenises as in the Penn Treebank, with brackets as ``-LRB-``, and
            lower-cases, as was usual for the Perl script.
    """

    stem: bool = option(
        True,
        "--stem/--no-stem",
        help="Reduce English words to their stems (Porter), as nearly all published scores do.",
        panel=Panel.SCORES,
        env=False,
    )
    tokenizer: Tokenizer = option(
        Tokenizer.AUTO,
        "--tokenizer",
        help="Tokenizer for ROUGE: rouge-score handles a-z and digits only, unicode every script; auto"
        " chooses by the references.",
        panel=Panel.SCORES,
        env=False,
    )
    prepare: Preparation = option(
        Preparation.NONE,
        "--prepare",
        help="Preparation of the texts: ptb tokenises and lower-cases them as the papers did for the Perl"
        " script.",
        panel=Panel.SCORES,
        env=False,
    )


@dataclass(frozen=True, kw_only=True)
class EncoderOptions:
    """Metrics by models of the hub; none unless named.

    Attributes:
        offline: Whether network connections are forbidden; none is made in any case.

    Raises:
        OptionError: What must entail a summary, but no model that tells it.
    """

    bertscore: str | None = option(
        None,
        "--bertscore",
        metavar="OWNER/NAME|DIR",
        help="Also compute BERTScore with this encoder, such as FacebookAI/roberta-large.",
        panel=Panel.SCORES,
        env=False,
        shown_default="none",
    )
    coherence: str | None = option(
        None,
        "--coherence",
        metavar="OWNER/NAME|DIR",
        help="Also compute semantic coherence with this BERT, such as google-bert/bert-large-uncased.",
        panel=Panel.SCORES,
        env=False,
        shown_default="none",
    )
    nli: str | None = option(
        None,
        "--nli",
        metavar="OWNER/NAME|DIR",
        help="Also compute faithfulness by entailment (SummaC-ZS, AlignScore) with this NLI checkpoint, such"
        " as MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli.",
        panel=Panel.SCORES,
        env=False,
        shown_default="none",
    )
    nli_evidence: EntailmentEvidence = option(
        EntailmentEvidence.DOCUMENT,
        "--nli-evidence",
        help="What must entail a summary: cited compares it with the pages it cites alone, document also"
        " with the whole document, which takes longer.",
        panel=Panel.SCORES,
        env=False,
    )
    device: str = device_option()
    offline: bool = offline_option()

    def __post_init__(self) -> None:
        if self.nli is None and self.nli_evidence is EntailmentEvidence.CITED:
            raise OptionError("--nli-evidence was given without --nli", "name an NLI checkpoint with --nli")


@dataclass(frozen=True, kw_only=True)
class EvaluationOptions:
    """Options of an evaluation.

    Attributes:
        rouge: What ROUGE scores depend on.
        processes: Number of processes that compute ROUGE.
        batch_size: Summaries written in a batch may differ from those written one by one by rounding.
        results: The folder where summaries are cached; ``None`` caches none.
        models: Metrics by encoders.

    Raises:
        OptionError: A number that is too small.
    """

    rouge: RougeSettings = option_group(RougeSettings)
    resamples: int = option(
        DEFAULT_RESAMPLES,
        "--resamples",
        help="Number of bootstrap resamples for confidence intervals and p-values.",
        panel=Panel.SCORES,
        env=False,
        minimum=1,
    )
    seed: int = option(
        0, "--bootstrap-seed", help="Seed of the bootstrap.", panel=Panel.SCORES, env=False, minimum=0
    )
    processes: int = 1
    batch_size: int = option(
        1,
        "--batch-size",
        help="Number of summaries that a checkpoint writes at once, fewer of long documents: faster, but"
        " takes more memory.",
        panel=Panel.RUNNING,
        env=False,
        minimum=1,
    )
    results: Path | None = None
    fresh: bool = option(
        False, "--fresh", help="Write every summary anew, ignoring the cache.", panel=Panel.RUNNING, env=False
    )
    models: EncoderOptions = option_group(EncoderOptions)

    def __post_init__(self) -> None:
        check_options(self)
        if self.processes < 1:
            raise OptionError(f"--jobs {self.processes} is too small", "give --jobs at least 1")
