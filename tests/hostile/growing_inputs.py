"""Inputs that grow by repeating one thing: where time grows faster than they do, someone can hang the reader.

Each kind is a function of a size ``n``; its length is proportional to ``n``.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Make = Callable[[int], bytes]

SENTENCE = "The tide rises twice a day along this coast and carries fine mud into the marsh."


@dataclass(frozen=True, kw_only=True)
class Growing:
    """A kind of input.

    Attributes:
        suffix: Of the file's name, which decides the reader of texts.
        make: The file of size ``n``.
        size: A size that takes a noticeable time when time grows with the square.
    """

    suffix: str
    make: Make
    size: int


GROWING: dict[str, Growing] = {}


def _text(suffix: str, name: str, make: Callable[[int], str], size: int) -> None:
    GROWING[f"{suffix[1:]}: {name}"] = Growing(suffix=suffix, make=lambda n: make(n).encode(), size=size)


def _repeat(suffix: str, name: str, part: str, size: int, before: str = "", after: str = "") -> None:
    _text(suffix, name, lambda n: before + part * n + after, size)


def words(n: int) -> str:
    """``n`` different words."""
    return " ".join(f"word{number:x}".translate(_LETTERS) for number in range(n))


_LETTERS = str.maketrans("0123456789", "ghijklmnop")


def sentences(n: int) -> str:
    """``n`` different sentences in one paragraph."""
    return " ".join(f"The {word} tide carries mud past the {word[::-1]} marsh." for word in words(n).split())


# Plain text.
_text(".txt", "one sentence", lambda n: words(n) + ".", 40_000)
_text(".txt", "one paragraph", sentences, 4_000)
_repeat(".txt", "one sentence again and again", SENTENCE + " ", 3_000)
_repeat(".txt", "paired backticks", "`a` b ", 40_000)
_repeat(".txt", "paired backticks with stops", "See `a. B`. ", 20_000)
_repeat(".txt", "single backticks", "` ", 100_000)
_repeat(".txt", "quotation marks", '"So." ', 40_000)
_repeat(".txt", "unclosed quotation marks", "“So. ", 40_000)
_repeat(".txt", "unclosed brackets", "(so. ", 40_000)
_repeat(".txt", "nested brackets", "(", 200_000)
_repeat(".txt", "apostrophes", "it's 'so'. ", 20_000)
_repeat(".txt", "guillemets", "« Oui. » ", 20_000)
_repeat(".txt", "stops", ".", 200_000)
_repeat(".txt", "spaced stops", ". ", 100_000)
_repeat(".txt", "abbreviations", "e.g. Dr. A. B. ", 15_000)
_repeat(".txt", "one word", "a", 400_000)
_repeat(".txt", "one number", "1", 400_000)
_repeat(".txt", "numbers", "1.2 ", 80_000)
_repeat(".txt", "spaces", " ", 1_000_000, "a", "b")
_repeat(".txt", "spaces in lines", "a" + " " * 200 + "\n", 5_000)
_repeat(".txt", "line ends", "\n", 1_000_000, "a", "b")
_repeat(".txt", "tabs", "\t", 100_000, "a", "b")
_repeat(".txt", "short lines", "tide\n", 60_000)
_repeat(".txt", "short paragraphs", "The tide.\n\n", 30_000)
_text(
    ".txt",
    "paragraphs",
    lambda n: "\n\n".join(f"{SENTENCE[:-1]} {word}." for word in words(n).split()),
    3_000,
)
_text(".txt", "headings", lambda n: "\n\n".join(f"{i}. The Tide\n\nMud." for i in range(n)), 10_000)
_text(".txt", "chapters", lambda n: "\n\n\n".join(f"CHAPTER {i}\n\n{SENTENCE}" for i in range(n)), 3_000)
_text(
    ".txt",
    "contents",
    lambda n: "CONTENTS\n\n" + "\n".join(f"{i} The tide ..... {i}" for i in range(n)),
    10_000,
)
_text(
    ".txt", "page feet", lambda n: "\n".join(f"The tide rises      [Page {i}]\n\n" for i in range(n)), 10_000
)
_repeat(".txt", "titles", f"Where it began\n\n{SENTENCE} {SENTENCE}\n\n", 2_000)
_repeat(".txt", "titles alone", "Where it began\n\n", 20_000)
_repeat(".txt", "titles of numbers", f"I\n\nWhere it began\n\n{SENTENCE}\n\n", 3_000)
_text(".txt", "lines in capitals", lambda n: ("TIDE " * n + "a\n\n") * 4, 20_000)
_repeat(".txt", "rules under lines", "Tide\n====\n", 20_000)
_repeat(".txt", "rules under lines below sentences", "Mud rises.\nTide\n====\n", 10_000)
_text(".txt", "manual page of spaces", lambda n: "A(1)  b" + " " * n + "c\n\nNAME\n  d\n", 300_000)
_text(".txt", "manual page with a gap", lambda n: f"A(1)  b  A(1)\n\nNAME\n  d\ne{' ' * n}(f\n", 300_000)
_repeat(".txt", "lines at the margin of a manual page", "TIDE\n", 40_000, "A(1)  b  A(1)\n\nNAME\n  d\n")
_repeat(".txt", "underlined headings", "Tide\n====\n\nMud rises.\n\n", 8_000)
_repeat(".txt", "list items", "- mud\n", 40_000)
_repeat(".txt", "hyphens", "ti-\nde ", 30_000)
_repeat(".txt", "Gutenberg starts", "*** START OF THE PROJECT GUTENBERG EBOOK\n", 20_000)
_repeat(".txt", "Chinese", "潮水每天上涨两次。", 20_000)
_repeat(".txt", "Chinese without stops", "潮水每天上涨两次", 20_000)
_repeat(".txt", "Thai", "น้ำขึ้นวันละสองครั้ง", 10_000)
_repeat(".txt", "Hebrew quotation marks", 'א"ב ', 60_000)
_repeat(".txt", "numbers in brackets", "(in 2019) ", 30_000)
_repeat(".txt", "unclosed number brackets", "(in 2019 ", 30_000)
_repeat(".txt", "names", "Ann Lee of Bath ", 20_000)
_repeat(".txt", "capitals", "ANN LEE ", 40_000)
_repeat(".txt", "note marks", "mud.12 The ", 30_000)
_repeat(".txt", "control characters", "a\u200b\u00ad", 200_000)
_repeat(".txt", "combining accents", "e\u0301", 100_000)
_repeat(
    ".txt",
    "broken opinion",
    "and the court below held that the rule of the county is void\n\n",
    4_000,
    "SUPREME COURT OF THE UNITED STATES\n\nJUSTICE MUD delivered the opinion of the Court.\n\n",
)
_repeat(".txt", "opinions", "JUSTICE LEE, dissenting.\n\nThe tide rises.\n\n", 6_000)
_repeat(".txt", "speakers", "ANN LEE: The tide rises.\n", 10_000)
_repeat(".txt", "subtitle arrows", "00:00:01,000 --> 00:00:02,000\nMud\n\n", 10_000)
_repeat(".txt", "references", "[1] Lee, A. (2019). Tides. Mud 1, 2-3.\n", 8_000, "References\n\n")
_repeat(".txt", "addresses", "https://example.org/a?b=c ", 20_000)
_repeat(".txt", "slashes", "a/b/c-d ", 40_000)
_repeat(".txt", "ellipses", "mud... ", 50_000)
_repeat(".txt", "semicolons", "the tide rises; ", 20_000)
_text(".txt", "noise", lambda n: "".join(chr(33 + (i * i * 7919) % 93) for i in range(n)), 300_000)

_repeat(".txt", "parts of a dissent", " from a", 3_000, "Justice Ames, dissenting", "!\n\n" + SENTENCE)
_text(
    ".txt",
    "statutes before a bracket",
    lambda n: f"The Foo Act{', 1 Stat.x' * 18}: (CAA). The CAA says so. " * n + SENTENCE,
    300,
)

# Markdown.
_repeat(".md", "shortened role", "_a.", 10_000, "See {meth}`~", "!` now.\n")
_repeat(".md", "spaces in a directive", " ", 40_000, "```{note} x", "y\nt\n```\n")
_repeat(".md", "spaces in a fence", " ", 40_000, ":::note x", "`\nt\n:::\n")
_repeat(".md", "spaces in a labelled heading", " ", 100_000, "(a)=\n# x", "y\n")
_repeat(".md", "spaces in a preamble", " ", 100_000, "<pre>\nBip: 1\nTitle: x\n", ":\n")
for _name, _part, _size in (
    ("brackets", "[", 40_000), ("closed brackets", "[a]", 20_000), ("image brackets", "![", 20_000),
    ("links", "[a](b) ", 10_000), ("unclosed links", "[a](", 20_000), ("angles in links", "[a](<b", 20_000),
    ("stars", "*a ", 20_000), ("strong stars", "**a ", 20_000), ("closing stars", "a** ", 20_000),
    ("mixed emphasis", "*a _b ", 20_000), ("underscores", "_", 100_000), ("backticks", "`a", 40_000),
    ("angles", "<", 100_000), ("tags", "<a ", 40_000), ("comments", "<!-- ", 20_000), ("instructions", "<?", 40_000),
    ("declarations", "<!A ", 40_000), ("character data", "<![CDATA[ ", 20_000), ("entities", "&amp", 40_000),
    ("backslashes", "\\", 200_000), ("tildes", "~~a ", 20_000), ("quotes in quotes", "> ", 40_000),
    ("quotes", "> a\n", 20_000), ("deep list", "- ", 20_000), ("list", "- a\n", 20_000), ("rows", "|a|b|\n", 10_000),
    ("fences", "```\n", 20_000), ("rules", "---\n", 20_000), ("headings", "# Tide\n\nMud.\n\n", 6_000),
    ("definitions", "[a]: b\n", 10_000), ("footnotes", "[^a]: b\n\n", 8_000), ("code", "    a\n", 30_000),
    ("numbered list", "1. a\n", 20_000), ("setext", "a\n=\n", 15_000), ("html blocks", "<div>\n\na\n\n", 8_000),
    ("autolinks", "<http://a", 20_000), ("hard breaks", "a  \n", 30_000), ("pipes", "|", 100_000),
):  # fmt: skip
    _repeat(".md", _name, _part, _size)
_repeat(
    ".md", "figures in a bracket", "Fig. 1, A, ", 4_000, f"# Mud\n\n## Results\n\n{SENTENCE[:-1]} (", "q).\n"
)
# A part again and again within a sentence, in a document of each kind: what is looked for differs between them.
_AROUND = {
    "page": "# The marsh\n\n{0}\n\n## Tides\n\n{1}\n\n## Mud\n\n{0}\n",
    "manual": "# Installing\n\nRun `tide --high` to install it. {0}\n\n## Options\n\n{1} Use `-q`.\n\n## See also\n\n{0}\n",
    "paper": "# On mud\n\n## Abstract\n\nThis paper asks why. {0}\n\n## Methods\n\n{0}\n\n## Results\n\nWe find {1}\n\n## Conclusion\n\n{0}\n",
    "opinion": "SUPREME COURT OF THE UNITED STATES\n\nSyllabus\n\nHeld: {1} Pp. 3-4.\n\nJUSTICE MUD delivered the opinion of the Court.\n\nWe hold that {1} Affirmed.\n\nJUSTICE SEA, dissenting.\n\n{1}\n",
    "proposal": "# Proposal\n\n## Motivation\n\n{1}\n\n## Specification\n\n{0}\n\n## Rationale\n\n{1}\n",
    "notes": "# 1.2.0\n\n## Features\n\n- Feature: {1}\n- Adds tides. {0}\n\n## Bug fixes\n\n- Fix: {1}\n",
    "meeting": "Ann: {0}\n\nBede: Well, {1}\n\nAnn: We decided that {1}\n\nBede: {0}\n\nAnn: {0}\n\nBede: {0}\n",
    "story": "CHAPTER I\n\n{0} \u201c{1}\u201d said Ann.\n\nCHAPTER II\n\nAnn went to Bede. {1}\n\nCHAPTER III\n\n{0}\n",
    "news": "{0} Officials said {1}\n\n{0} A spokesman said: \u201c{1}\u201d\n\n{0}\n",
}  # fmt: skip
_WITHIN = {
    "letters": "a", "capitals": "A", "digits": "1", "underscores": "_", "dashes": "-", "long dashes": "\u2014", "points": "a.", "initials": "A. ",
    "thousands": "1,", "numbered": "1.", "calls": "a(", "brackets": "(a) ", "open brackets": "(", "square": "[", "angles": "<", "apostrophes": "a'",
    "quotes": "\u201ca ", "colons": "a: ", "semicolons": "a;", "commas": "a, ", "capitals with commas": "Aa, ", "names": "Aa ", "of": "of the ",
    "and": "and ", "the": "the ", "marks": "a? ", "slashes": "a/", "spaced dashes": "- ", "ellipses": "... ", "accents": "\xe9", "Chinese": "\u6f22",
    "it": "it was ", "numbers": "12 ", "per cent": "1% ", "hyphens": "a-", "camels": "aA", "mails": "a@", "dollars": "$1 ", "backticks": "`a` ", "Mr": "Mr. ",
}  # fmt: skip


def _around(around: str, part: str, n: int) -> str:
    return around.format(
        SENTENCE + " The harbour of Saint Ann was dredged in 1950.", "the tide " + part * n + " rises."
    )


for _kind, _text_around in _AROUND.items():
    for _name, _part in _WITHIN.items():
        _text(
            ".md" if "# " in _text_around else ".txt",
            f"{_kind} with {_name}",
            lambda n, around=_text_around, part=_part: _around(around, part, n),
            60_000 // len(_part),
        )
_repeat(".md", "table", "|a|b|\n", 8_000, "|a|b|\n|-|-|\n")
_repeat(".md", "wide table", "|a", 8_000, "", "|")
_text(".md", "wide table with rows", lambda n: "|a" * n + "|\n" + "|-" * n + "|\n" + "|b|\n" * 10, 8_000)
_repeat(".md", "front matter", "a: b\n", 20_000, "---\n", "---\n")
_repeat(".md", "unclosed front matter", "a: b\n", 20_000, "---\n")
_text(
    ".md",
    "growing indentation",
    lambda n: "\n".join(" " * (2 * i) + "- a" for i in range(int(n**0.5))),
    40_000,
)
_text(".md", "growing code spans", lambda n: "".join("e" + "`" * i for i in range(int(n**0.5))), 250_000)

# reStructuredText.
_repeat(".rst", "shortened role", "_a.", 10_000, "See :meth:`~", "!` now.\n")
for _name, _part, _size in (
    ("tight list", "* mud\n", 10_000), ("numbered list", "#. mud\n", 6_000), ("definitions", "mud\n  tide\n", 4_000),
    ("fields", ":mud: tide\n", 6_000), ("options", "-a  tide\n", 6_000), ("line block", "| mud\n", 8_000),
    ("backticks", "`a ", 4_000), ("interpreted", "`a` ", 4_000), ("stars", "*a ", 5_000), ("literals", "``a ", 5_000),
    ("substitutions", "|a| ", 4_000), ("references", "a_ ", 5_000), ("footnotes", ".. [1] a\n", 4_000),
    ("links", ".. _a: b\n", 4_000), ("directives", ".. note:: a\n\n", 3_000), ("nested directives", ".. a::\n\n   ", 2_000),
    ("comments", ".. a\n\n", 6_000), ("titles", "Tide\n====\n\nMud.\n\n", 2_500), ("literal", "::\n\n  a\n\n", 4_000),
    ("quotes", "a\n  b\n", 5_000), ("doctest", ">>> a\n\n", 6_000), ("paragraphs", "The tide rises.\n\n", 5_000),
    ("transitions", "a\n\n----\n\n", 4_000), ("grid", "+---+\n| a |\n", 4_000), ("simple table", "=== ===\na   b\n", 4_000),
    ("marks", "=\n", 20_000), ("roles", ":a:`b` ", 4_000), ("replacements", ".. |a| replace:: b\n", 4_000),
    ("paragraph of lines", "the tide rises\n", 20_000), ("colons", "a::\n", 8_000), ("substitution starts", "|a ", 5_000),
    ("footnote marks", "[1]_ ", 4_000), ("brackets", "[a ", 8_000), ("quotes in text", '"*a* ', 5_000),
    ("anonymous links", "a__ ", 5_000), ("short titles", "aa\n==\n", 5_000), ("blank titles", "==\n\n==\n\n", 5_000),
):  # fmt: skip
    _repeat(".rst", _name, _part, _size)
_repeat(".rst", "paragraphs with markup", "The *tide* `rises` |a| b_ [1]_.\n\n", 1_500)
_repeat(".rst", "a tight list of phrases", f"* {SENTENCE}\n", 3_000)
_repeat(".rst", "list table", "   * - a\n     - b\n", 2_000, ".. list-table:: c\n\n")
_repeat(".rst", "csv table", "   a,b\n", 4_000, ".. csv-table:: c\n\n")
_text(".rst", "grid table", lambda n: "+---+---+\n" + "| a | b |\n+---+---+\n" * n, 1_000)
_text(".rst", "table of one row", lambda n: "=== ===\n" + "a   b\n" * n + "=== ===\n", 4_000)
_text(".rst", "growing indentation", lambda n: "\n".join(" " * i + "a" for i in range(int(n**0.5))), 40_000)

# HTML.
for _name, _part, _size in (
    ("paragraphs", "<p>", 100_000), ("spans", "<span>", 50_000), ("closed spans", "<span>a</span>", 40_000),
    ("paragraphs with text", "<p>The tide rises.", 10_000), ("divisions", "<div>", 200), ("line breaks", "a<br>", 40_000),
    ("bold", "<b>a", 200), ("closed bold", "<b>a</b> ", 30_000), ("links", "<a href=b>a</a> ", 15_000),
    ("unclosed links", "<a href=#b>a", 15_000), ("items", "<li>a", 20_000), ("list in list", "<ul><li>", 100),
    ("rows", "<tr><td>a<td>b", 8_000), ("cells", "<td>a", 20_000), ("tables", "<table><tr><td>a</table>", 5_000),
    ("headings", "<h2>Tide</h2><p>Mud.</p>", 5_000), ("comments", "<!-- a", 40_000), ("closed comments", "<!-- a -->b", 20_000),
    ("character data", "<![CDATA[ a", 40_000), ("instructions", "<?a ", 40_000), ("declarations", "<!a ", 40_000),
    ("angles", "<", 300_000), ("open tags", "<a ", 60_000), ("attributes", ' a="b"', 40_000), ("entities", "&amp;", 100_000),
    ("broken entities", "&#", 100_000), ("scripts", "<script>", 40_000), ("styles", "<style>a", 30_000),
    ("closed scripts", "<script>a</script>", 15_000), ("terms", "<dt>a<dd>b", 15_000), ("definitions", "<dd>b", 20_000),
    ("bold terms", "<p><b>Mud.</b> It is wet today.</p>", 6_000), ("pre", "<pre>a\nb</pre>", 6_000), ("pre lines", "a\n", 50_000),
    ("images", "<img alt=a>", 20_000), ("figures", "<figure><figcaption>a</figcaption></figure>", 5_000),
    ("asides", "<aside>a</aside>", 10_000), ("navigation", "<nav>a</nav>", 10_000), ("forms", "<form><input>a</form>", 8_000),
    ("notes", "<sup><a href=#a>1</a></sup>", 10_000), ("titles", "<title>a</title>", 20_000), ("h1", "<h1>a</h1>", 8_000),
    ("meta", '<meta name="a" content="b">', 10_000), ("articles", "<article><p>The tide rises.</article>", 4_000),
    ("custom", "<x-y>a</x-y>", 10_000), ("nested custom", "<x-y><p>", 100), ("hidden", "<p hidden>a</p>", 10_000),
    ("styled", '<p style="display:none">a</p>', 10_000), ("options", "<select><option>a", 10_000),
    ("page numbers", "<p>1 | 2</p>", 10_000), ("repeated", f"<p>{SENTENCE}</p>", 2_000), ("frames", "<iframe>a</iframe>", 10_000),
    ("structured data", '<script type="application/ld+json">{"a":"b"}</script>', 4_000), ("ruby", "<ruby>a<rt>b</ruby>", 10_000),
    ("mathematics", "<math><mi>a</mi></math>", 6_000), ("svg", "<svg><text>a</text></svg>", 6_000),
    ("bodies", "<body>", 40_000), ("closing tags", "</p>", 40_000), ("closing nothing", "</a>", 60_000),
    ("details", "<details><summary>a</summary>b</details>", 5_000), ("blockquotes", "<blockquote>a</blockquote>", 10_000),
    ("dialogue", "<p>“So,” he said.</p>", 8_000), ("long classes", '<p class="' + "nav-" * 20 + '">a</p>', 2_000),
):  # fmt: skip
    _repeat(".html", _name, _part, _size, "<html><body><p>The tide rises twice a day along this coast.</p>")
_text(
    ".html",
    "sections",
    lambda n: "<html><body>" + "".join(f"<h2>{i}</h2><p>{SENTENCE} {i}</p>" for i in range(n)),
    2_000,
)
_repeat(".html", "one class of many names", "a ", 100_000, '<html><body><p class="', '">The tide rises.</p>')
_repeat(".html", "one style", "a:b;", 60_000, '<html><body><p style="', '">The tide rises.</p>')
_repeat(".html", "pre block", "The tide\n", 20_000, "<html><body><pre>", "</pre>")
_repeat(".html", "one cell of text", "a ", 60_000, "<html><body><table><tr><td>", "</table>")
_repeat(".html", "one big table", "<tr><td>a</td><td>b</td></tr>", 6_000, "<html><body><table>", "</table>")
_repeat(".html", "nested tables", "<table><tr><td>a", 60, "<html><body>")
_repeat(".html", "one link", "a ", 60_000, "<html><body><a href=b>")
_text(
    ".html",
    "structured article",
    lambda n: (
        '<html><body><p>Mud.</p><script type="application/ld+json">{"@type":"NewsArticle","articleBody":"'
        + "The tide rises. " * n
        + '"}</script>'
    ),
    10_000,
)
_repeat(
    ".html",
    "embedded brackets",
    "[",
    60_000,
    '<html><body><p>Mud.</p><script type="application/ld+json">',
    "</script>",
)

# TeX.
for _name, _part, _size in (
    ("braces", "{", 50_000), ("closed braces", "{a}", 30_000), ("closing braces", "}", 50_000), ("dollars", "$", 40_000),
    ("formulas", "$a$ ", 10_000), ("displays", r"\[a\] ", 8_000), ("unclosed displays", r"\[a ", 10_000),
    ("environments", r"\begin{a}", 10_000), ("closed environments", r"\begin{a}b\end{a}", 5_000),
    ("unclosed verbatim", r"\begin{verbatim}", 8_000), ("footnotes", r"\footnote{a}", 8_000), ("unclosed footnotes", r"\footnote{", 10_000),
    ("sections", "\\section{Tide}\nMud.\n\n", 4_000), ("items", "\\item a\n", 15_000), ("comments", "%a\n", 40_000),
    ("citations", r"\cite{a} ", 8_000), ("accents", r"\'e", 20_000), ("commands", r"\a ", 30_000), ("optional", r"\a[", 15_000),
    ("definitions", r"\newcommand{\a}{b}", 5_000), ("plain definitions", r"\def\a{b}", 8_000), ("rows", r"a & b \\ ", 10_000),
    ("plain text", "The tide rises. ", 60_000), ("plain paragraphs", "Mud.\n\n", 60_000), ("inputs", r"\input{a}", 8_000), ("labels", r"\label{a}", 10_000), ("backslashes", "\\\\", 60_000), ("text", r"\textbf{a} ", 8_000),
    ("nested text", r"\textbf{", 8_000), ("conditionals", r"\iffalse a\fi ", 6_000), ("unclosed conditionals", r"\iffalse a ", 8_000),
    ("verbs", r"\verb|a| ", 8_000), ("unclosed verbs", r"\verb|", 15_000), ("double dollars", "$$a", 20_000), ("tildes", "a~b ", 30_000),
    ("captions", r"\begin{figure}\caption{a}\end{figure}", 3_000), ("nested environments", r"\begin{quote}", 8_000),
    ("fractions", r"$\frac{a}{b}$ ", 5_000), ("nested fractions", r"$\frac{", 10_000), ("bibliography", r"\bibitem{a} b ", 8_000),
    ("math environments", r"\begin{align}a\end{align}", 4_000), ("unclosed math environments", r"\begin{align}a", 6_000),
):  # fmt: skip
    _repeat(".tex", _name, _part, _size, "\\documentclass{article}\\begin{document}\n", "\n\\end{document}\n")
_text(
    ".tex",
    "macros in use",
    lambda n: (
        "\\documentclass{article}\n\\newcommand{\\mud}[1]{wet #1}\\begin{document}"
        + r"\mud{a} " * n
        + "\\end{document}"
    ),
    8_000,
)
_text(
    ".tex",
    "many macros",
    lambda n: (
        "\\documentclass{article}\n"
        + "".join(f"\\newcommand{{\\{w}}}{{mud}}\n" for w in words(n).split())
        + "\\begin{document}"
        + "".join(f"\\{w} " for w in words(n).split())
        + "\\end{document}"
    ),
    3_000,
)
_text(
    ".tex",
    "macros in a chain",
    lambda n: (
        "\\documentclass{article}\n"
        + "".join(
            f"\\newcommand{{\\{a}}}{{\\{b}}}\n"
            for a, b in zip(words(n).split(), words(n + 1).split()[1:], strict=True)
        )
        + "\\begin{document}\\wordg\\end{document}"
    ),
    3_000,
)
_text(
    ".tex",
    "macros without end",
    lambda n: (
        "\\documentclass{article}\n\\newcommand{\\a}{\\a\\a}\\begin{document}"
        + r"\a " * n
        + "mud\\end{document}"
    ),
    3_000,
)
_repeat(
    ".tex",
    "one macro of many arguments",
    "{a}",
    20_000,
    "\\documentclass{article}\n\\newcommand{\\m}[9]{#1}\\begin{document}\\m",
    "\\end{document}",
)

# Mail, mailboxes, subtitles.
_MAIL = "From: a@b.c\nTo: d@e.f\nDate: Tue, 5 Mar 2024 14:20:00 +0100\nSubject: Tide\nMessage-ID: <a@b>\n"
for _name, _part, _size in (
    ("quotes", "> a\n", 20_000), ("quotes in quotes", ">", 60_000), ("introductions", "On Monday, Ann wrote:\n> a\n", 4_000),
    ("lines", "The tide rises\n", 15_000), ("signatures", "-- \na\n", 10_000), ("forwards", "---------- Forwarded message ---------\nFrom: a\n\n", 3_000),
    ("fields in text", "From: a\nSent: b\n", 6_000), ("open introductions", "On Monday, Ann\n", 15_000), ("links", "<https://a.b/c> ", 8_000),
    ("brackets", "<", 60_000), ("long line", "a ", 100_000), ("dashes", "-----\n", 15_000), ("underscores", "_____\n", 15_000),
    ("blank lines", "\n", 200_000),
):  # fmt: skip
    _repeat(".eml", _name, _part, _size, _MAIL + "\n")
_repeat(".eml", "fields", "X-A: b\n", 10_000, "", _MAIL + "\nMud.\n")
_repeat(".eml", "folded field", " a\n", 20_000, _MAIL + "X-A: b\n", "\nMud.\n")
_repeat(".eml", "recipients", "a@b.c, ", 5_000, "Cc: ", "a@b.c\n" + _MAIL + "\nMud.\n")
_repeat(".eml", "encoded words", "=?utf-8?q?a?= ", 2_000, _MAIL.replace("Tide", ""), "\n\nMud.\n")
_repeat(".eml", "open encoded words", "=?utf-8?q?a ", 4_000, _MAIL.replace("Tide\n", ""), "\n\nMud.\n")
_repeat(
    ".eml",
    "comments in an address",
    "(",
    4_000,
    "From: a ",
    "\nDate: Tue, 5 Mar 2024 14:20:00 +0100\n\nMud.\n",
)
_repeat(".eml", "references", "<a@b> ", 8_000, "References: ", "\n" + _MAIL + "\nMud.\n")
_repeat(
    ".eml",
    "parts",
    "--x\nContent-Type: text/plain\n\nMud.\n",
    1_500,
    _MAIL + "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n",
    "--x--\n",
)
_repeat(
    ".eml",
    "attachments",
    "--x\nContent-Type: image/png; name=a.png\nContent-Disposition: attachment; filename=a.png\n\nAA\n",
    1_500,
    _MAIL + "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n",
    "--x--\n",
)
_text(
    ".eml",
    "parts in parts",
    lambda n: (
        _MAIL
        + "MIME-Version: 1.0\n"
        + "".join(f"Content-Type: multipart/mixed; boundary=x{i}\n\n--x{i}\n" for i in range(n))
        + "\nMud.\n"
    ),
    100,
)
_repeat(
    ".eml",
    "mails in mails",
    "Content-Type: message/rfc822\n\n",
    1_000,
    _MAIL + "MIME-Version: 1.0\n",
    "Subject: a\n\nMud.\n",
)
_repeat(
    ".eml", "parameters", "; a=b", 3_000, _MAIL + "MIME-Version: 1.0\nContent-Type: text/plain", "\n\nMud.\n"
)
_repeat(
    ".eml",
    "numbered parameters",
    "; a*0=b",
    3_000,
    _MAIL + "MIME-Version: 1.0\nContent-Type: text/plain",
    "\n\nMud.\n",
)
_repeat(
    ".eml",
    "quoted printable",
    "=3D=\n",
    40_000,
    _MAIL + "MIME-Version: 1.0\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n",
)
_repeat(
    ".eml",
    "flowed",
    "the tide \n",
    20_000,
    _MAIL + "MIME-Version: 1.0\nContent-Type: text/plain; format=flowed\n\n",
)
_repeat(
    ".eml",
    "HTML quotes",
    "<blockquote>a",
    100,
    _MAIL + "MIME-Version: 1.0\nContent-Type: text/html\n\n<p>Mud.</p>",
)
_text(
    ".mbox",
    "mails",
    lambda n: "".join(
        f"From a@b.c Tue Mar  5 14:20:00 2024\n{_MAIL.replace('<a@b>', f'<{i}@b>')}\nThe tide {i} rises.\n\n"
        for i in range(n)
    ),
    600,
)
_text(
    ".mbox",
    "a thread",
    lambda n: "".join(
        f"From a@b.c Tue Mar  5 14:20:00 2024\n{_MAIL.replace('<a@b>', f'<{i}@b>')}In-Reply-To: <{max(0, i - 1)}@b>\n\nThe tide {i} rises.\n\n"
        for i in range(n)
    ),
    600,
)
_repeat(
    ".mbox",
    "beginnings",
    "From a@b.c Tue Mar  5 14:20:00 2024\n",
    20_000,
    "From a@b.c Tue Mar  5 14:20:00 2024\nSubject: a\n\nMud.\n\n",
)
_text(
    ".srt",
    "cues",
    lambda n: "".join(
        f"{i}\n00:{i // 60 % 60:02}:{i % 60:02},000 --> 00:{i // 60 % 60:02}:{i % 60:02},900\nThe tide rises\n\n"
        for i in range(n)
    ),
    8_000,
)
_repeat(".srt", "cues again", "1\n00:00:01,000 --> 00:00:02,000\nThe tide rises\n\n", 8_000)
_repeat(".srt", "tags", "<i>", 40_000, "1\n00:00:01,000 --> 00:00:02,000\n")
_repeat(".srt", "angles", "<", 100_000, "1\n00:00:01,000 --> 00:00:02,000\n")
_repeat(".srt", "braces", "{a", 60_000, "1\n00:00:01,000 --> 00:00:02,000\n")
_repeat(".vtt", "voices", "<v Ann>The tide rises ", 8_000, "WEBVTT\n\n00:01.000 --> 00:02.000\n")
_repeat(".vtt", "notes", "NOTE a\n\n", 15_000, "WEBVTT\n\n")
_repeat(".vtt", "rolling cues", "00:01.000 --> 00:02.000\nthe tide rises\nand falls\n\n", 6_000, "WEBVTT\n\n")


# Notebooks and RTF.
def _notebook(cells: list[dict[str, object]]) -> bytes:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


GROWING["ipynb: cells"] = Growing(
    suffix=".ipynb",
    make=lambda n: _notebook([{"cell_type": "markdown", "metadata": {}, "source": f"Tide {i} rises."} for i in range(n)]),
    size=3_000,
)  # fmt: skip
GROWING["ipynb: lines"] = Growing(
    suffix=".ipynb",
    make=lambda n: _notebook(
        [{"cell_type": "markdown", "metadata": {}, "source": ["The tide rises.\n"] * n}]
    ),
    size=20_000,
)
GROWING["ipynb: outputs"] = Growing(
    suffix=".ipynb",
    make=lambda n: _notebook([{"cell_type": "code", "metadata": {}, "source": "a", "outputs": [{"output_type": "stream", "text": "b"}] * n}, {"cell_type": "markdown", "metadata": {}, "source": "Mud."}]),
    size=20_000,
)  # fmt: skip
GROWING["ipynb: brackets"] = Growing(
    suffix=".ipynb", make=lambda n: b'{"nbformat": 4, "cells": ' + b"[" * n, size=100_000
)
for _name, _part, _size in (
    ("groups", "{a}", 30_000), ("open groups", "{", 4_000), ("paragraphs", r"\par a", 20_000), ("characters", r"\'e9", 40_000),
    ("unicode", r"\u233?", 30_000), ("binary", r"\bin1 a", 20_000), ("control words", r"\b", 60_000), ("rows", r"\trowd a\cell b\cell\row ", 6_000),
    ("notes", r"{\footnote a}", 10_000), ("pictures", r"{\pict 00}", 10_000), ("fields", r"{\field{\*\fldinst a}{\fldrslt b}}", 5_000),
    ("ignored", r"{\*\a b}", 15_000), ("hexadecimal", r"\'", 60_000), ("line ends", "\n", 200_000), ("long number", "1", 3_000),
):  # fmt: skip
    _repeat(
        ".rtf",
        _name,
        _part,
        _size,
        r"{\rtf1\ansi The tide rises. " if _name != "long number" else r"{\rtf1\ansi Mud. \par1",
        "}",
    )
_repeat(".rtf", "styles", r"{\s1 a;}", 6_000, r"{\rtf1\ansi{\stylesheet", "}Mud.}")
_repeat(".rtf", "fonts", r"{\f1 a;}", 8_000, r"{\rtf1\ansi{\fonttbl", "}Mud.}")


# Archives.
def zipped(members: Iterable[tuple[str, str]]) -> bytes:
    """A zip archive of texts by name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


