"""Which sentence readers would quote of each part of a document, and the weights fitted to it.

    python -m benchmarks.summaries.part_choices [--more FOLDER] [--output FILE]

``part_choices.jsonl`` has, for each part of a document that readers were shown, the one to three sentences
that each of them would quote of it under its heading, the best first, and whether a summary of the document
should quote the part (2), could (1), or should only name it (0). They were shown the first ten sentences and
some ``later`` ones. Sentences and headings are named by the
CRC-32 of their text, so that nothing of the documents is copied. It prints how often the ranker's best
sentence is among a reader's, with weights fitted to other documents (five folds), and the weights fitted to
all: they stand in :mod:`lsum_cli.methods.extract.ranking.part_ranker`.

``verdicts.jsonl`` has, of the sentences that summaries of guides and proposals quoted, what a reader who had
read the document said of each: K it earns its room, M it is minor, F it says nothing, R it repeats, L it
leans on what is not shown, X it misleads. What a sentence is worth wherever it stands is compared
with that.

Documents of the shared corpora are read from there; others (documentation of Python packages as
``PACKAGE-FILE``, and web pages) from ``--more``, a folder with a file for each id.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpora import corpus_path, default_data
from benchmarks.summaries.choices import name_of
from lsum_cli import read
from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.documents import Document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.division import divide
from lsum_cli.methods.extract.extractor import legible
from lsum_cli.methods.extract.method import ExtractMethod
from lsum_cli.methods.extract.ranking.part_ranker import WEIGHTS, PartRanker
from lsum_cli.methods.extract.ranking.scoring import Scores
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray

CHOICES = Path(__file__).with_name("part_choices.jsonl")
VERDICTS = Path(__file__).with_name("verdicts.jsonl")
# Of the sentences worth less than these a table says how many readers would keep.
BARS = (2.2, 2.4, 2.6, 2.8, 3.0)
# How much the sentences of a reader count, the best first.
SHARES = (1.0, 0.6, 0.4)
# What holds the weights of the standardised features small; found by cross-validation.
PENALTY = 0.02
FOLDS = 5
# Readers were shown so many of the first sentences.
SHOWN = 10

HEAD = """# The sentence that readers would quote of a part

Made with `python -m benchmarks.summaries.part_choices --more FOLDER`. Three readers were shown the parts of
documents under their headings, the first ten sentences of each and four later ones.
"""

VERDICTS_HEAD = """## What earns its room, by what it is worth wherever it stands

Of the sentences that summaries quoted, the share that a reader of the document would keep; and of those worth
less than a bar.
"""

Record = dict[str, Any]


@dataclass(frozen=True, eq=False, kw_only=True)
class ReadPart:
    """A part with what readers chose of it.

    Attributes:
        document: The id of its document.
        choice: The record of :data:`CHOICES`.
        names: What names each sentence that can be quoted.
        values: (sentences, features) what the ranker weighs.
        is_shown: Whether readers were shown each sentence.
        first: What names the first sentence of the part.
    """

    document: str
    choice: Record
    names: tuple[int, ...]
    values: FloatArray
    is_shown: BoolArray
    first: int

    def accepted(self, name: int | None) -> float:
        """The share of the readers who would quote a sentence."""
        return float(np.mean([name in best for best in self.choice["best"]]))

    def targets(self) -> FloatArray:
        """What share of the readers' choices each sentence has."""
        shares = np.zeros(len(self.names))
        for best in self.choice["best"]:
            for share, name in zip(SHARES, best, strict=False):
                if name in self.names:
                    shares[self.names.index(name)] += share
        return shares


def documents_of(records: Sequence[Record], data: Path, more: Path | None) -> Iterator[tuple[str, Document]]:
    """The documents of the choices, as far as they are at hand."""
    by_corpus: dict[tuple[str, str], set[str]] = defaultdict(set)
    for record in records:
        if "corpus" in record:
            by_corpus[record["corpus"], record["split"]].add(record["id"])
        elif more is not None and (more / record["id"]).is_file():
            yield record["id"], read(more / record["id"])
    for (corpus, split), ids in by_corpus.items():
        for example in open_dataset(corpus_path(corpus, split, data), DatasetOptions()):
            if example.id in ids:
                yield example.id, example.documents[0]


