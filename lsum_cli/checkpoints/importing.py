"""Importing a checkpoint from files: published weights, or a folder of ``transformers``."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lsum_cli.checkpoints.cards import CARD_NAME, write_card
from lsum_cli.checkpoints.catalogue import CatalogueEntry, find_entry
from lsum_cli.checkpoints.conversion import convert_pagesum, convert_pickles, read_weights, write_weights
from lsum_cli.checkpoints.manifest import (
    ABSENT_PAGE_TEXT,
    LICENCE_UNKNOWN,
    GenerationDefaults,
    Manifest,
    Origin,
    OriginKind,
    describe_folder,
    hash_file,
    read_config,
    verify_hashes,
)
from lsum_cli.checkpoints.saving import draft_of, finish_draft, locked
from lsum_cli.checkpoints.store import checkpoint_path, find_installed
from lsum_cli.checkpoints.values import MANIFEST_NAME, WEIGHTS_NAME, CheckpointMethod
from lsum_cli.errors import CheckpointError, OptionError, OutputError
from lsum_cli.locality import Locality
from lsum_cli.paging import Paging
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

DEFAULT_BASE = "facebook/bart-large-cnn"
PUBLISHED_GENERATION = GenerationDefaults(
    beams=4, length_penalty=2.0, no_repeat_ngram=3, early_stopping=False
)
TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
    "vocab.txt",
    "spiece.model",
    "sentencepiece.bpe.model",
    "tokenizer.model",
)
CONFIG_FILES = ("config.json", "generation_config.json")
WEIGHT_SUFFIXES = (".bin", ".pt", ".pth", ".ckpt", ".safetensors")


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedSettings:
    """Settings of published PageSum weights that cannot be inferred from the weights.

    Attributes:
        locality: The locality they were trained for.
        page_len: Tokens of a page; ``None`` for the base's positions, at most 1024.
        pages: Number of pages they were trained with.
    """

    locality: Locality | None = None
    page_len: int | None = None
    pages: int | None = None
    languages: tuple[str, ...] = ()
    generation: GenerationDefaults = PUBLISHED_GENERATION
    licence: str = LICENCE_UNKNOWN
    metrics: Mapping[str, float] = dataclasses.field(default_factory=dict)
    summary: str = ""

    @classmethod
    def of_entry(cls, entry: CatalogueEntry) -> PublishedSettings:
        """The settings in the catalogue."""
        return cls(
            locality=entry.locality,
            page_len=entry.page_len,
            pages=entry.pages,
            languages=entry.languages,
            generation=entry.generation,
            licence=entry.licence,
            metrics=entry.metrics,
            summary=entry.summary,
        )

    @classmethod
    def for_name(
        cls, name: str, *, locality: Locality | None, page_len: int | None, pages: int | None = None
    ) -> PublishedSettings:
        """The settings in the catalogue, overridden by the user's."""
        entry = find_entry(name)
        known = cls.of_entry(entry) if entry is not None and entry.drive is not None else cls()
        return dataclasses.replace(
            known,
            locality=locality or known.locality,
            page_len=page_len or known.page_len,
            pages=pages or known.pages,
        )

    def check(self, name: str) -> None:
        """Check that the pages can be made that the weights were trained with.

        Raises:
            OptionError: The locality or the number of pages is not known.
        """
        missing = [
            flag for flag, value in (("--locality", self.locality), ("--pages", self.pages)) if value is None
        ]
        if missing:
            raise OptionError(
                f"the weights do not say which pages {name} was trained with",
                f"give {' and '.join(missing)} as in its training",
            )


def check_free(name: str, *, overwrite: bool) -> None:
    """Check before any work whether a name may be used.

    Raises:
        CheckpointError: The name is not valid.
        OutputError: It is taken by an installed or packaged checkpoint.
    """
    path = checkpoint_path(name)
    if path.exists() and not overwrite:
        raise OutputError(f"a checkpoint '{name}' is installed already", "give --overwrite to replace it")
    found = find_installed(name)
    if found is not None and found.is_packaged and not overwrite:
        raise OutputError(
            f"a checkpoint '{name}' is part of lsum",
            "give another name, or --overwrite to use yours in its place",
        )