_CONTAINER = '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>'
_CHAPTER = '<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>Tide</h1><p>{}</p></body></html>'


def epub(manifest: str, spine: str, parts: Iterable[tuple[str, str]]) -> bytes:
    """A book."""
    package = f'<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest>{manifest}</manifest><spine>{spine}</spine></package>'
    return zipped(
        [
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", _CONTAINER),
            ("b.opf", package),
            *parts,
        ]
    )


def _item(id: str, href: str, more: str = "") -> str:
    return f'<item id="{id}" href="{href}" media-type="application/xhtml+xml"{more}/>'


def _archive(suffix: str, name: str, make: Make, size: int) -> None:
    GROWING[f"{suffix[1:]}: {name}"] = Growing(suffix=suffix, make=make, size=size)


_archive(
    ".epub",
    "one chapter again and again",
    lambda n: epub(
        _item("c", "c.xhtml"), '<itemref idref="c"/>' * n, [("c.xhtml", _CHAPTER.format(SENTENCE))]
    ),
    5_000,
)
_archive(
    ".epub",
    "one chapter under many names",
    lambda n: epub(
        "".join(_item(f"c{i}", f"c.xhtml?{i}" if i % 2 else "c.xhtml") for i in range(n)),
        "".join(f'<itemref idref="c{i}"/>' for i in range(n)),
        [("c.xhtml", _CHAPTER.format(SENTENCE))],
    ),
    4_000,
)
_archive(
    ".epub",
    "chapters",
    lambda n: epub(
        "".join(_item(f"c{i}", f"c{i}.xhtml") for i in range(n)),
        "".join(f'<itemref idref="c{i}"/>' for i in range(n)),
        [(f"c{i}.xhtml", _CHAPTER.format(f"{SENTENCE} {i}")) for i in range(n)],
    ),
    1_000,
)
_archive(
    ".epub",
    "missing chapters",
    lambda n: epub(
        _item("d", "d.xhtml") + "".join(_item(f"c{i}", f"c{i}.xhtml") for i in range(n)),
        '<itemref idref="d"/>' + "".join(f'<itemref idref="c{i}"/>' for i in range(n)),
        [("d.xhtml", _CHAPTER.format(SENTENCE))],
    ),
    5_000,
)
_archive(
    ".epub",
    "navigation",
    lambda n: epub(
        _item("c", "c.xhtml") + _item("n", "n.xhtml", ' properties="nav"'),
        '<itemref idref="c"/>',
        [
            ("c.xhtml", _CHAPTER.format(SENTENCE)),
            (
                "n.xhtml",
                '<html xmlns="http://www.w3.org/1999/xhtml"><body><nav><ol>'
                + '<li><a href="c.xhtml#a">Tide</a></li>' * n
                + "</ol></nav></body></html>",
            ),
        ],
    ),
    8_000,
)
_archive(
    ".epub",
    "deep navigation",
    lambda n: epub(
        _item("c", "c.xhtml") + _item("n", "n.xhtml", ' properties="nav"'),
        '<itemref idref="c"/>',
        [
            ("c.xhtml", _CHAPTER.format(SENTENCE)),
            (
                "n.xhtml",
                '<html xmlns="http://www.w3.org/1999/xhtml"><body><nav>'
                + '<ol><li><a href="c.xhtml">T</a>' * n
                + "</li></ol>" * n
                + "</nav></body></html>",
            ),
        ],
    ),
    100,
)
_archive(
    ".epub",
    "entities",
    lambda n: epub(
        _item("c", "c.xhtml"), '<itemref idref="c"/>', [("c.xhtml", _CHAPTER.format("&nbsp;" * n + SENTENCE))]
    ),
    60_000,
)
_archive(
    ".epub",
    "anchors",
    lambda n: epub(
        _item("c", "c.xhtml") + '<item id="n" href="n.ncx" media-type="application/x-dtbncx+xml"/>',
        '<itemref idref="c"/>',
        [
            (
                "c.xhtml",
                '<html xmlns="http://www.w3.org/1999/xhtml"><body>'
                + "".join(f'<p id="a{i}">Mud {i}.</p>' for i in range(n))
                + "</body></html>",
            ),
            (
                "n.ncx",
                '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>'
                + "".join(
                    f'<navPoint><navLabel><text>T{i}</text></navLabel><content src="c.xhtml#a{i}"/></navPoint>'
                    for i in range(n)
                )
                + "</navMap></ncx>",
            ),
        ],
    ),
    3_000,
)
_archive(
    ".epub",
    "guide",
    lambda n: epub(
        _item("c", "c.xhtml"),
        '<itemref idref="c"/>' + '<reference type="cover" href="d.xhtml"/>' * n,
        [("c.xhtml", _CHAPTER.format(SENTENCE))],
    ),
    20_000,
)

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def docx(body: str, styles: str = "", notes: str = "") -> bytes:
    """A Word document."""
    return zipped([
        ("[Content_Types].xml", '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
        ("_rels/.rels", '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'),
        ("word/document.xml", f"<w:document {_W}><w:body>{body}</w:body></w:document>"),
        ("word/styles.xml", f"<w:styles {_W}>{styles}</w:styles>"),
        ("word/footnotes.xml", f"<w:footnotes {_W}>{notes}</w:footnotes>"),
    ])  # fmt: skip


_P = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
for _name, _part, _size in (
    ("paragraphs", _P.format("The tide rises."), 8_000), ("empty paragraphs", "<w:p/>", 40_000),
    ("tables", f"<w:tbl><w:tr><w:tc>{_P.format('a')}</w:tc></w:tr></w:tbl>", 3_000),
    ("deleted", "<w:p><w:del><w:r><w:delText>a</w:delText></w:r></w:del></w:p>", 6_000),
    ("boxes", "<w:p><w:r><w:pict><w:txbxContent>" + _P.format("a") + "</w:txbxContent></w:pict></w:r></w:p>", 3_000),
):  # fmt: skip
    _archive(".docx", _name, lambda n, part=_part: docx(part * n + _P.format(SENTENCE)), _size)  # type: ignore[misc]
_archive(".docx", "runs", lambda n: docx("<w:p>" + "<w:r><w:t>a</w:t></w:r>" * n + "</w:p>"), 20_000)
_archive(
    ".docx",
    "rows",
    lambda n: docx(
        "<w:tbl>"
        + f"<w:tr><w:tc>{_P.format('a')}</w:tc><w:tc>{_P.format('b')}</w:tc></w:tr>" * n
        + "</w:tbl>"
        + _P.format(SENTENCE)
    ),
    3_000,
)
_archive(
    ".docx",
    "nested tables",
    lambda n: docx("<w:tbl><w:tr><w:tc>" * n + _P.format(SENTENCE) + "</w:tc></w:tr></w:tbl>" * n),
    60,
)
_archive(
    ".docx",
    "styles",
    lambda n: docx(
        _P.format(SENTENCE),
        "".join(
            f'<w:style w:styleId="s{i}"><w:name w:val="n"/><w:basedOn w:val="s{i + 1}"/></w:style>'
            for i in range(n)
        ),
    ),
    6_000,
)
_archive(
    ".docx",
    "styled paragraphs",
    lambda n: docx(
        '<w:p><w:pPr><w:pStyle w:val="s0"/></w:pPr><w:r><w:t>Mud.</w:t></w:r></w:p>' * n,
        "".join(
            f'<w:style w:styleId="s{i}"><w:name w:val="n"/><w:basedOn w:val="s{i + 1}"/></w:style>'
            for i in range(n)
        ),
    ),
    3_000,
)
_archive(
    ".docx",
    "notes",
    lambda n: docx(
        "".join(
            f'<w:p><w:r><w:t>Mud.</w:t></w:r><w:r><w:footnoteReference w:id="{i}"/></w:r></w:p>'
            for i in range(n)
        ),
        notes="".join(f'<w:footnote w:id="{i}">{_P.format("a")}</w:footnote>' for i in range(n)),
    ),
    3_000,
)
_archive(
    ".docx",
    "fields",
    lambda n: docx(
        "<w:p>"
        + '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>A</w:instrText></w:r><w:r><w:t>a</w:t></w:r>'
        * n
        + "</w:p>"
        + _P.format(SENTENCE)
    ),
    6_000,
)

_ODF = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'


def odt(body: str, styles: str = "") -> bytes:
    """An OpenDocument text."""
    return zipped([
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", f"<office:document-content {_ODF}><office:automatic-styles>{styles}</office:automatic-styles><office:body><office:text>{body}</office:text></office:body></office:document-content>"),
    ])  # fmt: skip


for _name, _part, _size in (
    ("paragraphs", "<text:p>The tide rises.</text:p>", 10_000), ("lists", "<text:list><text:list-item><text:p>a</text:p></text:list-item></text:list>", 4_000),
    ("tables", "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></table:table>", 3_000),
    ("headings", '<text:h text:outline-level="1">T</text:h><text:p>Mud.</text:p>', 5_000), ("notes", "<text:p>a<text:note><text:note-body><text:p>b</text:p></text:note-body></text:note></text:p>", 4_000),
    ("sections", "<text:section><text:p>a</text:p></text:section>", 6_000), ("empty", "<text:p/>", 30_000),
):  # fmt: skip
    _archive(".odt", _name, lambda n, part=_part: odt(part * n + f"<text:p>{SENTENCE}</text:p>"), _size)  # type: ignore[misc]
_archive(".odt", "spans", lambda n: odt("<text:p>" + "<text:span>a</text:span>" * n + "</text:p>"), 20_000)
_archive(
    ".odt",
    "nested spans",
    lambda n: odt("<text:p>" + "<text:span>a" * n + "</text:span>" * n + "</text:p>"),
    100,
)
_archive(
    ".odt",
    "nested lists",
    lambda n: odt(
        "<text:list><text:list-item>" * n + "<text:p>Mud.</text:p>" + "</text:list-item></text:list>" * n
    ),
    50,
)
_archive(
    ".odt",
    "styles",
    lambda n: odt(
        f"<text:p>{SENTENCE}</text:p>",
        "".join(f'<style:style style:name="s{i}" style:parent-style-name="s{i + 1}"/>' for i in range(n)),
    ),
    8_000,
)
_archive(
    ".odt",
    "styled paragraphs",
    lambda n: odt(
        '<text:p text:style-name="s0">Mud.</text:p>' * n,
        "".join(f'<style:style style:name="s{i}" style:parent-style-name="s{i + 1}"/>' for i in range(n)),
    ),
    3_000,
)
_archive(
    ".odt",
    "wide rows",
    lambda n: odt(
        "<table:table>"
        + '<table:table-row><table:table-cell table:number-columns-repeated="1000"><text:p>a</text:p></table:table-cell></table:table-row>'
        * n
        + "</table:table>"
    ),
    200,
)

_PPT = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_RELS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SHAPE = '<p:sp><p:nvSpPr><p:cNvPr id="2" name="T"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>{}</p:txBody></p:sp>'
_LINE = "<a:p><a:r><a:t>The tide rises.</a:t></a:r></a:p>"


def pptx(slides: list[str]) -> bytes:
    """A presentation whose slides hold these shapes."""
    kinds = "application/vnd.openxmlformats-officedocument.presentationml."
    types = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>' + f'<Override PartName="/ppt/presentation.xml" ContentType="{kinds}presentation.main+xml"/>' + f'<Override PartName="/ppt/slideLayouts/l.xml" ContentType="{kinds}slideLayout+xml"/>' + "".join(f'<Override PartName="/ppt/slides/s{i}.xml" ContentType="{kinds}slide+xml"/>' for i in range(len(slides))) + "</Types>"  # fmt: skip
    rels = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
    tree = '<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>{}</p:spTree></p:cSld>'
    return zipped([
        ("[Content_Types].xml", types),
        ("_rels/.rels", rels.format(f'<Relationship Id="r" Type="{_RELS}/officeDocument" Target="ppt/presentation.xml"/>')),
        ("ppt/presentation.xml", f"<p:presentation {_PPT}><p:sldIdLst>" + "".join(f'<p:sldId id="{256 + i}" r:id="r{i}"/>' for i in range(len(slides))) + "</p:sldIdLst></p:presentation>"),
        ("ppt/_rels/presentation.xml.rels", rels.format("".join(f'<Relationship Id="r{i}" Type="{_RELS}/slide" Target="slides/s{i}.xml"/>' for i in range(len(slides))))),
        ("ppt/slideLayouts/l.xml", f"<p:sldLayout {_PPT}>{tree.format('')}</p:sldLayout>"),
        *((f"ppt/slides/s{i}.xml", f"<p:sld {_PPT}>{tree.format(shapes)}</p:sld>") for i, shapes in enumerate(slides)),
        *((f"ppt/slides/_rels/s{i}.xml.rels", rels.format(f'<Relationship Id="r1" Type="{_RELS}/slideLayout" Target="../slideLayouts/l.xml"/>')) for i in range(len(slides))),
    ])  # fmt: skip


_archive(".pptx", "slides", lambda n: pptx([_SHAPE.format(_LINE)] * n), 100)
_archive(".pptx", "shapes", lambda n: pptx([_SHAPE.format(_LINE) * n]), 500)
_archive(".pptx", "lines", lambda n: pptx([_SHAPE.format(_LINE * n)]), 3_000)
_archive(
    ".pptx",
    "runs",
    lambda n: pptx([_SHAPE.format("<a:p>" + "<a:r><a:t>a</a:t></a:r>" * n + "</a:p>")]),
    5_000,
)


# PDF.
def pdf(*objects: bytes) -> bytes:
    """A PDF of numbered objects; the first is the catalogue."""
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for place in places:
        out += b"%010d 00000 n \n" % place
    return bytes(
        out + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    )


def stream(data: bytes, entries: bytes = b"") -> bytes:
    """A stream object."""
    return b"<< /Length %d %b >>\nstream\n%b\nendstream" % (len(data), entries, data)


FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
TEXT = b"BT /F 12 Tf 72 700 Td (The tide rises twice a day along this coast.) Tj ET "
CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"


def pdf_page(content: bytes, font: bytes = FONT, *more: bytes, entries: bytes = b"") -> bytes:
    """A PDF of one page; ``more`` are the objects from 6 on."""
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> %b >> >>"
        % entries
    )
    return pdf(CATALOG, b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page, stream(content), font, *more)


