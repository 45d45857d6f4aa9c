"""What makes the steps of ``generate`` quick for models of ``transformers`` that have no engine here.

Neither changes what is computed. Attention of a single query takes torch's fused kernel for bfloat16 nine
times as long as two products on a processor. And keys and values of the source are the same for all
hypotheses of a text, so that there is nothing to copy when these change places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from lsum_cli.models.blocks.attention import attend

if TYPE_CHECKING:
    from transformers import PreTrainedModel

_NAME = "lsum_steps"
_FUSED = "sdpa"


def attend_in_steps(model: PreTrainedModel) -> None:
    """Let a model on the processor attend by :func:`attend` in decoding steps, if it can be told how to."""
    if model.device.type != "cpu" or model.dtype != torch.bfloat16:
        return
    if model.config._attn_implementation != _FUSED:
        return
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import sdpa_mask

    AttentionInterface.register(_NAME, _attend)
    AttentionMaskInterface.register(_NAME, sdpa_mask)
    model.set_attn_implementation(_NAME)


def make_cache() -> Any:
    """Keys and values of hypotheses, which change places, and of their source, which do not."""
    from transformers import DynamicCache, EncoderDecoderCache

    class HypothesesOfOneSource(EncoderDecoderCache):
        """Beams are rows of one text, which have the same source."""

        def reorder_cache(self, beam_idx: Tensor) -> None:
            """Let rows of the summary change places."""
            self.self_attention_cache.reorder_cache(beam_idx)

    return HypothesesOfOneSource(DynamicCache(), DynamicCache())


def _attend(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    **more: Any,
) -> tuple[Tensor, None]:
    """See ``transformers``' ``sdpa_attention_forward``; (rows, heads, queries, dim) each."""
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    dim = query.shape[-1]
    is_step = query.shape[2] == 1 and query.shape[1] == key.shape[1] and not module.training
    if not is_step or any(more.get(name) is not None for name in ("position_bias", "softcap", "cache")):
        found: tuple[Tensor, None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, scaling=scaling, **more
        )
        return found
    bias = attention_mask
    if bias is not None and bias.dtype == torch.bool:
        bias = torch.zeros_like(bias, dtype=query.dtype).masked_fill_(~bias, float("-inf"))
    if scaling is not None:
        query = query * (scaling * dim**0.5)
    return attend(query, key, value, bias).transpose(1, 2).contiguous(), None
