"""How a summary is to be made."""

from __future__ import annotations

from dataclasses import dataclass

from lsum_cli.errors import OptionError
from lsum_cli.locality import Locality

NAMED_LENGTHS = {"short": 75, "medium": 150, "long": 300}


@dataclass(frozen=True, kw_only=True)
class SummaryOptions:
    """How a summary is to be made.

    Attributes:
        method: A method's name, or ``"auto"``: the best one installed.
        locality: ``None`` for ``auto``.
        length: ``"short"``, ``"medium"``, ``"long"``, or a number of words.
        page_tokens: Tokens a page holds at most; ``None`` for the method's own.
        pages: Number of pages wished for; ``None`` for as many as the text needs.
        keep_references: Whether reference lists are read.
        attribution: Whether to say where every sentence came from.

    Raises:
        OptionError: A value out of range.
    """

    method: str = "auto"
    locality: Locality | None = None
    length: str = "medium"
    page_tokens: int | None = None
    pages: int | None = None
    keep_references: bool = False
    attribution: bool = True

    def __post_init__(self) -> None:
        if self.num_words < 1:
            raise OptionError(
                f"a summary of {self.num_words} words is empty", "ask for at least 1 word with --length"
            )
        if self.pages is not None and self.locality is Locality.DOCUMENT:
            raise OptionError(
                "--pages cannot be used with document locality, where a document is a page",
                "leave out --pages or choose another --locality",
            )
        for option, value in (("--page-tokens", self.page_tokens), ("--pages", self.pages)):
            if value is not None and value < 1:
                raise OptionError(f"{option} {value} is too small", f"give {option} at least 1")

    @property
    def num_words(self) -> int:
        """The wished length in words."""
        if self.length in NAMED_LENGTHS:
            return NAMED_LENGTHS[self.length]
        try:
            return int(self.length)
        except ValueError:
            named = ", ".join(NAMED_LENGTHS)
            raise OptionError(
                f"'{self.length}' is no length", f"give --length {named} or a number of words"
            ) from None
