"""The macros and environments of LaTeX that the reader knows, by what it does with them, and their parser."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from lsum_cli.reading.tex.formulas import BINOMIALS, FRACTIONS, QUANTITIES, STACKED
from lsum_cli.text.patterns import regex

if TYPE_CHECKING:
    from pylatexenc.latexwalker import LatexWalker
    from pylatexenc.macrospec import LatexContextDb

LEVELS = {"part": 1, "chapter": 2, "section": 3, "subsection": 4, "subsubsection": 5, "frametitle": 6}
RUN_IN = ("paragraph", "subparagraph")
FRONT = (
    "author",
    "date",
    "thanks",
    "affil",
    "affiliation",
    "institute",
    "address",
    "email",
    "keywords",
    "inst",
)
CITATIONS = frozenset(
    "cite citep parencite autocite footcite supercite citealp citealt nocite ref eqref pageref"  # noqa: SIM905
    " autoref cref Cref nameref vref subref citeyear citeyearpar cites parencites autocites citenum"
    " smartcite".split()
)
NAMED_CITATIONS = ("citet", "textcite", "citeauthor", "Citet", "Textcite")
LISTS = ("itemize", "enumerate", "description", "compactitem", "compactenum", "inparaenum", "list")
BLOCKS = ("block", "alertblock", "exampleblock")
"""Environments of slides whose argument is the title of a text in a box."""
FLOAT_ENVIRONMENTS = ("figure", "wrapfigure", "SCfigure", "teaserfigure", "sidewaysfigure", "floatingfigure")
DRAWINGS = (
    "tikzpicture", "picture", "pspicture", "axis", "algorithm", "algorithmic", "algorithm2e", "tikzcd",
    "CCSXML",
)  # fmt: skip
FORMULA_ENVIRONMENTS = frozenset(
    "equation align gather multline eqnarray displaymath math alignat flalign dmath split aligned".split()  # noqa: SIM905
)
TABLES = ("tabular", "tabularx", "tabulary", "longtable", "tabu", "supertabular", "array")
ACCENTS = frozenset("`'^\"~=.uvHtcdbkr")
SPACES = ("quad", "qquad", "newline", "linebreak", "hfill", " ", "\n", ",", ";", ":", ">", "\\")
# Those that print their last argument only.
LAST_ARGUMENT = (
    "multicolumn", "multirow", "textcolor", "colorbox", "fcolorbox", "href", "parbox", "raisebox", "scalebox",
    "resizebox", "hypertarget", "hyperlink", "hyperref", "foreignlanguage", "adjustbox", "rotatebox",
    "makebox", "framebox",
)  # fmt: skip
# What sets the page and prints nothing: with an option and an argument, with two, without any.
_SETTINGS = frozenset(
    "usepackage documentclass bibliographystyle pagestyle thispagestyle hypersetup graphicspath"  # noqa: SIM905
    " includegraphics bibliography addbibresource printbibliography geometry"
    " DeclareGraphicsExtensions newtheorem theoremstyle label index glsaddall hspace vspace vskip"
    " input include enlargethispage linespread pagenumbering pgfplotsset usetikzlibrary lstset"
    " tikzset sisetup captionsetup selectlanguage nocite color phantom hphantom vphantom cmidrule"
    " cline fontfamily fontsize acmDOI received hyphenation".split()
)
_SETTINGS_OF_TWO = frozenset(
    "setlength addtolength setcounter addtocounter markboth definecolor numberwithin newcounter"  # noqa: SIM905
    " settowidth".split()
)
_SWITCHES = frozenset(
    "maketitle tableofcontents listoffigures listoftables centering noindent indent bigskip medskip"  # noqa: SIM905
    " smallskip clearpage cleardoublepage newpage pagebreak appendix hline toprule midrule"
    " bottomrule frontmatter mainmatter backmatter small large Large LARGE huge Huge normalsize"
    " footnotesize scriptsize tiny bfseries itshape ttfamily sffamily rmfamily bf it tt sf rm em sl"
    " sc scshape upshape mdseries raggedright raggedleft sloppy fussy doublespacing singlespacing"
    " onehalfspacing titlerunning authorrunning balance xspace protect relax null newblock"
    " makeatletter makeatother FloatBarrier phantomsection vfill hrule linenumbers ignorespaces"
    " ignorespacesafterend".split()
)
SILENT = _SETTINGS | _SETTINGS_OF_TWO | _SWITCHES | {"addcontentsline"}
KEPT = frozenset(
    "title item footnote abstract maketitle begin end caption bibitem par emph textbf textit texttt"  # noqa: SIM905
    " url href".split()
) | {*LEVELS, *RUN_IN, *FRONT, *CITATIONS, *NAMED_CITATIONS, *LISTS, *SPACES, *_SETTINGS, *_SETTINGS_OF_TWO}
"""Macros that keep their meaning where a document defines them anew, mostly to change their looks."""

# Text up to what means something to the parser: a macro, a brace, a formula, or one of its specials.
_ORDINARY = r"|'(?!')|-(?!-)|[!?](?!`)|`(?!`)"
_TEXT = regex(r"(?:[^\\%{}$~&'\-`!?]++" + _ORDINARY + ")++")
_TEXT_WITHOUT_BRACKETS = regex(r"(?:[^\\%{}$~&'\-`!?\[\]()<>]++" + _ORDINARY + ")++")
_BEGIN_OR_END = regex(r"\\(begin|end)(?![^\W\d_])\s*+\{([\w* ._-]+)\}")


def parse(text: str) -> list[Any]:
    """The nodes of a text, in time that grows with its length.

    Raises:
        RecursionError: Its groups are nested too deeply.
    """
    import logging

    logging.getLogger("pylatexenc").setLevel(logging.ERROR)
    walker = _walker_class()(text, latex_context=parser_context(), tolerant_parsing=True)
    return list(walker.get_latex_nodes()[0])


@cache
def _walker_class() -> type[LatexWalker]:
    from pylatexenc.latexwalker import LatexToken, LatexWalker

    class Walker(LatexWalker):  # type: ignore[misc]
        """Takes text as one token, where the library takes each character as one and copies all before it."""

        def get_token(
            self, pos: int, include_brace_chars: Any = None, environments: bool = True, **others: Any
        ) -> Any:
            """The token at an offset; where one character may be an argument, that is all it is."""
            if environments and "parsing_state" in others:
                pattern = _TEXT_WITHOUT_BRACKETS if include_brace_chars else _TEXT
                if found := pattern.match(self.s, pos):
                    return LatexToken(
                        tok="char", arg=found.group(), pos=pos, len=len(found.group()), pre_space=""
                    )
                if found := _BEGIN_OR_END.match(self.s, pos):
                    kind = f"{found[1]}_environment"
                    return LatexToken(tok=kind, arg=found[2], pos=pos, len=len(found.group()), pre_space="")
            return super().get_token(pos, include_brace_chars, environments, **others)

    return Walker


@cache
def parser_context() -> LatexContextDb:
    """The macros and environments that the parser knows, with their arguments."""
    from pylatexenc.latexwalker import get_default_latex_context_db
    from pylatexenc.macrospec import EnvironmentSpec, MacroSpec

    arguments = {
        "*[{": (*_SETTINGS, *LEVELS, *RUN_IN, *FRONT, "title", "caption"),
        "*[[{": (*CITATIONS, *NAMED_CITATIONS),
        "{": ("todo", "fixme", "abstract", "subtitle", "titlerunning", "authorrunning", "hl"),
        "{{": (
            *_SETTINGS_OF_TWO,
            *FRACTIONS,
            *BINOMIALS,
            *STACKED,
            "href",
            "hypertarget",
            "hyperlink",
            "texorpdfstring",
            "adjustbox",
        ),
        "{{{": ("addcontentsline", "multicolumn", "resizebox", "fcolorbox"),
        "[{{": ("textcolor", "colorbox", "foreignlanguage", "rotatebox", "lettrine"),
        "[[{": ("makebox", "framebox"),
        "{[{": ("scalebox",),
        "{[[{": ("raisebox",),
        "[[[{{": ("parbox",),
        "[{": ("bibitem", "hyperref"),
        "[{[{[{": ("multirow",),
    }
    environments = {
        "{[{": ("tabularx", "tabulary", "tabular*"),
        "{": (
            "supertabular",
            "thebibliography",
            "multicols",
            "spacing",
            "otherlanguage",
            "adjustbox",
            *BLOCKS,
        ),
        "[": ("table", "figure", "table*", "figure*", "tcolorbox", "mdframed", "columns", "frame"),
        "[{": ("longtable", "tabu", "column"),
        "[[[{": ("minipage",),
        "[{[{": ("wrapfigure",),
        "{{": ("list", "adjustwidth"),
    }
    context = get_default_latex_context_db()
    context.add_context_category(
        "lsum",
        macros=[
            MacroSpec(name, args_parser=spec)
            for spec, names in [*arguments.items(), *((spec, (name,)) for name, spec in QUANTITIES.items())]
            for name in names
        ],
        environments=[
            EnvironmentSpec(name, args_parser=spec) for spec, names in environments.items() for name in names
        ],
        prepend=True,
    )
    return context


def names_macro(name: str) -> bool:
    """Whether the parser knows a macro of this name."""
    spec = parser_context().get_macro_spec(name)
    return spec is not None and bool(spec.macroname)
