"""The windowing model's mathematics: a pointer-generator whose attention reaches one window of the text.

For summary token t, with the decoder's state s_t and the encoder's states h_j of the window's tokens,

    α_t = softmax over the window of s_t · h_j,   c_t = Σ_j α_tj h_j     (Luong's dot attention)
    l_t = W_l tanh([c_t; s_t]) + b_l
    P_V = softmax(E l_t), with the word embeddings E
    p_gen = σ(w_c·c_t + w_s·s_t + w_x·x_t + b)                           (Eq. 1)
    P(x) = p_gen P_V(x) + (1 - p_gen) Σ_{j: x_j = x} α_tj                (Eq. 2)

(Schüller et al. 2020, "Windowing Models for Abstractive Summarization of Long Texts".) The encoder, a
bidirectional LSTM, reads the whole text; the decoder, an LSTM, begins from its concatenated end states,
with ``bridge: tanh`` through a layer that the paper does not have, and is shared by all windows. Attention
does not feed back into the decoder, so that all steps of a known summary are computed at once. Everything
is computed as logarithms.

A plain torch module: training wraps it in :mod:`lsum_cli.models.windowing.modeling`, inference runs it
token by token in :mod:`lsum_cli.models.windowing.engine`.

Dimensions: ``batch, source_len, target_len, windows, window_len, hidden, embedding, vocab,
extended_vocab``; ``tokens`` are the target tokens that count, of the whole batch; ``hidden`` is the
decoder's, twice the encoder's. A *block* consists of up to 32 target tokens that read the same window.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from torch.utils.checkpoint import checkpoint

from lsum_cli.errors import OptionError
from lsum_cli.models.blocks.weights import Embedding, ReadModule, load_weights
from lsum_cli.models.windowing.settings import WindowingSettings

IGNORED_LABEL = -100
# Time steps of padded texts that the encoder reads at once.
STEPS_AT_ONCE = 128
BLOCK_LEN = 32
SCORES_AT_ONCE = 1 << 25
# The logarithm of nothing; finite, so that its gradient is 0 rather than NaN.
NEVER = -1e30

State = tuple[Tensor, Tensor]
"""h and c of an LSTM, each (batch, hidden)."""


class Encoder(nn.Module):
    """A bidirectional LSTM over the whole text, in two halves that can also read it in stretches."""

    def __init__(self, settings: WindowingSettings) -> None:
        super().__init__()
        self.ahead = nn.LSTM(settings.embedding_size, settings.hidden_size, batch_first=True)
        self.back = nn.LSTM(settings.embedding_size, settings.hidden_size, batch_first=True)

    def forward(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, State]:
        """Encode padded texts.

        Args:
            embedded: (batch, source_len, embedding), padding at the end.
            lengths: (batch,), at least 1 each.

        Returns:
            States (batch, source_len, hidden), 0 at padding, and the end states, (batch, hidden) each.
        """
        reverse = reversal(lengths, embedded.shape[1])
        with in_full_precision(embedded.device):
            ahead, (ahead_h, ahead_c) = _run(self.ahead, embedded, lengths)
            back, (back_h, back_c) = _run(self.back, _take(embedded, reverse), lengths)
        states = torch.cat([ahead, _take(back, reverse)], dim=-1)
        return states, (torch.cat([ahead_h, back_h], dim=-1), torch.cat([ahead_c, back_c], dim=-1))


def in_full_precision(device: torch.device) -> torch.autocast:
    """Keep an LSTM out of mixed precision, which not every processor supports for it."""
    return torch.autocast(device.type, enabled=False)


def reversal(lengths: Tensor, size: int) -> Tensor:
    """Return the places that read each row backwards within its length, (batch, size)."""
    place = torch.arange(size, device=lengths.device).unsqueeze(0)
    backwards = lengths.unsqueeze(1) - 1 - place
    return torch.where(backwards >= 0, backwards, place)


def _take(states: Tensor, places: Tensor) -> Tensor:
    return states.gather(1, places.unsqueeze(-1).expand_as(states))


def _run(lstm: nn.LSTM, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, State]:
    """Read padded rows, a slice of time after the other; states are 0 at padding."""
    if bool((lengths == embedded.shape[1]).all()):
        states, (h, c) = lstm(embedded)
        return states, (h[0], c[0])
    h = c = embedded.new_zeros(len(embedded), lstm.hidden_size)
    parts = []
    # The gradient of a packed sequence costs the square of its length: so it is short.
    for number, part in enumerate(torch.split(embedded, STEPS_AT_ONCE, dim=1)):
        left = (lengths - number * STEPS_AT_ONCE).clamp(max=part.shape[1])
        states, h, c = _read_slice(lstm, part, left, h, c)
        parts.append(states)
    return torch.cat(parts, dim=1), (h, c)


def _read_slice(
    lstm: nn.LSTM, embedded: Tensor, lengths: Tensor, h: Tensor, c: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Read on from states h and c, (batch, hidden); rows of length 0 or less stay as they are."""
    size = embedded.shape[1]
    if bool((lengths == size).all()):
        states, (last_h, last_c) = lstm(embedded, (h.unsqueeze(0), c.unsqueeze(0)))
        return states, last_h[0], last_c[0]
    rows = (lengths > 0).nonzero()[:, 0]
    if not len(rows):
        return embedded.new_zeros(len(embedded), size, lstm.hidden_size), h, c
    packed = pack_padded_sequence(embedded[rows], lengths[rows].cpu(), batch_first=True, enforce_sorted=False)
    found, (last_h, last_c) = lstm(packed, (h[rows].unsqueeze(0), c[rows].unsqueeze(0)))
    padded, _ = pad_packed_sequence(found, batch_first=True, total_length=size)
    return (
        embedded.new_zeros(len(embedded), size, lstm.hidden_size).index_copy(0, rows, padded),
        h.index_copy(0, rows, last_h[0]),
        c.index_copy(0, rows, last_c[0]),
    )


