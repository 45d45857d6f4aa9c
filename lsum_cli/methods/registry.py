"""The table of methods; choosing a method and checkpoint for a summary, and fingerprinting the choice.

Nothing here imports torch.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lsum_cli.checkpoints.store import best_installed, list_installed, resolve_checkpoint
from lsum_cli.checkpoints.values import WEIGHT_FILES, CheckpointMethod
from lsum_cli.errors import CheckpointError, LsumError, OptionError
from lsum_cli.locality import Locality
from lsum_cli.methods.base import Method, MethodChoice
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ProgressListener, ignore_progress

if TYPE_CHECKING:
    from lsum_cli.checkpoints.manifest import Manifest

AUTO = "auto"
EXTRACT = "extract"
BOOK = "book"
WINDOWING = "windowing"
# "module:class", resolved on use: a method may need torch, and most runs need one method.
METHODS = {
    EXTRACT: "lsum_cli.methods.extract.method:ExtractMethod",
    BOOK: "lsum_cli.methods.book:BookMethod",
    "pagesum": "lsum_cli.methods.pagesum:PageSumMethod",
    "topdown": "lsum_cli.methods.topdown:TopDownMethod",
    WINDOWING: "lsum_cli.methods.windowing:WindowingMethod",
    "seq2seq": "lsum_cli.methods.seq2seq:Seq2SeqMethod",
}
_RARE = "la"
# Checkpoints are identified by their content; the other options do not change the summary.
_INDIFFERENT = ("model", "chapter_model", "offline", "device")
# Files besides the weights that determine how a checkpoint reads and writes.
_SETTINGS_FILES = ("config.json", "generation_config.json", "manifest.json", "tokenizer.json")


def choose_method(
    options: SummaryOptions,
    locality: Locality | None = None,
    *,
    is_book: bool = False,
    language: str | None = None,
) -> MethodChoice:
    """Choose the method; ``auto`` is the checkpoint's method, or that of the best checkpoint installed.

    Args:
        options: Of these, ``method``, ``model``, ``chapter_model``, ``show_chapters`` and ``offline`` are
            used.
        locality: How the documents would be divided into pages; ``None`` while unknown.
        is_book: Whether the document is long enough for ``auto`` to go chapter by chapter; a
            checkpoint whose windows cover any length does not need to.
        language: Two-letter code of the documents' language: where no checkpoint is named, one that does
            not read it is not chosen. ``None`` while unknown.

    Raises:
        OptionError: There is no such method, or an option does not apply to the one chosen.
        CheckpointError: The checkpoint is missing, damaged, or for another method.
    """
    choice = _choose(options, locality, None if options.any_language else language)
    # An option for pages means that the user wants pages, not chapters.
    is_paged = options.pages is not None or options.locality is not None
    names_chapters = options.chapter_model is not None or options.show_chapters
    wants_chapters = names_chapters or (is_book and not is_paged)
    if options.method == AUTO and wants_chapters and choice.name not in (EXTRACT, WINDOWING, BOOK):
        choice = replace(choice, name=BOOK)
    options.check_method(choice.name)
    return choice


def load_method(
    choice: MethodChoice, options: SummaryOptions, progress: ProgressListener = ignore_progress
) -> Method[Any]:
    """Create the chosen method for these options; its checkpoint is loaded when it writes."""
    module, _, class_name = METHODS[choice.name].partition(":")
    build = cast(Callable[..., Method[Any]], getattr(importlib.import_module(module), class_name))
    return build(choice, options, progress)


def _choose(options: SummaryOptions, locality: Locality | None, language: str | None) -> MethodChoice:
    if options.method not in (AUTO, *METHODS):
        raise OptionError(
            f"there is no method '{options.method}'", f"choose one of auto, {', '.join(METHODS)}"
        )
    if options.method == EXTRACT:
        return MethodChoice(name=EXTRACT)
    model = options.model or options.chapter_model
    if model is not None:
        return _choose_named(options, model)
    if options.method == BOOK:
        return _choose_for_book(locality, language)
    if options.method == AUTO:
        return _choose_installed(locality, language)
    return _choose_installed_for(CheckpointMethod(options.method), locality)


def _choose_named(options: SummaryOptions, model: str) -> MethodChoice:
    from lsum_cli.checkpoints.manifest import describe_folder

    folder = resolve_checkpoint(model, offline=options.offline)
    manifest = describe_folder(folder)
    name = manifest.method.value
    if name not in METHODS:
        usable = [each for each in METHODS if each not in (EXTRACT, BOOK)]
        raise CheckpointError(
            f"the checkpoint {model} is for the method {name}, which this lsum cannot use",
            f"give a checkpoint for one of {', '.join(usable)}",
        )
    if options.method == BOOK:
        return MethodChoice(name=BOOK, folder=folder, manifest=manifest)
    if options.method not in (AUTO, name):
        raise CheckpointError(
            f"the checkpoint {model} is for the method {name}, not for {options.method}",
            f"leave out --method, or give --method {name}",
        )
    return MethodChoice(name=name, folder=folder, manifest=manifest)


def _choose_installed(locality: Locality | None, language: str | None) -> MethodChoice:
    best = best_installed(locality, language=language)
    if best is None or best.manifest is None or best.manifest.method.value not in METHODS:
        return MethodChoice(name=EXTRACT)
    return MethodChoice(name=best.manifest.method.value, folder=best.path, manifest=best.manifest)


def _choose_for_book(locality: Locality | None, language: str | None) -> MethodChoice:
    """The best installed checkpoint, chapter by chapter; without one, extraction by chapters."""
    choice = _choose_installed(locality, language)
    return choice if choice.manifest is None else replace(choice, name=BOOK)


def _choose_installed_for(method: CheckpointMethod, locality: Locality | None) -> MethodChoice:
    """The best intact checkpoint for one method: trained for the locality, with trained confidence.

    A packaged one is not among them unless it was measured to write better summaries than extraction.
    """
    found = [
        (
            installed.is_packaged,
            manifest.locality is not locality,
            not manifest.trained_confidence,
            manifest.name,
            installed,
        )
        for installed in list_installed()
        if (manifest := installed.manifest) and installed.problem is None and manifest.method is method
        if manifest.beats_extraction or not installed.is_packaged
    ]
    if not found:
        raise CheckpointError(
            f"no checkpoint for the method {method.value} is installed",
            "give --model with a name or a folder (lsum-mini comes with lsum), or see lsum models list",
        )
    best = min(found, key=lambda each: each[:4])[-1]
    return MethodChoice(name=method.value, folder=best.path, manifest=best.manifest)


def fingerprint_options(options: SummaryOptions, *, but: Collection[str] = ()) -> dict[str, str | None]:
    """The options that a summary may depend on, as text.

    Args:
        but: Further options that the result does not depend on, to be left out.
    """
    return {
        field.name: None if (value := getattr(options, field.name)) is None else str(value)
        for field in dataclasses.fields(options)
        if field.name not in (*_INDIFFERENT, *but)
    }


def fingerprint_checkpoint(folder: Path, manifest: Manifest | None) -> list[object]:
    """A checkpoint's settings, and the hash of its weights if known, else their path, size and time."""
    import hashlib

    files = [file for name in _SETTINGS_FILES if (file := folder / name).is_file()]
    settings = [[file.name, hashlib.sha256(_settings_of(file)).hexdigest()] for file in files]
    if manifest is not None and manifest.weights_sha256:
        return [*settings, manifest.weights_sha256]
    stats = [(file.name, file.stat()) for name in WEIGHT_FILES if (file := folder / name).is_file()]
    weights = [[name, stat.st_size, stat.st_mtime_ns] for name, stat in stats]
    return [*settings, str(folder.absolute()), *weights]


