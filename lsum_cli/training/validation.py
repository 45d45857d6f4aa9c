"""How good a model is by now: cross-entropy, and ROUGE of what it writes with the method's own engine."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsum_cli.checkpoints.saving import save_checkpoint
from lsum_cli.datasets.example import Example
from lsum_cli.errors import CheckpointError, MissingDependency
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.text.sentences import split_sentences
from lsum_cli.training.batches import IGNORED_LABEL
from lsum_cli.training.events import Sample
from lsum_cli.training.folder import disk_trouble
from lsum_cli.training.objectives import Objective
from lsum_cli.training.optimisation import batch_loss

if TYPE_CHECKING:
    import torch

ROUGE_TYPES = ("rouge1", "rouge2", "rougeLsum")


def measure_batches(
    objective: Objective, model: Any, batches: Iterable[Mapping[str, Any]], device: torch.device
) -> dict[str, float]:
    """Sums over the batches of this process, so that those of all processes can be added.

    Returns:
        ``loss`` (sum over tokens, without smoothing), ``tokens``, and what the objective tallies.
    """
    import torch

    sums = {"loss": 0.0, "tokens": 0.0}
    tally = getattr(objective, "tally", None)
    model.eval()
    with torch.no_grad():
        for batch in batches:
            inputs = {name: value.to(device) for name, value in batch.items()}
            tokens = int((inputs["labels"] != IGNORED_LABEL).sum())
            loss, output = batch_loss(model, inputs, 0.0, 1)
            sums["loss"] += float(loss)
            sums["tokens"] += tokens
            if tally is not None:
                for name, value in tally(output, inputs).items():
                    sums[name] = sums.get(name, 0.0) + float(value)
    return sums


def conclude(objective: Objective, sums: Mapping[str, float]) -> dict[str, float]:
    """The measures that the sums over all processes amount to."""
    metrics = {"loss": sums["loss"] / max(1.0, sums["tokens"])}
    measure = getattr(objective, "measure", None)
    if measure is not None:
        metrics |= measure({name: value for name, value in sums.items() if name not in ("loss", "tokens")})
    return metrics


@dataclass(frozen=True, kw_only=True)
class Writer:
    """Writes summaries of validation documents with a model that is being trained.

    Attributes:
        folder: Where a scratch folder may be made for it.
        device: Where it runs.
        progress: Told how many documents are summarised.
    """

    objective: Objective
    folder: Path
    device: str
    progress: ProgressListener = ignore_progress

    def write(self, examples: Sequence[Example]) -> list[Sample]:
        """Save the model and let its method summarise the examples' documents.

        A model may write nothing at first: such a summary is empty, and scores 0.
        """
        if not examples:
            return []
        manifest = self.objective.manifest("in-training")
        with tempfile.TemporaryDirectory(dir=self.folder, prefix=".validation-") as scratch:
            place = Path(scratch) / "model"
            with disk_trouble(self.folder):
                save_checkpoint(place, self.objective.model, self.objective.tokenizer, manifest)
            options = SummaryOptions(
                model=str(place), device=self.device, attribution=False, offline=True, dtype="auto"
            )
            summarizer = Summarizer(options)
            samples = []
            for number, example in enumerate(examples, start=1):
                samples.append(
                    Sample(
                        id=example.id,
                        summary=_summarize(summarizer, example),
                        reference=example.reference or "",
                    )
                )
                self.progress(
                    ProgressEvent(
                        stage="writing summaries", done=number, total=len(examples), unit="documents"
                    )
                )
        return samples


def score_rouge(samples: Sequence[Sample]) -> dict[str, float]:
    """ROUGE F1 in percent, stemmed, averaged; L is the summary-level one, over sentences.

    Raises:
        MissingDependency: The scorer is not installed.
    """
    score = load_rouge()
    totals = dict.fromkeys(ROUGE_TYPES, 0.0)
    for sample in samples:
        scores = score(_lines(sample.reference), _lines(sample.summary))
        for name in ROUGE_TYPES:
            totals[name] += 100 * scores[name].fmeasure
    return {name: total / max(1, len(samples)) for name, total in totals.items()}


def load_rouge() -> Callable[[str, str], Mapping[str, Any]]:
    """The scorer: takes reference and summary, a sentence a line.

    Raises:
        MissingDependency: It is not installed.
    """
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError as error:
        raise MissingDependency(
            "validation by ROUGE needs rouge-score", "install it: pip install 'lsum-cli[train]'"
        ) from error
    scorer = RougeScorer(list(ROUGE_TYPES), use_stemmer=True)
    score: Callable[[str, str], Mapping[str, Any]] = scorer.score
    return score


def _summarize(summarizer: Summarizer, example: Example) -> str:
    try:
        summary = summarizer.summarize(example.documents, reference=example.reference)
    except CheckpointError as error:
        if "wrote no text" not in error.what:
            raise
        return ""
    return "\n".join(sentence.text for sentence in summary.sentences)


def _lines(text: str) -> str:
    return "\n".join(sentence for line in text.splitlines() for sentence in split_sentences(line))