for _name, _bytes, _size in (
    ("unclosed arrays", b"[", 8_000), ("unclosed arrays of strings", b"[(a) ", 8_000), ("unclosed arrays of numbers", b"[1 ", 8_000),
    ("unclosed strings", b"(", 20_000), ("unclosed strings with text", b"(a ", 20_000), ("strings in strings", b"((a)", 15_000),
    ("escapes", b"(\\", 20_000), ("unclosed dictionaries", b"<<", 8_000), ("unclosed entries", b"<< /A ", 8_000), ("entries of strings", b"<< /A (b) ", 6_000),
    ("unclosed hexadecimal", b"<", 30_000), ("hexadecimal digits", b"<41 ", 15_000), ("numbers", b"1 ", 40_000), ("digits", b"1", 60_000),
    ("fractions", b"1.1", 30_000), ("signs", b"-", 60_000), ("minus numbers", b"-1", 30_000), ("points", b".", 60_000), ("colours", b"0 0 0 rg ", 10_000),
    ("seven numbers", b"0 0 0 0 0 0 0 l ", 10_000), ("names", b"/A ", 30_000), ("slashes", b"/", 60_000), ("comments", b"%", 60_000),
    ("comment lines", b"%a\n", 30_000), ("spaces", b" ", 200_000), ("nulls", b"\x00", 200_000), ("images", b"BI /A ", 8_000), ("images without end", b"BI /A ID ", 8_000),
    ("image ends", b"BI /A ID a EI ", 8_000), ("saves", b"q ", 40_000), ("restores", b"Q ", 40_000), ("marks", b"/A BMC ", 10_000),
    ("marks with text", b"/Span << /ActualText (a) >> BDC (b) Tj ", 3_000), ("closed marks", b"/Span << /ActualText (a) >> BDC (b) Tj EMC ", 3_000),
    ("shows", b"(a) Tj ", 10_000), ("empty shows", b"() Tj ", 20_000), ("arrays", b"[(a) -200 (b)] TJ ", 5_000), ("fonts", b"/F 12 Tf ", 10_000),
    ("unknown fonts", b"/G 12 Tf ", 10_000), ("lines", b"0 -1 Td (The tide rises.) Tj ", 1_500), ("lines in a row", b"20 0 Td (tide) Tj ", 3_000),
    ("text in one place", b"1 0 0 1 72 72 Tm (tide) Tj ", 3_000), ("objects", b"/X Do ", 20_000), ("braces", b"{", 60_000), ("operators", b"a ", 40_000),
    ("accents", b"(\xb4) Tj (e) Tj ", 4_000), ("spread letters", b"(t) Tj 9 0 Td ", 5_000), ("turned text", b"0 1 -1 0 72 72 Tm (tide) Tj ", 2_000),
    ("wrong shows", b"Tj ", 40_000), ("unclosed ActualText", b"/Span << /ActualText (", 6_000), ("brackets closing", b"]", 60_000), ("angles closing", b">", 60_000),
    ("growing text", b"1.001 0 0 1.001 0 0 cm (tide) Tj ", 2_000), ("word spaces", b"(a" + b" " * 40 + b"b) Tj ", 3_000),
):  # fmt: skip
    _archive(
        ".pdf",
        f"content: {_name}",
        lambda n, part=_bytes: pdf_page(TEXT + b"BT /F 9 Tf 72 600 Td " + part * n),
        _size,
    )  # type: ignore[misc]
