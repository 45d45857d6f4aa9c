"""Which sentences readers would quote, against what extraction quotes; and the weights fitted to it.

    python -m benchmarks.summaries.choices [--before COMMIT] [--more FOLDER] [--group free] [--fit [KIND]]

``choices.jsonl`` has what readers chose, who read each document whole: the sentences that state its main
point (each of them alone suffices), those that state each further point, and an ideal summary of the length
that suits. Sentences are named by the CRC-32 of their text, so that nothing of the documents is copied. Of a
document in ``fit`` the ranker has learned; one in ``held`` is of the halves set aside and no weight or
constant was fitted to it; ``again`` has choices of a second reader, who did not see the first one's. To
``free`` no weight was fitted either, but rules may have been: whoever makes them may read its documents.
Of some meetings in ``fit`` a reader judged the sentences that stand highest, not all: ``judged`` names them,
``ideal`` those to be quoted, ``passable`` those that might be.

Documents of the shared corpora are read from there. Others are read from ``--more``, a folder with a file
for each ``id``, of whatever format; they are left out, and counted, where it is not given: chapters of the
Rust, Node.js, npm, Vim and Valgrind manuals, Git's release notes, BBC news of 2004, posts and reports of
public bodies; of ``free`` manuals, notes of releases and reports from the source distributions of Python
packages, and web pages of the tests of trafilatura, htmldate and newspaper4k. Ids that begin with ``guide-``
are ``PACKAGE-FILE`` of such distributions and of the documentation of SQLite, Git and Debian.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpora import REPOSITORY, corpus_path, default_data
from benchmarks.summaries.__main__ import take_out
from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.extract.ranking.ranker import GUIDE, HEARING, TALK
from lsum_cli.text.terms import FloatArray

CHOICES = Path(__file__).with_name("choices.jsonl")
# The groups to which no weight was fitted.
HELD, FREE = "held", "free"
ALL = "all"  # kinds of documents
# Each checkout has its own, for the modules of lsum change.
WORKER = "benchmarks/summaries/choices_worker.py"
WEIGHTS = REPOSITORY / "lsum_cli" / "methods" / "extract" / "ranking" / "ranker.json"
RESULTS = REPOSITORY / "benchmarks" / "results" / "choices.md"
# How much a sentence counts that readers chose: for the main point (the best, the others), in the ideal
# summary, for another point (the best, the others).
MAIN, IDEAL, POINT = (1.0, 0.8), 0.8, (0.6, 0.4)
# The same where readers judged some sentences only, and what such a document counts.
PASSABLE, OF_JUDGED = 0.3, 2.0
# What holds the common weights small, and those of each kind; found by cross-validation.
COMMON, OF_A_KIND = 0.05, 0.1
# The same of what is spoken, and of guides and proposals, of which readers chose from many: each is fitted
# alone.
ALONE = {TALK: 0.8, HEARING: 0.4, GUIDE: 0.1, str(DocumentKind.PROPOSAL): 0.1}

HEAD = """# Extraction against what readers would quote

