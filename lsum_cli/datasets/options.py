"""How a data set is read: which columns hold what, and how many examples are taken."""

from __future__ import annotations

import enum
from dataclasses import asdict, dataclass, field

from lsum_cli.errors import OptionError
from lsum_cli.reading.registry import ReadOptions

NUMBERED = "-"


class Items(enum.StrEnum):
    """What the items of a list in the text column are."""

    PARAGRAPHS = "paragraphs"
    SECTIONS = "sections"
    DOCUMENTS = "documents"


@dataclass(frozen=True, kw_only=True)
class DatasetOptions:
    """How records become examples; what is ``None`` is told from the columns of a known corpus.

    Attributes:
        text_column: The column with what is to be summarised: text, a list of paragraphs, sections or
            documents.
        summary_column: The column with the reference.
        id_column: The column with the ids; ``"-"`` numbers the records instead.
        items: What the items of a list in the text column are; ``None`` tells it from their shape:
            texts are paragraphs (or sentences), lists and objects are sections.
        separator: What stands between the documents in one text; ``None`` recognises ``|||||`` and
            ``<doc-sep>``, an empty string leaves every text one document.
        limit: At most this many examples, from the beginning.
        needs_reference: Leave records without a reference out, and count them; otherwise they are
            kept with ``reference=None``, and the column may be absent.
        reading: How the sources in a folder of pairs are read.

    Raises:
        OptionError: The limit takes nothing, or two columns are one.
    """

    text_column: str | None = None
    summary_column: str | None = None
    id_column: str | None = None
    items: Items | None = None
    separator: str | None = None
    limit: int | None = None
    needs_reference: bool = True
    reading: ReadOptions = field(default_factory=ReadOptions)

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise OptionError(f"--limit {self.limit} takes no example", "give 1 or more")
        if self.text_column is not None and self.text_column == self.summary_column:
            raise OptionError(
                f"--text-column and --summary-column are both {self.text_column}",
                "name one column for the documents and one for their summaries",
            )

    def identity(self) -> dict[str, object]:
        """What examples depend on besides the files: part of the fingerprint of a data set."""
        values = asdict(self)
        # Neither changes what is read, only whether it is, and a password belongs in no file.
        reading = {name: values["reading"][name] for name in ("pdf_pages", "max_bytes", "max_pdf_bytes")}
        return {**values, "reading": reading}
