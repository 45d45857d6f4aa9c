"""Summaries of documents of ten kinds, before and after, for readers to grade.

    python -m benchmarks.summaries.grading FOLDER [--before COMMIT] [--round 1] [--samples FILE]

Writes ``documents.jsonl`` (id, kind, source, and the summaries ``before`` and ``after``, as the program
prints them without attribution) and, for readers, ``sheet.md``, where the two stand side by side as A and B
in an order drawn by chance; ``key.json`` says which is which. Corpora give documents that were set aside,
written as text or Markdown files; the rest are sample files. Readers grade coverage, coherence and focus
from 1 to 5. Another round takes other documents of the corpora, and ``--samples`` other files: a JSON object
of kinds with lists of paths.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.corpora import REPOSITORY, corpus_path, default_data
from benchmarks.summaries.__main__ import BEFORE, SET_ASIDE, take_out
from lsum_cli.datasets.files import label_files
from lsum_cli.datasets.formats import read_json_lines

SAMPLES = {
    "paper": (
        "pdf/paper-1col-jose-00240.pdf",
        "pdf/paper-2col-outline-jcon-00020.pdf",
        "pdf/paper-2col-trials-18.pdf",
        "pdf-more/unst-multi-column.pdf",
    ),
    "opinion": ("pdf/report-scotus-07-1529.pdf",),
    "report": ("pdf/paper-2col-PMC7052325.pdf", "pdf-more/R-intro.pdf"),
    "news": ("html/news-1ee91d1fce.html", "html/readability-v8-blog.html"),
    "book": (
        "pdf/book-352p-freeculture.pdf",
        "html/book-dorian-gray-174-h.htm",
        "pdf/book-typeset-time-machine.pdf",
    ),
    "release notes": ("folder/osnotes-ironic-antelope",),
    "web page": (
        "html/distill-momentum.html",
        "html/readability-wikipedia.html",
        "html/readability-ietf-1.html",
    ),
    "government": (
        "pdf/report-gpo-user-guide.pdf",
        "pdf-more/plumb-federal-register-2020-17221.pdf",
        "pdf-more/unst-invalid-pdf-structure-pdfminer-one-page.pdf",
    ),
}
# How many documents of each corpus that were set aside, and their kind.
FROM_CORPORA = {
    "scotus": ("opinion", 2),
    "pmc": ("report", 1),
    "designdocs": ("design document", 4),
    "osnotes": ("release notes", 2),
    "qmsum": ("meeting", 3),
}

Document = dict[str, Any]


def collect(
    data: Path, folder: Path, samples: Mapping[str, Sequence[str]], number_of_round: int = 0
) -> Iterator[Document]:
    """The documents to summarise; those of corpora are written to ``folder`` as files.

    Args:
        data: The folder with the corpora and sample files.
        folder: Where to write.
        samples: Paths by kind of document, relative to the sample files or absolute.
        number_of_round: Each round takes other documents of the corpora.
    """
    for kind, names in samples.items():
        for name in names:
            path = data / "inputs" / name
            if path.exists():
                yield {"id": Path(name).stem, "kind": kind, "source": str(path)}
    set_aside = json.loads(SET_ASIDE.read_text(encoding="utf-8"))
    for corpus, (kind, count) in FROM_CORPORA.items():
        (file,) = label_files([corpus_path(corpus, "valid", data)])
        ids = set_aside[corpus]
        # Evenly over the corpus, which is ordered by project.
        first = [(2 * number + 1) * len(ids) // (2 * count) for number in range(count)]
        wanted = {ids[(place + number_of_round) % len(ids)] for place in first}
        for record in read_json_lines(file):
            if record.values["id"] in wanted:
                yield {"kind": kind, **_write(record.values, corpus, folder)}


def _write(values: Any, corpus: str, folder: Path) -> Document:
    name = str(values["id"]).replace("/", "-").removesuffix(".md").removesuffix(".rst")
    title = str(values.get("title") or name)
    if "documents" in values:
        place = folder / name
        place.mkdir()
        for number, part in enumerate(values["documents"], start=1):
            text = f"# {part['title']}\n\n{part['text']}\n"
            (place / f"{number:02}-note.md").write_text(text, encoding="utf-8")
        return {"id": name, "source": str(place)}
    is_talk = corpus == "qmsum"
    parts = [] if is_talk else [f"# {title}"]
    for section in values["sections"]:
        if section["title"] and not is_talk:
            parts.append(f"## {section['title']}")
        parts.extend(line for line in str(section["text"]).split("\n") if line.strip())
    place = folder / f"{name}{'.txt' if is_talk else '.md'}"
    place.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return {"id": name, "source": str(place)}


def summarise(source: str, checkout: Path, home: Path) -> str:
    """What the program of a checkout prints for a source, with the places that it cites."""
    command = [sys.executable, "-m", "lsum_cli", "summarize", source, "--method", "extract"]
    command += ["--format", "text", "--quiet"]
    if Path(source).is_dir():
        command.append("--multi")
    environment = {**os.environ, "PYTHONPATH": str(checkout), "LSUM_HOME": str(home), "NO_COLOR": "1"}
    done = subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{source}: {done.stderr.strip()}")
    return done.stdout.strip()


def sheet(documents: list[Document], seed: int) -> tuple[str, dict[str, str]]:
    """The text for readers, and which of the two letters is the later summary of each document."""
    generator = random.Random(seed)
    lines = [
        "# Summaries to grade",
        "",
        "Coverage, coherence and focus, each from 1 (poor) to 5 (very good).",
    ]
    key = {}
    for document in generator.sample(documents, len(documents)):
        pair = ["before", "after"]
        generator.shuffle(pair)
        key[document["id"]] = "AB"[pair.index("after")]
        lines += ["", f"## {document['id']} ({document['kind']})", "", f"Source: {document['source']}"]
        for letter, version in zip("AB", pair, strict=True):
            lines += ["", f"### {letter}", "", document[version]]
    return "\n".join(lines) + "\n", key


def main() -> None:
    """Write the summaries and the sheet."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.summaries.grading", description=__doc__)
    parser.add_argument("folder", type=Path, help="where to write; made if need be")
    parser.add_argument("--data", type=Path, default=default_data(), help="folder with corpora/ and inputs/")
    parser.add_argument("--before", default=BEFORE, help=f"commit to compare with; default: {BEFORE}")
    parser.add_argument("--seed", type=int, default=0, help="draws the order of the two; default: 0")
    parser.add_argument("--round", type=int, default=0, help="0, the recorded one, 1, …; default: 0")
    parser.add_argument("--samples", type=Path, help="JSON file of kinds and paths; default: sample files")
    options = parser.parse_args()
    samples = json.loads(options.samples.read_text(encoding="utf-8")) if options.samples else SAMPLES
    sources = options.folder.resolve() / "sources"
    sources.mkdir(parents=True)
    documents = list(collect(options.data.resolve(), sources, samples, options.round))
    with tempfile.TemporaryDirectory() as name:
        home = Path(name, "home")
        home.mkdir()
        before = take_out(options.before, Path(name))
        with (options.folder / "documents.jsonl").open("w", encoding="utf-8") as file:
            for document in documents:
                document["before"] = summarise(document["source"], before, home)
                document["after"] = summarise(document["source"], REPOSITORY, home)
                print(json.dumps(document, ensure_ascii=False), file=file, flush=True)
    text, key = sheet(documents, options.seed)
    (options.folder / "sheet.md").write_text(text, encoding="utf-8")
    (options.folder / "key.json").write_text(json.dumps(key, indent=1), encoding="utf-8")
    print(f"{len(documents)} documents in {options.folder}")


if __name__ == "__main__":
    main()
