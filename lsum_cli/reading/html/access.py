"""Whether a page holds its text: scripts, subscriptions, parts; and the text embedded for machines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from lsum_cli.errors import SourceError
from lsum_cli.reading.html.elements import text_of
from lsum_cli.text.patterns import regex
from lsum_cli.text.sentences import normalise

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_MAX_EMBEDDED_BYTES = 16 << 20
_MAX_EMBEDDED_DEPTH = 40
_MIN_ARTICLE_WORDS = 60
# An article whose text is shown holds most of what it embeds.
_SHOWN_SHARE = 0.6
# Pages with more words than that hold a text, whatever they say about scripts, or about subscriptions.
_MAX_SHELL_WORDS = 120
_MAX_BARE_WORDS = 30
_MAX_TEASER_WORDS = 250
_ASKS_FOR_SCRIPTS = regex(
    r"(?:enable|activate|turn on|switch on|requires?|needs?|without|allow"
    r"|supports?)[^.!?]{0,60}\bjava ?script\b"
    r"|\bjava ?script\b[^.!?]{0,60}(?:disabled|enabled?|required|not supported|turned off|aktivier"
    r"|deaktivier|désactivé|activé|activer|habilit|activ|включ|を有効)"
    r"|(?:aktivieren|activer|habilit\w+|activ[ae]\w*|включите|启用|啟用)[^.!?]{0,40}\bjava ?script\b",
    re.I,
)
# A page that says no more of them has its text: only its search or its menus want them.
_LACKS_SCRIPTS = regex(
    r"\bjava ?script is (?:currently )?(?:disabled|turned off) (?:on|in) your (?:web ?)?browser\b", re.I
)
# What stands for an address of mail: "protected from spambots. You need JavaScript enabled to view it."
HIDDEN_ADDRESS = regex(r"\bspam[^.!?]{0,40}[.!] [^.!?]{0,60}\bjava ?script\b[^.!?]{0,60}[.!]", re.I)
_ASKS_FOR_SUBSCRIPTION = regex(
    r"\b(?:subscribe|register|sign ?up|sign in|log ?in|create (?:a free|an|your free) account"
    r"|join)\b[^.!?]{0,40}\b(?:to|and) (?:continue|keep|finish|read(?:ing)? (?:the|this|more|on)|unlock"
    r"|get (?:full|unlimited) access)"
    r"|\bto (?:continue|keep) reading\b"
    r"|\b(?:this|the full|the rest of this|full) (?:article|story|content|post|text|page) is (?:only )?"
    r"(?:available )?(?:exclusively )?(?:only )?(?:for|to|exclusive to|reserved for|free for) (?:\w+ ){0,2}"
    r"(?:subscribers?|members?)\b"
    r"|\b(?:subscribers?|members?)[- ]only (?:article|story|content|post)\b"
    r"|\bcontinue reading with a\b|\bweiterlesen mit\b"
    r"|\bjetzt (?:weiterlesen|freischalten)\b"
    r"|\bexklusiv für abonnent|\bréservée? aux abonnés\b|\bil vous reste [\d.,]+ ?% de cet article\b"
    r"|\b(?:exclusivo|contenido) (?:para|solo para|de) suscriptores\b"
    r"|\briservato agli abbonati\b|\bexclusivo para assinantes\b",
    re.I,
)
# A page of contents has many links, and hardly any words besides; of a text it has a small share.
_LEAST_LINKS, _LINKED_SHARE, _MOST_BESIDE_CONTENTS = 10, 0.7, 0.05
_PART = regex(
    r"(?:page|seite|página|pagina|strona|side|sida|страница)\s*(\d{1,3})\s*"
    r"(?:of|/|von|de|di|sur|av|af|z|из)\s*(\d{1,3})",
    re.I,
)
_PART_IN_TITLE = regex(r"(?:^|[|–—:(-])\s*" + _PART.pattern + r"\s*(?:$|[|–—:)-])", re.I)
_MAX_PART_CHARACTERS = 40
_APPLICATION_IDS = frozenset(
    ["root", "app", "__next", "__nuxt", "___gatsby", "react-root", "app-root", "svelte"]
)
# Children, and elements at any depth: the words of a larger one are more than a page number.
_SHORT_ELEMENT, _FEW_ELEMENTS = 4, 12
_UNSEEN = frozenset(["script", "style", "noscript", "template"])
_SAVE = "open it in a browser, save the page there as HTML or PDF, and give that file"


@dataclass(frozen=True, kw_only=True)
class PageAccess:
    """What a page says about its text, taken before its scripts are removed.

    Attributes:
        article: The text of the article that it embeds for machines (JSON-LD ``articleBody``), or ``None``.
        is_free: Whether the publisher says that all may read it; ``None`` where nothing is said.
        asks_for_scripts: Whether it shows that it needs JavaScript.
        is_shell: Whether it has an element for a program to fill, or asks browsers without scripts for them.
        asks_for_subscription: Whether it says that only subscribers may read on.
        part: ``(number, total)`` where it is one of several pages of a text.
        words_of_contents: Its words where hardly any of them are none of links; else 0.
    """

    article: str | None
    is_free: bool | None
    asks_for_scripts: bool
    is_shell: bool
    asks_for_subscription: bool
    part: tuple[int, int] | None
    words_of_contents: int

    def prefers_article(self, words: int) -> bool:
        """Whether the embedded article is read instead of a page that shows ``words`` words of text."""
        if self.article is None:
            return False
        return words < _SHOWN_SHARE * len(self.article.split())

    def check(self, name: str, words: int) -> None:
        """Refuse a page that keeps its text from those who only fetch it.

        Args:
            name: What the user calls it.
            words: How many words of text it shows.

        Raises:
            SourceError: It needs JavaScript or a subscription, or only leads to other pages.
        """
        if (self.asks_for_scripts and words < _MAX_SHELL_WORDS) or (
            self.is_shell and words < _MAX_BARE_WORDS
        ):
            raise SourceError(f"{name} needs JavaScript: its text is not in the page itself", _SAVE)
        if words < _MAX_TEASER_WORDS and (self.asks_for_subscription or self.is_free is False):
            raise SourceError(
                f"{name} needs a subscription: only {words:,} words of its text are in the page",
                "log in with a browser, save the page there as HTML or PDF, and give that file",
            )
        if self.words_of_contents and not words:
            raise SourceError(
                f"{name} is a page of links, such as a table of contents", "give the pages that it leads to"
            )

    def warnings(self, words: int, *, reads_article: bool) -> tuple[str, ...]:
        """What the user has to know of a page that is read, one line each.

        Args:
            words: How many words of text it shows.
            reads_article: Whether the embedded article is read instead.
        """
        warnings = []
        if reads_article:
            warnings.append(
                "the page does not show its text: it was read from the data embedded for machines (JSON-LD)"
            )
        elif self.is_free is False and self.asks_for_subscription:
            warnings.append("the page asks for a subscription: its text may be only the beginning")
        elif words < _MOST_BESIDE_CONTENTS * self.words_of_contents:
            warnings.append(
                f"the page is one of links, such as a table of contents, beside {words:,} words of text: "
                "give the pages that it leads to"
            )
        if self.part is not None:
            number, total = self.part
            warnings.append(
                f"this is page {number} of {total} of the text; the others have addresses of their own"
            )
        return tuple(warnings)


def page_access(root: HtmlElement) -> PageAccess:
    """What a page says about its text.

    Args:
        root: The page with its scripts.
    """
    article: str | None = None
    is_free: bool | None = None
    for item in _embedded_items(root):
        body = item.get("articleBody")
        text = _plain(body) if isinstance(body, str) else ""
        if len(text.split()) >= _MIN_ARTICLE_WORDS and len(text) > len(article or ""):
            article = text
        free = item.get("isAccessibleForFree")
        if "articleBody" in item or "headline" in item:
            is_free = _truth(free) if _truth(free) is not None else is_free
    shown = normalise(" ".join(_visible_texts(root)))
    hidden = normalise(" ".join(" ".join(element.itertext()) for element in root.iter("noscript")))
    return PageAccess(
        article=article,
        is_free=is_free,
        asks_for_scripts=bool(_ASKS_FOR_SCRIPTS.search(HIDDEN_ADDRESS.sub("", shown))),
        is_shell=bool(_ASKS_FOR_SCRIPTS.search(_LACKS_SCRIPTS.sub("", hidden))) or _is_filled_by_script(root),
        asks_for_subscription=bool(_ASKS_FOR_SUBSCRIPTION.search(shown)),
        part=_part(root),
        words_of_contents=_words_of_contents(root, len(shown.split())),
    )


def is_part_number(text: str) -> bool:
    """Whether a text says nothing but ``Page 1 of 3``."""
    return len(text) < _MAX_PART_CHARACTERS and bool(_PART.fullmatch(text.strip("[]() |·-")))


def _is_filled_by_script(root: HtmlElement) -> bool:
    """Whether the page has the element that a program of one of the usual frameworks fills."""
    return next(root.iter("script"), None) is not None and any(
        element.get("id") in _APPLICATION_IDS for element in root.iter("div", "main")
    )


def _words_of_contents(root: HtmlElement, words: int) -> int:
    """The words of a page whose words are nearly all of links; 0 for any other page."""
    links = [len(text_of(link).split()) for link in root.iter("a") if link.get("href")]
    is_of_links = len(links) >= _LEAST_LINKS and sum(links) > _LINKED_SHARE * words
    return words if is_of_links else 0


def _visible_texts(root: HtmlElement) -> Iterator[str]:
    from lxml import etree

    walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        if event != "start":
            yield element.tail or ""
        elif element.tag in _UNSEEN:
            walker.skip_subtree()
        else:
            yield element.text or ""


def _embedded_items(root: HtmlElement) -> Iterator[dict[str, Any]]:
    """All objects of the page's JSON-LD."""
    left = _MAX_EMBEDDED_BYTES
    for script in root.iter("script"):
        if (script.get("type") or "").split(";")[0].strip().lower() != "application/ld+json":
            continue
        text = script.text or ""
        left -= len(text)
        if left < 0:
            return
        try:
            found = json.loads(text, strict=False)
        except (ValueError, RecursionError):  # what is not JSON says nothing
            continue
        yield from _objects(found)


