"""The windowing model for inference: texts of any length, a window of its own for every hypothesis.

The same numbers as :class:`~lsum_cli.models.windowing.modeling.WindowingForConditionalGeneration`, one
token at a time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import torch
from torch import Tensor, nn

from lsum_cli.errors import OptionError
from lsum_cli.machine.devices import Precision
from lsum_cli.models.blocks.precision import Preparation, PreparedLinear, survives_float16
from lsum_cli.models.windowing.encoder import State
from lsum_cli.models.windowing.modeling import WindowingForConditionalGeneration
from lsum_cli.models.windowing.rules import Itinerary, Stay, WindowRules
from lsum_cli.models.windowing.stretches import EncodedText
from lsum_cli.models.windowing.tracing import Tracer, WindowTrace
from lsum_cli.models.windowing.vocabulary import SourceText
from lsum_cli.models.windowing.windows import WindowLayout
from lsum_cli.progress import ProgressListener, ignore_progress

IMPOSSIBLE = float("-inf")
KEPT_WINDOWS = 8
# Within sentences a shift is not thought of: so small a chance counts for nothing.
LEAST_CHANCE = 0.1
USUAL_ROWS = 3


class WindowingEngine:
    """A windowing model ready to encode and decode; build it with :meth:`prepare`."""

    def __init__(
        self,
        model: WindowingForConditionalGeneration,
        *,
        vocabulary: PreparedLinear,
        gates: PreparedLinear,
        read_out: PreparedLinear,
    ) -> None:
        self.model = model
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
        model: WindowingForConditionalGeneration,
        precision: Precision | None = None,
        *,
        device: torch.device | None = None,
    ) -> Self:
        """Make a model ready.

        Args:
            model: Becomes float32 and moves to the device: all but the vocabulary is small.
            precision: Of the vocabulary's projection; ``None`` for float32. On a CPU float16 is how its
                weights are kept, and float32 how they are multiplied; where they are no finer, as those of
                a bfloat16 checkpoint, float32 keeps them so too.
            device: Where; ``None`` for where the model is.

        Raises:
            OptionError: The device cannot compute in this precision.
        """
        device = device or model.device
        model.to(device=device, dtype=torch.float32).eval()
        precision = precision or Precision.FLOAT32
        with torch.inference_mode():
            decoder: Any = model.decoder
            return cls(
                model,
                vocabulary=_prepare_vocabulary(model.embedding.weight, precision, device),
                gates=_prepare_exactly(
                    torch.cat([decoder.weight_ih_l0, decoder.weight_hh_l0], dim=1),
                    decoder.bias_ih_l0 + decoder.bias_hh_l0,
                ),
                read_out=_prepare_exactly(model.pointer.read_out.weight, model.pointer.read_out.bias),
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
            rules: How to go through the windows; by default as the checkpoint says.
            progress: Hears of every stretch that was read.

        Raises:
            OptionError: No text, or a stride that exceeds the window.
        """
        if not sources or not all(map(len, sources)):
            raise OptionError("there is no text to summarise", "give a source that holds text")
        rules = rules or WindowRules()
        texts = []
        for source in sources:
            itinerary = rules.itinerary(len(source), self.model.config)
            texts.append(WindowedText(self, source, itinerary, progress))
        return WindowingDecoder(self, texts, rules)


def _prepare_vocabulary(weight: Tensor, precision: Precision, device: torch.device) -> PreparedLinear:
    """Prepare the matrix that most of a step is spent on, (vocab, embedding)."""
    if precision is Precision.FLOAT32:
        return _prepare_exactly(weight)
    if precision is Precision.FLOAT16 and device.type == "cpu":
        return Preparation(Precision.FLOAT32, device).compact_linear(weight, rows=USUAL_ROWS)
    preparation = Preparation(precision, device)
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias=False, device="meta")
    layer.weight = nn.Parameter(weight.detach(), requires_grad=False)
    projection = preparation.linear(layer, rows=USUAL_ROWS)
    return lambda read_out: projection(read_out.to(preparation.dtype)).float()


def _prepare_exactly(weight: Tensor, bias: Tensor | None = None) -> PreparedLinear:
    """Prepare a layer in float32, kept in 16 bits where these lose nothing."""
    preparation = Preparation(Precision.FLOAT32, weight.device)
    if survives_float16(weight):
        return preparation.compact_linear(weight, bias, rows=USUAL_ROWS)
    exact_bias = weight.new_zeros(len(weight)) if bias is None else bias
    return preparation.exact_linear(weight, exact_bias, rows=USUAL_ROWS)


class Window(NamedTuple):
    """A window ready to be read.

    Attributes:
        states: (window_len, hidden).
        words: Its distinct extended ids, (words,).
        word_of: Which of them stands at each place, (window_len,).
    """

    states: Tensor
    words: Tensor
    word_of: Tensor


