"""Beam search over any decoder, several documents at once; and forced decoding of a given text.

At every step the decoder scores the next token of every row, the constraints change the scores, each
document chooses among its ``2 × beams`` best candidates, and the choice is passed to the decoder.
With one beam this is greedy decoding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Generic

import torch
from torch import Tensor

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.generation.constraints import Constraint, constraints_of
from lsum_cli.generation.decoder import BeamTraces, Decoder
from lsum_cli.generation.hypotheses import (
    Candidate,
    Ending,
    Hypothesis,
    HypothesisPool,
    StreamedToken,
    TraceT,
    Trellis,
)
from lsum_cli.generation.options import GenerationOptions, LengthRule, Slots
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

DEAD = float("-inf")
BLOCK = 256

SettledListener = Callable[[int, Sequence[StreamedToken[TraceT]]], None]
"""Called with tokens once they can no longer change: the document's number, and its next tokens."""


@torch.inference_mode()
def beam_search(
    decoder: Decoder[TraceT],
    options: GenerationOptions | Sequence[GenerationOptions],
    *,
    constraints: Sequence[Constraint] = (),
    progress: ProgressListener = ignore_progress,
    on_settled: SettledListener[TraceT] | None = None,
) -> tuple[tuple[Hypothesis[TraceT], ...], ...]:
    """Find the best continuations of the start token.

    Args:
        decoder: Documents ready to be decoded; it cannot be used again.
        options: How to search; or for each document, which may differ in their lengths.
        constraints: Additional rules, applied after those of the options.
        progress: Called after every token.
        on_settled: Called with the best hypotheses while they are written: with each token once all beams
            agree on it, or at the end. What a finished hypothesis could still replace is not settled.

    Returns:
        For each document its best hypotheses, the best first: ``options.num_hypotheses``, or fewer
        where fewer could be finished.

    Raises:
        CheckpointError: The model's scores are NaN.
        OptionError: The constraints do not allow any first token.
        ValueError: The documents' options differ in more than lengths.
    """
    if isinstance(options, GenerationOptions):
        options = [options] * decoder.num_documents
    if len({own.without_lengths() for own in options}) != 1:
        raise ValueError("documents that are searched for together differ in lengths alone")
    rules = [*constraints_of(options), *constraints]
    searches: list[DocumentSearch[TraceT]] = [DocumentSearch(own) for own in options]
    settled = [0] * len(searches)
    beams, max_length = options[0].beams, max(own.max_length for own in options)
    decoder.start(beams, max_length)
    active = searches
    token_ids = [options[0].start_token_id] * (beams * len(active))
    parents = list(range(len(token_ids)))
    for length in range(1, max_length):
        log_probs, traces = decoder.step(torch.tensor(token_ids), torch.tensor(parents))
        for rule in rules:
            rule.apply(log_probs, length)
        for place, candidates in enumerate(best_candidates(log_probs, active)):
            active[place].advance(candidates, None if traces is None else traces[place])
        if on_settled is not None:
            for document, search in enumerate(searches):
                if tokens := search.settled(settled[document]):
                    settled[document] += len(tokens)
                    on_settled(document, tokens)
        progress(ProgressEvent(stage="writing", done=length, total=max_length - 1, unit="tokens"))
        token_ids, parents = _rows_that_go_on(active, beams)
        if not token_ids:
            break
        for rule in rules:
            rule.advance(token_ids, parents)
        active = [search for search in active if not search.is_finished]
    found = tuple(search.hypotheses() for search in searches)
    if on_settled is not None:
        for document, search in enumerate(searches):
            on_settled(document, search.best_tokens()[settled[document] :])
    return found


