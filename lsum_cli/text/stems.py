"""Stems of English words; here apart from terms, which need numpy, so that reading does without it."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=1 << 16)
def stem(term: str) -> str:
    """Light stemming of English words (plural, *-ing*, *-ed*, *-ly*); other words are returned unchanged."""
    if len(term) < 4 or not term.isascii() or not term.isalpha():
        return term
    if term.endswith("ies") and len(term) > 4:
        return term[:-3] + "y"
    if term.endswith("es") and term[-3] in "sxzh":
        term = term[:-2]
    elif term.endswith("s") and term[-2] not in "suia":
        term = term[:-1]
    for ending in ("ingly", "edly", "ing", "ed", "ly"):
        if term.endswith(ending) and len(term) - len(ending) >= 3:
            term = term[: -len(ending)]
            if len(term) > 3 and term[-1] == term[-2] and term[-1] not in "lsz":
                term = term[:-1]
            break
    return term.removesuffix("e") if len(term) > 4 else term
