"""Saving a model as a checkpoint, whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from lsum_cli.checkpoints.cards import CARD_NAME, write_card
from lsum_cli.checkpoints.installation import draft_of, finish_draft
from lsum_cli.checkpoints.loading import quiet_transformers
from lsum_cli.checkpoints.manifest import Manifest

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


def save_checkpoint(
    folder: Path,
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    manifest: Manifest,
    more: Mapping[str, bytes] = MappingProxyType({}),
) -> Manifest:
    """Write configuration, weights, tokenizer, card and manifest to a folder.

    What stands at ``folder`` is replaced, and only once everything is written.

    Args:
        folder: Of the checkpoint; its parent is created.
        manifest: What is known of it; its files are recorded here.
        more: Further files by name, or a card of its own as ``README.md``.

    Returns:
        The manifest as written.

    Raises:
        CheckpointError: The disk refuses.
    """
    from safetensors import SafetensorError

    folder = folder.absolute()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with draft_of(folder) as draft:
        with quiet_transformers():
            try:
                model.save_pretrained(draft, max_shard_size="1TB")
            except SafetensorError as error:
                raise OSError(str(error)) from error
            tokenizer.save_pretrained(draft)
        (draft / CARD_NAME).write_text(write_card(manifest), encoding="utf-8")
        for name, content in more.items():
            (draft / name).write_bytes(content)
        return finish_draft(draft, folder, manifest)
