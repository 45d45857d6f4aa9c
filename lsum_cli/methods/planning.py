"""What summarising would do, before it is done: pages, tokens, time and memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lsum_cli.documents import Document
from lsum_cli.locality import Locality, Page
from lsum_cli.methods.method import Cost, PagingMethod
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.summaries import Coverage


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How documents would be summarised, by which pages and at what cost."""

    documents: tuple[Document, ...]
    method: str
    locality: Locality
    locality_reason: str
    page_len: int
    pages: tuple[Page, ...]
    coverage: Coverage
    cost: Cost


def make_plan(documents: Sequence[Document], options: SummaryOptions) -> Plan:
    """Plan a summary of all the documents together.

    Raises:
        OptionError: Options that exclude each other.
        SourceError: The documents hold no text to summarise.
    """
    summarizer = Summarizer(options)
    pagination = summarizer.paginate(documents)
    method = pagination.method
    page_len = options.page_tokens or method.page_len
    if isinstance(method, PagingMethod):
        page_len = max(page.num_tokens for page in pagination.pages)
    return Plan(
        documents=tuple(documents),
        method=method.name,
        locality=pagination.locality.locality,
        locality_reason=pagination.locality.reason,
        page_len=page_len,
        pages=pagination.pages,
        coverage=pagination.coverage,
        cost=method.estimate(pagination.pages),
    )