def import_published(
    name: str,
    file: Path,
    base: Path,
    settings: PublishedSettings,
    *,
    base_name: str | None = None,
    origin: Origin | None = None,
    overwrite: bool = False,
    progress: ProgressListener = ignore_progress,
) -> Manifest:
    """Install published PageSum weights: one file, with its base's configuration and tokenizer.

    Args:
        name: The name to install it under.
        file: The state dict, ``.bin`` or ``.safetensors``.
        base: Folder with ``config.json`` and tokenizer of the model it was initialised from.
        settings: Settings that cannot be inferred from the weights.
        base_name: Name of the base, for the manifest.
        origin: Where the file came from; by default the file itself.

    Raises:
        CheckpointError: The weights are damaged or of another model, or do not match the base.
    """
    check_free(name, overwrite=overwrite)
    progress(ProgressEvent(stage=f"reading {file.name}", done=0))
    state = read_weights(file)
    base_config = read_config(base)
    page_len = settings.page_len or min(1024, int(base_config.get("max_position_embeddings", 1024)))
    config = convert_pagesum(
        state,
        base_config,
        page_len=page_len,
        locality=settings.locality and settings.locality.value,
        mask_absent_pages=False,
        paging=Paging.PUBLISHED.value,
        length_rule="start_and_bos",
    )
    manifest = Manifest(
        name=name,
        method=CheckpointMethod.PAGESUM,
        base=base_name or base.name,
        locality=settings.locality,
        page_len=page_len,
        pages=settings.pages,
        languages=settings.languages,
        mask_absent_pages=False,
        absent_page_text=ABSENT_PAGE_TEXT,
        trained_confidence=True,
        generation=settings.generation,
        licence=settings.licence,
        origin=origin or Origin(kind=OriginKind.FILE, source=file.name, revision=hash_file(file)),
        metrics=settings.metrics,
    )
    from lsum_cli.models.pagesum.modeling import from_published_state_dict

    with locked(name, progress) as path:
        check_free(name, overwrite=overwrite)
        with draft_of(path) as draft:
            copy_files(base, draft, TOKENIZER_FILES)
            _write_json(draft / "config.json", config)
            _write_json(
                draft / "generation_config.json", _generation_config(base, base_config, settings.generation)
            )
            write_weights(from_published_state_dict(state), draft / WEIGHTS_NAME)
            (draft / CARD_NAME).write_text(write_card(manifest, settings.summary), encoding="utf-8")
            check_loading(draft, progress)
            return finish_draft(draft, path, manifest, progress)


def import_folder(
    name: str, folder: Path, *, overwrite: bool = False, progress: ProgressListener = ignore_progress
) -> Manifest:
    """Install a copy of a folder: a checkpoint of ours, or any sequence-to-sequence model saved there.

    Raises:
        CheckpointError: It is damaged, or does not contain a model that can summarise.
    """
    check_free(name, overwrite=overwrite)
    manifest = dataclasses.replace(describe_folder(folder), name=name)
    if (folder / MANIFEST_NAME).is_file():
        verify_hashes(folder, manifest, progress)
    with locked(name, progress) as path:
        check_free(name, overwrite=overwrite)
        with draft_of(path) as draft:
            known = [file.name for file in manifest.files]
            copy_files(folder, draft, known or (*CONFIG_FILES, *TOKENIZER_FILES, CARD_NAME))
            if not known:
                complete_generation_config(draft)
                _take_weights(folder, draft)
            if not (draft / CARD_NAME).exists():
                (draft / CARD_NAME).write_text(write_card(manifest), encoding="utf-8")
            check_loading(draft, progress)
            return finish_draft(draft, path, manifest, progress)


def check_loading(draft: Path, progress: ProgressListener) -> None:
    """Load a draft once, so that only checkpoints that load are installed.

    Raises:
        CheckpointError: It cannot be loaded.
    """
    from lsum_cli.checkpoints.loading import load_folder

    progress(ProgressEvent(stage="checking that it loads", done=0))
    try:
        load_folder(draft, device="cpu", dtype="float32")
    except CheckpointError as error:
        raise CheckpointError(error.what.replace(str(draft), "the checkpoint"), error.next_step) from error


def copy_files(source: Path, target: Path, names: tuple[str, ...] | list[str]) -> None:
    """Copy those files that exist."""
    for name in names:
        if (source / name).is_file():
            shutil.copyfile(source / name, target / name)


def _take_weights(folder: Path, draft: Path) -> None:
    """Copy safetensors files unchanged; convert pickles."""
    tensors = sorted(folder.glob("model*.safetensors"))
    if tensors:
        names = [*(path.name for path in tensors), f"{WEIGHTS_NAME}.index.json"]
        copy_files(folder, draft, names)
        return
    pickles = sorted(folder.glob("pytorch_model*.bin"))
    if not pickles:
        raise CheckpointError(f"{folder} contains no weights", "give a folder with model.safetensors")
    convert_pickles(pickles, draft / WEIGHTS_NAME)


def complete_generation_config(draft: Path) -> None:
    """Write ``generation_config.json`` where it is missing: older models have it in ``config.json``."""
    target = draft / "generation_config.json"
    if not target.exists():
        config = read_config(draft)
        _write_json(target, {key: config[key] for key in _GENERATION_KEYS if config.get(key) is not None})


_TOKEN_KEYS = tuple(
    f"{key}_token_id" for key in ("bos", "eos", "pad", "decoder_start", "forced_bos", "forced_eos")
)
_GENERATION_KEYS = (
    *_TOKEN_KEYS,
    "num_beams",
    "length_penalty",
    "no_repeat_ngram_size",
    "early_stopping",
    "min_length",
    "max_length",
)


def _generation_config(
    base: Path, base_config: Mapping[str, Any], settings: GenerationDefaults
) -> dict[str, Any]:
    """The settings under the names that ``transformers`` uses, for callers of ``generate``."""
    file = base / "generation_config.json"
    said = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    found = {key: said.get(key, base_config.get(key)) for key in _TOKEN_KEYS}
    found |= {
        "num_beams": settings.beams,
        "length_penalty": settings.length_penalty,
        "no_repeat_ngram_size": settings.no_repeat_ngram,
        "early_stopping": settings.early_stopping,
        # transformers also counts the start and end tokens.
        "min_length": None if settings.min_tokens is None else settings.min_tokens + 1,
        "max_length": None if settings.max_tokens is None else settings.max_tokens + 2,
    }
    return {key: value for key, value in found.items() if value is not None}


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
