"""Sending a checkpoint to the hub, through ``huggingface_hub``: planned first, sent only when told."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from lsum_cli.checkpoints.archives import find_complete
from lsum_cli.checkpoints.cards import CARD_NAME, Push, write_card
from lsum_cli.checkpoints.hub import hub_endpoint
from lsum_cli.checkpoints.manifest import Manifest, TrainingRecord, record_files, verify_hashes
from lsum_cli.checkpoints.store import HubName
from lsum_cli.checkpoints.values import MANIFEST_NAME
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.machine.network import configure_network
from lsum_cli.machine.storage import link_or_copy
from lsum_cli.progress import ProgressListener, ignore_progress

_PATHS = ("data.train_file", "data.validation_file", "base", "model.tagger", "model.encoder")


def push(
    name: str,
    repo: str,
    *,
    licence: str | None = None,
    private: bool = False,
    sends: bool = False,
    offline: bool = False,
    progress: ProgressListener = ignore_progress,
) -> Push:
    """Prepare a checkpoint for the hub, and send it if told to.

    The card and the manifest are written anew, with the name it has there, and without the paths of this
    machine: of files and folders only their names are told.

    Args:
        name: The name of an installed checkpoint, or a folder that has a manifest, such as a finished run's.
        repo: ``OWNER/NAME``; made if it does not exist.
        licence: Replaces the licence of the manifest.
        private: Whether a new repository is private.
        sends: Whether anything is sent.

    Raises:
        OptionError: ``repo`` is not a name on the hub.
        CheckpointError: There is no such checkpoint, no token, no network, or the hub refuses.
    """
    place = HubName.parse(repo)
    if place is None or place.revision is not None:
        raise OptionError(f"'{repo}' is not the name of a repository", "give OWNER/NAME")
    found = find_complete(name)
    assert found.manifest is not None
    verify_hashes(found.path, found.manifest, progress)
    is_offline = configure_network(offline=offline)
    with tempfile.TemporaryDirectory(prefix="lsum-push-") as scratch:
        draft = Path(scratch)
        manifest = _write(found.path, found.manifest, draft, repo, licence)
        prepared = Push(
            manifest=manifest, folder=found.path, repo=repo, endpoint=hub_endpoint(), is_private=private
        )
        if not sends:
            return prepared
        if is_offline:
            raise CheckpointError(f"{repo} cannot be pushed: nothing is sent offline", "go online")
        return dataclasses.replace(prepared, url=_send(draft, repo, private=private))


def _write(folder: Path, manifest: Manifest, draft: Path, repo: str, licence: str | None) -> Manifest:
    """Put the files as they are sent into a folder."""
    for file in manifest.files:
        if file.name != CARD_NAME:
            link_or_copy(folder / file.name, draft / file.name)
    sent = dataclasses.replace(
        manifest,
        name=repo,
        licence=licence or manifest.licence,
        base=_bare(manifest.base) if manifest.base else None,
        training=_without_paths(manifest.training) if manifest.training else None,
    )
    (draft / CARD_NAME).write_text(write_card(sent), encoding="utf-8")
    sent = sent.with_files(
        record_files(draft, known=[file for file in manifest.files if file.name != CARD_NAME])
    )
    (draft / MANIFEST_NAME).write_text(sent.to_json(), encoding="utf-8")
    return sent


def _without_paths(record: TrainingRecord) -> TrainingRecord:
    recipe: Mapping[str, str] = {
        key: _bare(value) if key in _PATHS else value for key, value in record.recipe.items()
    }
    data = tuple(
        dataclasses.replace(each, files={Path(path).name: sha256 for path, sha256 in each.files.items()})
        for each in record.data
    )
    return dataclasses.replace(record, recipe=recipe, data=data)


def _bare(path: str) -> str:
    """The last part of a path; a name on the hub as it is."""
    is_hub_name = HubName.parse(path) is not None and not Path(path).exists()
    return path if is_hub_name else Path(path.strip('[]" ')).name or path


def _send(draft: Path, repo: str, *, private: bool) -> str:
    from huggingface_hub import HfApi, get_token
    from huggingface_hub.utils import disable_progress_bars  # type: ignore[attr-defined]

    if not get_token():
        raise CheckpointError(
            f"{repo} cannot be pushed without a token of the hub",
            f"make one that may write at {hub_endpoint()}/settings/tokens and set HF_TOKEN,"
            " or run: hf auth login",
        )
    disable_progress_bars()
    api = HfApi()
    with _explained(repo):
        api.create_repo(repo, private=private or None, exist_ok=True)
        commit = api.upload_folder(
            repo_id=repo, folder_path=draft, commit_message="Checkpoint written by lsum", delete_patterns=None
        )
    return str(getattr(commit, "repo_url", None) or f"{hub_endpoint()}/{repo}")


@contextmanager
def _explained(repo: str) -> Iterator[None]:
    """Turn exceptions of the hub's client into one-line errors."""
    from huggingface_hub import errors

    connection_error: type[Exception] = errors.HTTPError  # type: ignore[attr-defined]
    try:
        yield
    except errors.HfHubHTTPError as error:
        status = error.response.status_code
        if status in (401, 403):
            raise CheckpointError(
                f"the hub does not let this token write to {repo} ({status})",
                "check the owner, and that the token may write",
            ) from error
        raise CheckpointError(
            f"the hub at {hub_endpoint()} fails with status {status} for {repo}", "push again later"
        ) from error
    except connection_error as error:
        raise CheckpointError(
            f"the hub at {hub_endpoint()} cannot be reached", "check network, HTTPS_PROXY and HF_ENDPOINT"
        ) from error
