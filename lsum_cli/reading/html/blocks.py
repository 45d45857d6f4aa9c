"""The headings and paragraphs of a page, before and after it is known which of them are its text."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lsum_cli.reading.blocks import Block, Tally
from lsum_cli.reading.plain.document import parse_plain
from lsum_cli.reading.plain.lines import split_lines
from lsum_cli.reading.plain.man_pages import NAME, SAYS_OF_NAME, is_man_page, read_man_page
from lsum_cli.reading.plain.vim_help import is_vim_help, read_vim_help
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import ends_with_stop, normalise, split_sentences

MIN_PROSE_WORDS = 15
"""Words of a paragraph that is taken for running text; menus and labels have fewer."""
_MOSTLY = 0.5
# What leads on to what others say, in the group; but not "I also wrote", "our guide says", "as is said".
_SAYING = "said|says|wrote|writes|told|explains|explained|replied|replies"
_SAYS = regex(
    r"\b(?:(?:(?:I|[Ww]e|[Mm]y|[Oo]ur|[Tt]his)(?: (?!(?:he|she|it|they|who)\b)[\w’'-]+){0,2}"
    r"|(?:is|are|was|were|be|been|[Aa]s|[Tt]hat)(?: \w+ly| also| often)?)"
    rf" (?:{_SAYING})|({_SAYING}))\b"
)
# A page of which more is set apart indents what is its own.
_MOST_QUOTED = 0.75
_LEAST_IN_BOLD = 3


@dataclass(kw_only=True, slots=True)
class PageBlock:
    """A heading or paragraph of a page, with features to judge whether it is boilerplate.

    Attributes:
        text: Its words, normalised.
        level: 1 to 6 for a heading, else 0.
        words: How many words it has.
        link_words: How many of them are links.
        leads_to: Where the first of these leads, as the page writes it; empty where there is none.
        targets: Where any of them lead.
        noisy: Whether an element around it has a name or tag of boilerplate.
        of_readers: Whether one around it is named after the comments of readers; ``noisy`` then.
        preformatted: Whether ``text`` is laid out by its white space.
        is_item: Whether it is an item of a list, or the first paragraph of one.
        is_quoted: Whether it stands in a quotation that is set apart.
        follows_code: Whether code that was left out stands directly above it.
        may_be_level: The level that it has if it is a heading that only bold type marks; 0 if it is none.
        container: Index of the block element that contains it; see :attr:`PageWalk.parents`.
    """

    text: str
    level: int
    words: int
    link_words: int
    noisy: bool
    of_readers: bool
    preformatted: bool
    container: int
    leads_to: str = ""
    targets: frozenset[str] = frozenset()
    is_item: bool = False
    is_quoted: bool = False
    follows_code: bool = False
    may_be_level: int = 0

    @property
    def is_linked(self) -> bool:
        """Whether most of its words are links."""
        return self.link_words > _MOSTLY * self.words

    @property
    def is_prose(self) -> bool:
        """Whether it reads like a paragraph of running text."""
        return (
            not self.level
            and self.words >= MIN_PROSE_WORDS
            and not self.is_linked
            and (self.preformatted or ends_with_stop(self.text))
        )


def with_bold_headings(blocks: Sequence[PageBlock]) -> list[PageBlock]:
    """The blocks of a page, on which several lines in bold that stand above running text are headings."""
    found = {
        index
        for index, (line, below) in enumerate(itertools.pairwise(blocks))
        if line.may_be_level
        and not (line.noisy or line.link_words or line.is_quoted)
        and below.is_prose
        and not (below.is_item or below.preformatted)
    }
    if len(found) < _LEAST_IN_BOLD:
        return list(blocks)
    return [
        replace(block, level=block.may_be_level) if index in found else block
        for index, block in enumerate(blocks)
    ]


def to_blocks(page_blocks: Sequence[PageBlock], tally: Tally) -> list[Block]:
    """Convert page blocks to headings and paragraphs; preformatted text is read line by line."""
    laid_out = sum(block.words for block in page_blocks if block.preformatted)
    with_headings = laid_out > _MOSTLY * sum(block.words for block in page_blocks)
    quotes = _find_quotations(page_blocks)
    blocks: list[Block] = []
    for preformatted, run in itertools.groupby(enumerate(page_blocks), key=lambda each: each[1].preformatted):
        if not preformatted:
            blocks.extend(
                Block(
                    text=block.text,
                    level=block.level,
                    is_item=block.is_item,
                    is_quoted=index in quotes,
                    follows_code=block.follows_code and not block.level,
                )
                for index, block in run
            )
            continue
        text = "\n".join(block.text for _, block in run)
        lines = split_lines(text)
        if is_man_page(lines):
            named, found = read_man_page(lines, tally)
            # The title is that of the page.
            blocks += [Block(text=NAME, level=1), Block(text=named)] if named else []
            blocks += found
            continue
        if is_vim_help(lines):
            named, found = read_vim_help(lines, tally)
            blocks += [Block(text=named, level=1)] if named else []
            blocks += found
            continue
        plain = parse_plain(text, tally, is_whole=False)
        blocks.extend(plain.blocks if with_headings else (replace(block, level=0) for block in plain.blocks))
    return blocks


def find_name(blocks: Sequence[PageBlock]) -> range:
    """Where a manual page says what it is of: the heading "NAME", and below it "sluice - open the gates"."""
    for index, (heading, line) in enumerate(itertools.pairwise(blocks)):
        if heading.level and not line.level and normalise(heading.text).upper() == NAME:
            return range(index, index + 2) if SAYS_OF_NAME.match(line.text) else range(0)
    return range(0)


def _find_quotations(page_blocks: Sequence[PageBlock]) -> set[int]:
    """Where a page sets apart what others say: the paragraph before ends with a sentence that says so.

    A page that has headings there, or nearly all of its words, only indents what is its own.
    """
    apart = [block for block in page_blocks if block.is_quoted]
    words = sum(block.words for block in page_blocks)
    if not apart or any(block.level for block in apart):
        return set()
    if sum(block.words for block in apart) > _MOST_QUOTED * words:
        return set()
    found: set[int] = set()
    announces = False
    for index, block in enumerate(page_blocks):
        if not block.is_quoted:
            announces = not block.level and _announces_others(block.text)
        elif announces and block.is_prose:
            found.add(index)
    return found


def _announces_others(text: str) -> bool:
    """Whether a paragraph ends with a sentence in which others say something."""
    if _SAYS.search(text) is None:
        return False
    return any(match.group(1) for match in _SAYS.finditer(split_sentences(text)[-1]))
