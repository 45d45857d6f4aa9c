"""What a hub shows of a checkpoint: the model card, the manifest as readable text, and what is sent."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from lsum_cli.checkpoints.int8 import describe_int8
from lsum_cli.checkpoints.manifest import LICENCE_UNKNOWN, Manifest, OriginKind, TrainingRecord
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.text.languages import name_language

CARD_NAME = "README.md"
ORIGINAL_CARD_NAME = "ORIGINAL_CARD.md"


@dataclass(frozen=True, kw_only=True)
class Push:
    """What is sent, and where to.

    Attributes:
        manifest: The manifest as it is sent, with all files but itself.
        folder: The checkpoint on this machine.
        repo: ``OWNER/NAME``.
        endpoint: The address of the hub.
        is_private: Whether a new repository is private.
        url: Where it lies now; ``None`` before it was sent.
    """

    manifest: Manifest
    folder: Path
    repo: str
    endpoint: str
    is_private: bool
    url: str | None = None

    @property
    def lacks_licence(self) -> bool:
        """Whether the card states no licence."""
        return self.manifest.licence == LICENCE_UNKNOWN


def write_card(manifest: Manifest, summary: str = "") -> str:
    """Write the card as Markdown, headed by the facts that the hub reads.

    Args:
        summary: What the checkpoint is good for, if known.
    """
    lines = [*_front_matter(manifest), "", f"# {manifest.name}", ""]
    if summary:
        lines += [f"Good for: {summary}.", ""]
    lines += [f"- {label}: {value}" for label, value in facts_of(manifest)]
    lines += _usage(manifest)
    if manifest.metrics:
        lines += ["", "## Scores", "", "| metric | value |", "|---|---|"]
        lines += [f"| {name} | {value:.2f} |" for name, value in manifest.metrics.items()]
        if any("rouge" in name for name in manifest.metrics):
            lines += ["", f"ROUGE: {ROUGE_SIGNATURE}."]
    if manifest.training is not None:
        lines += _training(manifest.training)
    lines += [
        "",
        "What a model writes can be wrong: check names, numbers and quotations against the pages cited.",
        "",
    ]
    return "\n".join(lines)


def facts_of(manifest: Manifest) -> list[tuple[str, str]]:
    """The facts about a checkpoint, as labels and values."""
    origin, generation = manifest.origin, manifest.generation
    source = f"{origin.source} at {origin.revision}" if origin.revision else origin.source
    facts: list[tuple[str, str | None]] = [
        ("method", manifest.method.value),
        ("licence", manifest.licence),
        ("origin", f"{_PLACES[origin.kind]} {source}"),
        ("base", manifest.base),
        ("locality trained for", manifest.locality.value if manifest.locality else None),
        ("languages", ", ".join(map(name_language, manifest.languages))),
        ("tokens per page", f"{manifest.page_len:,}" if manifest.page_len else None),
        ("pages trained with", str(manifest.pages) if manifest.pages else None),
        ("absent pages", None if manifest.page_len is None else _absent_pages(manifest)),
        ("page confidence", "trained" if manifest.trained_confidence else "not trained"),
        ("summary length", _length(generation.min_tokens, generation.max_tokens)),
        ("beams", str(generation.beams) if generation.beams else None),
        ("int8", None if manifest.int8 is None else describe_int8(manifest)),
        ("created", f"{manifest.created} by lsum {manifest.lsum_version}"),
    ]
    return [(label, value) for label, value in facts if value]


def _front_matter(manifest: Manifest) -> list[str]:
    """What a hub repository says of a model in YAML; a licence only by an identifier that the hub knows."""
    task = "token-classification" if manifest.method is CheckpointMethod.TAGGER else "summarization"
    tags = ", ".join(dict.fromkeys(("lsum", manifest.method.value)))
    lines = ["---", "library_name: transformers", f"pipeline_tag: {task}", f"tags: [{tags}]"]
    if manifest.languages:
        lines.append(f"language: [{', '.join(manifest.languages)}]")
    if manifest.licence.lower() in _HUB_LICENCES:
        lines.append(f"license: {manifest.licence.lower()}")
    if manifest.base and re.fullmatch(r"[\w.-]+/[\w.-]+", manifest.base):
        lines.append(f"base_model: {manifest.base}")
    if manifest.training is not None and manifest.metrics:
        lines += _index(manifest, manifest.training)
    return [*lines, "---"]


def _index(manifest: Manifest, record: TrainingRecord) -> list[str]:
    """The validation scores as the hub lists them; names are quoted, since they are the user's."""
    name = next((data.name for data in record.data if data.split == "validation"), "validation")
    lines = ["model-index:", f"- name: {json.dumps(manifest.name)}", "  results:", "  - task:"]
    lines += ["      type: summarization", "    dataset:", f"      name: {json.dumps(name)}"]
    lines += ["      type: validation", "    metrics:"]
    for metric, value in manifest.metrics.items():
        kind = metric.removeprefix("validation_")
        # The hub knows one name for all of ROUGE.
        known = "rouge" if kind.startswith("rouge") else kind
        lines += [f"    - type: {known}", f"      name: {json.dumps(metric)}", f"      value: {value:.4f}"]
    return lines