def _settings_of(file: Path) -> bytes:
    """What a file says of how a checkpoint reads and writes; how it was timed in int8 is not part of that."""
    content = file.read_bytes()
    if file.name != "manifest.json":
        return content
    try:
        fields = json.loads(content)
    except ValueError:  # whoever loads it says so
        return content
    if not isinstance(fields, dict) or "int8" not in fields:
        return content
    return json.dumps({name: value for name, value in fields.items() if name != "int8"}).encode()


def fingerprint_writers(options: SummaryOptions) -> list[list[object]]:
    """Every method and checkpoint that could be chosen for some document.

    Choices that fail are left out; summarising reports their errors.
    """
    from lsum_cli.checkpoints.manifest import describe_folder

    choices = {}
    # A document is in a language that every checkpoint reads, or in one that few read.
    for locality, is_book, language in product((None, *Locality), (False, True), (None, _RARE)):
        with suppress(LsumError):
            choice = choose_method(options, options.locality or locality, is_book=is_book, language=language)
            choices[f"{choice.name} {choice.folder}"] = choice
    if options.chapter_model is not None:
        with suppress(LsumError):
            folder = resolve_checkpoint(options.chapter_model, offline=options.offline)
            choices["chapters"] = MethodChoice(
                name="chapters", folder=folder, manifest=describe_folder(folder)
            )
    return [
        [choice.name, fingerprint_checkpoint(choice.folder, choice.manifest) if choice.folder else None]
        for _, choice in sorted(choices.items())
    ]
