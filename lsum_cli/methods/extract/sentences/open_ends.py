"""Sentences of guides whose end is left open: by a colon before code, or as a line without its stop.

"You can pass headers as a dictionary:" stands before an example that no summary has, and is a statement
without it.
"""

from __future__ import annotations

import re

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.sentences.fragments import lacks_beginning
from lsum_cli.methods.extract.sentences.lists import TURNS, announces_list, is_short_list
from lsum_cli.methods.extract.sentences.presentability import CLOSING_MARKS, is_name
from lsum_cli.methods.extract.sentences.presentability import is_presentable as is_form_presentable
from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem
from lsum_cli.text.terms import BoolArray, is_function_word

# Words of a sentence that ends with a colon, and of a line without a stop.
_SHORTEST, _SHORTEST_LINE, _LONGEST = 5, 8, 45
# What says nothing without what follows it: an example, a list, what is to be done; besides these a last word
# that wants an object, and what turns what follows ("but", "unless").
_NEEDS_WHAT_FOLLOWS = regex(
    r"\b(?:examples?|as follows|follow(?:s|ing)|below|here|code|snippet|namely|called|named|set|than|such"
    r"|e\.g\.?|i\.e\.?|one|ones|it|them|so"
    r"|(?:of|in|has|have|takes?) the (?:general )?form"
    r"|covering|containing|showing|requiring|returning|saying|involving|providing|adding|specifying|defining"
    # What is to be done stands below: "You can install it by running:", "For help just issue:".
    r"|by \w+ing|(?:just|simply|then) \w+"
    # "What you need", "which it can handle".
    r"|(?:can|may|must|will|should|could|to|it|they|you|we|that|which|who|needs|wants) \w+)\W*$"
    r"|\b(?:following|like (?:this|so|these)|as follows|for example|for instance|this (?:way|manner|form)"
    r"|these|below|(?:an|another|the) example|instead of)\b",
    re.IGNORECASE,
)
_BEGINS_EXAMPLE = regex(
    r"(?:to|for|if|when|in order|first|then|next|now|finally|here|and|or|but|let|run|type|use|see|note"
    r"|after|once|list|get|print|query|find|show|load|read|initiali[sz]e|import|define|register|create|set"
    r"|add|open|start|write|make|examples?|usage|many|some|most)\b",
    re.IGNORECASE,
)
# By what the reader does something, which is named: "To open the gates at night, use the --bell option:"
_TELLS_HOW = regex(
    # Not "To manually enable the bell".
    r"To (?:[^:, ]+ ){1,20}[^:, ]+,? (?:(?:you can|simply|just) )?"
    r"(?:use|pass|set|add|call|specify|enable|provide|apply"
    r"|wrap|decorate|configure|supply) (?:the|an?|your|its)(?: \S+){2,}",
)
# The same of what the reader or anybody can do: "To define a form, one makes a subclass of Form".
_TELLS_WHAT_TO_DO = regex(
    r"(?:To|In order to) [^:,]{8,120},? (?:you|one|we) (?:(?:can|may|must|should|need to|have to) )?[a-z]{2,}"
    r"(?: \S+){3,}"
)
# How many items a list has, but as the subject: "Two functions are added to open and close gates".
_COUNTS_ITEMS = regex(r"\W(?:two|three|four|five|six|seven|eight|nine|ten|\d+) (?!bits?\b)", re.IGNORECASE)
# What only points to the code below, after a statement that is whole without it.
_POINTER = regex(
    r",? (?:like so|e\.g\.,?|for example,?|for instance,?"
    r"|(?:like|as) (?:shown )?in (?:the following|this) (?:code )?(?:example|snippet)"
    r"|with the following (?:signature|syntax)) ?:$"
)
# What a line that is no sentence begins with: a question, a deed, a reference.
_NO_SENTENCE = regex(
    r"(?:how|what|why|when|where|which|who|fig(?:ure)?|table|listing|example|see|note|copyright|author"
    r"|version|todo"
    r"|\w+ing)\b",
    re.IGNORECASE,
)
_HERE = regex(r"\b(?<!from )(?<!right )here[.:)]*$")
# Emoji and other pictures, with what varies them.
_PICTURES = r"[ \u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]"
_ORNAMENT = regex(rf"^{_PICTURES}++|{_PICTURES}++$")


