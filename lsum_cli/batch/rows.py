"""Rows of a batch: one for every document, with the names of ``lsum.summary/1``; and the files they fill."""

from __future__ import annotations

import enum
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lsum_cli.batch.inputs import Item
from lsum_cli.errors import LsumError, MissingDependency
from lsum_cli.rendering.escaping import replace_surrogates
from lsum_cli.rendering.json_object import JsonObject, describe_summary, read_schema
from lsum_cli.summaries import Summary

if TYPE_CHECKING:
    import pyarrow

# Keys of the summary's object that a row has, in order; `summary` is its `text`.
SUMMARY_KEYS = (
    "title",
    "method",
    "locality",
    "checkpoint",
    "documents",
    "pages",
    "sentences",
    "chapters",
    "outline",
    "lengths",
    "coverage",
    "keywords",
    "topics",
    "other_sections",
    "abbreviations",
    "people",
    "seconds",
    "warnings",
)
# What tells versions of a document apart is as long as many summaries, and nothing compares rows.
_NOT_IN_DOCUMENTS = "content"


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """What became of one document, as it is written.

    Attributes:
        values: The row as a JSON object.
        error: Why there is no summary; ``None`` where there is one.
    """

    values: JsonObject
    error: str | None

    @classmethod
    def of_summary(cls, item: Item, described: JsonObject) -> Row:
        """The row of a document that was summarised, as :func:`describe_for_row` does it."""
        return cls(values={**_begin(item, error=None), **described}, error=None)

    @classmethod
    def of_error(cls, item: Item, error: LsumError) -> Row:
        """The row of a document that was not summarised; the keys of its summary are null."""
        said = replace_surrogates(str(error))
        values = {**_begin(item, error=said), "summary": None, "lost": [], **dict.fromkeys(SUMMARY_KEYS)}
        return cls(values=values, error=said)

    @classmethod
    def parse(cls, values: JsonObject) -> Row:
        """The row again, from its values."""
        return cls(values=values, error=values["error"])

    @property
    def is_lossy(self) -> bool:
        """Whether something of the document was not read."""
        return bool(self.values["lost"])


def describe_for_row(summary: Summary, *, show_attribution: bool = True) -> JsonObject:
    """What a row says of a summary."""
    described = describe_summary(summary, show_attribution=show_attribution)
    for document in described["documents"]:
        del document[_NOT_IN_DOCUMENTS]
    return {
        "summary": described["text"],
        "lost": [replace_surrogates(loss) for loss in summary.coverage.lost],
        **{key: described[key] for key in SUMMARY_KEYS},
    }


def _begin(item: Item, *, error: str | None) -> JsonObject:
    return {
        "id": replace_surrogates(item.id),
        "where": replace_surrogates(item.where),
        "sha256": item.sha256,
        "error": error,
    }


@dataclass(frozen=True, kw_only=True)
class RowCounts:
    """How many rows there are, and of which kinds.

    Attributes:
        documents: All of them.
        failed: Those with an error.
        lossy: Those of documents of which something was not read.
        methods: How many summaries each method has made.
    """

    documents: int = 0
    failed: int = 0
    lossy: int = 0
    methods: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[Row]) -> RowCounts:
        """Count rows."""
        documents = failed = lossy = 0
        methods: Counter[str] = Counter()
        for row in rows:
            documents += 1
            failed += row.error is not None
            lossy += row.is_lossy
            methods.update([row.values["method"]] if row.error is None else [])
        return cls(documents=documents, failed=failed, lossy=lossy, methods=dict(methods))

    def __add__(self, other: RowCounts) -> RowCounts:
        return RowCounts(
            documents=self.documents + other.documents,
            failed=self.failed + other.failed,
            lossy=self.lossy + other.lossy,
            methods=dict(Counter(self.methods) + Counter(other.methods)),
        )


class ShardFormat(enum.StrEnum):
    """The format of the files with rows."""

    JSONL = "jsonl"
    PARQUET = "parquet"

    @property
    def suffix(self) -> str:
        """The suffix of its files."""
        return f".{self.value}"

    def check(self) -> None:
        """Check that it can be written.

        Raises:
            MissingDependency: The package that writes it is not installed.
        """
        if self is ShardFormat.PARQUET:
            _import_parquet()

    def encode_rows(self, rows: Sequence[Row]) -> bytes:
        """The content of a file with these rows."""
        if self is ShardFormat.JSONL:
            return b"".join(encode_line(row.values) for row in rows)
        parquet = _import_parquet()
        import pyarrow

        stream = io.BytesIO()
        table = pyarrow.Table.from_pylist([row.values for row in rows], schema=parquet_schema())
        parquet.write_table(table, stream, compression="zstd")
        return stream.getvalue()

    def count_rows(self, content: bytes) -> RowCounts | None:
        """Count the rows of a file; ``None`` where it is not one that :meth:`encode_rows` has made."""
        try:
            if self is ShardFormat.JSONL:
                values = [json.loads(line) for line in content.splitlines()]
            else:
                table = _import_parquet().read_table(io.BytesIO(content), columns=["error", "lost", "method"])
                values = table.to_pylist()
            return RowCounts.of(map(Row.parse, values))
        except (ValueError, KeyError, TypeError):  # pyarrow's errors are ValueErrors
            return None


def encode_line(values: Mapping[str, object]) -> bytes:
    """An object as a line of JSON."""
    return json.dumps(values, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n"


def _import_parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise MissingDependency(
            "--shards parquet needs the package pyarrow, which is not installed",
            "pip install 'lsum-cli[parquet]'",
        ) from error
    return pyarrow.parquet


def parquet_schema() -> pyarrow.Schema:
    """The columns of Parquet files, made from the JSON schema of summaries."""
    import pyarrow

    schema = read_schema()
    definitions = schema["$defs"]
    del definitions["document"]["properties"][_NOT_IN_DOCUMENTS]
    text = pyarrow.string()
    columns = [("id", text), ("where", text), ("sha256", text), ("error", text), ("summary", text)]
    columns.append(("lost", pyarrow.list_(text)))
    columns += [(key, _column(schema["properties"][key], definitions)) for key in SUMMARY_KEYS]
    return pyarrow.schema(columns)


def _column(described: JsonObject, definitions: Mapping[str, JsonObject]) -> pyarrow.DataType:
    """The Parquet type of what a JSON schema describes; every value may be null."""
    import pyarrow

    if "$ref" in described:
        described = definitions[described["$ref"].rpartition("/")[2]]
    if "oneOf" in described:
        [choice] = [each for each in described["oneOf"] if each.get("type") != "null"]
        return _column(choice, definitions)
    if "enum" in described or "const" in described:
        return pyarrow.string()
    kinds = described["type"]
    [kind] = [each for each in ([kinds] if isinstance(kinds, str) else kinds) if each != "null"]
    if kind == "array":
        return pyarrow.list_(_column(described["items"], definitions))
    if kind == "object":
        if "properties" not in described:
            return pyarrow.map_(pyarrow.string(), _column(described["additionalProperties"], definitions))
        fields = described["properties"].items()
        return pyarrow.struct([(name, _column(value, definitions)) for name, value in fields])
    simple: dict[str, Callable[[], pyarrow.DataType]] = {
        "string": pyarrow.string,
        "integer": pyarrow.int64,
        "number": pyarrow.float64,
        "boolean": pyarrow.bool_,
    }
    return simple[kind]()
