"""A copy of a checkpoint with other settings and the same weights."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path

from lsum_cli.checkpoints.manifest import MANIFEST_NAME, Manifest, read_config, read_manifest, record_files
from lsum_cli.checkpoints.saving import link_or_copy
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.records import decode, encode
from lsum_cli.summaries import OptionValue

CONFIG_NAME = "config.json"
# Other sizes would need other weights; the architecture cannot be chosen.
_FIXED = frozenset({"model_type", "architectures", "vocab_size", "transformers_version", "dtype"})


def derive_checkpoint(folder: Path, changes: Mapping[str, OptionValue], target: Path) -> Path:
    """Make a copy of a checkpoint with some settings changed; weights and tokenizer are linked, not copied.

    Settings that also stand in the manifest are changed in both. Whether the weights make sense under
    a setting they were not trained with is up to the caller.

    Args:
        folder: A checkpoint in the store's format or that of ``transformers``.
        changes: Settings of its ``config.json`` and their new values, of the type they have there.
        target: The folder to make; must not exist.

    Raises:
        OptionError: There is no such setting, or the value is of another type.
        CheckpointError: The configuration is damaged.
    """
    config = read_config(folder)
    for name, value in changes.items():
        _check(name, value, config, folder)
    target.mkdir(parents=True)
    for path in folder.iterdir():
        if path.is_file() and path.name not in (CONFIG_NAME, MANIFEST_NAME):
            _link(path.resolve(), target / path.name)
    (target / CONFIG_NAME).write_text(json.dumps(config | dict(changes), indent=2), encoding="utf-8")
    if (folder / MANIFEST_NAME).is_file():
        manifest = _change(read_manifest(folder), changes)
        # Only the configuration is another file than before.
        known = [file for file in manifest.files if file.name != CONFIG_NAME]
        manifest = manifest.with_files(record_files(target, known=known))
        (target / MANIFEST_NAME).write_text(manifest.to_json(), encoding="utf-8")
    return target


def parse_setting(text: str, name: str, folder: Path) -> OptionValue:
    """Parse a value as the type that the setting has in a checkpoint's configuration.

    Raises:
        OptionError: There is no such setting, or the text is not a valid value for it.
        CheckpointError: The configuration is damaged.
    """
    config = read_config(folder)
    value: OptionValue = text
    if not isinstance(config.get(name), str):
        try:
            value = json.loads(text.lower() if text.lower() in ("true", "false") else text)
        except ValueError:
            value = text
    _check(name, value, config, folder)
    return value


def _check(name: str, value: OptionValue, config: Mapping[str, object], folder: Path) -> None:
    if name not in config or name in _FIXED or isinstance(config[name], list | dict):
        own = [key for key, held in config.items() if key not in _FIXED and not isinstance(held, list | dict)]
        raise OptionError(
            f"the checkpoint in {folder} has no setting '{name}' that can be changed",
            f"choose one of {', '.join(sorted(own))}",
        )
    held = config[name]
    fits = isinstance(value, float | int) if isinstance(held, float) else type(value) is type(held)
    if held is not None and not (fits and not (isinstance(value, bool) and not isinstance(held, bool))):
        raise OptionError(
            f"'{value}' is not a valid value for {name}, which is {held!r} in the checkpoint",
            f"give a value of type {type(held).__name__}",
        )


def _change(manifest: Manifest, changes: Mapping[str, OptionValue]) -> Manifest:
    stated = {field.name for field in dataclasses.fields(manifest)} & changes.keys()
    try:
        return decode(Manifest, encode(manifest) | {name: changes[name] for name in stated})
    except ValueError as error:
        raise CheckpointError(
            f"{manifest.name} cannot be used with these settings: {error}", "give other values"
        ) from error


def _link(source: Path, target: Path) -> None:
    try:
        target.symlink_to(source)
    except OSError:  # no links here
        link_or_copy(source, target)
