"""Sentences of guides whose end is left open: by a colon before code, or as a line without its stop.

"You can pass headers as a dictionary:" stands before an example that no summary has, and is a statement without
it. An item of a list is often no sentence at all, and is understood under what announces the list.
"""

from __future__ import annotations

import re

import numpy as np

from lsum_cli.methods.extract.boilerplate import is_about_publication_or_other_places
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.fragments import lacks_beginning
from lsum_cli.methods.extract.presentability import CLOSING_MARKS, is_in_words
from lsum_cli.methods.extract.presentability import is_presentable as is_form_presentable
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray

# Words of a sentence that ends with a colon, of a line without a stop, and of an item.
_SHORTEST, _SHORTEST_LINE, _LONGEST = 5, 8, 45
_SHORTEST_ITEM, _LONGEST_ITEM, _LEAST_ITEMS = 3, 40, 3
# What says nothing without what follows it: an example, a list, the object of its last word.
_NEEDS_WHAT_FOLLOWS = regex(
    r"\b(?:examples?|like (?:this|so|these)|as follows|follow(?:s|ing)|below|this|these|here|such as|code|snippet"
    r"|e\.g\.?|i\.e\.?|namely|run|type|enter|execute|with|using|use|by|to|from|for|of|in|is|are|be|was|were|have"
    r"|has|do|does|say|says|that|and|or|include|includes|including|like|as|call|see|try|install|it|either)\W*$"
    r"|\b(?:following|like (?:this|so)|as follows|for example|for instance|this way|these|(?:an|another|the) example)\b"
    r"|^(?:to|for|if|when|in order|first|then|next|now|finally|here|and|or|but|let|run|type|use|see|note|after|once)\b",
    re.IGNORECASE,
)
# What an item begins with that is half a sentence, or leans on another one.
_NO_ITEM = regex(
    r"(?:given|if|when|where|with|without|for|once|after|before|until|unless|while|because|and|or|but|then|this"
    r"|these|it|they|also|same|see|note|e\.g|i\.e|in (?:this|that)|otherwise|else)\b",
    re.IGNORECASE,
)
# What a line that is no sentence begins with: a question, a deed, a reference.
_NO_SENTENCE = regex(
    r"(?:how|what|why|when|where|which|who|fig(?:ure)?|table|listing|example|see|note|copyright|author|version|todo"
    r"|\w+ing)\b",
    re.IGNORECASE,
)


def left_open(candidates: Candidates, is_presentable: BoolArray, is_line: BoolArray) -> BoolArray:
    """Which sentences of a guide in English could be shown, did they end with a stop.

    Args:
        candidates: The sentences.
        is_presentable: Which of them can be shown in any case.
        is_line: Which are :func:`whole_lines`.
    """
    found = np.zeros(len(candidates), bool)
    for position in np.flatnonzero(~is_presentable).tolist():
        text = candidates.sentences[position].text
        length = int(candidates.num_words[position])
        if text.endswith(":"):
            is_list = position + 1 < len(candidates) and candidates.sentences[position + 1].is_item
            is_open = length >= _SHORTEST and (is_list or _NEEDS_WHAT_FOLLOWS.search(text[:-1]) is None)
        else:
            is_open = (
                length >= _SHORTEST_LINE
                and _NO_SENTENCE.match(text) is None
                and _NEEDS_WHAT_FOLLOWS.search(text) is None
                and not is_title(text)
                and bool(is_line[position])
            )
        found[position] = (
            is_open
            and length <= _LONGEST
            and text[0].isupper()
            and is_form_presentable(f"{text.removesuffix(':').rstrip()}.")
        )
    return found


def quotable_items(candidates: Candidates) -> BoolArray:
    """Which items of lists can be shown though they are no sentences: those in words, of lists of such."""
    sentences = candidates.sentences
    found = np.zeros(len(candidates), bool)
    rows = [row for row, sentence in enumerate(sentences) if sentence.is_item]
    groups = np.split(rows, [at for at in range(1, len(rows)) if _parts(candidates, rows[at - 1], rows[at])])
    for group in groups:
        are_words = [row for row in map(int, group) if _is_item_in_words(candidates, row)]
        if len(are_words) >= max(_LEAST_ITEMS, len(group) / 2):
            found[are_words] = True
    return found


def _parts(candidates: Candidates, row: int, following: int) -> bool:
    """Whether another list begins with the second of two items, for a paragraph stands between them."""
    return candidates.section[row] != candidates.section[following] or bool(
        candidates.opens_paragraph[row + 1 : following].any()
    )


def _is_item_in_words(candidates: Candidates, row: int) -> bool:
    text = candidates.sentences[row].text
    return (
        _SHORTEST_ITEM <= int(candidates.num_words[row]) <= _LONGEST_ITEM
        and text[0].isupper()
        and not text.endswith((":", "?"))
        and "://" not in text
        and " | " not in text
        and _NO_ITEM.match(text) is None
        and is_in_words(text)
        and not is_about_publication_or_other_places(text)
    )


def whole_lines(candidates: Candidates) -> BoolArray:
    """Which sentences are paragraphs without a stop: no item of a list, and no piece of what follows."""
    opens = np.append(candidates.opens_paragraph.astype(bool), True)
    goes_on = np.append(lacks_beginning(candidates)[1:], False)[: len(candidates)]
    texts = [sentence.text.rstrip(CLOSING_MARKS) for sentence in candidates.sentences]
    without_stop = np.array([text[-1:].isalnum() for text in texts], bool)
    items = np.array([sentence.is_item for sentence in candidates.sentences], bool)
    found: BoolArray = opens[:-1] & opens[1:] & without_stop & ~items & ~goes_on
    return found


def is_title(text: str) -> bool:
    """Whether many words begin with capitals, as those of a title do."""
    words = text.split()[1:]
    return 3 * sum(word[:1].isupper() for word in words) > len(words)