def left_open(
    candidates: Candidates, is_presentable: BoolArray, is_line: BoolArray, *, has_lists: bool
) -> BoolArray:
    """Which sentences of a guide in English could be shown, did they end with a stop.

    Args:
        candidates: The sentences.
        is_presentable: Which of them can be shown in any case.
        is_line: Which are :func:`whole_lines`.
        has_lists: Whether a list is quoted with what announces it.
    """
    found = np.zeros(len(candidates), bool)
    opens = np.append(True, np.diff(candidates.section) != 0)
    for position in np.flatnonzero(~is_presentable).tolist():
        text = without_ornament(candidates.sentences[position].text)
        length = int(candidates.num_words[position])
        if text.endswith(":"):
            is_cut = _POINTER.search(text) is not None
            text = closed(text)
            is_open = not is_cut or bool(opens[position])
            is_open &= length >= _SHORTEST and _is_complete(text[:-1])
            # What counts its items is shown with them, or not at all; what opens a section tells of it.
            is_open &= (
                not announces_list(candidates, position)
                or (has_lists and is_short_list(candidates, position))
                or (bool(opens[position]) and _COUNTS_ITEMS.search(text) is None)
            )
        else:
            is_open = (
                length >= _SHORTEST_LINE
                and _NO_SENTENCE.match(text) is None
                and _is_complete(text)
                and not is_title(text)
                and bool(is_line[position])
            )
        found[position] = (
            is_open
            and length <= _LONGEST
            and (text[0].isupper() or is_name(text))
            and is_form_presentable(text if text.endswith(".") else f"{text}.")
        )
    return found


def closed(text: str) -> str:
    """A statement before a colon with a stop instead, and without what only points to the code below."""
    return f"{_POINTER.sub('', text).rstrip(',: ')}."


def _is_complete(text: str) -> bool:
    """Whether a statement says the same without what follows it."""
    last = text.split()[-1].strip("()[]\"'“”‘’,;:").lower() if text.split() else ""
    return (
        bool(last)
        and not is_function_word(last)
        and not is_function_word(stem(last))
        and TURNS.search(text) is None
        and _NEEDS_WHAT_FOLLOWS.search(text) is None
        and (
            _BEGINS_EXAMPLE.match(text) is None
            or _TELLS_HOW.match(text) is not None
            or _TELLS_WHAT_TO_DO.match(text) is not None
        )
    )


def points_here(candidates: Candidates) -> BoolArray:
    """Which sentences of a guide end with "here", a link or what stands below: "as in the cases here"."""
    found: BoolArray = np.array([_HERE.search(each.text) is not None for each in candidates.sentences], bool)
    return found


def whole_lines(candidates: Candidates) -> BoolArray:
    """Which sentences are paragraphs without a stop, and no piece of what follows.

    Of items of lists only the first two of a section that consists of them: nothing announces them.
    """
    opens = np.append(candidates.opens_paragraph.astype(bool), True)
    texts = [without_ornament(sentence.text).rstrip(CLOSING_MARKS) for sentence in candidates.sentences]
    without_stop = np.array([text[-1:].isalnum() for text in texts], bool)
    items = np.array([sentence.is_item for sentence in candidates.sentences], bool)
    begins = np.append(True, np.diff(candidates.section) != 0)[: len(items)]
    after_first = np.append(False, (begins & items)[:-1])[: len(items)]
    items &= ~(begins | after_first)
    found: BoolArray = opens[:-1] & opens[1:] & without_stop & ~items
    if found.any():
        found &= ~np.append(lacks_beginning(candidates)[1:], False)[: len(candidates)]
    return found


def without_ornament(text: str) -> str:
    """A line without the pictures that stand around it: "✨ Weirbook is a program ✨"."""
    if text.isascii() or (text[:1].isalnum() and text[-1:].isalnum()):
        return text
    return _ORNAMENT.sub("", text)


def is_title(text: str) -> bool:
    """Whether many words begin with capitals, as those of a title do; "RFC" does so anywhere."""
    words = [word for word in text.split()[1:] if not word.isupper()] or text.split()[1:]
    return 3 * sum(word[:1].isupper() for word in words) > len(words)
