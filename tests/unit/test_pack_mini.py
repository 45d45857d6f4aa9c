"""What lsum-mini is trained on holds no document whose licence forbids it."""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
from pathlib import Path

from lsum_cli.datasets.dataset import open_dataset

ROOT = Path(__file__).resolve().parents[2]
LICENCES = {
    "designdocs": [
        "Apache-2.0",
        "CC0-1.0",
        "MIT OR Apache-2.0",
        "XSF (MIT-style)",
        "CC-BY-SA-4.0",
        "GPL-3.0",
    ],
    "pmc": ["CC-BY-4.0", "CC-BY (version not stated)", "CC-BY-NC-4.0", "CC-BY-ND-4.0", ""],
    "scotus": ["Public Domain (US Government work)"],
    "osnotes": ["Apache-2.0"],
    "qmsum": ["MIT"],
}


def test_only_open_licences_are_packed(tmp_path) -> None:
    corpora = tmp_path / "data" / "corpora"
    corpora.mkdir(parents=True)
    for corpus, licences in LICENCES.items():
        for split in ("train", "valid", "test"):
            lines = [
                json.dumps(
                    {
                        "id": f"{corpus}/{split}/{number}",
                        "source": "a journal;\tand\nits page",
                        "licence": licence,
                        "sections": [{"title": "One", "text": "The tide rises."}],
                        "summary": "Tide.",
                    }
                )
                for number, licence in enumerate(licences)
            ]
            with lzma.open(corpora / f"{corpus}.{split}.jsonl.xz", "wt", encoding="utf-8") as file:
                file.write("\n".join([*lines, ""]))
    folder = tmp_path / "pack"
    command = [
        sys.executable,
        str(ROOT / "scripts" / "pack_mini"),
        str(folder),
        "--data",
        str(corpora.parent),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "train designdocs: 4 documents; 1 left out: CC-BY-SA-4.0; 1 left out: GPL-3.0" in done.stdout
    assert "none told" in done.stdout
    ids = [example.id for example in open_dataset(folder / "train")]
    kept = ["designdocs/train/0", "designdocs/train/1", "designdocs/train/2", "designdocs/train/3"]
    kept += ["osnotes/train/0", "pmc/train/0", "pmc/train/1", "scotus/train/0"]
    assert sorted(ids) == kept
    assert all("/valid/" in example.id for example in open_dataset(folder / "valid"))
    header, *sources = (folder / "SOURCES.tsv").read_text(encoding="utf-8").splitlines()
    assert header == "id\tsource\tlicence"
    assert sorted(line.split("\t")[0] for line in sources) == kept
    assert {line.split("\t")[1] for line in sources} == {"a journal; and its page"}
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert again.returncode == 2
    assert "is there already" in again.stderr
