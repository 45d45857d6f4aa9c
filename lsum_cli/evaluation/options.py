"""How an evaluation is done, besides what is evaluated and on what."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from lsum_cli.errors import OptionError
from lsum_cli.evaluation.bootstrap import DEFAULT_RESAMPLES
from lsum_cli.evaluation.tokens import RougeSettings


@dataclass(frozen=True, kw_only=True)
class EvaluationOptions:
    """How an evaluation is done.

    Attributes:
        rouge: What ROUGE scores depend on.
        resamples: Of the bootstrap, for intervals and comparisons.
        seed: Of the bootstrap.
        processes: How many compute ROUGE side by side; see :func:`lsum_cli.evaluation.rouge.score_pairs`.
        results: The folder where summaries are kept and taken from; ``None`` keeps none.
        fresh: Write every summary anew, whatever is kept.

    Raises:
        OptionError: A number that is too small.
    """

    rouge: RougeSettings = field(default_factory=RougeSettings)
    resamples: int = DEFAULT_RESAMPLES
    seed: int = 0
    processes: int = 1
    results: Path | None = None
    fresh: bool = False

    def __post_init__(self) -> None:
        for flag, value, least in (
            ("--resamples", self.resamples, 1),
            ("--bootstrap-seed", self.seed, 0),
            ("--processes", self.processes, 1),
        ):
            if value < least:
                raise OptionError(f"{flag} {value} is too small", f"give {flag} at least {least}")