class DocumentSearch(Generic[TraceT]):
    """The search for one document: running beams, finished hypotheses, and whether to go on."""

    def __init__(self, options: GenerationOptions) -> None:
        self._options = options
        self._trellis: Trellis[TraceT] = Trellis()
        self._pool = HypothesisPool(options)
        # All beams begin the same, so only the first may have children.
        self.totals = [0.0] + [DEAD] * (options.beams - 1)
        self.running: list[Candidate] = []
        self.is_finished = False

    def advance(self, candidates: Sequence[Candidate], traces: BeamTraces[TraceT] | None) -> None:
        """Choose among the candidates.

        Args:
            candidates: The best continuations of all beams, the best first.
            traces: What each beam's candidates were read from.
        """
        options, step = self._options, len(self._trellis)
        if traces is not None:
            self._trellis.record(traces)
        at_end = step + 2 == options.max_length
        if options.slots is Slots.SHARED:
            self._share([Ending(step, candidate) for candidate in candidates], at_end=at_end)
            return
        keeps_running = options.length_rule is LengthRule.START_AND_BOS
        running: list[Candidate] = []
        for rank, candidate in enumerate(candidates):
            if candidate.token_id == options.end_token_id or (at_end and not keeps_running):
                # Candidates after the first ``beams`` only serve to keep the beam full.
                if rank < options.beams:
                    self._pool.add(Ending(step, candidate))
            elif len(running) < options.beams:
                running.append(candidate)
        if at_end and keeps_running:
            for candidate in running:
                self._pool.add(Ending(step, candidate))
        self._go_on(running, candidates, at_end=at_end)

    def _share(self, endings: Sequence[Ending], *, at_end: bool) -> None:
        """Let finished and running hypotheses compete for the same slots."""
        running = self._pool.share(endings)
        if at_end:
            for ending in running:
                self._pool.add(ending)
        if at_end or not running:
            self.is_finished = True
            return
        self._continue([ending.candidate for ending in running])

    def _go_on(self, running: list[Candidate], candidates: Sequence[Candidate], *, at_end: bool) -> None:
        best = candidates if self._options.length_rule is LengthRule.START_AND_BOS else running
        generated = len(self._trellis) + 1
        if at_end or not running or self._pool.is_final(best[0].total, generated):
            self.is_finished = True
            return
        self._continue(running)

    def _continue(self, running: list[Candidate]) -> None:
        self.totals = [c.total for c in running] + [DEAD] * (self._options.beams - len(running))
        dead = Candidate(0, self._options.end_token_id, DEAD, DEAD)
        self.running = running + [dead] * (self._options.beams - len(running))
        self._trellis.append(self.running)

    def settled(self, done: int) -> Sequence[StreamedToken[TraceT]]:
        """Return the tokens after the first ``done`` that no outcome of the search can change."""
        return [] if self.is_finished or self._pool else self._trellis.settled(done)

    def best_tokens(self) -> Sequence[StreamedToken[TraceT]]:
        """Return the best hypothesis token by token, once :meth:`hypotheses` has found it."""
        ((_, ending),) = self._pool.best(1)
        return self._trellis.tokens(self._trellis.path(ending), 0)

    def hypotheses(self) -> tuple[Hypothesis[TraceT], ...]:
        """Return the best finished hypotheses, or the beams that ran until no token was allowed any more."""
        if not self._pool:
            for ending in self._trellis.endings():
                if ending.candidate.total > DEAD:
                    self._pool.add(ending)
        if not self._pool:
            raise OptionError("the constraints allow no token at all", "relax the minimum length or the bans")
        best = self._pool.best(self._options.num_hypotheses)
        return tuple(self._trellis.hypothesis(ending, score) for score, ending in best)


def scores_are_nan() -> CheckpointError:
    """The error of a model whose scores are no numbers."""
    return CheckpointError(
        "the model's scores are NaN: its weights are damaged, or overflow at this precision",
        "download the checkpoint again, or try --dtype float32",
    )


