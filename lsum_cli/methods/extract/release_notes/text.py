"""The text of a change as it is shown: without its mark and number, and without who made it where."""

from __future__ import annotations

import re
from functools import lru_cache

from lsum_cli.methods.extract.release_notes.kinds import COMMITTED, TAG, kind_named_by, label_before
from lsum_cli.text.patterns import regex

# "** libname: ", "feat(parser)!: ", "gh-123: ", "#123, #124: ", "PR #123: (kira) ", "e3ebff9bce "; a name
# that says what part changed stays.
_MARK = regex(
    r"(?:[*•-]+ |: )?(?:(?:feat|fix|perf)(?:\([^()]*\))?!?: |(?:gh-|bpo-|issue |bug )?#?\d{3,}(?::| -) |(?:gh"
    r"|bpo)-\d+: |#\d++(?:, ?#\d++)*+(?:: | (?-i:(?=[A-Z])))"
    r"|(?:PR|ISSUE) (?:[\w.-]+/[\w.-]+)?#\d+: (?:\([\w-]+\) )?(?:\[\d[\d.]*\] )?"
    r"|(?=[a-f]*\d)[0-9a-f]{7,40} (?-i:(?=[A-Z])))?",
    re.IGNORECASE,
)
# "by @kira in https://…/pull/812", "(#820) (abc1234)", ", closes #815", "(Closes: #1044000)", "(Kira Dahl,
# PR 7)". What is taken of a list of numbers is not given back: where it is not at the end of a change, no
# part of it is.
_CREDIT = regex(
    r"(?:[,;]?(?: |(?=[(\[]))[(\[]?(?:(?:(?:pr|patch|contributed|reported) )?by @[\w-]+"
    r"(?:\[bot\])?"
    r"|@ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC|(?:in|via) https?://\S+"
    r"|https?://\S+/(?:pull|issues|commit|merge_requests)/\w+"
    r"|(?:(?:in|via|closes:?|fix(?:es|ed)|resolves|issue|bug|pr|pull(?: request)?|see|refs?:?) ?)?"
    r"(?:[\w.-]+/[\w.-]+)?#\d++(?:,? (?:and )?#\d++)*+"
    r"|(?<=\()(?-i:(?:by )?[^\W\d_][\w.-]*(?: [^\W\d_][\w.-]*){0,3}, PRs? )#?\d+"
    r"(?:(?:,| and) #?\d+)*+(?=\))"
    r"|(?<=\()by (?-i:[A-Z][\w.-]*(?: [A-Z][\w.-]*){0,3})(?=\))"
    r"|(?<=\()(?:gh|bpo)-\d+(?=\)))[)\]]?|(?: ?\()(?=[a-f]*\d)[0-9a-f]{7,40}\))++",
    re.IGNORECASE,
)
# What a number belongs to: "the fix for #12" is no credit.
_NEEDS_NUMBER = regex(r"\b(?:for|in|of|to|from|with|by|and|or|than|as|see|per|like|on)$", re.IGNORECASE)

_BACKTICKS = regex(r"(?<![\w`])`([^`]+)`(?![\w`])")


@lru_cache(maxsize=1 << 13)
def plain_change(text: str) -> str:
    """A change without its mark and number, without who made it where, and without backticks."""
    found = TAG.match(text) or _MARK.match(text)
    made = _without_credit(text[found.end() :] if found else text).strip()
    made = _BACKTICKS.sub(r"\1", made) if "`" in made else made
    # "libfoo: …" keeps its small letter.
    return made[:1].upper() + made[1:] if COMMITTED.match(text) or text.startswith(": ") else made


def _without_credit(text: str) -> str:
    """A change without who made it where, if that is its end."""
    if not any(sign in text for sign in ("#", "@", "//", "(")):
        return text
    last = max(_CREDIT.finditer(text), key=re.Match.end, default=None)
    stop = text[last.end() :].strip() if last else ""
    if (
        last is None
        or stop not in ("", ".")
        or (last[0].strip()[:1] not in "([" and _NEEDS_NUMBER.search(text, 0, last.start()))
    ):
        return text
    return text[: last.start()] + stop


def is_shortened(text: str) -> bool:
    """Whether the tool that lists titles has cut the end of this one."""
    return text.rstrip().endswith(("...", "…"))


def without_label(text: str) -> str:
    """A change without the label of its kind before it."""
    found = label_before(text)
    return text[found.end() :] if found and kind_named_by(found["label"]) >= 0 else text
