"""lsum: summaries of long documents on your own machine, with the origin of every sentence."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from lsum_cli.version import __version__

if TYPE_CHECKING:
    from lsum_cli.checkpoints.loading import load_checkpoint
    from lsum_cli.documents import Document, Section, Sentence
    from lsum_cli.errors import LsumError
    from lsum_cli.evaluation.options import EvaluationOptions
    from lsum_cli.evaluation.runs import evaluate
    from lsum_cli.locality import Locality, Page, paginate
    from lsum_cli.methods.options import SummaryOptions
    from lsum_cli.methods.summarizer import Summarizer
    from lsum_cli.reading.registry import ReadOptions
    from lsum_cli.reading.sources import read
    from lsum_cli.summaries import Attribution, Coverage, Summary, SummarySentence
    from lsum_cli.training.options import TrainOptions
    from lsum_cli.training.recipes import load_recipe
    from lsum_cli.training.run import train

_HOMES = {
    "Attribution": "lsum_cli.summaries",
    "Coverage": "lsum_cli.summaries",
    "Document": "lsum_cli.documents",
    "EvaluationOptions": "lsum_cli.evaluation.options",
    "Locality": "lsum_cli.locality",
    "LsumError": "lsum_cli.errors",
    "Page": "lsum_cli.locality",
    "ReadOptions": "lsum_cli.reading.registry",
    "Section": "lsum_cli.documents",
    "Sentence": "lsum_cli.documents",
    "Summarizer": "lsum_cli.methods.summarizer",
    "Summary": "lsum_cli.summaries",
    "SummaryOptions": "lsum_cli.methods.options",
    "SummarySentence": "lsum_cli.summaries",
    "TrainOptions": "lsum_cli.training.options",
    "evaluate": "lsum_cli.evaluation.runs",
    "load_checkpoint": "lsum_cli.checkpoints.loading",
    "load_recipe": "lsum_cli.training.recipes",
    "paginate": "lsum_cli.locality",
    "read": "lsum_cli.reading.sources",
    "train": "lsum_cli.training.run",
}

__all__ = [
    "Attribution",
    "Coverage",
    "Document",
    "EvaluationOptions",
    "Locality",
    "LsumError",
    "Page",
    "ReadOptions",
    "Section",
    "Sentence",
    "Summarizer",
    "Summary",
    "SummaryOptions",
    "SummarySentence",
    "TrainOptions",
    "__version__",
    "evaluate",
    "load_checkpoint",
    "load_recipe",
    "paginate",
    "read",
    "train",
]


def __getattr__(name: str) -> Any:
    # Resolved on first use, so that `lsum --help` does not pay for what it does not need.
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
