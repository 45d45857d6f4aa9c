"""The macros and environments of LaTeX that the reader knows, by what it does with them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from lsum_cli.reading.tex_formulas import BINOMIALS, FRACTIONS, QUANTITIES, STACKED

if TYPE_CHECKING:
    from pylatexenc.macrospec import LatexContextDb

LEVELS = {"part": 1, "chapter": 2, "section": 3, "subsection": 4, "subsubsection": 5}
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
    "resizebox",
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


@cache
def parser_context() -> LatexContextDb:
    """The macros and environments that the parser knows, with their arguments."""
    from pylatexenc.latexwalker import get_default_latex_context_db
    from pylatexenc.macrospec import EnvironmentSpec, MacroSpec

    arguments = {
        "*[{": (*_SETTINGS, *LEVELS, *RUN_IN, *FRONT, "title", "caption"),
        "*[[{": (*CITATIONS, *NAMED_CITATIONS),
        "{": ("todo", "fixme", "abstract", "subtitle", "titlerunning", "authorrunning", "hl"),
        "{{": (*_SETTINGS_OF_TWO, *FRACTIONS, *BINOMIALS, *STACKED, "href"),
        "{{{": ("addcontentsline", "multicolumn", "resizebox", "fcolorbox"),
        "[{{": ("textcolor", "colorbox"),
        "{[{": ("scalebox",),
        "{[[{": ("raisebox",),
        "[[[{{": ("parbox",),
        "[{": ("bibitem",),
        "[{[{[{": ("multirow",),
    }
    environments = {
        "{[{": ("tabularx", "tabulary", "tabular*"),
        "[{": ("longtable", "tabu"),
        "{": ("supertabular", "thebibliography", "multicols"),
        "[": ("table", "figure", "table*", "figure*"),
        "[[[{": ("minipage",),
        "[{[{": ("wrapfigure",),
        "{{": ("list",),
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