def _objects(found: Any) -> Iterator[dict[str, Any]]:
    waiting = [(found, 0)]
    while waiting:
        value, depth = waiting.pop()
        if depth > _MAX_EMBEDDED_DEPTH:
            continue
        if isinstance(value, dict):
            yield value
            waiting.extend((each, depth + 1) for each in value.values() if isinstance(each, dict | list))
        elif isinstance(value, list):
            waiting.extend((each, depth + 1) for each in value)


def _plain(body: str) -> str:
    """The text of an article that may be HTML; paragraphs are separated by line breaks."""
    if re.search(r"</?(?:p|br|div|b|i|a|span|strong|em)\b", body, re.I):
        from lxml import etree
        from lxml.html import fromstring

        try:
            root = fromstring(f"<div>{body}</div>")
        except (etree.LxmlError, ValueError):
            return ""
        for element in root.iter("p", "br", "div", "li", "h1", "h2", "h3", "h4"):
            element.tail = "\n" + (element.tail or "")
        body = "".join(map(str, root.itertext()))
    elif "&" in body:
        import html

        body = html.unescape(body)
    return "\n".join(line for part in body.splitlines() if (line := normalise(part)))


def _truth(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    said = str(value).strip().lower()
    return {"true": True, "false": False}.get(said.rsplit("/", 1)[-1])


def _part(root: HtmlElement) -> tuple[int, int] | None:
    title = next((element.text or "" for element in root.iter("title")), "")
    found = _PART_IN_TITLE.search(title)
    candidates = [found] if found else []
    for element in root.iter("p", "div", "span", "li", "nav", "a", "strong", "b", "td", "small", "button"):
        if (
            len(element) > _SHORT_ELEMENT
            or sum(1 for _ in islice(element.iter(), _FEW_ELEMENTS)) == _FEW_ELEMENTS
        ):
            continue
        text = normalise(text_of(element))
        if len(text) < _MAX_PART_CHARACTERS and (match := _PART.fullmatch(text.strip("[]() |·-"))):
            candidates.append(match)
    for match in candidates:
        number, total = int(match[1]), int(match[2])
        if 1 <= number <= total and total > 1:
            return number, total
    return None