class WindowedText:
    """One encoded text and its windows."""

    def __init__(
        self, engine: WindowingEngine, source: SourceText, itinerary: Itinerary, progress: ProgressListener
    ) -> None:
        self.itinerary = itinerary
        self.source = source.first(itinerary.layout.num_tokens)
        self.encoded = EncodedText(engine.model, torch.from_numpy(self.source.input_ids), progress=progress)
        self._extended_ids = torch.from_numpy(self.source.extended_ids).to(engine.model.device)
        self._windows: OrderedDict[int, Window] = OrderedDict()

    @property
    def num_unknown(self) -> int:
        """Words of the source beyond the vocabulary."""
        return len(self.source.unknown_words)

    def window(self, index: int) -> Window:
        """Return a window; the last few are kept."""
        if index not in self._windows:
            start, end = self.itinerary.layout.span(index)
            words, word_of = torch.unique(self._extended_ids[start:end], return_inverse=True)
            self._windows[index] = Window(self.encoded.states(start, end), words, word_of)
            if len(self._windows) > KEPT_WINDOWS:
                self._windows.popitem(last=False)
        self._windows.move_to_end(index)
        return self._windows[index]


@dataclass(slots=True)
class _Row:
    """A hypothesis being written.

    Attributes:
        stay: Where it is.
        coverage: The attention that its window's tokens have had.
        owed: The window shifts that were to be expected of it so far, less those it made.
    """

    stay: Stay
    coverage: Tensor | None = None
    owed: float = 0.0


class WindowStep(NamedTuple):
    """What a token was read from.

    Attributes:
        window: The window of its row.
        log_gen_norm: log p_gen - log Z, which a score of the vocabulary is added to for log p_gen P_V.
    """

    window: int
    log_gen_norm: float


_PACKED_STEP = np.dtype([("window", np.int64), ("log_gen_norm", np.float32)])


