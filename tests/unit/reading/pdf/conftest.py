"""Fixtures for the tests of reading PDFs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lsum_cli.documents import Document


@pytest.fixture
def texts() -> Callable[[Document], list[str]]:
    """The sentences of a document as strings."""
    return lambda document: [sentence.text for sentence in document.sentences]