Made with `python -m benchmarks.summaries.choices --before COMMIT --more FOLDER`. Readers who had read each
document whole chose the sentences of its main point, those of its other points, and an ideal summary. Each
cell: whether the summary states the main point / the share of the other points that it states / the share of
its words that the reader chose at all: **their mean**. No weight was fitted to these documents.
"""

Record = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """How much of what a reader chose a summary quotes, each from 0 to 1.

    Attributes:
        main: Whether it states the main point.
        points: The share of the other points that it states.
        chosen: The share of its words that the reader chose for anything.
        words: How many words it has.
    """

    main: float
    points: float
    chosen: float
    words: int

    @property
    def mean(self) -> float:
        """The mean of the three."""
        return (self.main + self.points + self.chosen) / 3


def read_choices(group: str) -> list[Record]:
    """What readers chose of the documents of a group."""
    records = [json.loads(line) for line in CHOICES.read_text(encoding="utf-8").splitlines()]
    return [record for record in records if record["group"] == group]


def name_of(text: str) -> int:
    """What names a sentence in :data:`CHOICES`."""
    return zlib.crc32(text.encode())


def agree(choice: Record, quoted: Mapping[int, int]) -> Agreement:
    """Compare a summary with what a reader chose.

    Args:
        choice: The record of :data:`CHOICES`.
        quoted: The words of each sentence that the summary quotes, by its name.
    """
    points = [set(point) for point in choice["points"]]
    chosen = {*choice["main"], *choice["ideal"], *choice["context"]}.union(*points)
    words = sum(quoted.values())
    return Agreement(
        main=float(not quoted.keys().isdisjoint(choice["main"])),
        points=sum(not point.isdisjoint(quoted) for point in points) / max(1, len(points)),
        chosen=sum(count for name, count in quoted.items() if name in chosen) / max(1, words),
        words=words,
    )


def tasks_of(choices: Sequence[Record], data: Path, more: Path | None) -> list[Record]:
    """What the worker is to summarise: the documents that are at hand."""
    files = {} if more is None else {path.stem: path for path in more.iterdir()}
    by_corpus = defaultdict(list)
    tasks = []
    for choice in choices:
        if "corpus" in choice:
            by_corpus[corpus_path(choice["corpus"], choice["split"], data)].append(choice["id"])
        elif choice["id"] in files:
            tasks.append({"file": str(files[choice["id"]]), "id": choice["id"]})
    return tasks + [{"corpus": str(path), "ids": ids} for path, ids in by_corpus.items()]


def summarise(tasks: Sequence[Record], checkout: Path, *options: str) -> Iterator[Record]:
    """What the worker of a checkout prints of each document."""
    done = subprocess.run(
        [sys.executable, str(checkout / WORKER), *options],
        input="\n".join(map(json.dumps, tasks)),
        env={"PYTHONPATH": str(checkout), "PATH": "/usr/bin:/bin"},
        text=True,
        check=True,
        stdout=subprocess.PIPE,
    )
    return map(json.loads, done.stdout.splitlines())


def measure(choices: Sequence[Record], checkout: Path, tasks: Sequence[Record]) -> dict[str, Agreement]:
    """How far the default summaries of a checkout agree with the choices, by document."""
    of = {choice["id"]: choice for choice in choices}
    return {
        record["id"]: agree(of[record["id"]], {int(name): n for name, n in record["quoted"].items()})
        for record in summarise(tasks, checkout)
    }


def fit(records: Sequence[Record]) -> dict[str, Any]:
    """Fit the weights of the ranker.

    The loss is the cross-entropy of the softmax over the sentences of a document against the shares of what
    readers chose (ListNet, Cao et al. 2007), with the squares of the weights of standardised features.

    Args:
        records: What the worker prints with ``--features``, each with the ``choice``.

    Returns:
        ``features``: their names; ``weights``: for each kind of document one for each feature.
    """
    import torch

    names = list(dict.fromkeys(name for record in records for name in record["features"]))
    kinds = sorted({record["kind"] for record in records})
    # What all kinds have in common is learned of documents of which every sentence was judged.
    whole = [record for record in records if "judged" not in record["choice"]]
    inputs, targets, scale = _tensors(whole, names)
    of_kind = [kinds.index(record["kind"]) for record in whole]
    common = torch.zeros(len(names), requires_grad=True)
    own = torch.zeros(len(kinds), len(names), requires_grad=True)
    optimiser = torch.optim.LBFGS([common, own], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> float:
        optimiser.zero_grad()
        loss = COMMON * (common**2).sum() + OF_A_KIND * (own**2).sum()
        for each, target, kind in zip(inputs, targets, of_kind, strict=True):
            scores = torch.log_softmax(each @ (common + own[kind]), 0)
            loss = loss - (target / target.sum() * scores).sum() / len(inputs)
        loss.backward()
        return float(loss.detach())

    optimiser.step(closure)
    weights = (common + own).detach().numpy() / scale
    for kind, penalty in ALONE.items():
        if kind in kinds:
            # What tells in talk has nothing to do with what tells in writing, and of guides and proposals
            # enough is known: they have no part in common with the others.
            spoken = [record for record in records if record["kind"] == kind]
            weights[kinds.index(kind)] = _fit_alone(spoken, names, penalty)
    return {
        "features": names,
        "weights": {
            kind: [float(f"{weight:.4g}") for weight in row] for kind, row in zip(kinds, weights, strict=True)
        },
    }


def _fit_alone(records: Sequence[Record], names: Sequence[str], penalty: float) -> FloatArray:
    """The weights of one kind of document, fitted to it alone."""
    import torch

    inputs, targets, scale = _tensors(records, names)
    counts = [OF_JUDGED if "judged" in record["choice"] else 1.0 for record in records]
    weights = torch.zeros(len(names), requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> float:
        optimiser.zero_grad()
        loss = penalty * (weights**2).sum()
        for each, target, count in zip(inputs, targets, counts, strict=True):
            scores = torch.log_softmax(each @ weights, 0)
            loss = loss - count / sum(counts) * (target / target.sum() * scores).sum()
        loss.backward()
        return float(loss.detach())

    optimiser.step(closure)
    alone: FloatArray = weights.detach().numpy() / scale
    return alone


def _tensors(records: Sequence[Record], names: Sequence[str]) -> tuple[list[Any], list[Any], FloatArray]:
    """For each document the features of what was judged of it, scaled, and their worth; the scale."""
    import torch

    values = [_table(record, names) for record in records]
    scale: FloatArray = np.concatenate(values).std(axis=0)
    scale[scale < 1e-6] = 1
    rows = [_judged(record) for record in records]
    inputs = [
        torch.tensor(each[among] / scale, dtype=torch.float32)
        for each, among in zip(values, rows, strict=True)
    ]
    targets = [
        torch.tensor(_target(record), dtype=torch.float32)[among]
        for record, among in zip(records, rows, strict=True)
    ]
    return inputs, targets, scale


def _table(record: Record, names: Sequence[str]) -> FloatArray:
    """The features of a document, one row per sentence; 0 for those that its kind does not have."""
    rows = np.array(record["values"])
    columns = dict(zip(record["features"], rows.T, strict=True))
    return np.column_stack([columns.get(name, np.zeros(len(rows))) for name in names])


def _judged(record: Record) -> list[int]:
    """The rows of the sentences that a reader judged: of most documents all."""
    judged = set(record["choice"].get("judged", record["names"]))
    return [row for row, name in enumerate(record["names"]) if name in judged]


def _target(record: Record) -> list[float]:
    choice = record["choice"]
    worth: dict[int, float] = defaultdict(float)
    for point in choice["points"]:
        for place, name in enumerate(point):
            worth[name] = max(worth[name], POINT[place > 0])
    for name in choice.get("passable", ()):
        worth[name] = max(worth[name], PASSABLE)
    for name in choice["ideal"]:
        worth[name] = max(worth[name], IDEAL)
    for place, name in enumerate(choice["main"]):
        worth[name] = max(worth[name], MAIN[place > 0])
    return [worth.get(name, 0.0) for name in record["names"]]


def learn(data: Path, more: Path | None, kind: str) -> None:
    """Fit the weights of the ranker to the choices in ``fit``: of all kinds, or of one fitted alone."""
    choices = {choice["id"]: choice for choice in read_choices("fit")}
    tasks = tasks_of(list(choices.values()), data, more)
    records = [
        {**record, "choice": choices[record["id"]]}
        for record in summarise(tasks, REPOSITORY, "--features")
        if kind in (ALL, record["kind"]) and any(_target({**record, "choice": choices[record["id"]]}))
    ]
    fitted = fit(records)
    if kind != ALL:
        fitted = _added(json.loads(WEIGHTS.read_text(encoding="utf-8")), fitted)
    WEIGHTS.write_text(json.dumps(fitted, indent=0) + "\n", encoding="utf-8")
    print(f"{len(records)} documents, {len(fitted['features'])} features: {WEIGHTS}", file=sys.stderr)


def _added(known: Record, fitted: Record) -> Record:
    """The known weights with the fitted ones; of features that only one of them has the other's are 0."""
    names = list(dict.fromkeys((*known["features"], *fitted["features"])))
    rows = {
        kind: dict(zip(each["features"], row, strict=True))
        for each in (known, fitted)
        for kind, row in each["weights"].items()
    }
    return {
        "features": names,
        "weights": {kind: [row.get(name, 0.0) for name in names] for kind, row in rows.items()},
    }


