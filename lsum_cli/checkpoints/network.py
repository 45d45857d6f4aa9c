"""Whether connections may be made, decided before any library of the hub is imported."""

from __future__ import annotations

import os
import sys

OFFLINE_VARIABLES = ("LSUM_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
_TRUE = {"1", "on", "yes", "true"}


def is_offline(wish: bool = False) -> bool:
    """Whether no connection may be made: asked for, or by one of :data:`OFFLINE_VARIABLES`."""
    return wish or any(os.environ.get(name, "").strip().lower() in _TRUE for name in OFFLINE_VARIABLES)


def settle_network(*, offline: bool) -> bool:
    """Let the hub's library know, by its own variables, what is allowed; call before importing it.

    Telemetry is off.

    Args:
        offline: Whether the user asked for ``--offline``.

    Returns:
        Whether the process is offline.
    """
    offline = is_offline(offline)
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    if offline:
        os.environ["HF_HUB_OFFLINE"] = "1"
        constants = sys.modules.get("huggingface_hub.constants")
        if constants is not None:  # imported by someone else already: it reads its variables only once
            constants.HF_HUB_OFFLINE = True  # type: ignore[attr-defined]
    return offline
