"""The windowing model's settings: sizes, windows, and the lengths it was trained on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from lsum_cli.models.blocks.settings import ModelSettings

WINDOWINGS = ("dynamic", "static", "none")
BRIDGES = ("tanh", "none")
WINDOW_WEIGHTS = ("normalised", "softmax")
SHIFTS = ("throughout", "between")


@dataclass(frozen=True, kw_only=True)
class WindowingSettings(ModelSettings):
    """Sizes and settings of a windowing model.

    Attributes:
        vocab_size: Size of the vocabulary, special tokens included.
        embedding_size: Size of a word embedding; input and output share the embeddings.
        hidden_size: Hidden size of the encoder in each direction; the decoder's is twice as large.
        dropout: Dropout on embeddings and before the vocabulary projection, in training.
        window_len: Tokens that attention reaches (T_w).
        stride: Tokens from the start of one window to the next (ss).
        windowing: ``"dynamic"``: the model writes a window-shift token; ``"static"``: each window gets
            a share of a length fixed beforehand; ``"none"``: it reads the first window and nothing
            else, the fixed-input model (STAN) of the paper.
        weight_k: k of the static weights exp(-k (1 + i·d^i)).
        weight_d: d of the static weights; 0 is uniform.
        window_weights: How e(w_i) = exp(-k (1 + i·d^i)) become shares of the summary: ``"softmax"``, as the
            paper says; ``"normalised"``: divided by their sum, as in its published code.
        bridge: What the decoder begins from: ``"none"``: the concatenated end states of the encoder, as in
            the paper; ``"tanh"``: a layer in between, tanh(W·h) + b of h and W·c + b of c.
        shifts: Dynamic: where training put window-shift tokens: ``"between"``: between consecutive sentences,
            as in the paper; ``"throughout"``: before the first and after the last sentence too, so that a
            summary ends in the last window.
        paced: Dynamic: whether windows shift as often as the model expects; otherwise whenever the search
            chooses the window-shift token, as in the paper.
        summary_len: maj(|S|) of Eq. 3: the tokens that cover 90 % of the training summaries.
        source_len: maj(|D|), likewise of the training texts.
        stretch_len: Tokens encoded at once; longer texts are encoded in stretches.
        stretch_overlap: Tokens behind a stretch that its backward states have read.
        max_window_tokens: Maximum of tokens written for one window.
        shift_token_id: The window-shift token.

    Raises:
        CheckpointError: Sizes that no model can have, or an unknown setting.
    """

    model_type: ClassVar[str] = "windowing"

    vocab_size: int = 50000
    embedding_size: int = 300
    hidden_size: int = 256
    dropout: float = 0.0
    window_len: int = 400
    stride: int = 380
    windowing: str = "dynamic"
    weight_k: float = 0.8
    weight_d: float = 0.0
    window_weights: str = "normalised"
    bridge: str = "tanh"
    shifts: str = "throughout"
    paced: bool = True
    summary_len: float = 100.0
    source_len: float = 1000.0
    stretch_len: int = 8192
    stretch_overlap: int = 512
    max_window_tokens: int = 200
    shift_token_id: int = 4
    unk_token_id: int = 1
    pad_token_id: int | None = 0
    bos_token_id: int | None = 2
    eos_token_id: int | None = 3
    decoder_start_token_id: int | None = 2

    def _problems(self) -> list[str]:
        sizes = ("embedding_size", "hidden_size", "window_len", "stride", "stretch_len", "max_window_tokens")
        least = dict.fromkeys(("stretch_overlap", "shift_token_id", "unk_token_id"), 0)
        numbers = ("dropout", "weight_k", "weight_d", "summary_len", "source_len")
        problems = self._bad_sizes(dict.fromkeys((*sizes, "vocab_size"), 1) | least)
        problems = problems or self._bad_numbers(numbers)
        if problems:
            return problems
        if max(self.shift_token_id, self.unk_token_id) >= self.vocab_size:
            problems.append(
                f"shift_token_id {self.shift_token_id} or unk_token_id {self.unk_token_id}"
                f" is beyond the vocabulary of {self.vocab_size}"
            )
        if self.stride > self.window_len:
            problems.append(f"stride {self.stride} exceeds window_len {self.window_len}")
        if not (self.weight_k >= 0 and self.weight_d >= 0):
            problems.append(f"weight_k {self.weight_k} or weight_d {self.weight_d} is negative")
        if not (self.summary_len > 0 and self.source_len > 0):
            problems.append(f"summary_len {self.summary_len} or source_len {self.source_len} is not positive")
        return problems + self._unknown_choices(
            {
                "windowing": WINDOWINGS,
                "bridge": BRIDGES,
                "window_weights": WINDOW_WEIGHTS,
                "shifts": SHIFTS,
                "paced": (True, False),
            }
        )
