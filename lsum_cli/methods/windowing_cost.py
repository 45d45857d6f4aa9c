"""What reading and writing window by window is expected to cost here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsum_cli.methods.costs import PROGRAM_BYTES, measure_rates
from lsum_cli.methods.method import Cost

if TYPE_CHECKING:
    from lsum_cli.methods.opening import OpenedCheckpoint

# What recurrence reaches of the rate of matrix products, and what is kept of every word.
_RECURRENT_SHARE = 0.3
_BYTES_PER_WORD = 250
# Of a step, beyond arithmetic: choosing among the candidates.
_STEP_SECONDS = 1.5e-3


def estimate_windowing(opened: OpenedCheckpoint, num_tokens: int, steps: int, beams: int) -> Cost:
    """Estimate time and memory of reading a text of ``num_tokens`` words and writing ``steps`` tokens."""
    from lsum_cli.machine.devices import AUTO, choose_device, choose_precision
    from lsum_cli.models.blocks.precision import keeps_compact
    from lsum_cli.models.windowing.encoded_text import CACHED_AHEAD

    config = opened.config
    vocab, embedding, hidden = (int(config[name]) for name in ("vocab_size", "embedding_size", "hidden_size"))
    device = choose_device(opened.options.device)
    flops_rate, bytes_rate = measure_rates(device, choose_precision("float32", device))
    is_compact = device.type == "cpu" and opened.options.dtype == AUTO and keeps_compact()
    reading = 2 * 2 * num_tokens * 4 * hidden * (embedding + hidden)
    writing = 2 * beams * steps * (vocab * embedding + 8 * hidden * (embedding + 2 * hidden))
    weights = 4 * (vocab * embedding + 40 * hidden * (embedding + hidden))
    return Cost(
        seconds=reading / (flops_rate * _RECURRENT_SHARE)
        + writing / flops_rate
        + steps * (_STEP_SECONDS + (2 if is_compact else 4) * vocab * embedding / bytes_rate),
        memory_bytes=PROGRAM_BYTES
        + 2 * weights
        + num_tokens * _BYTES_PER_WORD
        + min(num_tokens, CACHED_AHEAD) * 4 * hidden,
    )