class Blocks(NamedTuple):
    """Target tokens grouped by the window they read.

    Attributes:
        token: (blocks, block_len), which of the ``tokens``; 0 where the block is not full.
        is_token: (blocks, block_len), whether there is a token.
        row: (blocks,), the example.
        window: (blocks,), the window.
    """

    token: Tensor
    is_token: Tensor
    row: Tensor
    window: Tensor


class Reading(NamedTuple):
    """A window as its target tokens read it.

    Attributes:
        log_attention: log α, (…, window_len); :data:`NEVER` beyond the text.
        log_gen: log p_gen, (…).
        log_copy: log(1 - p_gen), (…).
        read_out: l_t, (…, embedding).
    """

    log_attention: Tensor
    log_gen: Tensor
    log_copy: Tensor
    read_out: Tensor


class PointerGenerator(nn.Module):
    """Attention within a window and the mixture of generating and copying (all but the vocabulary)."""

    def __init__(self, settings: WindowingSettings) -> None:
        super().__init__()
        hidden = 2 * settings.hidden_size
        self.read_out = nn.Linear(2 * hidden, settings.embedding_size)
        self.gate = nn.Linear(2 * hidden + settings.embedding_size, 1)
        self.dropout = nn.Dropout(settings.dropout)

    def forward(self, decoded: Tensor, embedded: Tensor, window: Tensor, is_text: Tensor) -> Reading:
        """Read a window.

        Args:
            decoded: s_t, (…, steps, hidden).
            embedded: x_t, (…, steps, embedding).
            window: Encoder states, (…, window_len, hidden).
            is_text: (…, window_len), where there is text; a window without any is never copied from.
        """
        log_attention, context = self.attend(decoded, window, is_text)
        read, log_gen, log_copy = self.weigh(context, decoded, embedded)
        has_text = is_text.any(dim=-1, keepdim=True)  # (…, 1)
        return Reading(
            log_attention=log_attention.masked_fill(~is_text.unsqueeze(-2), NEVER),
            log_gen=torch.where(has_text, log_gen, torch.zeros_like(log_gen)),
            log_copy=torch.where(has_text, log_copy, torch.full_like(log_copy, NEVER)),
            read_out=self.read_out(self.dropout(torch.tanh(read))),
        )

    def attend(self, decoded: Tensor, window: Tensor, is_text: Tensor) -> tuple[Tensor, Tensor]:
        """Return log α, (…, steps, window_len), and c_t, (…, steps, hidden), 0 where there is no text."""
        scores = (decoded @ window.transpose(-1, -2)).float()  # (…, steps, window_len)
        log_attention = scores.masked_fill(~is_text.unsqueeze(-2), NEVER).log_softmax(dim=-1)
        attention = log_attention.exp() * is_text.any(dim=-1)[..., None, None]
        return log_attention, attention.to(window.dtype) @ window

    def weigh(self, context: Tensor, decoded: Tensor, embedded: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return [c_t; s_t], (…, 2 × hidden), log p_gen and log(1 - p_gen), (…) (Eq. 1)."""
        read = torch.cat([context, decoded], dim=-1)
        gate = self.gate(torch.cat([read, embedded], dim=-1)).squeeze(-1).float()
        return read, functional.logsigmoid(gate), functional.logsigmoid(-gate)


class WindowingNetwork(ReadModule):
    """The pointer-generator with windows.

    Attributes:
        settings: The model's settings.
    """

    def __init__(self, settings: WindowingSettings) -> None:
        super().__init__()
        self._build(settings)

    def _build(self, settings: WindowingSettings) -> None:
        """Make the layers; the subclass for ``transformers`` has its own ``__init__`` and calls this."""
        self.settings = settings
        hidden = 2 * settings.hidden_size
        self.embedding: nn.Embedding = Embedding(settings.vocab_size, settings.embedding_size)
        self.dropout = nn.Dropout(settings.dropout)
        self.encoder = Encoder(settings)
        if settings.bridge == "tanh":
            self.bridge_h = nn.Linear(hidden, hidden)
            self.bridge_c = nn.Linear(hidden, hidden)
        self.decoder = nn.LSTM(settings.embedding_size, hidden, batch_first=True)
        self.pointer = PointerGenerator(settings)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.embedding.weight.device

    def get_input_embeddings(self) -> nn.Module:
        """Return the word embeddings, which are the vocabulary's projection too."""
        return self.embedding

    def score(
        self,
        input_ids: Tensor,
        attention_mask: Tensor,
        extended_ids: Tensor,
        decoder_input_ids: Tensor,
        window_index: Tensor,
        labels: Tensor | None = None,
    ) -> Tensor:
        """Score the labels, or all that may follow ``decoder_input_ids`` (Eqs. 1 and 2).

        Args:
            input_ids: (batch, source_len), padding at the end.
            attention_mask: Same shape, 1 at tokens.
            extended_ids: Same shape, ids of the extended vocabulary.
            decoder_input_ids: (batch, target_len).
            window_index: Same shape, the window each target token is read from.
            labels: Same shape, ids of the extended vocabulary, -100 where none counts. A word that
                neither the vocabulary nor the label's window has counts as the unknown token.

        Returns:
            Log probabilities: without labels (batch, target_len, extended_vocab); with labels those of
            the labels, (batch, target_len), 0 where none counts.

        Raises:
            OptionError: A window lies behind the end of its text.
        """
        states, end = self.encode(input_ids, attention_mask)
        embedded = self.embed(decoder_input_ids)
        h, c = self.first_state(end)
        with in_full_precision(embedded.device):
            decoded, _ = self.decoder(embedded, (h.to(embedded.dtype), c.to(embedded.dtype)))
        counts = (
            torch.ones_like(window_index, dtype=torch.bool) if labels is None else labels != IGNORED_LABEL
        )
        blocks = make_blocks(window_index, counts)
        lengths = attention_mask.sum(dim=1)
        place, is_text = window_places(blocks, lengths, self.settings.window_len, self.settings.stride)
        reading = self.pointer(
            _in_blocks(decoded[counts], blocks),
            _in_blocks(embedded[counts], blocks),
            states[blocks.row.unsqueeze(1), place],  # (blocks, window_len, hidden)
            is_text,
        )
        words = extended_ids[blocks.row.unsqueeze(1), place].masked_fill(~is_text, IGNORED_LABEL)
        if labels is None:
            return self._distribution(reading, words, blocks).view(*decoder_input_ids.shape, -1)
        scores = self._score_labels(reading, words, _in_blocks(labels[counts], blocks), blocks)
        scores = scores[blocks.is_token]  # (tokens,), in the order of the blocks
        return scores.new_zeros(labels.shape).masked_scatter(counts, scores[_unsort(blocks)])

    def encode(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, State]:
        """Encode texts; see :class:`Encoder`. A text without tokens counts as one of padding."""
        lengths = attention_mask.sum(dim=1).clamp(min=1)
        states: tuple[Tensor, State] = self.encoder(self.embed(input_ids), lengths)
        return states

    def embed(self, token_ids: Tensor) -> Tensor:
        """(…) -> (…, embedding); words beyond the vocabulary are the unknown word."""
        known = token_ids.masked_fill(token_ids >= self.settings.vocab_size, self.settings.unk_token_id)
        embedded: Tensor = self.dropout(self.embedding(known))
        return embedded

    def first_state(self, end: State) -> State:
        """The decoder's first state, (1, batch, hidden), from the encoder's end states, (batch, hidden)."""
        if self.settings.bridge == "none":
            return end[0].unsqueeze(0), end[1].unsqueeze(0)
        return torch.tanh(self.bridge_h(end[0])).unsqueeze(0), self.bridge_c(end[1]).unsqueeze(0)

    def vocabulary_scores(self, read_out: Tensor) -> Tensor:
        """Return log P_V, (…, embedding) -> (…, vocab)."""
        return self.score_vocabulary(read_out).log_softmax(dim=-1)

    def score_vocabulary(self, read_out: Tensor) -> Tensor:
        """Return the scores of which P_V is the softmax, (…, embedding) -> (…, vocab)."""
        return functional.linear(read_out, self.embedding.weight).float()

    def _score_labels(self, reading: Reading, words: Tensor, labels: Tensor, blocks: Blocks) -> Tensor:
        """Return log P of the labels (Eq. 2), (blocks, block_len); undefined where there is no token.

        Args:
            words: Extended ids of each block's window, (blocks, window_len).
            labels: (blocks, block_len).
        """
        vocab = self.settings.vocab_size
        is_copied = words.unsqueeze(1) == labels.unsqueeze(2)  # (blocks, block_len, window_len)
        is_known = labels < vocab
        lost = ~is_known & ~is_copied.any(dim=-1)
        labels = labels.masked_fill(lost, self.settings.unk_token_id)
        is_known = is_known | lost
        # A window with one token is a block like any other: of its empty places no vocabulary is scored.
        is_token = blocks.is_token
        known_labels = labels.masked_fill(~is_known, 0)[is_token]
        written = reading.log_gen.new_zeros(labels.shape).masked_scatter(
            is_token, self._score_written(reading.read_out[is_token], known_labels)
        )
        written = torch.where(is_known, reading.log_gen + written, torch.full_like(written, NEVER))
        copied = reading.log_attention.masked_fill(~is_copied, NEVER).logsumexp(dim=-1)
        return torch.logaddexp(written, reading.log_copy + copied)

    def _score_written(self, read_out: Tensor, labels: Tensor) -> Tensor:
        """Return log P_V of the labels, (tokens,); only a slice of all scores is in memory at a time."""
        rows = max(1, SCORES_AT_ONCE // self.settings.vocab_size)
        if len(labels) <= rows:
            return _score(read_out, self.embedding.weight, labels)
        parts = [
            checkpoint(_score, part, self.embedding.weight, part_labels, use_reentrant=False)
            for part, part_labels in zip(torch.split(read_out, rows), torch.split(labels, rows), strict=True)
        ]
        return torch.cat(parts)

    def _distribution(self, reading: Reading, words: Tensor, blocks: Blocks) -> Tensor:
        """Return log P of the whole extended vocabulary (Eq. 2), (tokens, extended_vocab)."""
        vocab = self.settings.vocab_size
        extended = max(vocab, int(words.max()) + 1)
        written = functional.pad(
            reading.log_gen.unsqueeze(-1) + self.vocabulary_scores(reading.read_out),
            (0, extended - vocab),
            value=NEVER,
        )
        mass = torch.zeros_like(written).scatter_add_(
            -1,
            words.clamp(min=0).unsqueeze(1).expand_as(reading.log_attention),
            reading.log_attention.exp(),
        )  # what is beyond the text adds 0 to the first word
        copied = torch.where(mass > 0, mass, 1).log().masked_fill(mass == 0, NEVER)
        mixed = torch.logaddexp(written, reading.log_copy.unsqueeze(-1) + copied)
        return mixed[blocks.is_token][_unsort(blocks)]


def load_network(folder: Path, weights_name: str) -> WindowingNetwork:
    """Read what ``save_pretrained`` wrote.

    Args:
        folder: Folder of the checkpoint.
        weights_name: Its safetensors file.

    Raises:
        CheckpointError: Weights are missing or of another size.
    """
    return load_weights(WindowingNetwork, WindowingSettings.read(folder), folder / weights_name)


def make_blocks(window_index: Tensor, counts: Tensor) -> Blocks:
    """Group target tokens that read the same window, at most 32 together.

    Args:
        window_index: (batch, target_len).
        counts: (batch, target_len), which tokens count.
    """
    rows = counts.nonzero()[:, 0]  # (tokens,)
    windows = window_index[counts]
    # Stable, so that the tokens of a window keep their order.
    order = torch.argsort(rows * (int(windows.max()) + 1 if len(windows) else 1) + windows, stable=True)
    groups = torch.stack([rows[order], windows[order]], dim=1)
    if not len(groups):
        none = rows.new_zeros((0, BLOCK_LEN))
        return Blocks(none, none.bool(), rows, rows)
    _, sizes = torch.unique_consecutive(groups, dim=0, return_counts=True)
    starts = sizes.cumsum(0) - sizes
    within = torch.arange(len(order), device=order.device) - starts.repeat_interleave(sizes)
    per_group = -(-sizes // BLOCK_LEN)
    first_block = per_group.cumsum(0) - per_group
    block = first_block.repeat_interleave(sizes) + within // BLOCK_LEN  # (tokens,)
    token = order.new_zeros((int(per_group.sum()), BLOCK_LEN))
    is_token = torch.zeros_like(token, dtype=torch.bool)
    token[block, within % BLOCK_LEN] = order
    is_token[block, within % BLOCK_LEN] = True
    first = token[:, 0]
    return Blocks(token, is_token, rows[first], windows[first])


def window_places(blocks: Blocks, lengths: Tensor, window_len: int, stride: int) -> tuple[Tensor, Tensor]:
    """Return the source tokens of each block's window and where there is text, (blocks, window_len) each.

    Raises:
        OptionError: A window lies behind the end of its text.
    """
    lengths = lengths[blocks.row].unsqueeze(1)  # (blocks, 1)
    starts = blocks.window.unsqueeze(1) * stride
    if bool((starts >= lengths.clamp(min=1)).any()):
        raise OptionError("a window lies behind the end of its text", "give window indices of the text's own")
    longest = min(window_len, max(1, int(lengths.max()))) if len(lengths) else 1
    place = starts + torch.arange(longest, device=starts.device)
    return place.minimum((lengths - 1).clamp(min=0)), place < lengths


def _in_blocks(tokens: Tensor, blocks: Blocks) -> Tensor:
    """(tokens, …) -> (blocks, block_len, …)."""
    return tokens[blocks.token]


def _unsort(blocks: Blocks) -> Tensor:
    """Return the position of each target token among the blocks' tokens, (tokens,)."""
    return torch.argsort(blocks.token[blocks.is_token])


def _score(read_out: Tensor, weight: Tensor, labels: Tensor) -> Tensor:
    """(tokens, embedding), (vocab, embedding), (tokens,) -> log P_V, (tokens,)."""
    logits = functional.linear(read_out, weight).float()
    return -functional.cross_entropy(logits, labels, reduction="none")