def read_parts(data: Path, more: Path | None) -> list[ReadPart]:
    """The parts that readers chose sentences of."""
    records = [json.loads(line) for line in CHOICES.read_text(encoding="utf-8").splitlines()]
    found: list[ReadPart] = []
    for identifier, document in documents_of(records, data, more):
        parts = {
            (part["heading"], part["first"]): part
            for record in records
            if record["id"] == identifier
            for part in record["parts"]
        }
        pages = paginate([document], choose_locality([document]).locality, ExtractMethod.page_len)
        candidates = Candidates.of(legible(pages), [document])
        structure = Structure.of(candidates)
        ranker = PartRanker(candidates, structure, Scores.of(candidates, structure))
        for heading, places in _divided(document, candidates):
            names = [name_of(candidates.sentences[place].text) for place in places.tolist()]
            choice = parts.get((name_of(heading), names[0])) if names else None
            if choice is None:
                continue
            rows = ranker.quotable(places)
            if not len(rows):
                continue
            features = ranker.features(heading, places)
            found.append(
                ReadPart(
                    document=identifier,
                    choice=choice,
                    names=tuple(names[row] for row in rows),
                    values=np.column_stack([features[name] for name in WEIGHTS]),
                    is_shown=(rows < SHOWN) | np.isin([names[row] for row in rows], choice["later"]),
                    first=names[0],
                )
            )
    return found


def _divided(document: Document, candidates: Candidates) -> Iterator[tuple[str, IntArray]]:
    position_of = {sentence.index: place for place, sentence in enumerate(candidates.sentences)}
    for part in divide(document).parts:
        places = [position_of[index] for index in part.sentences if index in position_of]
        yield part.heading, np.array(places, np.int64)


