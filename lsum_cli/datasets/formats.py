"""Which format a data file is of, told from its name and, where that says too little, its beginning."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from lsum_cli.datasets.files import DataFile
from lsum_cli.datasets.jsonlines import read_json, read_json_lines
from lsum_cli.datasets.linefiles import TARGET_SUFFIXES, read_line_files
from lsum_cli.datasets.records import Record
from lsum_cli.datasets.tables import read_csv, read_parquet, read_tsv
from lsum_cli.errors import DatasetError
from lsum_cli.reading.registry import FORMATS_BY_SUFFIX

SUPPORTED = (
    "JSON Lines, JSON, CSV, TSV, Parquet, line files (.source with .target) and folders of pairs "
    "(paper.pdf with paper.summary.txt)"
)
RecordReader = Callable[[DataFile], Iterator[Record]]

_READERS: dict[str, RecordReader] = {
    ".jsonl": read_json_lines,
    ".jsonlines": read_json_lines,
    ".ndjson": read_json_lines,
    ".csv": read_csv,
    ".tsv": read_tsv,
    ".parquet": read_parquet,
    ".pq": read_parquet,
    **dict.fromkeys(TARGET_SUFFIXES, read_line_files),
}
DATA_SUFFIXES = frozenset({".json", *_READERS})
_HEAD_BYTES = 1 << 16


def reader_of(file: DataFile) -> RecordReader:
    """The reader for a file.

    Raises:
        DatasetError: It is of no format that can be read.
    """
    if file.suffix in _READERS:
        return _READERS[file.suffix]
    if file.suffix == ".json":
        return read_json_lines if _has_lines(file) else read_json
    if file.suffix in TARGET_SUFFIXES.values():
        raise DatasetError(f"{file} holds summaries only", "give the file with the documents")
    with file.open() as stream:
        head = stream.read(_HEAD_BYTES).lstrip()
    # The first release of arXiv and PubMed calls its JSON Lines .txt.
    if head.startswith(b"{"):
        return read_json_lines
    if file.suffix in FORMATS_BY_SUFFIX:
        raise DatasetError(
            f"{file} is a document and no data set",
            f"give the folder with {file.path.name} and {file.path.stem}.summary.txt",
        )
    raise DatasetError(f"{file} is of no format that can be read", f"what can be read is {SUPPORTED}")


def _has_lines(file: DataFile) -> bool:
    """Whether a file called .json holds one object a line."""
    with file.open() as stream:
        first = next((line for line in stream if line.strip()), b"")
        if not first.lstrip(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
            return False
        try:
            json.loads(first)
        except (ValueError, RecursionError):
            return False
        return any(line.strip() for line in stream)
