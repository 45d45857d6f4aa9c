"""What makes the steps of ``generate`` quick for models of ``transformers`` that have no engine here.

Neither changes what is computed. Attention of a single query takes torch's fused kernel for bfloat16 nine
times as long as two products on a processor. And keys and values of the source are the same for all
hypotheses of a text: there is nothing to copy when these change places, and they are read once for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from lsum_cli.models.blocks.attention import attend

if TYPE_CHECKING:
    from transformers import PreTrainedModel

_NAME = "lsum_steps"
_FUSED = "sdpa"
# Attribute of keys and values: those of each text, (texts, heads, length, dim).
_SHARED = "lsum_shared"


def attend_in_steps(model: PreTrainedModel) -> None:
    """Let a model on the processor attend by :func:`attend` in decoding steps, if it can be told how to."""
    if not _is_attended_here(model) or model.config._attn_implementation != _FUSED:
        return
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import sdpa_mask

    AttentionInterface.register(_NAME, _attend)
    AttentionMaskInterface.register(_NAME, sdpa_mask)
    model.set_attn_implementation(_NAME)


def _is_attended_here(computed: PreTrainedModel | Tensor) -> bool:
    """Whether the fused kernel is slow with it; elsewhere a copy of the source's keys would never be read."""
    return computed.device.type == "cpu" and computed.dtype == torch.bfloat16


def make_cache(beams: int) -> Any:
    """Keys and values of hypotheses, which change places, and of their source, which do not.

    Args:
        beams: Hypotheses of a text, which are neighbours.
    """
    from transformers import DynamicCache, EncoderDecoderCache

    class SourceCache(DynamicCache):
        """Of a source; what is stored for each of its hypotheses knows what is stored for all of them."""

        def update(self, *given: Any, **more: Any) -> tuple[Tensor, Tensor]:
            """As any cache."""
            found: tuple[Tensor, Tensor] = super().update(*given, **more)
            for each in found if _is_attended_here(found[0]) else ():
                setattr(each, _SHARED, each[::beams].contiguous())
            return found

    class HypothesesOfOneSource(EncoderDecoderCache):
        """Beams are rows of one text, which have the same source."""

        def reorder_cache(self, beam_idx: Tensor) -> None:
            """Let rows of the summary change places."""
            self.self_attention_cache.reorder_cache(beam_idx)

    return HypothesesOfOneSource(DynamicCache(), SourceCache() if beams > 1 else DynamicCache())


class OwnLengths:
    """Limits of the texts that ``generate`` writes together, which knows but one maximum and minimum for all.

    A text at its maximum stays as it is while the longer ones go on.

    Args:
        most: Ids of each text at most, start token included, as in all lengths here.
        least: An end token is banned while there are fewer.
        end_token_ids: What ends a text.
        forced_last_ids: Of these is the last one at the maximum; any, if there are none.
    """

    def __init__(
        self,
        *,
        most: Sequence[int],
        least: Sequence[int],
        end_token_ids: Sequence[int],
        forced_last_ids: Sequence[int],
    ) -> None:
        self.most = list(most)
        self._least = list(least)
        self._end_token_ids = torch.tensor(end_token_ids)
        self._forced_last_ids = torch.tensor(forced_last_ids)

    def limit(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """Ban and force end tokens in place, as a logits processor: (rows, length), (rows, vocab)."""
        rows, length = input_ids.shape
        short = self._rows(rows, [length < least for least in self._least])
        scores[short.unsqueeze(1), self._end_token_ids] = float("-inf")
        if len(self._forced_last_ids):
            last = self._rows(rows, [length == most - 1 for most in self.most])
            scores[last] = float("-inf")
            scores[last.unsqueeze(1), self._forced_last_ids] = 0.0
        return scores

    def are_reached(self, input_ids: Tensor, scores: Tensor, **more: Any) -> Tensor:  # noqa: ARG002
        """Which rows are as long as they may be, as a stopping criterion: (rows, length) -> (rows,)."""
        rows, length = input_ids.shape
        reached = torch.tensor([length >= most for most in self.most], device=input_ids.device)
        return reached.repeat_interleave(rows // len(self.most))

    def _rows(self, rows: int, of_texts: Sequence[bool]) -> Tensor:
        """The rows of these texts."""
        return torch.tensor(of_texts).repeat_interleave(rows // len(of_texts)).nonzero().squeeze(1)


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
    shared_key, shared_value = (getattr(each, _SHARED, None) for each in (key, value))
    rows = query.shape[0]
    if shared_key is not None and shared_value is not None:
        beams = rows // shared_key.shape[0]
        # (texts, heads, beams, dim)
        query = query.reshape(-1, beams, *query.shape[1:]).squeeze(3).transpose(1, 2)
        key, value = shared_key, shared_value
        if bias is not None and bias.shape[0] == rows:
            bias = bias[::beams]
    if bias is not None and bias.dtype == torch.bool:
        bias = torch.zeros_like(bias, dtype=query.dtype).masked_fill_(~bias, float("-inf"))
    if scaling is not None:
        query = query * (scaling * dim**0.5)
    attended = attend(query, key, value, bias).transpose(1, 2)  # (texts, beams, heads, dim), or (rows, 1, …)
    return attended.reshape(rows, 1, *attended.shape[2:]).contiguous(), None
