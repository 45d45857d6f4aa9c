"""TeX: structure, macros, included files, what is left out; bombs and missing files."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pylatexenc.latexwalker import LatexWalker
from reading_samples import headings_of, left_out_of

from lsum_cli import read
from lsum_cli.errors import SourceError
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.reading.tex import document as tex
from lsum_cli.reading.tex.document import read_tex
from lsum_cli.reading.tex.macros import parse, parser_context
from lsum_cli.reading.tex.source import MacroExpander, TexMacro, take_definitions


def texts(document):
    return [sentence.text for sentence in document.sentences]


def article(body: str, preamble: str = "") -> str:
    return f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\nafter the end\n"


def test_the_structure_of_an_article(write):
    document = read(
        write(
            "a.tex",
            article(
                r"\maketitle\begin{abstract}We study tides.\end{abstract}"
                "\n\\section{Intro \\& more}\nIt \\emph{rises}.\n\nIt falls.\n\\subsection*{Deeper}\n\\paragraph{Data} We measure.\n"
                r"\begin{itemize}\item One.\item[b)] Two.\end{itemize}"
                r"\begin{thebibliography}{9}\bibitem{lee} A. Lee, \emph{Tides}.\end{thebibliography}",
                "\\usepackage[english,ngerman]{babel}\n\\title{Tides \\& Times}\\author{Ann Lee}",
            ),
        )
    )
    assert (document.title, document.language) == ("Tides & Times", "de")
    assert headings_of(document) == [(1, "Abstract"), (1, "Intro & more"), (2, "Deeper"), (1, "References")]
    assert [section.role for section in document.sections] == ["abstract", "body", "body", "references"]
    assert texts(document)[:6] == [
        "We study tides.",
        "It rises.",
        "It falls.",
        "Data.",
        "We measure.",
        "One.",
    ]
    assert left_out_of(document) == {"author line": 2}


def test_characters_formulas_and_references(write):
    body = (
        r"``Caf\'e na\"{\i}ve'' --- 5\,\% \ss\ of \$100. Let $x^2 + \alpha$ be~small~\cite[p. 3]{a,b}; as \citet{lee} shows"
        r" (see \cite{x}). Then \[ E = mc^2, \] where $c$ is fixed.\footnote{The speed.} See \url{https://x.org/a%20b_c} and"
        r" \verb|a_b{|. \begin{equation} a = \frac{1}{2} " + "+ b " * 60 + r"\end{equation} End."
    )  # fmt: skip
    document = read(write("a.tex", article(body)))
    assert texts(document) == [
        "“Café naïve” — 5 % ß of $100.",
        "Let x^2 + α be small; as lee shows.",
        "Then E = mc^2, where c is fixed.",
        "See https://x.org/a%20b_c and a_b{.",
        "End.",
        "The speed.",
    ]
    counted = left_out_of(document)
    assert counted["reference marks"] == 2
    assert counted["displayed formulas"] > 60


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        (r"e^{x+1}", "e^(x+1)"),
        (r"10^{-3}", "10^-3"),
        (r"x_{ij}", "x_ij"),
        (r"\frac{a+b}{c}", "(a+b)/c"),
        (r"\dfrac{1}{2}", "1/2"),
        (r"\frac12", "1/2"),
        (r"\binom{n}{k}", "(n choose k)"),
        (r"\sqrt[3]{x}", "∛(x)"),
        (r"a \ne b \leq c", "a ≠ b ≤ c"),
        (r"\|x\|_2", "‖x‖_2"),
        (r"\argmax_x f", "argmax _x f"),
        (r"\displaystyle\sum\limits_{k=1}^{n} k", "∑_(k=1)^n k"),
        (r"x \mbox{ if } y", "x if y"),
        (r"\SI{3}{\metre\per\second}", "3 metre/second"),
    ],
)
def test_a_formula_in_characters_is_the_same_formula(write, formula, shown):
    assert texts(read(write("a.tex", article(f"Here ${formula}$ holds.")))) == [f"Here {shown} holds."]


def test_symbols_and_quantities_of_text_and_macros_that_nothing_defines(write):
    document = read(write("a.tex", article(r"In \S 3 of \LaTeX{} it is \qty{5}{kg} \ours{} (Fig.~\ref{a}).")))
    assert texts(document) == ["In § 3 of LaTeX it is 5 kg (Fig.)."]
    assert left_out_of(document)["unknown macros"] == 1
    assert texts(read(write("b.tex", article(r"It is small, see Fig.~\ref{a}. It ends...")))) == [
        "It is small, see Fig.",
        "It ends...",
    ]


def test_comments_code_figures_and_tables(write):
    body = (
        "It rises % not this\ntwice. 5\\% is % nor this\nmuch.\n% a line\nStill here.\n\n"
        "\\begin{verbatim}\nx % = 1\n\\end{verbatim}\n\\begin{comment}unseen words\\end{comment}"
        r"\begin{figure}\includegraphics[width=3cm]{a.png}\caption{A tide.}\end{figure}"
        r"\begin{table}\centering\caption{Heights.}\begin{tabular}{l|r}\hline Place & Height \\ \midrule Dover & \textbf{6.7} m \\"
        r"\end{tabular}\end{table}"
    )
    document = read(write("a.tex", article(body)))
    assert texts(document) == [
        "It rises twice.", "5% is much.", "Still here.", "Heights.", "Place | Height", "Dover | 6.7 m",
    ]  # fmt: skip
    assert left_out_of(document) == {"comments": 8, "code blocks": 4, "figures": 2}


def test_tables_as_papers_set_them_and_what_citations_leave(write):
    body = (
        r"\begin{table*}[t]\resizebox{\textwidth}{!}{\begin{tabular}{@{}lcc@{}}\toprule & \multicolumn{2}{c}{Height} \\"
        r"\cmidrule(lr){2-3} Place & Low & High \\ \multirow{2}{*}{Dover} & 1.0 & $6.7\pm0.1$ \\ \end{tabular}}\end{table*}"
        "\nIt works \\cite{a,b}, \\citep[see][p.~3]{c}. {\\bf Bold} \\textcolor{red}{words}. \\iffalse Never this. \\fi End."
    )
    document = read(write("a.tex", article(body)))
    assert texts(document) == [
        "Height", "Place | Low | High", "Dover | 1.0 | 6.7±0.1", "It works.", "Bold words.", "End.",
    ]  # fmt: skip
    assert left_out_of(document) == {"comments": 2, "reference marks": 2}


def test_macros_of_the_document_are_expanded(write):
    preamble = (
        r"\newcommand{\ours}{TideSum\xspace}\newcommand*\pair[2][x]{(#1, #2)}\def\etal{et al.}"
        r"\providecommand{\deep}[1]{\emph{\pair{#1}}}\DeclareMathOperator{\rise}{rise}\renewcommand{\section}{\relax}"
        r"\newenvironment{aside}{\begin{quote}}{\end{quote}}"
    )
    body = r"\section{One}\ours works, and \ours{}'s pairs \pair{y}, \pair[z]{w} and \deep{v} hold. Lee \etal agree on $\rise(x)$."
    document = read(write("a.tex", article(body, preamble)))
    assert headings_of(document) == [(1, "One")]
    assert texts(document) == [
        "TideSum works, and TideSum's pairs (x, y), (z, w) and (x, v) hold.",
        "Lee et al. agree on rise(x).",
    ]


def test_included_files_are_read_below_the_folder_and_missing_ones_said(write, tmp_path):
    write("secret.tex", "Not for this document.")
    write("paper/ch/one.tex", "The first part. % c\nIt ends.")
    write("paper/two.tex", "\\input{ch/one}The second part.")
    body = r"\section{A}\input{two}\input missing \include{../secret}\input{/etc/hostname}"
    document = read(write("paper/main.tex", article(body)))
    assert texts(document) == ["The first part.", "It ends.", "The second part."]
    assert document.metadata.unknown == (
        "3 included files were not read, being absent or outside the folder: missing, ../secret, /etc/hostname",
    )
    with pytest.raises(SourceError, match="or itself"):
        read(write("paper/self.tex", r"\section{A} text \input{self}"))


def test_a_command_that_nothing_defines_and_that_stands_apart_is_no_text(write):
    body = "\\part{Dams}\n\n\\chap{weirs}\n\\chap{locks}\n  \\chap{fish_ladders}\n\nThe lake\n\\name{Ost}\nis deep.\n"
    document = read(write("a.tex", article(body)))
    assert texts(document) == ["The lake Ost is deep."]
    assert document.metadata.unknown == (
        "\\chap is not defined, and what it includes was not read: weirs, locks, fish_ladders",
    )
    assert left_out_of(document)["unknown macros"] == 4
    defined = read(write("b.tex", article(body, "\\newcommand{\\chap}[1]{On #1. }")))
    assert texts(defined)[0] == "On weirs."
    assert not defined.metadata.unknown
    # Nor are the ends of environments such commands.
    body = "\\begin{center}\n\\label{fig}\n\\end{center}\n\nThe lake is deep."
    assert texts(
        read(write("d.tex", article(f"\\begin{{figure}}\n{body}\n\n\\end{{figure}}\n\nAll is well.")))
    ) == ["All is well."]
    # Words are text: those with a capital, of another script, or fewer than parts would be.
    for words in (
        ("Gates", "Locks", "Weirs"),
        ("水门在一八四二年建造", "堤坝在那里", "船闸也在"),
        ("wide", "wide"),
    ):
        headed = "".join(f"\\head{{{word}}}\n\nThe lake is deep.\n\n" for word in words)
        document = read(write("e.tex", article(headed)))
        assert not document.metadata.unknown
        assert all(word in document.text for word in words)
    # One that sets something says nothing of parts.
    assert not read(write("c.tex", article("\\style{wide}\n\nThe lake is deep."))).metadata.unknown


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (
            "".join(rf"\def\{a}{{{(chr(92) + b) * 20}}}" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
            + r"\def\i{lol }\begin{document}\a\end{document}",
            "expand without end",
        ),
        (r"\def\x{\x}\begin{document}\x\end{document}", "expand without end"),
        (r"\newcommand{\x}[1]{\x{#1#1}}\begin{document}\x{ab}\end{document}", "expand without end"),
        (r"\begin{document}" + "{" * 50_000 + "x", "too deeply"),
        ("% nothing but a comment\n", "contains no text"),
    ],
    ids=["bomb", "loop", "growing", "deep", "empty"],
)
def test_bombs_end_with_one_line(write, content, says):
    began = time.process_time()
    with pytest.raises(SourceError, match=says):
        read(write("a.tex", content))
    assert time.process_time() - began < 10


def test_unclosed_definitions_take_time_in_proportion():
    began = time.process_time()
    take_definitions(r"\newcommand{\a}{" * 20_000)
    with pytest.raises(SourceError):
        MacroExpander({"a": TexMacro(num_arguments=1, default=None, body="#1")}, "a.tex", 100).expand(
            r"\a{" * 20_000
        )
    assert time.process_time() - began < 10


def test_content_tells_where_the_name_does_not(write):
    content = "% a paper\n\n" + article("The tide rises.")
    assert read(write("paper", content)).metadata.media_type == "application/x-tex"


@given(
    st.lists(
        st.sampled_from([*"{}[]$%&#~^_ a\n", "\\", "\\item", "\\begin{x}", "\\end{x}", "\\def\\a{b}", "\\a"]),
        max_size=40,
    )
)
@settings(max_examples=150, deadline=None)
def test_no_input_breaks_the_reader(pieces):
    raw = RawSource(id="d0", name="a.tex", content="".join(pieces).encode(), media_type="application/x-tex")
    with suppress(SourceError):
        document = read_tex(raw, ReadOptions())
        assert all(document.text[each.start : each.end] == each.text for each in document.sentences)


def test_a_macro_without_all_of_its_arguments_keeps_those_that_it_has():
    for text, found in ((r"$\sqrt\footnote{a}$ mud", "√a mud"), (r"\'\footnote{A note.} mud", "A note. mud")):
        raw = RawSource(id="d0", name="a.tex", content=text.encode(), media_type="application/x-tex")
        assert read_tex(raw, ReadOptions()).text == found


_PIECES = ("a", "bc d", " ", "\n", "\n\n", "\\emph", "\\textbf{", "{", "}", "[", "]", "$", "$$", "\\(", "\\)", "\\[", "\\]", "~", "&", "'", "`",
           "!", "?", "-", "\\begin{itemize}", "\\end{itemize}", "\\begin", "\\begin {a}", "\\beginx{a}", "\\end{a}", "\\item[", "\\section*", "\\verb|",
           "\\cite[", "\\frac", "\\'e", "%c\n", "\\begin{minipage}[", "(", ")", "<", "é", "\u00a0", "\\\\*[2pt]")  # fmt: skip


def nodes_of(parsed):
    """What a parser found, as values; text in one piece, however many it came in."""
    found = []
    for node in parsed or ():
        value = (
            {name: each for name, each in vars(node).items() if isinstance(each, str | int)} if node else {}
        )
        inner = getattr(node, "nodelist", None), getattr(getattr(node, "nodeargd", None), "argnlist", None)
        kind = type(node).__name__
        if kind == "LatexCharsNode" and found and found[-1][0] == kind:
            found[-1][1]["chars"] += value["chars"]
            found[-1][1]["len"] += value["len"]
        else:
            found.append((kind, value, *map(nodes_of, inner)))
    return found


@given(st.lists(st.sampled_from(_PIECES), max_size=30).map(lambda pieces: "".join([*pieces, "."])))
@settings(max_examples=150, deadline=None)
def test_text_taken_at_once_is_parsed_as_one_character_after_the_other(text):
    plain = LatexWalker(text, latex_context=parser_context(), tolerant_parsing=True)
    assert nodes_of(parse(text)) == nodes_of(plain.get_latex_nodes()[0])


def test_text_costs_little_and_too_many_commands_are_refused(write, monkeypatch):
    monkeypatch.setattr(tex, "_MAX_MARKS", 1000)
    assert read(write("a.tex", article("The tide rises -- and falls.\n\n" * 2000))).sentences
    for part in (r"\emph{a} ", "$a$ ", "{}", "a & b"):
        path = write("b.tex", article(part * 1001))
        with pytest.raises(
            SourceError, match=r"too large: more than 1,000 commands, braces and formulas; split it"
        ):
            read(path)
    path = write("c.tex", article(r"\x" * 400, r"\newcommand{\x}{\emph{a}}"))
    with pytest.raises(SourceError, match="too large"):
        read(path)
    assert read(path, ReadOptions(max_seconds=60)).sentences


def test_macros_that_print_one_of_their_arguments(write):
    body = r"""\hypertarget{intro}{%
\section{Intro}\label{intro}}
See \hyperlink{ref-x}{Lee} and \hyperref[sec:a]{below} for \texorpdfstring{$x$}{y} only.
It ends \foreignlanguage{german}{hier}, \rotatebox[origin=c]{90}{turned} and \adjustbox{width=3cm}{fitted}.
\lettrine{T}{ides} rise. \makebox[3cm][l]{Boxed.}
\begin{tcolorbox}[title=Note] In a box. \end{tcolorbox}
\begin{spacing}{1.5} Spaced. \end{spacing}"""
    document = read(write("a.tex", article(body)))
    assert headings_of(document) == [(1, "Intro")]
    assert texts(document) == [
        "See Lee and below for x only.",
        "It ends hier, turned and fitted.",
        "Tides rise.",
        "Boxed.",
        "In a box.",
        "Spaced.",
    ]


def test_slides_have_their_titles_and_nothing_of_when_they_show(write):
    body = r"""\section{Tides}
\begin{frame}[fragile]{Why they rise}
\begin{itemize}[<+->]\item<1-> The moon pulls.\item<2-> So does the sun.\end{itemize}
\begin{block}{A law} Water follows. \end{block}
\end{frame}
\begin{frame}\frametitle{Where}
\begin{columns}[t]\begin{column}{0.5\textwidth} In the \textbf<2>{north}, if a < b and c > d.
\end{column}\end{columns}
\end{frame}"""
    document = read(write("a.tex", article(body)))
    assert headings_of(document) == [(1, "Tides"), (4, "Why they rise"), (4, "Where")]
    assert texts(document) == [
        "The moon pulls.",
        "So does the sun.",
        "A law",
        "Water follows.",
        "In the north, if a < b and c > d.",
    ]
