"""Accents, symbols, quantities and formulas of TeX in characters, such as ``(a+b)/c``."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from lsum_cli.text.patterns import regex

if TYPE_CHECKING:
    from pylatexenc.latex2text import LatexNodes2Text

FRACTIONS = ("frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac")
BINOMIALS = ("binom", "dbinom", "tbinom")
STACKED = {"overset": "^", "stackrel": "^", "underset": "_"}
QUANTITIES = {"SI": "[{[{", "qty": "[{{", "si": "[{", "unit": "[{", "num": "[{"}
"""Macros of siunitx with their arguments, the last of which is a unit, but that of ``num``."""

# More than one number or name: 10^-3, a_1,2 and x_ij need no brackets.
_COMPOUND = regex(r"\w[^\w.,'′]+\w|^\s*[-−+]\s*\D")
_IN_BRACKETS = regex(r"\([^()]*\)")
_UNIT = regex(r"\\([A-Za-z]+)\s*")
_ROOTS = {"3": "∛", "4": "∜"}
# What the converter does not know and would leave out.
_SYMBOLS = {
    "ne": "≠", "neq": "≠", "|": "‖", "Vert": "‖", "bmod": " mod ", "Pr": "Pr", "choose": " choose ",
    "TeX": "TeX", "LaTeX": "LaTeX", "LaTeXe": "LaTeX2e", "BibTeX": "BibTeX", "S": "§", "P": "¶",
    "copyright": "©", "pounds": "£", "degree": "°", "xspace": "", "and": " and ", "mbox": "%s",
}  # fmt: skip
# What sets a formula and prints nothing.
_SWITCHES = frozenset(
    "displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits displaylimits nonumber notag"  # noqa: SIM905
    " left right middle big Big bigg Bigg bigl bigr bigm Bigl Bigr Bigm biggl biggr Biggl Biggr mathop"
    " mathrel mathbin mathord mathopen mathclose label tag hspace vspace phantom hphantom vphantom hfill"
    " allowbreak nobreak mathstrut strut rm bf it sf tt cal ensuremath quad qquad hline boldmath"
    " unboldmath".split()
)


@cache
def symbols() -> LatexNodes2Text:
    """Turns accents, symbols and formulas into characters; what braces hold together, brackets do then."""
    from pylatexenc import latex2text

    class FormulaText(latex2text.LatexNodes2Text):  # type: ignore[misc]
        """Keeps the groups of formulas apart, so that ``e^{x+1}`` does not become another formula."""

        def group_node_to_text(self, node: Any) -> str:
            """The text of a group, in brackets where a formula needs them."""
            text = str(super().group_node_to_text(node))
            return _bracketed(text) if node.parsing_state.in_math_mode else text

        def macro_node_to_text(self, node: Any) -> str:
            r"""The text of a macro; one of a formula that is not known, such as ``\argmax``, is its name."""
            name = node.macroname
            is_named = name.isalpha() and name not in _SWITCHES and not is_known(name)
            if is_named and node.parsing_state.in_math_mode and not node.nodeargs:
                return f" {name} "
            return str(super().macro_node_to_text(node))

        def apply_simplify_repl(self, node: Any, simplify_repl: Any, what: str) -> str:
            """The text of a macro by its pattern; where that names arguments that are missing, the others."""
            try:
                text = str(super().apply_simplify_repl(node, simplify_repl, what))
            except KeyError:
                text = simplify_repl
            if text == simplify_repl and "%" in text:
                return " ".join(_parts(node, self))
            return text

    context = latex2text.get_default_latex_context_db()
    replacements: dict[str, Any] = {
        **_SYMBOLS,
        **dict.fromkeys(FRACTIONS, _fraction),
        **dict.fromkeys(BINOMIALS, _binomial),
        **dict.fromkeys(STACKED, _stack),
        **dict.fromkeys(QUANTITIES, _quantity),
        "sqrt": _root,
    }
    context.add_context_category(
        "lsum",
        macros=[latex2text.MacroTextSpec(name, simplify_repl=text) for name, text in replacements.items()],
        prepend=True,
    )
    return FormulaText(latex_context=context, math_mode="text", strict_latex_spaces="based-on-source")


def is_known(name: str) -> bool:
    """Whether it is known what a macro prints."""
    return symbols().latex_context.get_macro_spec(name) is not None


def _bracketed(text: str) -> str:
    """The text in brackets where it is more than one number or name, and has none."""
    return f"({text})" if _COMPOUND.search(text) and not _IN_BRACKETS.fullmatch(text) else text


# The library gives the functions below a macro, and itself by this name.
def _parts(node: Any, l2tobj: Any) -> list[str]:
    arguments = node.nodeargd.argnlist if node.nodeargd is not None else ()
    return [str(l2tobj.node_to_text(part)) for part in arguments if part is not None]


def _fraction(node: Any, l2tobj: Any) -> str:
    return "/".join(_parts(node, l2tobj))


def _binomial(node: Any, l2tobj: Any) -> str:
    return f"({' choose '.join(_parts(node, l2tobj))})"


def _stack(node: Any, l2tobj: Any) -> str:
    return STACKED[node.macroname].join(reversed(_parts(node, l2tobj)))


def _root(node: Any, l2tobj: Any) -> str:
    *index, radicand = _parts(node, l2tobj) or [""]
    sign = _ROOTS.get(index[0], f"√[{index[0]}]") if index else "√"
    return sign + (radicand if _IN_BRACKETS.fullmatch(radicand) else f"({radicand})")


def _quantity(node: Any, l2tobj: Any) -> str:
    r"""A number and its unit, whose name is written in macros: ``\metre\per\second``."""
    given = [part for part in node.nodeargd.argnlist if part is not None]
    if node.macroname == "num" or not given:
        return "".join(_parts(node, l2tobj)[-1:])
    unit = _UNIT.sub(r"\1", given[-1].latex_verbatim().strip("{}").replace(r"\per", "/"))
    return " ".join([*(str(l2tobj.node_to_text(number)) for number in given[:-1]), unit])