class WindowSteps:
    """The trace of one step, packed: a text of a million words writes many."""

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
        self._extended = engine.model.config.vocab_size + max(text.num_unknown for text in texts)
        self._rows: list[_Row] = []

    @property
    def num_documents(self) -> int:
        """How many texts are being decoded."""
        return len(self._active)

    @property
    def layouts(self) -> tuple[WindowLayout, ...]:
        """The windows of every text; without windowing one, which need not hold the whole text."""
        return tuple(text.itinerary.layout for text in self._texts)

    @property
    def max_length(self) -> int:
        """The maximum length that generation needs, start token included, so that the windows decide."""
        return 1 + max(text.itinerary.max_tokens for text in self._texts)

    def start(self, beams: int, max_length: int) -> None:  # noqa: ARG002 - nothing is kept per token
        """Give every text ``beams`` rows; see ``Decoder.start``."""
        self._beams = beams
        self._rows = [_Row(text.itinerary.begin()) for text in self._texts for _ in range(beams)]
        ends = [torch.cat(parts) for parts in zip(*(text.encoded.end for text in self._texts), strict=True)]
        h, c = self._engine.model.first_state((ends[0], ends[1]))
        self._state = h[0].repeat_interleave(beams, 0), c[0].repeat_interleave(beams, 0)
        self._is_first = True

    def step(self, token_ids: Tensor, parents: Tensor) -> tuple[Tensor, Sequence[WindowSteps]]:
        """Write one token in every row; see ``Decoder.step``."""
        model = self._engine.model
        self._follow(token_ids, parents)
        embedded = model.embed(token_ids.to(model.device))  # (rows, embedding)
        places = parents.to(model.device)
        self._state = self._engine.decode(embedded, (self._state[0][places], self._state[1][places]))
        decoded = self._state[0]
        log_probs, norm = self._score(decoded, embedded)
        self._rule(log_probs)
        windows = [row.stay.window for row in self._rows]
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
            return
        self._rows = []
        for place, (row, token_id) in enumerate(zip(rows, token_ids.tolist(), strict=True)):
            stay = self._active[place // self._beams].itinerary.go_on(row.stay, token_id)
            if stay.window == row.stay.window:
                self._rows.append(_Row(stay, row.coverage, row.owed))
            else:
                self._rows.append(_Row(stay, None, row.owed - 1))

    def _groups(self) -> dict[tuple[int, int], list[int]]:
        """Rows by text and window."""
        groups: dict[tuple[int, int], list[int]] = {}
        for place, row in enumerate(self._rows):
            groups.setdefault((place // self._beams, row.stay.window), []).append(place)
        return groups

    def _score(self, decoded: Tensor, embedded: Tensor) -> tuple[Tensor, Tensor]:
        """Score what may follow every row (Eqs. 1 and 2).

        Returns:
            (rows, extended_vocab), and (rows,), log p_gen less the logarithm of the softmax's sum.
        """
        engine, pointer = self._engine, self._engine.model.pointer
        groups = []
        context = torch.empty_like(decoded)
        for (document, index), rows in self._groups().items():
            window = self._active[document].window(index)
            log_attention, context[rows] = pointer.attend(decoded[rows], window.states)
            groups.append((rows, window, log_attention.exp()))
        # All rows at once, whatever window they read: most of a step is reading these weights.
        read, log_gen, log_copy = pointer.weigh(context, decoded, embedded)
        written = engine.vocabulary(engine.read_out(read.tanh_()))  # (rows, vocab)
        vocab = written.shape[1]
        log_probs = written.new_empty(len(decoded), self._extended)
        log_probs[:, vocab:] = IMPOSSIBLE
        torch.add(written.log_softmax(dim=-1), log_gen.unsqueeze(-1), out=log_probs[:, :vocab])
        norm = log_probs[:, 0] - written[:, 0]
        for rows, window, attention in groups:
            places = torch.tensor(rows, device=decoded.device).unsqueeze(1)
            mass = attention.new_zeros(len(rows), len(window.words)).index_add_(1, window.word_of, attention)
            copied = mass.log() + log_copy[rows].unsqueeze(-1)  # (rows, words)
            log_probs[places, window.words] = torch.logaddexp(log_probs[places, window.words], copied)
            if self._rules.coverage_penalty:
                log_probs[rows] -= self._cover(rows, attention).unsqueeze(-1)
        return log_probs, norm

    def _cover(self, rows: list[int], attention: Tensor) -> Tensor:
        """Add to the rows' coverage and return by how much this step makes them pay, (rows,)."""
        before = torch.stack(
            [
                attention.new_zeros(attention.shape[1]) if coverage is None else coverage
                for coverage in (self._rows[row].coverage for row in rows)
            ]
        )
        after = before + attention
        for row, coverage in zip(rows, after, strict=True):
            self._rows[row].coverage = coverage
        # What a source token gets up to one unit is free: no word is feared before it was used.
        paid = after.clamp(min=1).sum(dim=1) - before.clamp(min=1).sum(dim=1)
        return self._rules.coverage_penalty * paid

    def _rule(self, log_probs: Tensor) -> None:
        """Forbid and force, in place."""
        config = self._engine.model.config
        shift, end = config.shift_token_id, config.eos_token_id
        for place, row in enumerate(self._rows):
            itinerary = self._active[place // self._beams].itinerary
            scores, can_shift = log_probs[place], itinerary.allows_shift(row.stay)
            is_complete = itinerary.is_complete(row.stay)
            if is_complete or itinerary.is_exhausted(row.stay):
                scores.fill_(IMPOSSIBLE)
                scores[shift if can_shift and not is_complete else end] = 0.0
                row.owed = 1.0
                continue
            if not itinerary.allows_end(row.stay):
                if can_shift:
                    # To end where windows are left means that nothing more is to be said of this one.
                    scores[shift] = torch.logaddexp(scores[shift], scores[end])
                scores[end] = IMPOSSIBLE
            if not can_shift:
                scores[shift] = IMPOSSIBLE
            elif self._rules.paced:
                self._pace(row, scores)

    def _pace(self, row: _Row, scores: Tensor) -> None:
        """Decide, in place, whether a row moves on: as often as the model expects it to.

        One shift is likelier than any one word wherever many words could come: a search for what is
        likeliest moves on and on, where the model would have written for one window in four. So the chances
        of a shift are summed up, and one is made for every whole one, to the nearest.
        """
        shift = self._engine.model.config.shift_token_id
        score = scores[shift].clone()
        chance = float(score.exp())
        if chance < LEAST_CHANCE:
            scores[shift] = IMPOSSIBLE
            return
        row.owed += chance
        if row.owed >= 0.5:
            scores.fill_(IMPOSSIBLE)
            scores[shift] = score
        else:
            scores[shift] = IMPOSSIBLE

    def windows(self, document: int, token_ids: Sequence[int]) -> tuple[int, ...]:
        """Return the window in which each token of a text's summary was written."""
        return self._texts[document].itinerary.windows(token_ids)

    def guarded(self, document: int, token_ids: Sequence[int]) -> tuple[int, ...]:
        """Return the windows in which the maximum put an end to what was being written."""
        return self._texts[document].itinerary.exhausted_windows(token_ids)

    def trace(self, document: int, token_ids: Sequence[int]) -> WindowTrace:
        """Say from where each token of a text's summary was copied; states are made anew where needed."""
        return self.tracer(document).extend(token_ids, self.windows(document, token_ids))

    @torch.inference_mode()
    def tracer(self, document: int) -> Tracer:
        """Trace a text's summary from its beginning, which needs no end of the search."""
        text = self._texts[document]
        return Tracer(
            self._engine.model, source=text.source, encoded=text.encoded, layout=text.itinerary.layout
        )
