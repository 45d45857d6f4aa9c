"""Tiny models, made once for all tests of checkpoints."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_checkpoints import make_bart, make_base, make_published


@pytest.fixture(scope="session")
def tiny_bart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BART in transformers' format; not to be changed."""
    return make_bart(tmp_path_factory.mktemp("bart") / "tiny-bart")


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Configuration and tokenizer; not to be changed."""
    return make_base(tmp_path_factory.mktemp("base") / "tiny-base")


@pytest.fixture(scope="session")
def tiny_published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Published PageSum weights; not to be changed."""
    return make_published(tmp_path_factory.mktemp("published") / "model.bin")