def fit(parts: Sequence[ReadPart]) -> FloatArray:
    """Weights of the features whose softmax over the sentences of each part is nearest to readers' shares.

    A listwise loss (ListNet, Cao et al. 2007) with the squares of the weights of standardised features.
    """
    import torch

    scale = np.concatenate([part.values for part in parts]).std(axis=0)
    shown = [(part, part.targets()[part.is_shown]) for part in parts]
    tensors = [
        (torch.tensor((part.values / scale)[part.is_shown]), torch.tensor(targets / targets.sum()))
        for part, targets in shown
        if targets.sum() > 0 and len(targets) > 1
    ]
    weights = torch.zeros(len(WEIGHTS), dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> float:
        optimiser.zero_grad()
        loss = PENALTY * (weights**2).sum()
        for values, targets in tensors:
            loss = loss - (targets * torch.log_softmax(values @ weights, 0)).sum() / len(tensors)
        loss.backward()
        return float(loss.detach())

    optimiser.step(closure)
    fitted: FloatArray = weights.detach().numpy() / scale
    return fitted


def best_of(part: ReadPart, weights: FloatArray) -> tuple[float, int]:
    """What the best sentence of a part is worth, and what names it."""
    values = part.values @ weights
    best = int(np.argmax(values))
    return float(values[best]), part.names[best]


def report(parts: Sequence[ReadPart]) -> str:
    """How often the ranker agrees with a reader, and what its values say of a part."""
    answered = [part for part in parts if any(part.choice["best"])]
    ids = sorted({part.document for part in parts})
    random.Random(1).shuffle(ids)
    fold = {each: number % FOLDS for number, each in enumerate(ids)}
    tested: dict[int, tuple[float, int]] = {}
    for number in range(FOLDS):
        weights = fit([part for part in answered if fold[part.document] != number])
        tested |= {id(part): best_of(part, weights) for part in parts if fold[part.document] == number}
    now = np.array(list(WEIGHTS.values()))
    rows: Mapping[str, Sequence[float]] = {
        "first sentence": [part.accepted(part.first) for part in answered],
        "ranker, fitted to other documents": [part.accepted(tested[id(part)][1]) for part in answered],
        "ranker, as it is": [part.accepted(best_of(part, now)[1]) for part in answered],
        "any sentence that can be quoted": [max(map(part.accepted, part.names)) for part in answered],
    }
    twice = [part.choice["best"] for part in answered if len(part.choice["best"]) > 1]
    other = [best[0] in others for one, two in twice for best, others in ((one, two), (two, one)) if best]
    lines = [f"{len(ids)} documents, {len(parts)} parts, {len(answered)} of which readers would quote."]
    lines += ["", "| what is quoted of a part | a reader would quote it too |", "|---|---:|"]
    lines += [f"| {name} | {np.mean(values):.3f} |" for name, values in rows.items()]
    lines += [f"| another reader's best sentence ({len(twice)} parts) | {np.mean(other):.3f} |"]
    return "\n".join([*lines, "", *_of_value(parts, tested)])


def _of_value(parts: Sequence[ReadPart], tested: Mapping[int, tuple[float, int]]) -> Iterator[str]:
    """What share of the parts is quoted well and should be quoted, by what their best sentence is worth."""
    values = np.array([tested[id(part)][0] for part in parts])
    good = np.array(
        [np.mean(part.choice["worth"]) * part.accepted(tested[id(part)][1]) >= 1 for part in parts]
    )
    yield "| worth of its best sentence | parts | should be quoted, and thus |"
    yield "|---|---:|---:|"
    edges = np.quantile(values, (0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1))
    for low, high in pairwise(edges):
        inside = (values >= low) & (values <= high)
        yield f"| {low:.2f} to {high:.2f} | {inside.sum()} | {good[inside].mean():.2f} |"


def report_verdicts(data: Path, more: Path | None) -> str:
    """How many of the sentences that are worth less than each bar earn their room, by kind of document."""
    records = {
        record["id"]: record for record in map(json.loads, VERDICTS.read_text(encoding="utf-8").splitlines())
    }
    found: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for identifier, document in documents_of(list(records.values()), data, more):
        record = records[identifier]
        pages = paginate([document], choose_locality([document]).locality, ExtractMethod.page_len)
        candidates = Candidates.of(legible(pages), [document])
        structure = Structure.of(candidates)
        standing = PartRanker(candidates, structure, Scores.of(candidates, structure)).standing
        verdict_of = dict(zip(record["judged"], record["verdicts"], strict=True))
        names = [name_of(sentence.text) for sentence in candidates.sentences]
        judged = {position for position, name in enumerate(names) if name in verdict_of}
        for position in sorted(judged):
            goes_on = judged & {position - 1, position + 1}
            kind = f"{record['kind']}, {'beside another' if goes_on else 'alone'}"
            found[kind].append((float(standing[position]), verdict_of[names[position]] == "K"))
    lines = ["| kind | sentences | earn their room | " + " | ".join(f"below {bar}" for bar in BARS) + " |"]
    lines.append(f"|---|---:|---:|{'---:|' * len(BARS)}")
    for kind, verdicts in sorted(found.items()):
        cells = []
        for bar in BARS:
            below = [keeps for worth, keeps in verdicts if worth <= bar]
            cells.append(f"{np.mean(below):.2f} of {len(below)}" if below else "")
        share = np.mean([keeps for _, keeps in verdicts])
        lines.append(f"| {kind} | {len(verdicts)} | {share:.2f} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the tables, then the weights fitted to all parts."""
    parser = argparse.ArgumentParser(description="parts of documents, as readers would quote them")
    parser.add_argument("--more", type=Path, help="a folder with the documents that no shared corpus has")
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--output", type=Path, help="write the tables there")
    options = parser.parse_args()
    parts = read_parts(options.data, options.more)
    table = "\n\n".join((report(parts), VERDICTS_HEAD, report_verdicts(options.data, options.more)))
    print(table)
    fitted = fit([part for part in parts if any(part.choice["best"])])
    print(json.dumps(dict(zip(WEIGHTS, fitted.round(3).tolist(), strict=True)), indent=4), file=sys.stderr)
    if options.output is not None:
        options.output.write_text(f"{HEAD}\n{table}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
