"""Hypotheses: stored while the beam grows, ranked, and returned."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from lsum_cli.generation.decoder import BeamTraces
from lsum_cli.generation.options import GenerationOptions

TraceT = TypeVar("TraceT")


@dataclass(frozen=True, kw_only=True, eq=False)
class Hypothesis(Generic[TraceT]):
    """A finished beam.

    Attributes:
        token_ids: What was generated, without the start token.
        log_probs: Log probability of each token; 0 where it was forced.
        trace: The decoder's trace of each token; ``None`` if it has none.
        score: Σ log_probs divided by the length to the power of the length penalty.
    """

    token_ids: tuple[int, ...]
    log_probs: tuple[float, ...]
    trace: tuple[TraceT, ...] | None
    score: float


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class StreamedToken(Generic[TraceT]):
    """A token that can no longer change, its log probability (0 where forced) and its trace."""

    token_id: int
    log_prob: float
    trace: TraceT | None


class Candidate(NamedTuple):
    """A token that may follow a beam: ``beam``'s index before the step, and the sum up to the token."""

    beam: int
    token_id: int
    log_prob: float
    total: float


class Ending(NamedTuple):
    """Where a finished hypothesis ends: its last token and the step that brought it."""

    step: int
    candidate: Candidate


class Trellis(Generic[TraceT]):
    """All beams of one document, as back pointers: nothing is copied when beams branch."""

    def __init__(self) -> None:
        self._steps: list[Sequence[Candidate]] = []
        self._traces: list[BeamTraces[TraceT]] = []
        # Through which beams of the first step that is not settled the running beams came.
        self._unsettled = 0
        self._origins: list[int] | None = None

    def __len__(self) -> int:
        return len(self._steps)

    def append(self, chosen: Sequence[Candidate]) -> None:
        """Continue with these, one per beam."""
        if self._origins is not None:
            self._origins = [self._origins[candidate.beam] for candidate in chosen]
        self._steps.append(chosen)

    def record(self, traces: BeamTraces[TraceT]) -> None:
        """Store the trace of the beams' next tokens."""
        self._traces.append(traces)

    def endings(self) -> list[Ending]:
        """Return the running beams as they are, as if they ended here."""
        return [Ending(len(self) - 1, candidate) for candidate in self._steps[-1]] if self._steps else []

    def settled(self, done: int) -> list[StreamedToken[TraceT]]:
        """Return what all running beams have in common after the first ``done`` tokens."""
        if len(self) <= done:
            return []
        running = [beam for beam, last in enumerate(self._steps[-1]) if last.total > float("-inf")]
        origins = self._origins if self._unsettled == done else None
        # Most steps settle nothing, and are not walked back for that.
        if origins is not None and len({origins[beam] for beam in running}) > 1:
            return []
        step, beams = len(self) - 1, set(running)
        while len(beams) > 1 and step >= done:
            beams = {self._steps[step][beam].beam for beam in beams}
            step -= 1
        path: list[Candidate] = []
        if step >= done:
            (beam,) = beams
            path = [self._steps[step][beam]]
            for earlier in range(step - 1, done - 1, -1):
                path.append(self._steps[earlier][path[-1].beam])
        self._unsettled = done + len(path)
        self._origins = self._ancestors(self._unsettled) if self._unsettled < len(self) else None
        return self.tokens(path[::-1], done) if path else []

    def _ancestors(self, step: int) -> list[int]:
        """Through which beam of a step each running beam came."""
        beams = list(range(len(self._steps[-1])))
        for later in range(len(self) - 1, step, -1):
            beams = [self._steps[later][beam].beam for beam in beams]
        return beams

    def tokens(self, path: Sequence[Candidate], start: int) -> list[StreamedToken[TraceT]]:
        """Return the tokens of a path whose first step is ``start``."""
        return [
            StreamedToken(
                token_id=candidate.token_id,
                log_prob=candidate.log_prob,
                trace=trace,
            )
            for candidate, trace in zip(path, self._trace(path, start) or [None] * len(path), strict=True)
        ]

    def path(self, ending: Ending) -> list[Candidate]:
        """Return the steps that led to an end."""
        path = [ending.candidate]
        for step in range(ending.step - 1, -1, -1):
            path.append(self._steps[step][path[-1].beam])
        return path[::-1]

    def hypothesis(self, ending: Ending, score: float) -> Hypothesis[TraceT]:
        """Read a hypothesis back from its end."""
        path = self.path(ending)
        return Hypothesis(
            token_ids=tuple(candidate.token_id for candidate in path),
            log_probs=tuple(candidate.log_prob for candidate in path),
            trace=self._trace(path, 0),
            score=score,
        )

    def _trace(self, path: Sequence[Candidate], start: int) -> tuple[TraceT, ...] | None:
        """Return the trace of a path whose first step is ``start``."""
        if not self._traces:
            return None
        recorded = self._traces[start : start + len(path)]
        return tuple(traces[candidate.beam] for traces, candidate in zip(recorded, path, strict=True))


class HypothesisPool:
    """The best finished hypotheses of one document, at most ``beams``."""

    def __init__(self, options: GenerationOptions) -> None:
        self._options = options
        self._ranked: list[tuple[float, Ending]] = []

    def __len__(self) -> int:
        return len(self._ranked)

    @property
    def is_full(self) -> bool:
        """Whether as many are finished as there are beams."""
        return len(self) >= self._options.beams

    def add(self, ending: Ending) -> None:
        """Add a finished hypothesis if it is among the best; of two equal ones the earlier stays ahead."""
        insort(self._ranked, (self._score_of(ending), ending), key=lambda entry: -entry[0])
        del self._ranked[self._options.beams :]

    def share(self, endings: Sequence[Ending]) -> list[Ending]:
        """Let possible next steps compete with the finished hypotheses for the same slots.

        Those that end and win a slot are finished; of equal ones the finished, then the earlier stay ahead.

        Returns:
            Those that win a slot and do not end, the best first.
        """
        entries = [*self._ranked, *((self._score_of(ending), ending) for ending in endings)]
        best = sorted(entries, key=lambda entry: -entry[0])[: self._options.beams]
        own = len(self._ranked)
        finished = {id(ending) for _, ending in entries[:own]}
        self._ranked = [
            (score, ending)
            for score, ending in best
            if id(ending) in finished or ending.candidate.token_id == self._options.end_token_id
        ]
        return [
            ending
            for _, ending in best
            if id(ending) not in finished and ending.candidate.token_id != self._options.end_token_id
        ]

    def is_final(self, best_total: float, generated: int) -> bool:
        """Whether the search is over.

        Args:
            best_total: The best Σ log p of the running hypotheses.
            generated: Tokens it has so far.
        """
        if not self.is_full:
            return False
        if self._options.stops_when_full:
            return True
        grows = self._options.early_stopping == "never" and self._options.length_penalty > 0
        length = self._options.max_length - 1 if grows else generated
        return self._score(best_total, length) <= self._ranked[-1][0]

    def best(self, count: int) -> list[tuple[float, Ending]]:
        """Return scores and endings, the best first."""
        return self._ranked[:count]

    def _score_of(self, ending: Ending) -> float:
        ended = ending.candidate.token_id == self._options.end_token_id
        length = self._options.length_rule.length(ending.step + 1, ended=ended)
        return self._score(ending.candidate.total, length)

    def _score(self, total: float, length: int) -> float:
        return float(total / length**self._options.length_penalty)
