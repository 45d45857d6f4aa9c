"""Text of documents made harmless: for terminals, Markdown, HTML and LaTeX.

What a document holds is data. It never moves the cursor, changes a colour, turns the writing
direction of its surroundings, opens a tag or starts a heading.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any

from lsum_cli.rendering.quantities import count
from lsum_cli.text.patterns import regex

if TYPE_CHECKING:
    from jinja2 import Environment, Template

_REPLACEMENT = "\ufffd"
_LINE_BREAKS = "\t\n\v\f\r\x1c\x1d\x1e\x85\u2028\u2029"
# Embeddings, overrides and isolates: they can make a line read as something else than it is.
_BIDI_CONTROLS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_CONTROLS = "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0))))

_UNSAFE = regex(f"[{re.escape(_CONTROLS)}{_BIDI_CONTROLS}\u2028\u2029\ufeff\ud800-\udfff]")
_SURROGATE = regex("[\ud800-\udfff]")

_ASCII_PUNCTUATION = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00b7\u2022", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u2039\u203a\u2032", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb\u2033", '"'),
        "\u2026": "...",
        "\u00a0": " ",
    }
)

_MARKDOWN_ANYWHERE = regex(
    r"[*`\[\]|~$]"
    r"|\#(?=\#*$)"  # at its end a heading drops them
    r"|\\(?=[!-/:-@\[-`{-~]|$)"  # a backslash that would escape what follows
    r"|(?<![^\W_])_|_(?![^\W_])"  # inside a word an underscore is just that
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=\#?\w+;)"
)
# A heading, quotation, list item, rule, underline of a heading, or definition.
_MARKDOWN_AT_START = regex(r"\#{1,6}(?=\s|$)|>|[-+](?=\s|$)|[-=:]+$|-{3,}|:(?=[\s-])")
_MARKDOWN_NUMBER = regex(r"(\d{1,9})([.)])(?=\s|$)")


def clean(text: str) -> str:
    """Text as one line without control characters, writing-direction overrides or lone surrogates.

    Line breaks and tabs become spaces, lone surrogates U+FFFD; the rest of what a terminal would
    obey is left out.
    """
    return _UNSAFE.sub(_replace_unsafe, text)


def clean_line(text: str) -> str:
    """The same without spaces at its ends."""
    return clean(text).strip()


def _replace_unsafe(match: re.Match[str]) -> str:
    character = match.group()
    if character in _LINE_BREAKS:
        return " "
    return _REPLACEMENT if _SURROGATE.match(character) else ""


def replace_surrogates(text: str) -> str:
    """Text that can be encoded as UTF-8: lone surrogates become U+FFFD."""
    return _SURROGATE.sub(_REPLACEMENT, text)


def fit_encoding(text: str, encoding: str) -> str:
    """Text in what ``encoding`` can hold: plain punctuation, letters without accents, else ``?``."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(_fit_character(character, encoding) for character in text)
    return text


def _fit_character(character: str, encoding: str) -> str:
    plain = character.translate(_ASCII_PUNCTUATION)
    letters = "".join(c for c in unicodedata.normalize("NFKD", character) if not unicodedata.combining(c))
    for candidate in (character, plain, letters):
        try:
            candidate.encode(encoding)
        except UnicodeEncodeError:
            continue
        return candidate
    return "?"


def escape_markdown(text: str) -> str:
    """One line of Markdown that renders as the text itself, wherever in a line it is put."""
    escaped = _MARKDOWN_ANYWHERE.sub(r"\\\g<0>", clean_line(text))
    escaped = _MARKDOWN_NUMBER.sub(r"\1\\\2", escaped, count=1) if escaped[:1].isdigit() else escaped
    return f"\\{escaped}" if _MARKDOWN_AT_START.match(escaped) else escaped


def escape_latex(text: str) -> str:
    """One line of LaTeX that is set as the text itself; letters that LaTeX has no command for stay."""
    from pylatexenc.latexencode import unicode_to_latex

    escaped: str = unicode_to_latex(clean_line(text), unknown_char_policy="keep", unknown_char_warning=False)
    # In LaTeX's own encoding of fonts a bar is a dash.
    return escaped.replace("|", "{\\textbar}")


def render_template(name: str, **values: Any) -> str:
    """HTML from one of this package's templates, ending with a line break.

    Args:
        name: File name: ``"report.html.jinja"``.
        **values: What the template refers to; text among it is cleaned and escaped where it is put.
    """
    return _load_template(name).render(values) + "\n"


def digest_of(text: str) -> str:
    """The SHA-256 of a script or style in a page, as the page's security policy names it."""
    import base64
    import hashlib

    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def html_environment() -> Environment:
    """Jinja with autoescape, in which no text is put anywhere before it is cleaned."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_finalize, loader=FunctionLoader(_read_template)
    )
    environment.filters["line"] = clean_line
    environment.filters["counted"] = count
    environment.filters["percent"] = _percent
    return environment


def _percent(share: float) -> int:
    return round(100 * min(1.0, max(0.0, share)))


def _finalize(value: object) -> object:
    # Markup, a str as well, comes from the template itself and is escaped already.
    return clean(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


@cache
def _load_template(name: str) -> Template:
    return html_environment().get_template(name)


def _read_template(name: str) -> str:
    from importlib import resources

    source = (resources.files("lsum_cli.rendering") / name).read_text(encoding="utf-8")
    # Indentation is for the reader of the template; in the page it would become spaces between words.
    return "".join(line.strip() for line in source.splitlines())
