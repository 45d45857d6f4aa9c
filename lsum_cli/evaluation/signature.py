"""What a score depends on, in one short line that belongs beside it."""

from __future__ import annotations

import hashlib
import importlib.metadata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lsum_cli.evaluation.options import Preparation, RougeSettings
from lsum_cli.version import __version__

_HASH_DIGITS = 12
# Of scores that may be compared these are the same.
_COMPARED = ("implementation", "stemmer", "tokenizer", "splitter", "prepare", "data")


@dataclass(frozen=True, kw_only=True)
class Signature:
    """Everything that must be the same for two scores to be compared.

    Attributes:
        implementation: Package and version that defines ROUGE, and whose code computes it.
        stemmer: Package and version, or ``"none"``.
        tokenizer: Which one.
        splitter: Package and version; the rules of sentences are ours besides.
        prepare: What was done to the texts beforehand.
        examples: How many there are.
        resamples: Of the bootstrap.
        seed: Of the bootstrap.
        data: SHA-256 over the references, in any order; the first digits.
        lsum: The version that computed the scores.
    """

    implementation: str
    stemmer: str
    tokenizer: str
    splitter: str
    prepare: str
    examples: int
    resamples: int
    seed: int
    data: str
    lsum: str = __version__

    @classmethod
    def of(cls, settings: RougeSettings, hashes: Sequence[str], *, resamples: int, seed: int) -> Signature:
        """Describe how scores are computed.

        Args:
            settings: With the tokenizer that was chosen.
            hashes: Of the references, by :func:`hash_text`.
            resamples: Of the bootstrap.
            seed: Of the bootstrap.
        """
        nltk = f"nltk-{importlib.metadata.version('nltk')}"
        return cls(
            implementation=f"rouge-score-{importlib.metadata.version('rouge-score')}+lcs-bits",
            stemmer=f"porter-{nltk}" if settings.stem else "none",
            tokenizer=settings.tokenizer.value,
            splitter=f"lines+sentencex-{importlib.metadata.version('sentencex')}+lsum",
            prepare=f"ptb-{nltk}" if settings.prepare is Preparation.PTB else "none",
            examples=len(hashes),
            resamples=resamples,
            seed=seed,
            data=hash_references(hashes),
        )

    def __str__(self) -> str:
        parts = {
            "rouge": "f1",
            "impl": self.implementation,
            "stem": self.stemmer,
            "tok": self.tokenizer,
            "split": self.splitter,
            "prep": self.prepare,
            "n": self.examples,
            "bs": self.resamples,
            "seed": self.seed,
            "data": self.data,
            "lsum": self.lsum,
        }
        return "|".join(f"{name}:{value}" for name, value in parts.items())


def hash_text(text: str) -> str:
    """SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def hash_references(hashes: Iterable[str]) -> str:
    """One short hash for many, whatever their order."""
    return hash_text("\n".join(sorted(hashes)))[:_HASH_DIGITS]


def differing_parts(first: Signature, second: Signature) -> list[str]:
    """What keeps scores with these signatures from being compared: ``"stemmer (none, porter)"``."""
    return [
        f"{name} ({getattr(first, name)}, {getattr(second, name)})"
        for name in _COMPARED
        if getattr(first, name) != getattr(second, name)
    ]