_archive(
    ".pdf",
    "content: title of stars",
    lambda n: pdf_page(TEXT + b"BT /F 24 Tf 9 750 Td (Tide and mud A" + b"*" * n + b"b) Tj ET"),
    10_000,
)
_archive(
    ".pdf",
    "content: lines with gaps in gaps",
    lambda n: pdf_page(
        TEXT
        + b"BT /F 9 Tf "
        + b"".join(
            b"1 0 0 1 %.2f 600 Tm [(t) %d (t)] TJ " % (72 + 0.01 * i, 0.02 * i - 400_000) for i in range(n)
        )
    ),
    10_000,
)
_archive(
    ".pdf",
    "content: one long array",
    lambda n: pdf_page(TEXT + b"BT /F 9 Tf 72 600 Td [" + b"(a) -9 " * n + b"] TJ"),
    15_000,
)
_archive(
    ".pdf",
    "content: one long string",
    lambda n: pdf_page(TEXT + b"BT /F 9 Tf 72 600 Td (" + b"tide " * n + b") Tj"),
    15_000,
)
_archive(
    ".pdf",
    "content: columns",
    lambda n: pdf_page(
        TEXT
        + b"BT /F 4 Tf "
        + b"".join(
            b"1 0 0 1 %d %d Tm (tide) Tj " % (20 * (i % 30), 780 - i // 30 % 190 * 4) for i in range(n)
        )
    ),
    2_000,
)
_archive(
    ".pdf",
    "content: scattered",
    lambda n: pdf_page(
        TEXT
        + b"BT /F 4 Tf "
        + b"".join(b"1 0 0 1 %d %d Tm (tide) Tj " % (i * 7919 % 600, i * 104729 % 790) for i in range(n))
    ),
    1_500,
)
_archive(
    ".pdf",
    "content: many sizes",
    lambda n: pdf_page(
        TEXT
        + b"BT "
        + b"".join(
            b"/F %d.%d Tf 1 0 0 1 %d %d Tm (tide) Tj "
            % (4 + i % 7, i % 100, i * 7919 % 600, i * 104729 % 790)
            for i in range(n)
        )
    ),
    1_500,
)

_TYPE0 = b"<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding %b /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A %b >>] /ToUnicode 6 0 R >>"
_SHOW = TEXT.replace(b"(The tide rises twice a day along this coast.)", b"<00410042>")
for _name, _bytes, _size in (
    ("beginnings", b"beginbfchar ", 6_000), ("range beginnings", b"beginbfrange ", 6_000), ("space beginnings", b"begincodespacerange ", 4_000),
    ("pairs", b"<0041> <0041> ", 5_000), ("brackets", b"<0041> <0042> [", 5_000), ("closed brackets", b"<0041> <0042> [<0041>] ", 4_000),
    ("unclosed digits", b"<", 15_000), ("unclosed numbers", b"<0041 ", 8_000), ("spaces in digits", b"<" + b" " * 100, 300), ("spaces between", b"<00>" + b" " * 100, 300),
    ("ranges", b"<0041> <0042> <0041> ", 3_000), ("long ranges", b"<0000> <ffff> <0041> ", 2_000), ("names", b"/a ", 15_000), ("spaced names", b"/a" + b" " * 100, 300),
    ("long name", b"a", 60_000), ("modes", b"/WMode" + b" " * 100, 300), ("digits", b"0", 60_000), ("begins", b"begin", 20_000), ("spaces", b" ", 60_000),
):  # fmt: skip
    for _kind, _start, _end in (
        ("", b"", b""),
        (" in a block", b"1 beginbfrange ", b" endbfrange "),
        (" in characters", b"1 beginbfchar ", b" endbfchar"),
    ):
        _archive(
            ".pdf",
            f"ToUnicode: {_name}{_kind}",
            lambda n, part=_bytes, start=_start, end=_end: pdf_page(
                TEXT + _SHOW, _TYPE0 % (b"/Identity-H", b""), stream(start + part * n + end)
            ),
            _size,
        )  # type: ignore[misc]
for _name, _bytes, _size in (
    ("beginnings", b"begincidchar ", 6_000), ("ranges", b"<00> <ff> 1 ", 5_000), ("unclosed", b"<00 ", 10_000), ("spaces", b"<00>" + b" " * 100, 300), ("numbers", b"<00> <00> 1", 5_000),
    ("use", b"/A usecmap ", 5_000), ("slashes", b"/", 40_000),
):  # fmt: skip
    _archive(
        ".pdf",
        f"code map: {_name}",
        lambda n, part=_bytes: pdf_page(
            TEXT + _SHOW,
            _TYPE0 % (b"7 0 R", b""),
            stream(b""),
            stream(
                b"1 begincodespacerange <00> <ff> <0000> <ffff> endcodespacerange 1 begincidrange "
                + part * n
                + b" endcidrange"
            ),
        ),
        _size,
    )  # type: ignore[misc]
_archive(
    ".pdf",
    "code map: strings of mixed codes",
    lambda n: pdf_page(
        TEXT + b"BT /F 9 Tf <" + b"4100" * n + b"> Tj ET",
        _TYPE0 % (b"7 0 R", b""),
        stream(b""),
        stream(
            b"60 begincodespacerange "
            + b"".join(b"<%02x> <%02x> " % (i + 128, i + 128) for i in range(30))
            + b"<0000> <ffff> endcodespacerange"
        ),
    ),
    10_000,
)
_archive(
    ".pdf",
    "font: differences",
    lambda n: pdf_page(
        TEXT,
        b"<< /Type /Font /Subtype /Type1 /BaseFont /A /Encoding << /Differences ["
        + b"65 /a " * n
        + b"] >> >>",
    ),
    5_000,
)
_archive(
    ".pdf",
    "font: one glyph name of many parts",
    lambda n: pdf_page(
        TEXT,
        b"<< /Type /Font /Subtype /Type1 /BaseFont /A /Encoding << /Differences [84 /"
        + b"a_" * n
        + b"a] >> >>",
    ),
    10_000,
)
_archive(
    ".pdf",
    "font: one glyph name of many dots",
    lambda n: pdf_page(
        TEXT,
        b"<< /Type /Font /Subtype /Type1 /BaseFont /A /Encoding << /Differences [84 /"
        + b"a." * n
        + b"a] >> >>",
    ),
    10_000,
)
_archive(
    ".pdf",
    "font: one glyph name of many codes",
    lambda n: pdf_page(
        TEXT,
        b"<< /Type /Font /Subtype /Type1 /BaseFont /A /Encoding << /Differences [84 /uni"
        + b"0041" * n
        + b"] >> >>",
    ),
    10_000,
)
_archive(
    ".pdf",
    "font: one glyph name of many endings",
    lambda n: pdf_page(
        TEXT,
        b"<< /Type /Font /Subtype /Type1 /BaseFont /A /Encoding << /Differences [84 /a"
        + b"small" * n
        + b"] >> >>",
    ),
    5_000,
)
_archive(
    ".pdf",
    "font: widths",
    lambda n: pdf_page(
        TEXT + _SHOW, _TYPE0 % (b"/Identity-H", b"/W [" + b"1 [500] " * n + b"]"), stream(b"")
    ),
    4_000,
)
_archive(
    ".pdf",
    "font: ranges of widths",
    lambda n: pdf_page(
        TEXT + _SHOW, _TYPE0 % (b"/Identity-H", b"/W [" + b"0 65535 500 " * n + b"]"), stream(b"")
    ),
    1_000,
)
_archive(
    ".pdf",
    "font: Type 1 entries",
    lambda n: pdf_page(
        TEXT,
        b"<< /Type /Font /Subtype /Type1 /BaseFont /A /FontDescriptor << /FontFile 6 0 R >> >>",
        stream(b"dup 65 /" * n),
    ),
    8_000,
)
_archive(
    ".pdf",
    "font: name",
    lambda n: pdf_page(TEXT, b"<< /Type /Font /Subtype /Type1 /BaseFont /" + b"-a" * n + b" >>"),
    20_000,
)
_archive(
    ".pdf",
    "fonts",
    lambda n: pdf_page(
        TEXT + b"BT " + b"".join(b"/F%d 9 Tf (tide) Tj " % i for i in range(n)) + b"ET",
        FONT,
        entries=b"/Font << /F 5 0 R " + b"".join(b"/F%d 5 0 R " % i for i in range(n)) + b">>",
    ),
    2_000,
)
_archive(
    ".pdf",
    "forms in forms",
    lambda n: pdf_page(
        TEXT,
        FONT,
        stream(b"/X Do " * n, b"/Subtype /Form /Resources << /XObject << /X 6 0 R >> >>"),
        entries=b"/XObject << /X 6 0 R >>",
    ).replace(b"(The tide", b"/X Do (The"),
    10,
)
_archive(
    ".pdf",
    "forms",
    lambda n: pdf_page(
        TEXT + b"/X Do " * n, FONT, stream(b"q Q", b"/Subtype /Form"), entries=b"/XObject << /X 6 0 R >>"
    ),
    3_000,
)


def _pages(n: int, content: bytes = TEXT) -> bytes:
    kids = b" ".join(b"%d 0 R" % (5 + i) for i in range(n))
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 3 0 R /Resources << /Font << /F 4 0 R >> >> >>"
    return pdf(
        CATALOG, b"<< /Type /Pages /Kids [%b] /Count %d >>" % (kids, n), stream(content), FONT, *[page] * n
    )


_archive(".pdf", "pages", _pages, 150)
_archive(".pdf", "pages of one line each", lambda n: _pages(n, b"BT /F 12 Tf 72 700 Td (Tide) Tj ET"), 150)
_archive(".pdf", "damaged", lambda n: _pages(n).partition(b"xref")[0], 150)
_archive(".pdf", "damage: numbers", lambda n: b"%PDF-1.4\n" + b"1 " * n, 20_000)
_archive(".pdf", "damage: digits", lambda n: b"%PDF-1.4\n" + b"1" * n, 40_000)
_archive(".pdf", "damage: spaces after numbers", lambda n: b"%PDF-1.4\n" + (b"1 1" + b" " * 100) * n, 400)
_archive(".pdf", "damage: objects", lambda n: b"%PDF-1.4\n" + b"1 0 obj " * n, 8_000)
_archive(".pdf", "damage: endings", lambda n: b"%PDF-1.4\n" + b"startxref\n0\n%%EOF\n" * n, 5_000)
_archive(".pdf", "damage: trailers", lambda n: b"%PDF-1.4\n" + b"trailer << /Root 1 0 R >>\n" * n, 5_000)
_archive(".pdf", "damage: brackets", lambda n: b"%PDF-1.4\n1 0 obj\n" + b"[" * n, 5_000)
_archive(".pdf", "damage: dictionaries", lambda n: b"%PDF-1.4\n1 0 obj\n" + b"<< /A " * n, 5_000)
_archive(
    ".pdf",
    "damage: catalogues",
    lambda n: (
        b"%PDF-1.4\n"
        + b"".join(b"%d 0 obj\n<< /Type /Catalog /Pages 9 0 R >>\nendobj\n" % i for i in range(1, n))
    ),
    3_000,
)
_archive(
    ".pdf",
    "damage: pages",
    lambda n: (
        b"%PDF-1.4\n"
        + b"".join(b"%d 0 obj\n<< /Type /Page /Parent 1 0 R >>\nendobj\n" % i for i in range(1, n))
    ),
    1_000,
)
_archive(".pdf", "damage: types", lambda n: b"%PDF-1.4\n1 0 obj " + b"/Type " * n, 8_000)
_archive(
    ".pdf", "damage: spaces in types", lambda n: b"%PDF-1.4\n1 0 obj " + (b"/Type" + b" " * 100) * n, 400
)
_archive(
    ".pdf",
    "outline",
    lambda n: pdf(
        CATALOG[:-2] + b"/Outlines 6 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
        stream(TEXT),
        FONT,
        b"<< /First 7 0 R >>",
        *(b"<< /Title (The tide) /Dest [3 0 R /XYZ 0 700 0] /Next %d 0 R >>" % (8 + i) for i in range(n)),
        b"<< /Title (a) >>",
    ),
    800,
)
_archive(
    ".pdf",
    "outline of named places",
    lambda n: pdf(
        CATALOG[:-2]
        + b"/Outlines 6 0 R /Names << /Dests << /Names ["
        + b"".join(b"(d%d) [3 0 R /Fit] " % i for i in range(n))
        + b"] >> >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
        stream(TEXT),
        FONT,
        b"<< /First 7 0 R >>",
        *(b"<< /Title (The tide) /Dest (d%d) /Next %d 0 R >>" % (i, 8 + i) for i in range(n)),
        b"<< /Title (a) >>",
    ),
    800,
)
_archive(
    ".pdf",
    "page tree",
    lambda n: pdf(
        CATALOG,
        *(b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % (3 + i) for i in range(n)),
        b"<< /Type /Page /MediaBox [0 0 612 792] >>",
    ),
    200,
)
_archive(
    ".pdf",
    "contents of many streams",
    lambda n: pdf(
        CATALOG,
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents [4 0 R %b] /Resources << /Font << /F 5 0 R >> >> >>"
        % (b"6 0 R " * n),
        stream(TEXT),
        FONT,
        stream(b"q Q"),
    ),
    8_000,
)