def _usage(manifest: Manifest) -> list[str]:
    """How to use it, with and without lsum's commands."""
    lines = ["", "## Use", ""]
    auto = "AutoModelForSeq2SeqLM"
    place = manifest.name if "/" in manifest.name else f"./{manifest.name}"
    if manifest.method is CheckpointMethod.TAGGER:
        auto = "AutoModelForTokenClassification"
    else:
        lines += ["```sh", f"lsum summarize paper.pdf -m {place}", "```", ""]
    imports = [] if manifest.method is CheckpointMethod.SEQ2SEQ else ["import lsum_cli.models.auto"]
    imports.append(f"from transformers import {auto}")
    return [*lines, "```python", *imports, "", f'model = {auto}.from_pretrained("{place}")', "```"]


def _training(record: TrainingRecord) -> list[str]:
    """The sections on training; data sources are named for those who redistribute the checkpoint."""
    lines = ["", "## Training", "", f"{record.step:,} steps, {record.epoch:.2f} epochs", ""]
    made = [
        ("parameters", None if record.parameters is None else f"{record.parameters:,}"),
        ("hardware", record.hardware),
        ("processes", str(record.processes)),
        ("time", None if record.seconds is None else f"{record.seconds / 3600:.2f} hours"),
        ("energy of the processor", _energy(record)),
        ("commit", record.commit),
    ]
    lines += [*(f"- {label}: {value}" for label, value in made if value), ""]
    lines += ["| setting | value |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in record.recipe.items()]
    lines += ["", "## Data", "", "| split | file | SHA-256 |", "|---|---|---|"]
    for data in record.data:
        lines += [f"| {data.split} | {path} | `{sha256}` |" for path, sha256 in data.files.items()]
    lines += ["", "| library | version |", "|---|---|"]
    return lines + [f"| {name} | {version} |" for name, version in record.versions.items()]


def _energy(record: TrainingRecord) -> str | None:
    if record.hardware is None:
        return None  # written before it was recorded
    return "not measured" if record.energy_wh is None else f"{record.energy_wh:,.1f} Wh, as it counts itself"


# How validation computes it.
ROUGE_SIGNATURE = "rouge-score, F1 in percent, Porter stemming, mean over documents, Lsum by sentence"
_HUB_LICENCES = frozenset(
    {"apache-2.0", "mit", "bsd-3-clause", "cc0-1.0", "cc-by-4.0", "cc-by-sa-4.0", "cc-by-nc-4.0", "gpl-3.0"}
)
_PLACES = {
    OriginKind.HUB: "hub model",
    OriginKind.DRIVE: "published file",
    OriginKind.FILE: "file",
    OriginKind.TRAINING: "training on",
}


def _absent_pages(manifest: Manifest) -> str:
    return "masked" if manifest.mask_absent_pages else f"hold “{manifest.absent_page_text}” and take part"


def _length(low: int | None, high: int | None) -> str | None:
    if low is None and high is None:
        return None
    return f"{low or 0:,} to {high:,} tokens" if high else f"at least {low:,} tokens"
