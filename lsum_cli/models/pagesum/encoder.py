"""PageSum's encoder: BART's, over pages that never see one another (Liu et al. 2022, Eq. 6).

Dimensions: ``batch, pages, page_len, hidden``; ``rows`` is ``batch × pages``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import Tensor
from transformers.modeling_outputs import BaseModelOutput
from transformers.models.bart.modeling_bart import BartEncoder

from lsum_cli.errors import OptionError


@dataclass
class PageEncoderOutput(BaseModelOutput):
    """BART's encoder output, and what was encoded.

    Attributes:
        page_mask: Which positions hold tokens, (batch, pages, page_len), boolean.
        page_ids: The tokens, same shape.
    """

    page_mask: Tensor | None = None
    page_ids: Tensor | None = None


class PageEncoder(BartEncoder):
    """BART's encoder over pages: each is a sequence of its own."""

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        **kwargs: Any,
    ) -> PageEncoderOutput:
        """Encode every page by itself (Eq. 6, inner part).

        Args:
            input_ids: (batch, pages, page_len), or (batch, page_len) for one page.
            attention_mask: Same shape, or (batch, pages × page_len) as ``generate`` wants it; 1 at tokens;
                by default wherever no padding stands.
            inputs_embeds: Not supported.
            **kwargs: As BART's encoder takes them.

        Returns:
            Its ``last_hidden_state`` is (batch, pages, page_len, hidden), 0 on absent pages where
            the configuration masks these.

        Raises:
            OptionError: Pages of a shape that cannot be encoded.
        """
        if input_ids is None or inputs_embeds is not None:
            raise OptionError("pages are encoded from token ids only", "give input_ids")
        kwargs.pop("return_dict", None)
        input_ids = _with_page_dimension(input_ids)
        self._check_shape(input_ids)
        mask = _page_mask(input_ids, attention_mask, self.config.pad_token_id)
        rows, row_mask = input_ids.flatten(0, 1), mask.flatten(0, 1)  # (rows, page_len)
        if not self.config.mask_absent_pages:
            encoded = super().forward(rows, attention_mask=row_mask, return_dict=True, **kwargs)
            states = encoded.last_hidden_state
        else:
            present = row_mask.any(dim=-1)  # (rows,)
            if not present.view(mask.shape[:2]).any(dim=-1).all():
                raise OptionError(
                    "a document has no page with tokens", "give at least one page that holds text"
                )
            encoded = super().forward(
                rows[present], attention_mask=row_mask[present], return_dict=True, **kwargs
            )
            states = encoded.last_hidden_state.new_zeros(*rows.shape, self.config.d_model)
            states = states.index_put((present,), encoded.last_hidden_state)
        return PageEncoderOutput(
            last_hidden_state=states.view(*input_ids.shape, -1),
            hidden_states=encoded.hidden_states,
            attentions=encoded.attentions,
            page_mask=mask,
            page_ids=input_ids,
        )

    def _check_shape(self, input_ids: Tensor) -> None:
        batch, pages, page_len = input_ids.shape
        if not batch or not pages or not page_len:
            raise OptionError(
                f"{batch} documents of {pages} pages of {page_len} tokens hold nothing",
                "give at least one document, page and token",
            )
        if page_len > self.config.max_position_embeddings:
            raise OptionError(
                f"a page of {page_len} tokens exceeds the {self.config.max_position_embeddings} of the model",
                f"give --page-tokens {self.config.page_len} or fewer",
            )


def _with_page_dimension(tensor: Tensor) -> Tensor:
    """Make one page of (batch, page_len); leave (batch, pages, page_len)."""
    return tensor.unsqueeze(1) if tensor.dim() == 2 else tensor


def _page_mask(input_ids: Tensor, attention_mask: Tensor | None, pad_token_id: int) -> Tensor:
    """Return a boolean mask of the shape of ``input_ids``, (batch, pages, page_len)."""
    if attention_mask is None:
        return input_ids != pad_token_id
    if attention_mask.shape[0] != input_ids.shape[0] or attention_mask.numel() != input_ids.numel():
        raise OptionError(
            f"attention_mask is {tuple(attention_mask.shape)} but input_ids are {tuple(input_ids.shape)}",
            "give both the shape (batch, pages, page_len)",
        )
    return attention_mask.view_as(input_ids).bool()


def mask_of(encoder_outputs: BaseModelOutput, attention_mask: Tensor | None) -> Tensor:
    """Return the mask of encoded pages, (batch, pages, page_len)."""
    mask: Tensor | None = getattr(encoder_outputs, "page_mask", None)
    if mask is not None:
        return mask
    if attention_mask is None:
        raise OptionError("encoder_outputs came without their mask", "give attention_mask as well")
    return attention_mask.view(encoder_outputs.last_hidden_state.shape[:3]).bool()


def ids_of(encoder_outputs: BaseModelOutput, input_ids: Tensor | None) -> Tensor:
    """Return the tokens of encoded pages, (batch, pages, page_len)."""
    ids: Tensor | None = getattr(encoder_outputs, "page_ids", None)
    if ids is not None:
        return ids
    if input_ids is None:
        raise OptionError("encoder_outputs came without the tokens to copy", "give input_ids as well")
    return input_ids.view(encoder_outputs.last_hidden_state.shape[:3])
