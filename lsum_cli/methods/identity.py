"""What a summary depends on besides its source: settings and checkpoints, named so that changes show."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Collection
from contextlib import suppress
from itertools import product
from pathlib import Path

from lsum_cli.checkpoints.manifest import WEIGHT_FILES, Manifest, describe_folder
from lsum_cli.checkpoints.store import resolve_checkpoint
from lsum_cli.errors import LsumError
from lsum_cli.locality import Locality
from lsum_cli.methods.base import MethodChoice
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.registry import choose_method

# A checkpoint is known by what it holds; the others change nothing of what is written.
_INDIFFERENT = ("model", "chapter_model", "offline", "device")
# What besides its weights says how a checkpoint reads and writes.
_SETTINGS_FILES = ("config.json", "generation_config.json", "manifest.json", "tokenizer.json")


def identify_options(options: SummaryOptions, *, but: Collection[str] = ()) -> dict[str, str | None]:
    """The options that a summary may depend on, as text.

    Args:
        but: Those on which what is made does not depend.
    """
    return {
        field.name: None if (value := getattr(options, field.name)) is None else str(value)
        for field in dataclasses.fields(options)
        if field.name not in (*_INDIFFERENT, *but)
    }


def identify_checkpoint(folder: Path, manifest: Manifest | None) -> list[object]:
    """Its settings, and the hash of its weights where one is known, else place, size and time of them."""
    files = [file for name in _SETTINGS_FILES if (file := folder / name).is_file()]
    settings = [[file.name, hashlib.sha256(file.read_bytes()).hexdigest()] for file in files]
    if manifest is not None and manifest.weights_sha256:
        return [*settings, manifest.weights_sha256]
    stats = [(file.name, file.stat()) for name in WEIGHT_FILES if (file := folder / name).is_file()]
    weights = [[name, stat.st_size, stat.st_mtime_ns] for name, stat in stats]
    return [*settings, str(folder.absolute()), *weights]


def identify_writers(options: SummaryOptions) -> list[object]:
    """Every method and checkpoint that the choice for some document may fall on.

    What cannot be chosen is passed over: who summarises is told why.
    """
    choices = {}
    for locality, is_book in product((None, *Locality), (False, True)):
        with suppress(LsumError):
            choice = choose_method(options, options.locality or locality, is_book=is_book)
            choices[f"{choice.name} {choice.folder}"] = choice
    if options.chapter_model is not None:
        with suppress(LsumError):
            folder = resolve_checkpoint(options.chapter_model, offline=options.offline)
            choices["chapters"] = MethodChoice(
                name="chapters", folder=folder, manifest=describe_folder(folder)
            )
    return [
        [choice.name, identify_checkpoint(choice.folder, choice.manifest) if choice.folder else None]
        for _, choice in sorted(choices.items())
    ]
