"""Options of data sets: the columns, and the number of examples."""

from __future__ import annotations

import enum
from dataclasses import asdict, dataclass, field

from lsum_cli.errors import OptionError
from lsum_cli.options import Panel, check_options, option
from lsum_cli.reading.registry import ReadOptions

NUMBERED = "-"
_INFERRED = "inferred from the columns"


class Items(enum.StrEnum):
    """What the items of a list in the text column are."""

    PARAGRAPHS = "paragraphs"
    SECTIONS = "sections"
    DOCUMENTS = "documents"


@dataclass(frozen=True, kw_only=True)
class DatasetOptions:
    """How records become examples; what is ``None`` is inferred from the columns of a known corpus.

    Attributes:
        separator: Separator of documents within one text; ``None`` recognises ``|||||`` and
            ``<doc-sep>``, an empty string leaves every text one document.
        needs_reference: Leave records without a reference out, and count them; otherwise they are
            used with ``reference=None``, and the column may be absent.
        reading: How the sources in a folder of pairs are read.

    Raises:
        OptionError: The limit is below 1, or two columns are the same.
    """

    text_column: str | None = option(
        None,
        "--text-column",
        help="Column that holds the documents.",
        panel=Panel.READING,
        env=False,
        shown_default=_INFERRED,
    )
    items: Items | None = option(
        None,
        "--items",
        help="What the items of a list in the text column are.",
        panel=Panel.READING,
        env=False,
        shown_default="inferred from their types",
    )
    summary_column: str | None = option(
        None,
        "--summary-column",
        help="Column that holds the reference summaries.",
        panel=Panel.READING,
        env=False,
        shown_default=_INFERRED,
    )
    id_column: str | None = option(
        None,
        "--id-column",
        help="Column that holds the ids; - numbers the records instead.",
        panel=Panel.READING,
        env=False,
        shown_default=_INFERRED,
    )
    separator: str | None = None
    limit: int | None = option(
        None,
        "--limit",
        help="Maximum number of examples, taken from the beginning.",
        panel=Panel.READING,
        env=False,
        shown_default="all",
        minimum=1,
    )
    needs_reference: bool = True
    reading: ReadOptions = field(default_factory=ReadOptions)

    def __post_init__(self) -> None:
        check_options(self)
        if self.text_column is not None and self.text_column == self.summary_column:
            raise OptionError(
                f"--text-column and --summary-column are both {self.text_column}",
                "name one column for the documents and one for their summaries",
            )

    def fingerprint_parts(self) -> dict[str, object]:
        """What examples depend on besides the files: part of the fingerprint of a data set."""
        values = asdict(self)
        # Neither changes the text, and a password must not be written to a file.
        reading = {name: values["reading"][name] for name in ("pdf_pages", "max_bytes", "max_pdf_bytes")}
        return {**values, "reading": reading}
