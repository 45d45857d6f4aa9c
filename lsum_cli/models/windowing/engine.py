"""The windowing model for inference: texts of any length, with a separate window for every hypothesis.

The network of :mod:`lsum_cli.models.windowing.network`, one token at a time, with prepared layers where a
step spends its time: the decoder's gates, the layer before the vocabulary, and the vocabulary. A summary's
tokens are traced back to the source tokens that they were copied from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from lsum_cli.errors import OptionError
from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks.precision import Preparation, PreparedLinear, survives_float16
from lsum_cli.models.windowing.encoded_text import EncodedText, WindowedText
from lsum_cli.models.windowing.network import State, WindowingNetwork
from lsum_cli.models.windowing.vocabulary import SourceText
from lsum_cli.models.windowing.windows import WindowLayout, WindowRules, WindowState
from lsum_cli.progress import ProgressListener, ignore_progress

IMPOSSIBLE = float("-inf")
# Within sentences a shift is unlikely: probabilities below this are ignored.
MIN_SHIFT_PROBABILITY = 0.1
# Usual number of inputs of the prepared layers at once: the beams of a text.
TYPICAL_ROWS = 3
# Number of most attended source tokens in a trace.
SHOWN = 16


class WindowingEngine:
    """A windowing model ready to encode and decode; build it with :meth:`prepare`."""

    def __init__(
        self,
        network: WindowingNetwork,
        *,
        vocabulary: PreparedLinear,
        gates: PreparedLinear,
        read_out: PreparedLinear,
    ) -> None:
        self.network = network
        self.vocabulary = vocabulary
        self.read_out = read_out
        self._gates = gates

    def decode(self, embedded: Tensor, state: State) -> State:
        """Step the decoder's LSTM, (rows, embedding); h and c (rows, hidden)."""
        h, c = state
        gates = self._gates(torch.cat([embedded, h], dim=-1))  # (rows, 4 × hidden)
        opens, forgets, new, shows = gates.chunk(4, dim=-1)
        c = forgets.sigmoid_() * c + opens.sigmoid_() * new.tanh_()
        return shows.sigmoid_() * c.tanh(), c

    @classmethod
    def prepare(
        cls,
        network: WindowingNetwork,
        precision: Precision | None = None,
        *,
        device: torch.device | None = None,
    ) -> Self:
        """Prepare a model.

        Args:
            network: The network; converted to float32 and moved to the device, since all but the
                vocabulary is small.
            precision: Precision of the vocabulary projection; ``None`` for float32. On a CPU, float16 weights
                are stored in 16 bits and multiplied in float32. With float32, weights are also stored in
                16 bits if that loses nothing, as with a bfloat16 checkpoint.
            device: The device; ``None`` for that of the model.

        Raises:
            OptionError: The device cannot compute in this precision.
        """
        device = device or network.device
        network.to(device=device, dtype=torch.float32).eval()
        precision = precision or Precision.FLOAT32
        with torch.inference_mode():
            decoder: Any = network.decoder
            return cls(
                network,
                vocabulary=_prepare_vocabulary(network.embedding.weight, precision, device),
                gates=_prepare_exactly(
                    torch.cat([decoder.weight_ih_l0, decoder.weight_hh_l0], dim=1),
                    decoder.bias_ih_l0 + decoder.bias_hh_l0,
                ),
                read_out=_prepare_exactly(network.pointer.read_out.weight, network.pointer.read_out.bias),
            )

    @torch.inference_mode()
    def encode(
        self,
        sources: Sequence[SourceText],
        rules: WindowRules | None = None,
        *,
        progress: ProgressListener = ignore_progress,
    ) -> WindowingDecoder:
        """Encode texts, to be decoded together.

        Args:
            sources: At least one, none of them empty.
            rules: How to move through the windows; by default the checkpoint's settings.
            progress: Called after every stretch of text that was read.

        Raises:
            OptionError: There is no text, or the stride exceeds the window.
        """
        if not sources or not all(map(len, sources)):
            raise OptionError("there is no text to summarise", "give a source that contains text")
        rules = rules or WindowRules()
        texts = []
        for source in sources:
            schedule = rules.schedule(len(source), self.network.settings)
            texts.append(WindowedText(self.network, source, schedule, progress))
        return WindowingDecoder(self, texts, rules)