def report(data: Path, more: Path | None, before: str | None, group: str) -> str:
    """The table of how far summaries agree with readers, on documents that no weight was fitted to."""
    choices = read_choices(group)
    tasks = tasks_of(choices, data, more)
    columns = {}
    if before is not None:
        with tempfile.TemporaryDirectory() as folder:
            columns[f"before ({before})"] = measure(choices, take_out(before, Path(folder), WORKER), tasks)
    columns["lsum"] = measure(choices, REPOSITORY, tasks)
    kind_of = {choice["id"]: choice["kind"] for choice in choices}
    read = sorted(columns["lsum"], key=lambda each: (kind_of[each], each))
    lines = [
        f"| kind | documents | {' | '.join(columns)} |",
        f"|---|---:|{'---|' * len(columns)}",
    ]
    groups = [("**all**", read)] + [
        (kind, [each for each in read if kind_of[each] == kind]) for kind in sorted(set(kind_of.values()))
    ]
    for name, ids in groups:
        if ids:
            cells = (_cell([column[each] for each in ids]) for column in columns.values())
            lines.append(f"| {name} | {len(ids)} | {' | '.join(cells)} |")
    readers = [_readers(data, more)] if group == HELD else []
    return "\n".join([*lines, "", *readers, _difference(columns, read)])


