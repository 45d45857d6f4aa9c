"""Calibration: how a checkpoint in 8-bit integers compares with its full weights, on sample documents.

The full weights write a summary of every sample, the way ``lsum summarize`` does. Then both read the sample
and are led along that summary token by token (teacher forcing): of each position both say what they expect
next. Both write once more by themselves, by turns with the precision that ``--dtype auto`` otherwise chooses,
for the processor time. Nothing is drawn at random.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lsum_cli.checkpoints.int8 import METHODS
from lsum_cli.checkpoints.manifest import Int8Record, Manifest
from lsum_cli.checkpoints.saving import record_int8
from lsum_cli.checkpoints.store import InstalledCheckpoint, find_installed, not_installed
from lsum_cli.documents import Document
from lsum_cli.errors import CheckpointError, DeviceError
from lsum_cli.machine.processor import processor_class
from lsum_cli.methods.base import MethodChoice, Plan
from lsum_cli.methods.drafts import write_document
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

if TYPE_CHECKING:
    from lsum_cli.methods.pagesum import PageSumMethod

BUILT_IN = "the built-in text"
# Tokens of each sample's summary, and of its pages: short, so that there are several of both.
TOKENS = 64
PAGE_TOKENS = 128
# Of a user's documents: enough to rely on, and soon done however long they are.
PASSAGES = 6
PASSAGE_WORDS = 300
ROUNDS = 2
_TEXT = Path(__file__).with_name("calibration.md")


def built_in_documents() -> list[Document]:
    """The built-in English text: three short articles, each a document."""
    from lsum_cli.reading.sources import read

    return [
        write_document([(section.heading or "", [each.text for each in section.sentences])], "en")
        for section in read(_TEXT).sections
        if section.sentences
    ]


def passages_of(documents: Sequence[Document]) -> list[Document]:
    """At most :data:`PASSAGES` passages of about :data:`PASSAGE_WORDS` words, from all over the documents."""
    found: list[tuple[Document, list[str]]] = []
    for document in documents:
        passage: list[str] = []
        words = 0
        for sentence in document.sentences:
            passage.append(sentence.text)
            words += len(sentence.text.split())
            if words >= PASSAGE_WORDS:
                found.append((document, passage))
                passage, words = [], 0
        # What is left over is too short to compare, unless there is nothing else.
        if words > PASSAGE_WORDS // 2 or (words and not any(each is document for each, _ in found)):
            found.append((document, passage))
    count = min(PASSAGES, len(found))
    chosen = [found[place * len(found) // count] for place in range(count)]
    return [write_document([("", sentences)], document.language) for document, sentences in chosen]


def check_processor() -> None:
    """Check before any work that integers can be computed here.

    Raises:
        DeviceError: They cannot.
    """
    from lsum_cli.models.blocks.precision import computes_int8

    if not computes_int8():
        raise DeviceError(
            "this processor cannot compute int8 exactly", "compare on one with VNNI instructions"
        )


def calibrate(
    name: str,
    documents: Sequence[Document] | None = None,
    *,
    sample: str = BUILT_IN,
    progress: ProgressListener = ignore_progress,
) -> Manifest:
    """Compare an installed checkpoint in integers with its full weights, and record it in its manifest.

    Args:
        name: Its name, as installed.
        documents: Passages of these are summarised for it; ``None`` for the built-in text.
        sample: What the record calls these documents.

    Raises:
        CheckpointError: It is not installed, is part of lsum, or cannot compute in integers.
        DeviceError: This processor cannot.
    """
    installed = _find(name)
    check_processor()
    passages = built_in_documents() if documents is None else passages_of(documents)
    record = measure(installed, passages, sample, progress)
    return record_int8(installed.name, record, progress)


def measure(
    installed: InstalledCheckpoint,
    documents: Sequence[Document],
    sample: str,
    progress: ProgressListener = ignore_progress,
) -> Int8Record:
    """As :func:`calibrate`, but only measure."""
    progress(ProgressEvent(stage="comparing int8 with the full weights", done=0))
    exact = _method(installed, "float32")
    plans = [exact.plan([document]) for document in documents]
    written = [exact.search(plan).hypothesis.token_ids for plan in plans]
    expected = [exact.expect(plan, ids) for plan, ids in zip(plans, written, strict=True)]
    usual = _method(installed, _usual_precision())
    if usual.options.dtype == exact.options.dtype:
        usual = exact
    else:
        del exact
    integers = _method(installed, "int8")
    same, divergence = [], []
    for plan, ids, full in zip(plans, written, expected, strict=True):
        found = integers.expect(plan, ids)
        same.append(full.argmax(axis=1) == found.argmax(axis=1))
        share = np.exp(full.astype(np.float64))
        gap = np.where(share > 0, full.astype(np.float64) - found, 0.0)
        divergence.append((share * gap).sum(axis=1))
    times: dict[str, list[float]] = {"usual": [], "int8": []}
    for _ in range(ROUNDS):
        times["usual"].append(_time(usual, plans))
        times["int8"].append(_time(integers, plans))
    agreed, gaps = np.concatenate(same), np.concatenate(divergence)
    return Int8Record(
        agreement=round(float(agreed.mean()), 4),
        # A divergence is never less than 0; what rounding leaves below is 0.
        divergence=round(max(0.0, float(gaps.mean())), 6),
        tokens=len(agreed),
        sample=sample,
        speed={processor_class(): round(max(min(times["int8"]) / min(times["usual"]), 0.001), 3)},
    )


def _find(name: str) -> InstalledCheckpoint:
    installed = find_installed(name)
    if installed is None:
        raise not_installed(name, offline=False)
    if installed.problem is not None:
        raise installed.problem
    assert installed.manifest is not None  # else there is a problem
    if installed.is_packaged:
        raise CheckpointError(
            f"{name} is part of lsum, whose files stay as they are",
            f"copy it first: lsum models import my-{name} {installed.path}",
        )
    if installed.manifest.method not in METHODS:
        raise CheckpointError(
            f"{name} cannot compute in int8: only PageSum models can", "there is nothing to compare"
        )
    return installed


def _method(installed: InstalledCheckpoint, dtype: str) -> PageSumMethod:
    """What summarises in a precision: everything that is read, freely worded, always as many tokens."""
    from lsum_cli.methods.pagesum import PageSumMethod

    choice = MethodChoice(name="pagesum", folder=installed.path, manifest=installed.manifest)
    options = SummaryOptions(
        device="cpu", dtype=dtype, read="all", faithful="off", attribution=False, any_language=True
    )
    limits = PageSumMethod(choice, options)
    tokens = min(TOKENS, limits.max_written or TOKENS)
    sized = replace(
        options,
        min_tokens=tokens,
        max_tokens=tokens,
        page_tokens=min(PAGE_TOKENS, limits.page_len or PAGE_TOKENS),
    )
    return PageSumMethod(choice, sized)


def _usual_precision() -> str:
    """What ``--dtype auto`` chooses on this processor unless it is integers."""
    import torch

    from lsum_cli.machine.devices import best_precision

    return best_precision(torch.device("cpu")).value


def _time(method: PageSumMethod, plans: Sequence[Plan]) -> float:
    """Processor seconds of summarising all the samples; the weights are loaded."""
    _ = method.engine
    started = time.process_time()
    for plan in plans:
        method.search(plan)
    return time.process_time() - started