def _prepare_vocabulary(weight: Tensor, precision: Precision, device: torch.device) -> PreparedLinear:
    """Prepare the vocabulary matrix, which takes most of the time of a step, (vocab, embedding)."""
    if precision is Precision.FLOAT32:
        return _prepare_exactly(weight)
    if precision is Precision.FLOAT16 and device.type == "cpu":
        return Preparation(Precision.FLOAT32, device).compact_linear(weight, rows=TYPICAL_ROWS)
    preparation = Preparation(precision, device)
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias=False, device="meta")
    layer.weight = nn.Parameter(weight.detach(), requires_grad=False)
    projection = preparation.linear(layer, rows=TYPICAL_ROWS)
    return lambda read_out: projection(read_out.to(preparation.dtype)).float()


def _prepare_exactly(weight: Tensor, bias: Tensor | None = None) -> PreparedLinear:
    """Prepare a layer in float32, stored in 16 bits if that loses nothing."""
    preparation = Preparation(Precision.FLOAT32, weight.device)
    if survives_float16(weight):
        return preparation.compact_linear(weight, bias, rows=TYPICAL_ROWS)
    exact_bias = weight.new_zeros(len(weight)) if bias is None else bias
    return preparation.exact_linear(weight, exact_bias, rows=TYPICAL_ROWS)


@dataclass(slots=True)
class _Row:
    """A hypothesis being written.

    Attributes:
        state: Its position in the windows.
        coverage: The attention that its window's tokens have received.
        owed: The number of window shifts that the model expected so far, minus those made.
    """

    state: WindowState
    coverage: Tensor | None = None
    owed: float = 0.0


class WindowStep(NamedTuple):
    """The source of a token.

    Attributes:
        window: The window of its row.
        log_gen_norm: log p_gen - log Z, which a score of the vocabulary is added to for log p_gen P_V.
    """

    window: int
    log_gen_norm: float


_PACKED_STEP = np.dtype([("window", np.int64), ("log_gen_norm", np.float32)])


class WindowSteps:
    """The trace of one step, packed, since a text of a million words has many."""

    __slots__ = ("_bytes",)

    def __init__(self, windows: Sequence[int], log_gen_norms: Tensor) -> None:
        packed = np.empty(len(windows), _PACKED_STEP)
        packed["window"], packed["log_gen_norm"] = windows, log_gen_norms.numpy()
        self._bytes = packed.tobytes()

    def __getitem__(self, beam: int, /) -> WindowStep:
        """Return the step of a beam."""
        return WindowStep(*np.frombuffer(self._bytes, _PACKED_STEP)[beam].item())


