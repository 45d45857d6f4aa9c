"""Code within plain text: left out and counted, and told from prose."""

from __future__ import annotations

import time

import pytest
from reading_samples import PROSE, left_out_of

from lsum_cli import read
from lsum_cli.reading.plain.code import looks_like_code

CODE = [
    "    # This comment explains the code in a whole sentence.\n    def parse(x):\n        return x + 1",
    "/* A comment has whole sentences. */\nint main(int argc, char **argv) {\n    // Print it.\n"
    '    printf("%d", argc);\n}',
    "$ pip install parser\nCollecting parser\n  Downloading parser-1.0.tar.gz",
    ">>> parse(1)  # A comment of a whole sentence.\n2",
    "const x = 1;\nlet y = await fetch(url);\nconsole.log(x, y);",
    "    total = sum(values)",
    "public static void main(String[] args) {\n    String name = read(1);\n}",
    "git clone https://x/y\npip install x",
    "<div class='a'>\n  <p>A text within tags.</p>\n</div>",
]


@pytest.mark.parametrize("code", CODE)
def test_code_between_paragraphs_is_left_out(code: str, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"{PROSE} {PROSE}\n\n{PROSE}\n\n{code}\n\n{PROSE}\n", "utf-8")
    document = read(path)
    assert {sentence.text for sentence in document.sentences} == {PROSE}
    assert left_out_of(document) == {"code blocks": len(code.split())}


@pytest.mark.parametrize(
    "code",
    ["    gate.open(gate.HIGH, keeper)\n    gate.run(wait_for_keeper)", "    print('Result:', gate.result)"],
)
def test_a_line_of_code_is_no_heading(code: str, tmp_path):
    path = tmp_path / "a.txt"
    text = "\n\n".join(f"{title}\n{'=' * len(title)}\n\n{PROSE} {PROSE}" for title in ("Gates", "Locks"))
    path.write_text(f"{text}\n\n{code}\n\n{PROSE} {PROSE} {PROSE}\n", "utf-8")
    assert {section.heading for section in read(path).sections} == {"Gates", "Locks"}


@pytest.mark.parametrize(
    "text",
    [
        "    An indented quotation of a writer, which is prose; it has two lines\n    and a semicolon in it.",
        "- first, open the file (see above);\n- then, close it;\n- print what was read.",
        "if you go there, take bread with you:\nthe baker sells it (from 6 to 9).",
        "return to me, my love, and do not stay\nfor all the gold that ships have borne away",
        "import of wheat fell by 3 per cent,\nwhile export of barley rose.",
        "The price is $ 5 for two (or 3) of them.",
        "$ git is invoked with the contents that follow it on the line.",
        "x = 1",
        "$ 5 million was paid for the land in March\n$ 7 million was paid for the house",
        ">>> Bob wrote that he would come on Tuesday at noon.\n>>> He never came.",
        "public opinion: most are against it\nprivate schools: fees rise by 5 percent",
        "Total = 45 million euros\nLoss = 3 million euros\nCosts = low",
        "E = mc2\nF = ma\np = mv",
        "let me go;\nlet me stay;\nreturn to me (my love);",
        "The aims are (in order);\n    to grow (and thrive);\n    to save money (always);",
        "make all parents pay for school\nmake install fees lower",
        "class action (2019)\nsub committee (A)\nmodule one: basics",
        "from Monday\nfrom Tuesday",
    ],
)
def test_prose_is_no_code(text: str, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"{PROSE} {PROSE}\n\n{PROSE}\n\n{text}\n\n{PROSE}\n", "utf-8")
    assert "code blocks" not in left_out_of(read(path))


def test_a_program_is_read_as_it_is(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("\n\n".join(CODE), "utf-8")
    document = read(path)
    assert "code blocks" not in left_out_of(document)
    assert any("program code" in warning for warning in document.metadata.warnings)
    path.write_text(f"{PROSE} {PROSE}\n\n{PROSE}\n", "utf-8")
    assert not read(path).metadata.warnings


def test_comments_of_preformatted_code_in_a_page(tmp_path):
    path = tmp_path / "a.html"
    code = "# This comment explains the code in a whole sentence.\ndef parse(x):\n    return x"
    letter = "Dear Ann, this letter was wrapped by hand\nas letters of its time were, and ends here."
    path.write_text(
        f"<h1>Parse</h1><p>{PROSE * 6}</p><pre>{code}</pre><p>{PROSE}</p><pre>{letter}</pre>", "utf-8"
    )
    document = read(path)
    assert "comment explains" not in document.text
    assert "Dear Ann" in document.text
    assert looks_like_code(code)
    assert not looks_like_code(letter)


@pytest.mark.parametrize("part", [" ", "a(", "x = ", "(", '"'])
@pytest.mark.parametrize("opening", ["", "def a", "public ", "if ("])
def test_long_lines_take_no_longer_than_their_length(opening: str, part: str):
    started = time.process_time()
    assert not looks_like_code(f"So it was.\n{opening}{part * 20_000};\nSo it is.\nSo it will be.")
    assert time.process_time() - started < 2


def test_a_comment_directly_above_code_is_no_heading(tmp_path):
    path = tmp_path / "a.txt"
    rule = "    " + "#" * 40
    code = f"{rule}\n    # WHAT FOLLOWS THE BUILD\n{rule}\n    $run_mill = 1;\n    $mill_opts = ['-i'];"
    path.write_text(f"{PROSE}\n\n{code}\n\n{PROSE}\n", encoding="utf-8")
    document = read(path)
    assert [section.heading for section in document.sections] == [None]
    assert "BUILD" not in document.text