def _cell(found: Sequence[Agreement]) -> str:
    def mean(name: str) -> float:
        return float(np.mean([getattr(each, name) for each in found]))

    return f"{mean('main'):.2f} / {mean('points'):.2f} / {mean('chosen'):.2f}: **{mean('mean'):.2f}**"


def _readers(data: Path, more: Path | None) -> str:
    """How far the ideal summary of a second reader agrees with the first."""
    first = {choice["id"]: choice for choice in read_choices(HELD)}
    second = {choice["id"]: choice for choice in read_choices("again")}
    found = []
    for record in summarise(tasks_of(list(second.values()), data, more), REPOSITORY, "--words"):
        words = dict(zip(record["names"], record["words"], strict=True))
        ideal = {name: words[name] for name in second[record["id"]]["ideal"] if name in words}
        found.append(agree(first[record["id"]], ideal))
    return f"A second reader's ideal summaries of {len(found)} of them: {_cell(found)}."


def _difference(columns: Mapping[str, Mapping[str, Agreement]], read: Sequence[str]) -> str:
    if len(columns) < 2:
        return ""
    old, new = columns.values()
    differences = np.array([new[each].mean - old[each].mean for each in read])
    random = np.random.default_rng(0)
    means = random.choice(differences, (2000, len(differences))).mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return f"\nDifference of the means: {differences.mean():+.3f} (95 %: {low:+.3f} to {high:+.3f})."


def main() -> None:
    """Print the table; with ``--fit`` fit the weights first."""
    parser = argparse.ArgumentParser(description="extraction against what readers would quote")
    parser.add_argument("--before", help="a commit to compare with")
    parser.add_argument("--more", type=Path, help="a folder with the documents that no shared corpus has")
    parser.add_argument("--group", choices=(HELD, FREE), default=HELD, help="default: %(default)s")
    parser.add_argument(
        "--fit", nargs="?", const=ALL, choices=(ALL, *ALONE), help="fit the weights of the ranker first"
    )
    parser.add_argument("--data", type=Path, default=default_data())
    parser.add_argument("--output", type=Path, help=f"write the table there, such as {RESULTS}")
    options = parser.parse_args()
    if options.fit is not None:
        learn(options.data, options.more, options.fit)
    table = report(options.data, options.more, options.before, options.group)
    print(table)
    if options.output is not None:
        options.output.write_text(f"{HEAD}\n{table}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
