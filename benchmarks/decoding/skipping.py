"""Whether decoding could skip pages and still write the same: an upper bound of what that would save.

    python -m benchmarks.decoding.skipping [--model lsum-mini] [--documents 6] [--corpus pmc]

A page whose confidence is small hardly changes the mixed state of a step. A decoder that knew this before
decoding the page might leave it out, if it can be sure that the candidates of the step, and their order,
stay what they are. For every pair of a page and a step of real decoding runs, three questions, each
answered by mixing the pages of the step again:

    any rule    Does leaving the page out, the others' confidences being renormalised, leave the chosen
                candidates and their order as they are? No rule can skip more than these pairs: it would have
                to know the outcome of the work that it skips.
    given ĉ     May a rule skip the page that knows the step's confidences, but of the page's state only what
                the last layer norm allows: h = g ∘ z + b with |z|² ≤ hidden? Not where such a state changes
                the order; tried is the one that most favours the runner-up of each beam's closest pair.
    a priori    And a rule that does not know the page's score either, which is a product with that state?
                Not where the state of the highest score changes the order.

The last two are bounds from above as well: other states may change the order where these do not.

A page that is skipped at one step lacks its keys and values of that step's token in every layer, so that
they must be computed before it is decoded again: only pages that are skipped from a step until the end
save all of their work. ``to the end`` counts those.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import torch
from torch import Tensor

from benchmarks.corpora import read_examples
from lsum_cli.generation import beam
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.models.pagesum import engine as pagesum
from lsum_cli.models.pagesum.engine import PageSumDecoder, PageSumEngine
from lsum_cli.models.pagesum.mixing import mix_pages

Mixture = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
RULES = ("any rule", "given ĉ", "a priori")


@dataclass
class Step:
    """What is known of a step: the confidences, and for each rule and page whether it might be skipped."""

    confidence: Tensor
    skippable: dict[str, list[bool]]


@dataclass
class Study:
    """The steps of one document, observed while it is decoded.

    Attributes:
        norm: (weight, bias) of the decoder's last layer norm.
        vocabulary: The matrix of the vocabulary, (vocab, hidden).
        steps: In their order.
    """

    norm: tuple[Tensor, Tensor]
    vocabulary: Tensor
    steps: list[Step] = field(default_factory=list)
    _again: Callable[[Tensor, Mixture], Tensor] | None = None
    _hidden: Tensor = field(default_factory=lambda: torch.empty(0))
    _places: Sequence[int] = ()
    _confidence: Tensor = field(default_factory=lambda: torch.empty(0))
    _weights: Tensor = field(default_factory=lambda: torch.empty(0))

    def mix(self, original: Callable[..., Any], decoder: PageSumDecoder, hidden: Tensor) -> Any:
        """Mix as the decoder does, and remember how to do it again; (places, beams, hidden)."""
        seen: list[Tensor] = []

        def observe(states: Tensor, scores: Tensor) -> tuple[Tensor, Tensor]:
            seen.append(scores)
            return mix_pages(states, scores)

        def again(states: Tensor, mixture: Mixture) -> Tensor:
            with mock.patch.object(pagesum, "mix_pages", mixture):
                scores: Tensor = original(decoder, states)[0]
                return scores

        with mock.patch.object(pagesum, "mix_pages", observe):
            found = original(decoder, hidden)
        self._again, self._hidden = again, hidden
        self._places = decoder._pages.argsort().tolist()  # of each page
        self._confidence = seen[0].softmax(dim=0)  # (pages, beams)
        self._weights = decoder._engine.confidence
        return found

    def choose(self, original: Callable[..., Any], log_probs: Tensor, searches: Sequence[Any]) -> Any:
        """Choose as the search does, and compare with what it would choose otherwise."""
        banned = log_probs.isneginf()
        true = log_probs.clone()
        (chosen,) = original(log_probs, searches)
        order = [(each.beam, each.token_id) for each in chosen]
        assert self._again is not None
        if len(self._places) > 1 and int((~banned).sum(dim=1).min()) > 1:  # not where a token is forced

            def is_same(states: Tensor, mixture: Mixture) -> bool:
                assert self._again is not None
                scores = self._again(states, mixture).masked_fill_(banned, float("-inf"))
                (other,) = original(scores, searches)
                return order == [(each.beam, each.token_id) for each in other]

            closest, highest = self._closest(true, order), self._highest()
            verdicts: list[list[bool]] = [[], [], []]
            for page, place in enumerate(self._places):
                absent = torch.zeros(len(self._places), dtype=torch.bool)
                absent[page] = True
                # Whoever skips a page chooses without it, so that a rule that knows less skips no more.
                allowed = is_same(self._hidden, partial(mix_pages, absent=absent))
                verdicts[0].append(allowed)
                allowed = allowed and is_same(self._with(place, closest), self._as_weighted)
                verdicts[1].append(allowed)
                verdicts[2].append(allowed and is_same(self._with(place, highest), mix_pages))
            self.steps.append(Step(self._confidence, dict(zip(RULES, verdicts, strict=True))))
        return [chosen]

    def _as_weighted(self, states: Tensor, _: Tensor) -> tuple[Tensor, Tensor]:
        """The mixture with the step's own confidences."""
        return (self._confidence.unsqueeze(-1) * states).sum(dim=0), self._confidence

    def _with(self, place: int, state: Tensor) -> Tensor:
        """The states, with another one at a place: (beams, hidden)."""
        changed = self._hidden.clone()
        changed[place] = state
        return changed

    def _closest(self, log_probs: Tensor, order: Sequence[tuple[int, int]]) -> Tensor:
        """For each beam the state that most favours the runner-up of its closest pair: (beams, hidden)."""
        directions = []
        for row, scores in enumerate(log_probs):
            own = [token for each, token in order if each == row]
            others = scores.clone()
            others[own] = float("-inf")
            ranked = torch.tensor([*own, int(others.argmax())])
            if len(ranked) == 1:  # nothing of this beam was chosen: its second
                others[ranked] = float("-inf")
                ranked = torch.tensor([int(ranked), int(others.argmax())])
            pair = int((scores[ranked[:-1]] - scores[ranked[1:]]).argmin())
            directions.append(self.vocabulary[ranked[pair + 1]] - self.vocabulary[ranked[pair]])
        return self._furthest(torch.stack(directions))

    def _highest(self) -> Tensor:
        """The state of the highest page score: (hidden,)."""
        return self._furthest(self._weights)

    def _furthest(self, direction: Tensor) -> Tensor:
        """The state that the layer norm allows whose product with a direction is the greatest."""
        gain, bias = self.norm
        inner = torch.nn.functional.normalize(direction * gain, dim=-1) * len(gain) ** 0.5
        return inner * gain + bias


