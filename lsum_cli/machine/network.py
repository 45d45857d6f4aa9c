"""Whether connections may be made, decided before the hub's library is imported."""

from __future__ import annotations

import os
import sys

OFFLINE_VARIABLES = ("LSUM_OFFLINE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")
_TRUE = {"1", "on", "yes", "true"}


def is_offline(offline: bool = False) -> bool:
    """Whether connections are forbidden: by ``--offline``, or by one of :data:`OFFLINE_VARIABLES`."""
    return offline or any(os.environ.get(name, "").strip().lower() in _TRUE for name in OFFLINE_VARIABLES)


def configure_network(*, offline: bool) -> bool:
    """Tell the hub's library, by its own variables, what is allowed; call before importing it.

    Telemetry is switched off.

    Args:
        offline: Whether the user gave ``--offline``.

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
