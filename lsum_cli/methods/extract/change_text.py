"""The text of a change as it is shown: without its mark and number, and without who made it where."""

from __future__ import annotations

import re

from lsum_cli.methods.extract.change_kinds import COMMITTED, LABEL, TAG, kind_named_by
from lsum_cli.text.patterns import regex

# "** libname: ", "feat(parser)!: ", "gh-123: ", "#123: "; a name that says what part changed stays.
_MARK = regex(
    r"(?:[*•-]+ |: )?(?:(?:feat|fix|perf)(?:\([^()]*\))?!?: |(?:gh-|bpo-|issue |bug )?#?\d{3,}(?::| -) |(?:gh"
    r"|bpo)-\d+: )?",
    re.IGNORECASE,
)
# "by @kira in https://…/pull/812", "(#820) (abc1234)", ", closes #815", "(Closes: #1044000)". What is taken
# of a list of numbers is not given back: where it is not at the end of a change, no part of it is.
_CREDIT = regex(
    r"(?:,? [(\[]?(?:by @[\w-]+(?:\[bot\])?|(?:in|via) https?://\S+"
    r"|https?://\S+/(?:pull|issues|commit|merge_requests)/\w+"
    r"|(?:(?:in|via|closes:?|fix(?:es|ed)|resolves|issue|bug|pr|see) )?#\d++(?:,? (?:and )?#\d++)*+"
    r"|(?<=\()(?=[a-f]*\d)[0-9a-f]{7,40}(?=\)))[)\]]?)++",
    re.IGNORECASE,
)


def plain_change(text: str) -> str:
    """A change without its mark and number, and without who made it where."""
    found = TAG.match(text) or _MARK.match(text)
    made = _without_credit(text[found.end() :] if found else text).strip()
    # "libfoo: …" keeps its small letter.
    return made[:1].upper() + made[1:] if COMMITTED.match(text) or text.startswith(": ") else made


def _without_credit(text: str) -> str:
    """A change without who made it where, if that is its end."""
    last = max(_CREDIT.finditer(text), key=re.Match.end, default=None)
    stop = text[last.end() :].strip() if last else ""
    return text[: last.start()] + stop if last and stop in ("", ".") else text


def without_label(text: str) -> str:
    """A change without the label of its kind before it."""
    found = LABEL.match(text)
    return text[found.end() :] if found and kind_named_by(found["label"]) >= 0 else text
