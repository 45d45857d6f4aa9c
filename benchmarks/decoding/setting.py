"""The setting: sizes of the model, pages, beams, random weights and tokens.

Nothing here imports torch at module level, so that a contender without torch is measured without it.
"""

from __future__ import annotations

import json
import random
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from transformers import BartConfig, PreTrainedModel

SEED = 20
FIRST_WORD = 4
START, PAD, END = 2, 1, 2
PAGESUM = "pagesum"
"""Subfolder with the weights as an imported PageSum has them."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Sizes of the model and of the work; ``tokens`` are forced: no text ends earlier."""

    hidden: int = 1024
    layers: int = 12
    heads: int = 16
    ffn: int = 4096
    vocab: int = 50265
    pages: int = 7
    page_len: int = 1024
    beams: int = 4
    tokens: int = 64
    no_repeat_ngram: int = 3
    threads: int = 2

    @property
    def max_length(self) -> int:
        """Ids of a hypothesis, start token included."""
        return self.tokens + 1

    def page_ids(self) -> list[list[int]]:
        """Random pages, the first of them the same however many there are."""
        chance = random.Random(SEED)
        return [
            [chance.randrange(FIRST_WORD, self.vocab) for _ in range(self.page_len)]
            for _ in range(self.pages)
        ]

    def to_json(self) -> str:
        """Write the setting for another process."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what :meth:`to_json` wrote."""
        return cls(**json.loads(text))


RECORD = Setting()
TINY = Setting(hidden=32, layers=2, heads=4, ffn=64, vocab=200, pages=3, page_len=24, beams=2, tokens=8)


def bart_config(setting: Setting, **settings: Any) -> BartConfig:
    """BART of the setting's sizes, whose generation forces no token."""
    from transformers import BartConfig

    # The last two are those of the published BART-large, which conversion asks for.
    return BartConfig(**_sizes(setting), **settings, normalize_before=False, normalize_embedding=True)


def _sizes(setting: Setting) -> dict[str, Any]:
    return {
        "vocab_size": setting.vocab,
        "d_model": setting.hidden,
        "max_position_embeddings": max(setting.page_len, setting.max_length),
        "encoder_layers": setting.layers,
        "decoder_layers": setting.layers,
        "encoder_attention_heads": setting.heads,
        "decoder_attention_heads": setting.heads,
        "encoder_ffn_dim": setting.ffn,
        "decoder_ffn_dim": setting.ffn,
        "dropout": 0.0,
        "forced_eos_token_id": None,
    }


def save_weights(setting: Setting, folder: Path) -> None:
    """Make random weights, the same at every call, and save them: as BART, and as PageSum."""
    import torch
    from transformers import BartForConditionalGeneration

    torch.manual_seed(SEED)
    BartForConditionalGeneration(bart_config(setting)).save_pretrained(folder)
    load_pagesum(setting, folder).save_pretrained(folder / PAGESUM)


def load_bart(setting: Setting, folder: Path) -> PreTrainedModel:
    """Load the saved weights as BART."""
    from transformers import BartForConditionalGeneration

    model: PreTrainedModel = BartForConditionalGeneration.from_pretrained(folder, config=bart_config(setting))
    return model.eval()


def load_pagesum(setting: Setting, folder: Path) -> PreTrainedModel:
    """Load the saved weights as PageSum; the confidence layer is new, the same at every call."""
    import torch

    from lsum_cli.models.pagesum.configuration import PageSumConfig
    from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration

    torch.manual_seed(SEED)
    config = PageSumConfig(**_sizes(setting), page_len=setting.page_len)
    model: PreTrainedModel = PageSumForConditionalGeneration.from_pretrained(folder, config=config)
    return model.eval()


def make_led(setting: Setting) -> PreTrainedModel:
    """LED of the same sizes that reads all pages at once; led-large-16384 has windows of 1024 tokens."""
    import torch
    from transformers import LEDConfig, LEDForConditionalGeneration

    sizes = _sizes(setting)
    positions = sizes.pop("max_position_embeddings")
    window = setting.page_len
    length = setting.pages * window
    torch.manual_seed(SEED)
    config = LEDConfig(
        **sizes,
        attention_window=window,
        max_encoder_position_embeddings=max(16384, length) if setting.hidden == RECORD.hidden else length,
        max_decoder_position_embeddings=positions,
    )
    model: PreTrainedModel = LEDForConditionalGeneration(config)
    return model.eval()