@contextmanager
def observed(study: Study) -> Iterator[None]:
    """Let the study see every step inside the context."""
    mix, choose = PageSumDecoder._mix, beam.best_candidates
    with (
        mock.patch.object(PageSumDecoder, "_mix", lambda decoder, hidden: study.mix(mix, decoder, hidden)),
        mock.patch.object(beam, "best_candidates", lambda *given: study.choose(choose, *given)),
    ):
        yield


def study_documents(model: str, corpus: str, documents: int) -> list[Study]:
    """Write a summary of each document, all of it read, and observe."""
    norms: list[tuple[Tensor, Tensor]] = []
    matrices: list[Tensor] = []
    prepare = PageSumEngine.prepare.__func__  # type: ignore[attr-defined]

    def remember(cls: type[PageSumEngine], weights: Any, *given: Any, **named: Any) -> PageSumEngine:
        norm = weights.model.decoder.layers[-1].final_layer_norm
        norms.append((norm.weight.detach().float().clone(), norm.bias.detach().float().clone()))
        matrices.append(weights.lm_head.weight.detach().float().clone())
        made: PageSumEngine = prepare(cls, weights, *given, **named)
        return made

    studies = []
    with mock.patch.object(PageSumEngine, "prepare", classmethod(remember)):
        summarizer = Summarizer(
            SummaryOptions(model=model, dtype="float32", read="all", faithful="off", attribution=False)
        )
        for example in read_examples(corpus, "valid", limit=documents):
            if not norms:
                summarizer.summarize(example.documents)
            study = Study(norm=norms[0], vocabulary=matrices[0])
            with observed(study):
                summarizer.summarize(example.documents)
            if study.steps:
                studies.append(study)
                print(f"{example.id}: {len(study.steps[0].confidence)} pages", file=sys.stderr, flush=True)
    return studies


def to_the_end(verdicts: Sequence[Sequence[bool]]) -> int:
    """How many (step, page) are skippable at this step and at all after it; verdicts by step, then page."""
    running = [True] * len(verdicts[0])
    count = 0
    for step in reversed(verdicts):
        running = [so_far and now for so_far, now in zip(running, step, strict=True)]
        count += sum(running)
    return count


def render(studies: Sequence[Study]) -> str:
    """The table."""
    pairs = sum(len(step.confidence) for study in studies for step in study.steps)
    pages = [len(study.steps[0].confidence) for study in studies]
    greatest = torch.cat([step.confidence.amax(dim=0) for study in studies for step in study.steps])
    least = torch.cat([step.confidence.amax(dim=1) for study in studies for step in study.steps])
    lines = [
        f"{len(studies)} documents of {min(pages)} to {max(pages)} pages, "
        f"{sum(len(study.steps) for study in studies):,} steps, {pairs:,} pairs of a page and a step. "
        f"The greatest confidence of a step is {greatest.median():.2f} (median); "
        f"{(least < 0.01).float().mean():.0%} of the pairs have less than 0.01 in every beam.",
        "",
        "| rule | pairs that it may skip | to the end |",
        "|---|---:|---:|",
    ]
    for rule in RULES:
        verdicts = [[step.skippable[rule] for step in study.steps] for study in studies]
        skipped = sum(sum(step) for study in verdicts for step in study)
        ended = sum(to_the_end(study) for study in verdicts)
        lines.append(f"| {rule} | {skipped / pairs:.1%} | {ended / pairs:.1%} |")
    return "\n".join(lines)


def main() -> int:
    """Study and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.decoding.skipping",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--model", default="lsum-mini", help="a PageSum checkpoint")
    parser.add_argument("--corpus", default="pmc")
    parser.add_argument("--documents", type=int, default=6)
    parser.add_argument("--output", type=Path, help="write the table to this file as well")
    arguments = parser.parse_args()
    table = render(study_documents(arguments.model, arguments.corpus, arguments.documents))
    print(table)
    if arguments.output:
        arguments.output.write_text(table + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
