"""Page confidences of one example, for the generated summary and for the reference (Liu et al. 2022)."""

from __future__ import annotations

from lsum_cli.datasets.example import Example
from lsum_cli.errors import OptionError
from lsum_cli.evaluation.results import GENERATED, REFERENCE, ConfidenceMap, label_pages
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.pagesum import PageSumMethod
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.progress import ProgressListener, ignore_progress


def trace_confidence(
    example: Example, options: SummaryOptions, progress: ProgressListener = ignore_progress
) -> tuple[ConfidenceMap, ...]:
    """Trace the page confidences while a model writes its summary, and while it is forced to the reference.

    Args:
        example: Without a reference only the model's own summary is traced.
        options: The model, and how it writes.

    Returns:
        The map of the generated summary, and that of the reference (teacher forcing).

    Raises:
        OptionError: The method has no page confidences.
        CheckpointError: The checkpoint cannot be used, or has no confidences.
    """
    summarizer = Summarizer(options, progress)
    method, plan = summarizer.method_for(example.documents), summarizer.plan(example.documents)
    if not isinstance(method, PageSumMethod):
        raise OptionError(
            f"the method {method.name} has no page confidences to show",
            "give --model with a PageSum checkpoint",
        )
    texts = {GENERATED: None} | ({REFERENCE: example.reference} if example.reference else {})
    maps = []
    for name, text in texts.items():
        trace = method.trace(plan, text)
        maps.append(
            ConfidenceMap(
                name=name,
                tokens=trace.tokens,
                log_probs=trace.log_probs,
                pages=label_pages([page.label for page in plan.pages], trace.num_fillers),
                weights=trace.weights,
                tokens_cut=trace.tokens_cut,
            )
        )
    return tuple(maps)
