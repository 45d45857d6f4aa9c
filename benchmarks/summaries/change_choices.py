"""Which changes of release notes users must be told, as readers judged, and the weights fitted to it.

    python -m benchmarks.summaries.change_choices --more FOLDER [--output FILE] [--write]

``change_choices.jsonl`` has, for each of the release notes and changelogs that readers were shown, the
changes that a summary must tell, those that it might (the best first), those that it must never tell and the
others; ``again`` is a second reader's view. Changes are named by the CRC-32 of the sentence that says them,
so that nothing of the documents is copied; FOLDER has a file for each id (documentation of Python packages as
``PACKAGE-FILE``). It prints how well the ranker orders them, with weights fitted to other packages (six
folds), and what the summaries quote; ``--write`` fits the weights to all.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.summaries.choices import name_of
from lsum_cli import read
from lsum_cli.documents import Document
from lsum_cli.locality import Page, choose_locality, paginate
from lsum_cli.methods.extract.composition import compose
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.listed_changes.changes import changes_of
from lsum_cli.methods.extract.method import ExtractMethod
from lsum_cli.methods.extract.release_notes import change_ranker
from lsum_cli.methods.extract.release_notes.change_ranker import (
    Weights,
    features_of_changes,
    fitted_weights,
    stems_of_change,
)
from lsum_cli.methods.extract.request import Request
from lsum_cli.methods.length import suit_length
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray, count_words

CHOICES = Path(__file__).with_name("change_choices.jsonl")
FITTED = Path(change_ranker.__file__).with_name("change_ranker.json")
# The judgements, the least first, and the share of a reader's attention that each has.
JUDGED = ("no", "other", "good", "must")
SHARES = np.array([0.0, 0.12, 0.6, 1.0])
# What holds the weights of the standardised features and those of words small; found by cross-validation.
PENALTY, PENALTY_OF_WORDS = 0.003, 0.001
# A word of fewer changes or packages, or of less weight, has none.
FEWEST_CHANGES, FEWEST_PACKAGES, LEAST_WEIGHT = 8, 5, 0.02
FOLDS = 6
WORD = 0.5

HEAD = """# The changes that users must be told