def best_candidates(log_probs: Tensor, searches: Sequence[DocumentSearch[TraceT]]) -> list[list[Candidate]]:
    """Return each document's ``2 × beams`` best continuations that are possible, the best first.

    Args:
        log_probs: (rows, vocab).
        searches: The documents, in the order of their rows.

    Raises:
        CheckpointError: A score is NaN.
    """
    rows, vocab = log_probs.shape
    beams = rows // len(searches)
    totals = log_probs.new_tensor([total for search in searches for total in search.totals])
    per_document = log_probs.view(len(searches), beams * vocab)
    summed = (log_probs + totals.unsqueeze(1)).view_as(per_document)
    best, best_places = largest(summed, min(2 * beams, beams * vocab))
    chosen = per_document.gather(1, best_places)
    found = []
    for values, places, steps in zip(best.tolist(), best_places.tolist(), chosen.tolist(), strict=True):
        if any(math.isnan(value) for value in values):
            raise scores_are_nan()
        found.append(
            [
                Candidate(place // vocab, place % vocab, step, value)
                for value, place, step in zip(values, places, steps, strict=True)
                if value > DEAD
            ]
        )
    return found


def largest(values: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """Return the greatest values of each row and their places, (rows, count), in a third of ``topk``'s time.

    The ``count`` greatest lie in the ``count`` blocks of greatest maxima, or after the last full block.

    Args:
        values: (rows, size).
    """
    rows, size = values.shape
    blocks = size // BLOCK
    if blocks <= 2 * count:
        found = values.topk(count, dim=1)
        return found.values, found.indices
    end = blocks * BLOCK
    parts = values[:, :end].view(rows, blocks, BLOCK)
    chosen = parts.amax(dim=2).topk(count, dim=1).indices.unsqueeze(2)  # (rows, count, 1)
    within = torch.arange(BLOCK, device=values.device)
    behind = torch.arange(end, size, device=values.device)
    places = torch.cat([(chosen * BLOCK + within).flatten(1), behind.expand(rows, -1)], dim=1)
    best = values.gather(1, places).topk(count, dim=1)
    return best.values, places.gather(1, best.indices)


def _rows_that_go_on(searches: Sequence[DocumentSearch[TraceT]], beams: int) -> tuple[list[int], list[int]]:
    """Return token and parent of every row of the documents that are not finished."""
    token_ids, parents = [], []
    for place, search in enumerate(searches):
        if not search.is_finished:
            token_ids += [candidate.token_id for candidate in search.running]
            parents += [place * beams + candidate.beam for candidate in search.running]
    return token_ids, parents


@torch.inference_mode()
def forced_steps(
    decoder: Decoder[TraceT], token_ids: Sequence[int], *, start_token_id: int
) -> Iterator[tuple[Tensor, BeamTraces[TraceT] | None]]:
    """Lead a decoder of one document along given tokens.

    Yields:
        Before every token what the decoder expects there: log probabilities, (vocab,), and the trace.
    """
    decoder.start(1, len(token_ids) + 1)
    for previous in [start_token_id, *token_ids[:-1]]:
        scores, traces = decoder.step(torch.tensor([previous]), torch.tensor([0]))
        yield scores[0], None if traces is None else traces[0]


@torch.inference_mode()
def force_tokens(
    decoder: Decoder[TraceT], token_ids: Sequence[int], *, start_token_id: int
) -> Hypothesis[TraceT]:
    """Make a decoder write given tokens instead of its own (teacher forcing).

    Args:
        decoder: A decoder of one document.
        token_ids: The tokens to write, without the start token; at least one.
        start_token_id: The token that decoding begins with.

    Returns:
        The tokens with the log probability and the trace that the model gives each of them; the score is
        the mean log probability.

    Raises:
        OptionError: More than one document, or no tokens.
    """
    if decoder.num_documents != 1 or not token_ids:
        raise OptionError(
            f"{len(token_ids)} tokens cannot be forced on {decoder.num_documents} documents",
            "force at least one token on one document",
        )
    log_probs: list[float] = []
    trace: list[TraceT] = []
    steps = forced_steps(decoder, token_ids, start_token_id=start_token_id)
    for wanted, (scores, traces) in zip(token_ids, steps, strict=True):
        log_probs.append(float(scores[wanted]))
        if traces is not None:
            trace.append(traces[0])
    return Hypothesis(
        token_ids=tuple(token_ids),
        log_probs=tuple(log_probs),
        trace=tuple(trace) or None,
        score=sum(log_probs) / len(log_probs),
    )
