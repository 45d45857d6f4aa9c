"""Int8: whether a checkpoint may compute in 8-bit integers without being asked to.

Integers change what a model writes by an amount that depends on its weights. A checkpoint that was compared
with its full weights (``lsum models calibrate``) says in its manifest how far the two agree, and on which
processors integers were faster; ``--dtype auto`` chooses them where both are good enough. Nothing here
imports torch.
"""

from __future__ import annotations

from lsum_cli.checkpoints.manifest import Int8Record, Manifest
from lsum_cli.checkpoints.values import CheckpointMethod

# What --dtype auto asks for: the same most probable token almost always, nearly the same probabilities, both
# seen on enough tokens, and less time.
LEAST_AGREEMENT = 0.98
MOST_DIVERGENCE = 0.01
LEAST_TOKENS = 100
MOST_TIME = 0.9

METHODS = (CheckpointMethod.PAGESUM,)
"""Methods whose models can compute in integers."""


def agrees(record: Int8Record) -> bool:
    """Whether integers write nearly the same as the full weights, as far as was seen."""
    return (
        record.tokens >= LEAST_TOKENS
        and record.agreement >= LEAST_AGREEMENT
        and record.divergence <= MOST_DIVERGENCE
    )


def is_faster(record: Int8Record, processor: str) -> bool:
    """Whether integers were measured to be faster on such processors."""
    return record.speed.get(processor, 1.0) <= MOST_TIME


def takes_int8(manifest: Manifest, processor: str) -> bool:
    """Whether ``--dtype auto`` computes in integers on such processors."""
    record = manifest.int8
    return (
        manifest.method in METHODS and record is not None and agrees(record) and is_faster(record, processor)
    )


def describe_int8(manifest: Manifest, processor: str | None = None) -> str | None:
    """Say in a line how integers compare, and what ``--dtype auto`` makes of it.

    Args:
        processor: The class of processor to speak of; by default all that were measured.

    Returns:
        ``None`` for a model that cannot compute in integers.
    """
    record = manifest.int8
    if manifest.method not in METHODS:
        return None
    if record is None:
        return "not compared with the full weights"
    found = (
        f"the same token on {record.agreement:.1%} of {record.tokens:,}, divergence {record.divergence:.2g}"
    )
    if record.tokens < LEAST_TOKENS:
        return f"{found}: too few to rely on"
    if not agrees(record):
        return f"{found}: too far from the full weights for --dtype auto"
    measured = {name: time for name, time in record.speed.items() if processor in (None, name)}
    if not measured:
        return f"{found}: not timed on this processor, so that --dtype auto does not take it"
    fast = {name: time for name, time in measured.items() if time <= MOST_TIME}
    if not fast:
        return f"{found}: {min(measured.values()):.2f} of the time, too little gain for --dtype auto"
    where = "here" if processor is not None else f"with {' or '.join(fast)}"
    return f"{found}: --dtype auto takes it {where}, in {min(fast.values()):.2f} of the time"