Made with `python -m benchmarks.summaries.change_choices --more FOLDER`. Readers were shown up to 45 changes
of release notes and changelogs, as a summary would quote them, and said which it must tell, which it might,
and which it must never tell.
"""

Record = dict[str, Any]


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedNotes:
    """Release notes with what readers judged of their changes.

    Attributes:
        package: What they are of.
        judged: (changes,) position in :data:`JUDGED`.
        again: The same of a second reader, if there is one.
        features: What the ranker weighs of each change.
        words: The stems of each.
        release: (changes,) how many releases stand before that of each.
        place: (changes,) the index of the sentence that says each in the document.
        pages: The pages of the document.
        document: The document.
        request: The summary that suits it.
    """

    package: str
    judged: IntArray
    again: IntArray | None
    features: Sequence[Mapping[str, float]]
    words: Sequence[frozenset[str]]
    release: FloatArray
    place: IntArray
    pages: Sequence[Page]
    document: Document
    request: Request

    def quoted(self, weights: Weights) -> BoolArray:
        """(changes,) Whether a summary by these weights quotes each."""
        with patch.object(change_ranker, "fitted_weights", lambda: weights):
            made = compose(self.pages, [self.document], self.request)
        shown = {
            evidence.sentence_index
            for sentence in made.sentences
            if sentence.attribution is not None
            for evidence in sentence.attribution.evidence
        }
        return np.isin(self.place, list(shown))


def read_notes(more: Path) -> Iterator[JudgedNotes]:
    """The notes that readers judged, as far as they are in the folder."""
    for line in CHOICES.read_text(encoding="utf-8").splitlines():
        record: Record = json.loads(line)
        if not (more / record["id"]).is_file():
            continue
        document = read(more / record["id"])
        pages = paginate([document], choose_locality([document]).locality, ExtractMethod.page_len)
        total = sum(count_words(sentence.text) for page in pages for sentence in page.sentences)
        extractor = Extractor.of(pages, [document], Request(num_words=suit_length(total, 1)))
        sentences = extractor.candidates.sentences
        found = features_of_changes(
            extractor, changes_of(extractor.candidates, extractor.structure.stands_alone)
        )
        releases = list(dict.fromkeys(change.release for change in found))
        judged = {name: place for place, key in enumerate(JUDGED) for name in record[key]}
        again = {
            name: place for place, key in enumerate(JUDGED) for name in record.get("again", {}).get(key, ())
        }
        own = [change for change in found if name_of(sentences[change.row].text) in judged]
        if not own:
            continue
        names = [name_of(sentences[change.row].text) for change in own]
        yield JudgedNotes(
            package=record["package"],
            judged=np.array([judged[name] for name in names]),
            again=np.array([again[name] for name in names]) if again else None,
            features=[found[change] for change in own],
            words=[stems_of_change(extractor.candidates, change) for change in own],
            release=np.array([releases.index(change.release) for change in own], float),
            place=np.array([sentences[change.row].index for change in own]),
            pages=pages,
            document=document,
            request=extractor.request,
        )


def fit(notes: Sequence[JudgedNotes]) -> Weights:
    """The weights whose scores are nearest to what readers judged.

    Half of the loss is listwise, within each document (ListNet, Cao et al. 2007), half ordinal with three
    thresholds, which makes the scores of all documents alike.
    """
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits

    names = sorted({name for each in notes for features in each.features for name in features})
    count: Counter[str] = Counter()
    packages: dict[str, set[str]] = defaultdict(set)
    for each in notes:
        for words in each.words:
            count.update(words)
            for word in words:
                packages[word].add(each.package)
    vocabulary = sorted(
        word
        for word, number in count.items()
        if number >= FEWEST_CHANGES and len(packages[word]) >= FEWEST_PACKAGES
    )
    place = {word: number for number, word in enumerate(vocabulary)}
    dense = np.concatenate([_dense(each, names) for each in notes])
    scale = dense.std(axis=0) + 1e-9
    of_words = np.zeros((len(dense), len(vocabulary)))
    for row, words in enumerate(words for each in notes for words in each.words):
        of_words[row, [place[word] for word in words if word in place]] = WORD
    values = torch.tensor(np.hstack([dense / scale, of_words]))
    judged = torch.tensor(np.concatenate([each.judged for each in notes]))
    targets = np.concatenate([_shares(each.judged) for each in notes])
    wanted = torch.tensor(targets)
    document = torch.tensor(np.repeat(np.arange(len(notes)), [len(each.judged) for each in notes]))
    weight_of_row = torch.tensor(
        np.concatenate([np.full(len(each.judged), 1 / len(each.judged) / len(notes)) for each in notes])
    )
    penalty = torch.tensor([PENALTY] * dense.shape[1] + [PENALTY_OF_WORDS] * len(vocabulary)).double()
    weights = torch.zeros(values.shape[1], dtype=torch.float64, requires_grad=True)
    thresholds = torch.tensor([0.5, -0.8, -2.2], dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights, thresholds], max_iter=100, line_search_fn="strong_wolfe")

    def closure() -> float:
        optimiser.zero_grad()
        scores = values @ weights
        most = scores.max().detach()
        sums = torch.zeros(len(notes), dtype=torch.float64).index_add(0, document, torch.exp(scores - most))
        listwise = -(wanted * (scores - most - torch.log(sums)[document])).sum() / len(notes)
        ordinal = sum(
            (
                weight_of_row
                * binary_cross_entropy_with_logits(
                    scores + thresholds[level], (judged > level).double(), reduction="none"
                )
            ).sum()
            for level in range(len(JUDGED) - 1)
        )
        loss = (listwise + ordinal) / 2 + (penalty * weights**2).sum()
        loss.backward()
        return float(loss.detach())

    optimiser.step(closure)
    found = weights.detach().numpy()
    return Weights(
        features={
            name: round(float(value), 3)
            for name, value in zip(names, found[: len(names)] / scale[: len(names)], strict=True)
        },
        words={
            word: round(float(value) * WORD, 2)
            for word, value in zip(vocabulary, found[dense.shape[1] :], strict=True)
            if abs(value) * WORD >= LEAST_WEIGHT
        },
    )


def _dense(notes: JudgedNotes, names: Sequence[str]) -> FloatArray:
    """(changes, features + 1) The features, and how old the release is, which mattered and is told apart."""
    rows = [[float(features.get(name, 0.0)) for name in names] for features in notes.features]
    return np.column_stack([np.array(rows), np.log1p(notes.release)])


def _shares(judged: IntArray) -> FloatArray:
    shares = SHARES[judged]
    return shares / max(1e-9, float(shares.sum()))


def score(notes: JudgedNotes, weights: Weights) -> FloatArray:
    """(changes,) The scores of the ranker."""
    return np.array(
        [
            sum(weights.features.get(name, 0.0) * value for name, value in features.items())
            + sum(weights.words.get(word, 0.0) for word in words)
            for features, words in zip(notes.features, notes.words, strict=True)
        ]
    )


def quality(judged: IntArray, taken: Sequence[int] | IntArray) -> tuple[float, float, float]:
    """The share of the changes taken that should be told, that never should, and of those that must be."""
    of_taken = judged[taken]
    must = int((judged == 3).sum())
    return (
        float((of_taken >= 2).mean()) if len(of_taken) else np.nan,
        float((of_taken == 0).mean()) if len(of_taken) else np.nan,
        float((of_taken == 3).sum() / must) if must else np.nan,
    )


def best(judged: IntArray, scores: FloatArray) -> IntArray:
    """As many changes of the highest scores as readers would tell."""
    return np.argsort(-scores, kind="stable")[: max(1, int((judged >= 2).sum()))]


def report(notes: Sequence[JudgedNotes]) -> str:
    """How well the ranker and the summaries agree with the readers."""
    packages = sorted({each.package for each in notes})
    random.Random(5).shuffle(packages)
    fold = {package: number % FOLDS for number, package in enumerate(packages)}
    tested: dict[int, FloatArray] = {}
    quoted: dict[int, BoolArray] = {}
    for number in range(FOLDS):
        weights = fit([each for each in notes if fold[each.package] != number])
        own = [each for each in notes if fold[each.package] == number]
        tested |= {id(each): score(each, weights) for each in own}
        quoted |= {id(each): each.quoted(weights) for each in own}
    now = fitted_weights()
    chance = np.random.default_rng(1)
    rows: Mapping[str, Sequence[tuple[float, float, float]]] = {
        "changes drawn by chance": [
            quality(each.judged, best(each.judged, chance.random(len(each.judged)))) for each in notes
        ],
        "general ranker": [
            quality(each.judged, best(each.judged, np.array([row["score"] for row in each.features])))
            for each in notes
        ],
        "ranker of changes, fitted to other packages": [
            quality(each.judged, best(each.judged, tested[id(each)])) for each in notes
        ],
        "ranker of changes, as it is": [
            quality(each.judged, best(each.judged, score(each, now))) for each in notes
        ],
        "quoted in the summary, ranker fitted to other packages": [
            quality(each.judged, np.flatnonzero(quoted[id(each)])) for each in notes
        ],
        "quoted in the summary, as it is": [
            quality(each.judged, np.flatnonzero(each.quoted(now))) for each in notes
        ],
    }
    twice = [each for each in notes if each.again is not None]
    changes = sum(len(each.judged) for each in notes)
    lines = [
        f"{len(notes)} documents of {len(packages)} packages, {changes} changes.",
        "",
        "| what is taken, as many as readers would tell | should be told | never | of what must be |",
        "|---|---:|---:|---:|",
    ]
    lines += [
        f"| {name} | {' | '.join(f'{value:.3f}' for value in np.nanmean(np.array(found), axis=0))} |"
        for name, found in rows.items()
    ]
    if twice:
        other = [
            quality(each.judged, best(each.judged, each.again - np.linspace(0, 0.01, len(each.judged))))
            for each in twice
            if each.again is not None
        ]
        values = " | ".join(f"{value:.3f}" for value in np.nanmean(np.array(other), axis=0))
        lines.append(f"| another reader ({len(twice)} documents) | {values} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table; fit and write the weights."""
    parser = argparse.ArgumentParser(description="changes of release notes, as readers judged them")
    parser.add_argument("--more", type=Path, required=True, help="a folder with the documents")
    parser.add_argument("--output", type=Path, help="write the table there")
    parser.add_argument("--write", action="store_true", help="fit the weights to all and write them")
    options = parser.parse_args()
    notes = list(read_notes(options.more))
    if options.write:
        fitted = fit(notes)
        FITTED.write_text(json.dumps(fitted._asdict(), indent=0) + "\n", encoding="utf-8")
        fitted_weights.cache_clear()
    table = report(notes)
    print(table)
    if options.output is not None:
        options.output.write_text(f"{HEAD}\n{table}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
