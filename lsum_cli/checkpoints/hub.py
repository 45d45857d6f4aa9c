"""The hub: its cache, and what it holds."""

from __future__ import annotations

from pathlib import Path

from lsum_cli.checkpoints.loading import WEIGHT_FILES
from lsum_cli.checkpoints.store import HubName


def find_in_hub_cache(name: HubName) -> Path | None:
    """The folder of a hub model that another program has fetched whole, or ``None``."""
    from huggingface_hub import try_to_load_from_cache

    config = try_to_load_from_cache(name.repo, "config.json", revision=name.revision)
    if not isinstance(config, str):
        return None
    folder = Path(config).parent
    return folder if any((folder / file).exists() for file in WEIGHT_FILES) else None
