"""What a folder holds, read off its files without loading anything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lsum_cli.checkpoints.manifest import (
    ABSENT_PAGE_TEXT,
    MANIFEST_NAME,
    CheckpointMethod,
    Manifest,
    Origin,
    OriginKind,
    read_manifest,
)
from lsum_cli.errors import CheckpointError
from lsum_cli.locality import Locality

_AGAIN = "pull or import the checkpoint again"


def describe_folder(path: Path) -> Manifest:
    """Read the manifest of a folder, or infer one from ``config.json`` where there is none.

    Raises:
        CheckpointError: The manifest is damaged, or there is no usable configuration.
    """
    if (path / MANIFEST_NAME).is_file():
        return read_manifest(path)
    config = read_config(path)
    model_type: str = config["model_type"]
    own = model_type in [method.value for method in CheckpointMethod]
    method = CheckpointMethod(model_type) if own else CheckpointMethod.SEQ2SEQ
    method = CheckpointMethod.TAGGER if is_tagger(config) else method
    is_pagesum = method is CheckpointMethod.PAGESUM
    masks = bool(config.get("mask_absent_pages", True))
    name, origin = _origin_of(path)
    try:
        return Manifest(
            name=name,
            method=method,
            locality=Locality(config["locality"]) if is_pagesum and config.get("locality") else None,
            page_len=int(config["page_len"]) if is_pagesum and "page_len" in config else None,
            mask_absent_pages=masks,
            absent_page_text="" if masks else ABSENT_PAGE_TEXT,
            trained_confidence=is_pagesum and bool(config.get("locality")),
            origin=origin,
        )
    except (TypeError, ValueError) as error:
        raise CheckpointError(f"the configuration of {path} is damaged: {error}", _AGAIN) from error


def is_tagger(config: Mapping[str, Any]) -> bool:
    """Whether a configuration is that of a model that scores the tokens of a document."""
    architectures = config.get("architectures")
    names = architectures if isinstance(architectures, list) else []
    return any(str(name).endswith("ForTokenClassification") for name in names)


def _origin_of(path: Path) -> tuple[str, Origin]:
    """Name and origin of a folder without manifest; one in the hub library's cache tells both."""
    repository = path.parent.parent.name
    if path.parent.name == "snapshots" and repository.startswith("models--"):
        name = repository.removeprefix("models--").replace("--", "/", 1)
        return name, Origin(kind=OriginKind.HUB, source=name, revision=path.name)
    return path.name, Origin(kind=OriginKind.FILE, source=str(path))


def read_config(path: Path) -> dict[str, Any]:
    """Read ``config.json`` of a folder.

    Raises:
        CheckpointError: It is missing, no JSON object, or names no architecture.
    """
    file = path / "config.json"
    try:
        config = json.loads(file.read_bytes())
    except OSError as error:
        raise CheckpointError(f"{file} cannot be read: {error.strerror}", _AGAIN) from error
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{file} is damaged: no valid JSON", _AGAIN) from error
    if not isinstance(config, dict) or not isinstance(config.get("model_type"), str):
        raise CheckpointError(f"{file} names no model_type", "give a model that transformers knows")
    return config