class WindowingDecoder:
    """Encoded texts; a ``Decoder`` of the generation engine, to be used once."""

    def __init__(self, engine: WindowingEngine, texts: Sequence[WindowedText], rules: WindowRules) -> None:
        self._engine = engine
        self._texts = tuple(texts)
        self._rules = rules
        self._active = list(texts)
        self._is_held: Callable[[int], bool] = lambda _: False
        self._is_done: Callable[[int, int], bool] = lambda _row, _window: False
        self._extended = engine.network.settings.vocab_size + max(text.num_unknown for text in texts)
        self._rows: list[_Row] = []

    def under(self, rules: WindowRules) -> WindowingDecoder:
        """The same encoded texts for a search of their own, by other rules that lay the same windows."""
        settings = self._engine.network.settings
        texts = [
            text.under(rules.schedule(text.schedule.layout.num_tokens, settings)) for text in self._texts
        ]
        return WindowingDecoder(self._engine, texts, rules)

    @property
    def num_documents(self) -> int:
        """The number of texts being decoded."""
        return len(self._active)

    @property
    def max_length(self) -> int:
        """The maximum length that generation needs, start token included, so that the windows decide."""
        return 1 + max(text.schedule.max_tokens for text in self._texts)

    def guide(self, is_held: Callable[[int], bool], is_done: Callable[[int, int], bool]) -> None:
        """Let something else have a say in when rows move on, asked at every step for each of its rows.

        Args:
            is_held: Whether a row stays in its window and goes on writing, such as inside a sentence; limits
                and shifts then wait.
            is_done: Whether a row has nothing to write in a window; static windowing then goes on.
        """
        self._is_held, self._is_done = is_held, is_done

    def state(self, row: int) -> WindowState:
        """Return where a row of the present step is."""
        return self._rows[row].state

    def allows_shift(self, row: int) -> bool:
        """Whether a row of the present step can move to a next window."""
        return self._active[row // self._beams].schedule.allows_shift(self._rows[row].state)

    def start(self, beams: int, max_length: int) -> None:  # noqa: ARG002 - nothing is stored per token
        """Give every text ``beams`` rows; see ``Decoder.start``."""
        self._beams = beams
        self._rows = [_Row(text.schedule.begin()) for text in self._texts for _ in range(beams)]
        ends = [torch.cat(parts) for parts in zip(*(text.encoded.end for text in self._texts), strict=True)]
        h, c = self._engine.network.first_state((ends[0], ends[1]))
        self._state = h[0].repeat_interleave(beams, 0), c[0].repeat_interleave(beams, 0)
        self._is_first = True

    def step(self, token_ids: Tensor, parents: Tensor) -> tuple[Tensor, Sequence[WindowSteps]]:
        """Write one token in every row; see ``Decoder.step``."""
        network = self._engine.network
        self._follow(token_ids, parents)
        embedded = network.embed(token_ids.to(network.device))  # (rows, embedding)
        places = parents.to(network.device)
        self._state = self._engine.decode(embedded, (self._state[0][places], self._state[1][places]))
        decoded = self._state[0]
        log_probs, norm = self._score(decoded, embedded)
        self._rule(log_probs)
        windows = [row.state.window for row in self._rows]
        starts = range(0, len(windows), self._beams)
        spans = [slice(start, start + self._beams) for start in starts]
        norm = norm.float().cpu()
        return log_probs, [WindowSteps(windows[span], norm[span]) for span in spans]

    def _follow(self, token_ids: Tensor, parents: Tensor) -> None:
        """Let every row continue its parent with its token."""
        kept = [place // self._beams for place in parents[:: self._beams].tolist()]
        self._active = [self._active[document] for document in kept]
        rows = [self._rows[parent] for parent in parents.tolist()]
        if self._is_first:
            self._rows, self._is_first = rows, False
            self._move_on()
            return
        self._rows = []
        for place, (row, token_id) in enumerate(zip(rows, token_ids.tolist(), strict=True)):
            schedule = self._active[place // self._beams].schedule
            state = schedule.advance(row.state, token_id, stays=self._is_held(place))
            if state.window == row.state.window:
                self._rows.append(_Row(state, row.coverage, row.owed))
            else:
                self._rows.append(_Row(state, None, row.owed - 1))
        self._move_on()

    def _move_on(self) -> None:
        """Let every row leave the windows in which it has nothing to write (static)."""
        for place, row in enumerate(self._rows):
            schedule = self._active[place // self._beams].schedule
            while (
                not schedule.is_dynamic
                and not self._is_held(place)
                and row.state.window < schedule.last
                and self._is_done(place, row.state.window)
            ):
                row.state = schedule.left(row.state)

    def _groups(self) -> dict[tuple[int, int], list[int]]:
        """Rows by text and window."""
        groups: dict[tuple[int, int], list[int]] = {}
        for place, row in enumerate(self._rows):
            groups.setdefault((place // self._beams, row.state.window), []).append(place)
        return groups

    def _score(self, decoded: Tensor, embedded: Tensor) -> tuple[Tensor, Tensor]:
        """Score the tokens that can follow every row (Eqs. 1 and 2).

        Returns:
            (rows, extended_vocab), and (rows,), log p_gen less the logarithm of the softmax's sum.
        """
        engine, pointer = self._engine, self._engine.network.pointer
        groups = []
        context = torch.empty_like(decoded)
        for (document, index), rows in self._groups().items():
            window = self._active[document].window(index)
            # Most often all rows of a single text read one window: nothing need be gathered.
            own = slice(None) if len(rows) == len(decoded) else rows
            attention = (decoded[own] @ window.states.T).softmax(dim=-1)  # (rows, window_len)
            context[own] = attention @ window.states
            groups.append((rows, own, window, attention))
        # All rows at once, whatever their windows: most of a step's time goes into reading these weights.
        read, log_gen, log_copy = pointer.weigh(context, decoded, embedded)
        written = engine.vocabulary(engine.read_out(read.tanh_()))  # (rows, vocab)
        vocab = written.shape[1]
        log_probs = written.new_empty(len(decoded), self._extended)
        log_probs[:, vocab:] = IMPOSSIBLE
        torch.add(written.log_softmax(dim=-1), log_gen.unsqueeze(-1), out=log_probs[:, :vocab])
        norm = log_probs[:, 0] - written[:, 0]
        for rows, own, window, attention in groups:
            mass = attention.new_zeros(len(rows), len(window.words)).index_add_(1, window.word_of, attention)
            copied = mass.log_().add_(log_copy[own].unsqueeze(-1))  # (rows, words)
            places = (torch.tensor(rows, device=decoded.device).unsqueeze(1), window.words)
            log_probs[places] = torch.logaddexp(log_probs[places], copied)
            if self._rules.coverage_penalty:
                log_probs[rows] -= self._cover(rows, attention).unsqueeze(-1)
        return log_probs, norm

    def _cover(self, rows: list[int], attention: Tensor) -> Tensor:
        """Add to the rows' coverage and return the penalty of this step, (rows,)."""
        before = torch.stack(
            [
                attention.new_zeros(attention.shape[1]) if coverage is None else coverage
                for coverage in (self._rows[row].coverage for row in rows)
            ]
        )
        after = before + attention
        for row, coverage in zip(rows, after, strict=True):
            self._rows[row].coverage = coverage
        # Up to one unit of attention a source token is free, so that no word is avoided before it was used.
        penalty = after.clamp(min=1).sum(dim=1) - before.clamp(min=1).sum(dim=1)
        return self._rules.coverage_penalty * penalty

    def _rule(self, log_probs: Tensor) -> None:
        """Forbid and force tokens by the rules, in place."""
        settings = self._engine.network.settings
        shift, end = settings.shift_token_id, settings.eos_token_id or 0
        forbidden: list[tuple[int, int]] = []
        for place, row in enumerate(self._rows):
            schedule = self._active[place // self._beams].schedule
            scores, can_shift = log_probs[place], schedule.allows_shift(row.state)
            if self._is_held(place):
                forbidden += [(place, shift), (place, end)]
                continue
            is_complete = schedule.is_complete(row.state)
            if is_complete or schedule.is_exhausted(row.state):
                scores.fill_(IMPOSSIBLE)
                scores[shift if can_shift and not is_complete else end] = 0.0
                row.owed = 1.0
                continue
            if not schedule.allows_end(row.state):
                if can_shift:
                    # An end token before the last window means that this window is finished.
                    scores[shift] = torch.logaddexp(scores[shift], scores[end])
                forbidden.append((place, end))
            if not can_shift:
                forbidden.append((place, shift))
            elif self._rules.paced:
                self._pace(row, scores)
        if forbidden:
            places, tokens = zip(*forbidden, strict=True)
            log_probs[list(places), list(tokens)] = IMPOSSIBLE

    def _pace(self, row: _Row, scores: Tensor) -> None:
        """Decide, in place, whether a row moves to the next window: as often as the model expects.

        Wherever many words could come, the shift is likelier than any one of them, so that a search for
        the likeliest text would shift on and on where the model expects to write for one window in four.
        So the probabilities of a shift are summed, and a shift is made whenever the sum, rounded, has
        grown by one.
        """
        shift = self._engine.network.settings.shift_token_id
        score = scores[shift].clone()
        probability = float(score.exp())
        if probability < MIN_SHIFT_PROBABILITY:
            scores[shift] = IMPOSSIBLE
            return
        row.owed += probability
        if row.owed >= 0.5:
            scores.fill_(IMPOSSIBLE)
            scores[shift] = score
        else:
            scores[shift] = IMPOSSIBLE

    def windows(self, document: int, token_ids: Sequence[int]) -> tuple[int, ...]:
        """Return the window in which each token of a text's summary was written."""
        return self._texts[document].schedule.windows(token_ids)

    def guarded(self, document: int, token_ids: Sequence[int]) -> tuple[int, ...]:
        """Return the windows in which the maximum of tokens was reached."""
        return self._texts[document].schedule.exhausted_windows(token_ids)

    def trace(self, document: int, token_ids: Sequence[int]) -> WindowTrace:
        """Return where each token of a text's summary was copied from; states are recomputed where needed."""
        return self.tracer(document).extend(token_ids, self.windows(document, token_ids))

    @torch.inference_mode()
    def tracer(self, document: int) -> Tracer:
        """Return a tracer at the beginning of a text's summary, which may still be incomplete."""
        text = self._texts[document]
        return Tracer(
            self._engine.network, source=text.source, encoded=text.encoded, layout=text.schedule.layout
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Places:
    """Source tokens and the weight of each.

    Attributes:
        tokens: Their positions in the source, (places,).
        weights: (places,).
    """

    tokens: NDArray[np.int64]
    weights: NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, eq=False)
class WindowTrace:
    """The origin of each token of a summary.

    Attributes:
        windows: The window in which each token was written.
        p_gen: Probability of generating instead of copying, for any token, (target_len,) (Eq. 1).
        copied: The share of the token's probability that is due to copying, (target_len,).
        sources: The source tokens that it was copied from: those of the window that are the same word,
            their attention normalised to 1.
        attention: The most attended tokens of the window, with their attention weights.
    """

    windows: tuple[int, ...]
    p_gen: NDArray[np.float32]
    copied: NDArray[np.float32]
    sources: tuple[Places, ...]
    attention: tuple[Places, ...]


class Tracer:
    """Traces the summary of one text, all at once or while it is written.

    Args:
        network: The network that wrote the summary.
        source: The text.
        encoded: The encoder states of the text.
        layout: The windows of the text.
    """

    def __init__(
        self,
        network: WindowingNetwork,
        *,
        source: SourceText,
        encoded: EncodedText,
        layout: WindowLayout,
    ) -> None:
        self._network = network
        self._source, self._encoded, self._layout = source, encoded, layout
        self._last = int(network.settings.decoder_start_token_id or 0)
        self._state = network.first_state(encoded.end)

    @torch.inference_mode()
    def extend(
        self, token_ids: Sequence[int], windows: Sequence[int], norms: Sequence[float] | None = None
    ) -> WindowTrace:
        """Trace the next tokens.

        Args:
            token_ids: Ids of the extended vocabulary, at least one, without the start token.
            windows: The window of each.
            norms: What to add to each token's vocabulary score for log p_gen P_V
                (:attr:`WindowStep.log_gen_norm`); by default recomputed over the whole vocabulary.
        """
        network, last = self._network, self._last
        ids = torch.tensor([last, *token_ids], device=network.device)
        embedded = network.embed(ids[:-1])  # (target_len, embedding)
        decoded, self._state = network.decoder(embedded.unsqueeze(0), self._state)
        decoded, self._last = decoded[0], int(ids[-1])
        p_gen, copied = torch.zeros(len(token_ids)), torch.zeros(len(token_ids))
        sources: list[Places] = []
        attended: list[Places] = []
        for window, group in groupby(range(len(token_ids)), key=lambda place: windows[place]):
            start, end = self._layout.span(window)
            states = self._encoded.states(start, end)
            words = torch.from_numpy(self._source.extended_ids[start:end]).to(network.device)
            is_text = torch.ones(len(words), dtype=torch.bool, device=network.device)
            steps = list(group)
            reading = network.pointer(decoded[steps], embedded[steps], states, is_text)
            chosen = ids[1:][steps]
            written = (reading.read_out * network.embed(chosen)).sum(dim=-1)
            if norms is not None:
                written += torch.tensor([norms[step] for step in steps], device=network.device)
            else:
                written += reading.log_gen - network.score_vocabulary(reading.read_out).logsumexp(dim=-1)
            # The vocabulary gives nothing beyond it.
            written = written.exp() * (chosen < network.settings.vocab_size)
            attention = reading.log_attention.exp()
            matching = attention * (words.unsqueeze(0) == chosen.unsqueeze(1))  # (steps, window_len)
            by_copying = reading.log_copy.exp() * matching.sum(dim=1)
            p_gen[steps] = reading.log_gen.exp().cpu()
            copied[steps] = (by_copying / (by_copying + written).clamp(min=1e-30)).cpu()
            shares = matching / matching.sum(dim=1, keepdim=True).clamp(min=1e-30)
            sources += _places(shares, start, matching.count_nonzero(dim=1).tolist())
            attended += _places(attention, start, [min(SHOWN, len(words))] * len(steps))
        return WindowTrace(
            windows=tuple(windows),
            p_gen=p_gen.numpy(),
            copied=copied.numpy(),
            sources=tuple(sources),
            attention=tuple(attended),
        )


def _places(weights: Tensor, start: int, counts: Sequence[int]) -> list[Places]:
    """Of every row, (steps, window_len), its ``count`` greatest weights, in descending order."""
    best = weights.topk(max(counts), dim=1)
    tokens, values = (best.indices + start).cpu().numpy(), best.values.cpu().numpy()
    return [
        # Copied: a view would keep all of them.
        Places(tokens=tokens[row, :count].copy(), weights=values[row, :count].copy())
        for row, count in enumerate(counts)
    ]
