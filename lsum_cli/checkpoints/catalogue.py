"""The catalogue: checkpoints known by a short name, installed or not."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from lsum_cli.checkpoints.manifest import GenerationDefaults
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.locality import Locality
from lsum_cli.records import decode


@dataclass(frozen=True, kw_only=True, slots=True)
class CatalogueEntry:
    """A checkpoint that can be pulled by its short name.

    Attributes:
        summary: What it is good for.
        size: Size of the download in bytes.
        hub: Its hub id; ``None`` if it is published as a single file.
        drive: Google Drive id of the published file; ``None`` for hub models.
        base: The model it was initialised from; supplies configuration and tokenizer of a published file.
        metrics: Published scores.
        architecture: Sizes from its ``config.json`` that determine its cost, where it may be recommended.
        languages: Two-letter codes of the languages it reads.

    The other attributes are those of the manifest.
    """

    name: str
    method: CheckpointMethod
    summary: str
    size: int
    licence: str
    hub: str | None = None
    drive: str | None = None
    base: str | None = None
    locality: Locality | None = None
    page_len: int | None = None
    pages: int | None = None
    languages: tuple[str, ...] = ("en",)
    generation: GenerationDefaults = field(default_factory=GenerationDefaults)
    metrics: Mapping[str, float] = field(default_factory=dict)
    architecture: Mapping[str, int] = field(default_factory=dict)

    @property
    def link(self) -> str:
        """The address of its page on the web."""
        if self.drive is not None:
            return f"https://drive.google.com/file/d/{self.drive}/view"
        return f"https://huggingface.co/{self.hub}"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Catalogue:
    checkpoints: tuple[CatalogueEntry, ...]


@cache
def list_catalogue() -> tuple[CatalogueEntry, ...]:
    """All entries, in the order of the file."""
    text = resources.files("lsum_cli.checkpoints").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return decode(_Catalogue, tomllib.loads(text)).checkpoints


def find_entry(name: str) -> CatalogueEntry | None:
    """The entry with that short name (case-insensitive) or hub id."""
    wanted = name.casefold()
    return next(
        (e for e in list_catalogue() if wanted in (e.name.casefold(), (e.hub or "").casefold())), None
    )
