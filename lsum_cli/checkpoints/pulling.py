"""Pulling a checkpoint into the store, from the hub or from Google Drive (extra ``drive``)."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lsum_cli.checkpoints import hub
from lsum_cli.checkpoints.cards import CARD_NAME, ORIGINAL_CARD_NAME, write_card
from lsum_cli.checkpoints.catalogue import CatalogueEntry, find_entry
from lsum_cli.checkpoints.conversion import convert_pickles
from lsum_cli.checkpoints.importing import (
    CONFIG_FILES,
    DEFAULT_BASE,
    TOKENIZER_FILES,
    PublishedSettings,
    check_loading,
    complete_generation_config,
    import_published,
)
from lsum_cli.checkpoints.manifest import (
    LICENCE_UNKNOWN,
    Manifest,
    Origin,
    OriginKind,
    describe_folder,
    hash_file,
    read_config,
)
from lsum_cli.checkpoints.saving import (
    DOWNLOADS,
    check_disk_space,
    disk_error,
    draft_of,
    finish_draft,
    is_full,
    locked,
    reporting_disk_errors,
)
from lsum_cli.checkpoints.store import HubName, find_installed, not_installed, resolve_checkpoint, store_path
from lsum_cli.checkpoints.values import MANIFEST_NAME, WEIGHTS_NAME, CheckpointMethod
from lsum_cli.errors import CheckpointError, MissingDependency, first_line
from lsum_cli.machine.network import configure_network
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

_SECONDS_TO_CONNECT = 10.0
_SECONDS_TO_READ = 30.0


def fetch_published(entry: CatalogueEntry, progress: ProgressListener) -> Path:
    """Download the published file of a checkpoint; an interrupted download is resumed.

    Returns:
        Its path in the store's folder of downloads.

    Raises:
        MissingDependency: The extra is not installed.
        CheckpointError: Google Drive does not deliver the file.
        OutputError: The disk is full.
    """
    by_hand = f"get {entry.link} with a browser, then: lsum models import {entry.name} model.bin"
    try:
        import gdown
    except ImportError as error:
        raise MissingDependency(
            f"{entry.name} is stored on Google Drive", f"pip install 'lsum-cli[drive]', or {by_hand}"
        ) from error

    def report(done: int, total: int | None) -> None:
        progress(
            ProgressEvent(
                stage=f"fetching {entry.name}",
                done=done >> 20,
                total=None if total is None else total >> 20,
                unit="MiB",
            )
        )

    target = store_path() / DOWNLOADS / f"{entry.name}@{entry.drive}" / "model.bin"
    with reporting_disk_errors(store_path()):
        target.parent.mkdir(parents=True, exist_ok=True)
        check_disk_space(target.parent, entry.size)
    try:
        gdown.download(
            id=entry.drive,
            output=str(target),
            quiet=True,
            resume=True,
            progress=report,
            use_cookies=False,
            timeout=(_SECONDS_TO_CONNECT, _SECONDS_TO_READ),
        )
    except Exception as error:  # gdown raises many types of exception
        if isinstance(error, OSError) and is_full(error):
            raise disk_error(error, store_path()) from error
        raise CheckpointError(
            f"Google Drive did not deliver {entry.name}: {first_line(error)[:200]}", by_hand
        ) from error
    return target


MAX_UNASKED_BYTES = 100_000_000
_PICKLE_NAME = "pytorch_model.bin"
_LICENCE_FILE = re.compile(r"(LICEN[CS]E|NOTICE|COPYING)([._-][\w.-]*)?", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Pulled:
    """The result of a pull; ``fresh`` is false if the checkpoint was already installed."""

    manifest: Manifest
    path: Path
    fresh: bool


def pull(
    name: str,
    *,
    overwrite: bool = False,
    offline: bool = False,
    progress: ProgressListener = ignore_progress,
) -> Pulled:
    """Fetch a checkpoint by its short name or hub id and install it.

    An interrupted pull is resumed by the next one.

    Args:
        name: A name of the catalogue, or ``OWNER/NAME[@REVISION]``.
        overwrite: Whether to download it again if it is installed and intact.
        offline: Whether ``--offline`` was given.

    Raises:
        CheckpointError: It is unknown, cannot be downloaded, is damaged, or cannot summarise.
        OutputError: The store cannot be written.
        MissingDependency: An extra is needed to fetch it.
    """
    offline = configure_network(offline=offline)
    entry = find_entry(name) if "@" not in name else None
    hub_name = HubName.parse(name)
    if entry is None and hub_name is None:
        packaged = find_installed(name)
        if packaged is not None and packaged.is_packaged:
            raise CheckpointError(
                f"the checkpoint '{name}' is part of lsum and needs no download",
                f"use it with: lsum summarize FILE -m {name}",
            )
        raise CheckpointError(f"no checkpoint '{name}' is known", "see lsum models list, or give OWNER/NAME")
    install_name = entry.name if entry is not None else name
    if not overwrite:
        found = find_installed(install_name)
        if found is not None and found.manifest is not None and found.problem is None:
            return Pulled(manifest=found.manifest, path=found.path, fresh=False)
    if offline:
        raise not_installed(install_name, offline=True)
    if entry is not None and entry.drive is not None:
        manifest = _pull_published(entry, progress)
    else:
        source = HubName(repo=entry.hub) if entry is not None and entry.hub else hub_name
        assert source is not None
        manifest = _pull_from_hub(install_name, source, entry, overwrite, progress)
    return Pulled(manifest=manifest, path=resolve_checkpoint(install_name), fresh=True)


@contextmanager
def base_folder(
    name: str, *, offline: bool = False, progress: ProgressListener = ignore_progress
) -> Iterator[Path]:
    """A folder with the configuration and tokenizer of a base; no weights are downloaded.

    Args:
        name: A directory, the name of an installed checkpoint, or a hub id.

    Raises:
        CheckpointError: It is neither on this machine nor on the hub.
    """
    offline = configure_network(offline=offline)
    try:
        yield resolve_checkpoint(name, offline=offline)
        return
    except CheckpointError as error:
        hub_name = HubName.parse(_hub_id(name))
        if hub_name is None or Path(name).exists() or error.what.startswith("there is no folder"):
            raise
        if offline:
            raise CheckpointError(
                f"the base {name} is not on this machine: its configuration and tokenizer are needed",
                "give its folder with --base, or install it from an archive: lsum models import FILE.tar",
            ) from error
    with tempfile.TemporaryDirectory(prefix="lsum-base-") as folder:
        model = hub.describe_model(hub_name)
        for file_name in (*CONFIG_FILES, *TOKENIZER_FILES):
            file = model.find(file_name)
            if file is not None and (file.size or 0) <= MAX_UNASKED_BYTES:
                hub.fetch_file(model, file, Path(folder), progress)
        yield Path(folder)
        hub.forget_downloads(model)


def _hub_id(name: str) -> str:
    entry = find_entry(name)
    return entry.hub if entry is not None and entry.hub else name


def _pull_published(entry: CatalogueEntry, progress: ProgressListener) -> Manifest:
    base_name = entry.base or DEFAULT_BASE
    with base_folder(base_name, progress=progress) as base:
        file = fetch_published(entry, progress)
        origin = Origin(kind=OriginKind.DRIVE, source=entry.link, revision=hash_file(file))
        manifest = import_published(
            entry.name,
            file,
            base,
            PublishedSettings.of_entry(entry),
            base_name=base_name,
            origin=origin,
            overwrite=True,
            progress=progress,
        )
    shutil.rmtree(store_path() / DOWNLOADS / file.parent.name, ignore_errors=True)
    return manifest


def _pull_from_hub(
    name: str, source: HubName, entry: CatalogueEntry | None, overwrite: bool, progress: ProgressListener
) -> Manifest:
    with locked(name, progress) as path:
        if not overwrite:
            found = find_installed(name)  # another process may have installed it meanwhile
            if found is not None and found.manifest is not None and found.problem is None:
                return found.manifest
        model = hub.describe_model(source)
        with draft_of(path) as draft:
            _fetch_description(model, draft, progress)
            with _useless_if_refused(model):
                _check_architecture(model, draft)
            _fetch_weights(model, draft, progress)
            complete_generation_config(draft)
            manifest = _describe(name, source, model, entry, draft)
            summary = entry.summary if entry is not None else ""
            (draft / CARD_NAME).write_text(write_card(manifest, summary), encoding="utf-8")
            with _useless_if_refused(model):
                check_loading(draft, progress)
            manifest = finish_draft(draft, path, manifest, progress)
        hub.forget_downloads(model)
        return manifest


@contextmanager
def _useless_if_refused(model: hub.HubModel) -> Iterator[None]:
    """Delete the downloads of a complete model that turns out to be unusable."""
    try:
        yield
    except CheckpointError:
        hub.forget_downloads(model)
        raise


def _fetch_description(model: hub.HubModel, draft: Path, progress: ProgressListener) -> None:
    for file in model.files:
        wanted = file.name in (*CONFIG_FILES, *TOKENIZER_FILES, MANIFEST_NAME)
        if wanted or _LICENCE_FILE.fullmatch(file.name):
            hub.fetch_file(model, file, draft, progress)
        elif file.name == CARD_NAME:
            hub.fetch_file(model, file, draft, progress).rename(draft / ORIGINAL_CARD_NAME)


def _check_architecture(model: hub.HubModel, draft: Path) -> None:
    """Refuse a model that cannot summarise before its weights are downloaded."""
    if model.find("config.json") is None:
        raise CheckpointError(
            f"{model.repo} contains no config.json", "give a model that transformers supports"
        )
    config = read_config(draft)
    if config["model_type"] not in list(CheckpointMethod) and not config.get("is_encoder_decoder"):
        raise CheckpointError(
            f"{model.repo} is a {config['model_type']}, which cannot be used to summarise",
            "give a sequence-to-sequence model",
        )


def _fetch_weights(model: hub.HubModel, draft: Path, progress: ProgressListener) -> None:
    for single, convert in ((WEIGHTS_NAME, False), (_PICKLE_NAME, True)):
        index = model.find(f"{single}.index.json")
        if model.find(single) is not None:
            names = [single]
        elif index is not None:
            names = _shards(hub.fetch_file(model, index, draft, progress))
        else:
            continue
        paths = []
        for name in names:
            file = model.find(name)
            if file is None:
                raise CheckpointError(f"{model.repo} lacks the file {name}", "give another revision")
            paths.append(hub.fetch_file(model, file, draft, progress))
        if convert:
            convert_pickles(paths, draft / WEIGHTS_NAME)
            for path in (*paths, draft / f"{single}.index.json"):
                path.unlink(missing_ok=True)
        return
    raise CheckpointError(
        f"{model.repo} contains no weights that lsum reads",
        f"give a model with {WEIGHTS_NAME} or {_PICKLE_NAME}",
    )


def _shards(index: Path) -> list[str]:
    try:
        weight_map = json.loads(index.read_bytes())["weight_map"]
        return sorted({str(name) for name in weight_map.values()})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointError(f"{index.name} of the model is damaged", "give another revision") from error


def _describe(
    name: str, source: HubName, model: hub.HubModel, entry: CatalogueEntry | None, draft: Path
) -> Manifest:
    """The manifest in the model, or one inferred from its configuration and the catalogue."""
    published = describe_folder(draft)
    (draft / MANIFEST_NAME).unlink(missing_ok=True)  # it will be rewritten for these files
    is_pagesum = published.method is CheckpointMethod.PAGESUM
    licences = (model.licence, published.licence, entry.licence if entry is not None else LICENCE_UNKNOWN)
    manifest = dataclasses.replace(
        published,
        name=name,
        base=published.base or model.base,
        languages=published.languages or model.languages,
        licence=next((each for each in licences if each != LICENCE_UNKNOWN), LICENCE_UNKNOWN),
        origin=Origin(
            kind=OriginKind.HUB, source=model.repo, revision=model.commit, requested=source.revision
        ),
        trained_confidence=published.trained_confidence and is_pagesum,
    )
    if entry is None:
        return manifest
    return dataclasses.replace(
        manifest,
        base=manifest.base or entry.base,
        locality=manifest.locality or entry.locality,
        languages=manifest.languages or entry.languages,
        metrics=manifest.metrics or entry.metrics,
    )
