"""Files of every format made from one text, so that what a reader should find in them is known exactly.

LibreOffice converts the OpenDocument text to the formats it writes, where it is installed; all others are
written here, as the programs of each format write them.
"""

from __future__ import annotations

import html
import json
import mailbox
import random
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any

_WORDS = (
    "harbour tide captain morning water lantern letter garden window river mountain village engine"  # noqa: SIM905
    " paper station journey summer winter history question answer market bridge island forest silence"
    " weather café naïve Größe façade jalapeño Łódź señor cœur smörgås 1984 3.5 seventeen".split()
)
_VERBS = "reaches follows watches carries finds leaves opens remembers paints measures".split()  # noqa: SIM905
_TITLES = ("Arrival", "The Long Winter", "What Was Found", "A Letter Home", "Coda & Notes")
TITLE = "The Tide Report"
SENDER = "Ann Lee"
SEED = 7


@dataclass(frozen=True, kw_only=True)
class MadeText:
    """The text that all files hold: chapters of a title and paragraphs."""

    chapters: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def paragraphs(self) -> list[str]:
        """All paragraphs, in order."""
        return [paragraph for _, paragraphs in self.chapters for paragraph in paragraphs]

    @property
    def expected(self) -> dict[str, Any]:
        """The ground truth, as the benchmark of reading takes it."""
        return {
            "sections": [{"title": title, "text": "\n".join(texts)} for title, texts in self.chapters],
            "kind": "made",
        }


def make_text(seed: int = SEED) -> MadeText:
    """A text of some 1,500 words with accents, quotation marks, dashes and numbers."""
    chance = random.Random(seed)

    def sentence() -> str:
        words = [chance.choice(_WORDS) for _ in range(chance.randint(5, 14))]
        middle = f"{' '.join(words[:3])} {chance.choice(_VERBS)} {' '.join(words[3:])}"
        style = chance.randint(0, 5)
        if style == 0:
            return f"“The {middle},” she said."
        if style == 1:
            return f"The {middle} — 100 € & more!"
        return f"The {middle}."

    def paragraph() -> str:
        return " ".join(sentence() for _ in range(chance.randint(3, 6)))

    return MadeText(
        chapters=tuple((title, tuple(paragraph() for _ in range(chance.randint(4, 6)))) for title in _TITLES)
    )


def make_files(folder: Path, text: MadeText | None = None) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Write one file of each format, and yield it with its ground truth."""
    made = text or make_text()
    for name, write in _WRITERS.items():
        path = folder / name
        write(made, path)
        yield path, made.expected


def convert_with_libreoffice(
    folder: Path, text: MadeText | None = None
) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The same as LibreOffice writes it: ODT, RTF and DOCX; nothing where it is not installed."""
    program = shutil.which("soffice") or shutil.which("libreoffice")
    if program is None:
        return
    made = text or make_text()
    source = folder / "libreoffice.fodt"
    source.write_text(_flat_odt(made), encoding="utf-8")
    for suffix in ("odt", "rtf", "docx"):
        with tempfile.TemporaryDirectory() as profile:
            subprocess.run(
                [
                    program, f"-env:UserInstallation=file://{profile}", "--headless", "--convert-to", suffix,
                    "--outdir", str(folder), str(source),
                ],
                check=True,
                capture_output=True,
                timeout=180,
            )  # fmt: skip
        yield source.with_suffix(f".{suffix}"), made.expected


def made_files(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """All of them, made here and by LibreOffice."""
    return [*make_files(folder), *convert_with_libreoffice(folder)]


def is_made(name: str) -> bool:
    """Whether a file of this name is one of them."""
    return name.startswith(("made.", "libreoffice."))


def _write_odt(text: MadeText, path: Path) -> None:
    content = _ODT_HEAD.format(kind="document-content") + _odt_body(text) + "</office:document-content>"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text", zipfile.ZIP_STORED)
        archive.writestr("content.xml", content)


_NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns"
_ODT_HEAD = (
    f'<?xml version="1.0" encoding="UTF-8"?><office:{{kind}} xmlns:office="{_NAMESPACE}:office:1.0"'
    f' xmlns:style="{_NAMESPACE}:style:1.0" xmlns:text="{_NAMESPACE}:text:1.0" office:version="1.2"'
    ' office:mimetype="application/vnd.oasis.opendocument.text">'
)


def _odt_body(text: MadeText) -> str:
    parts = [f'<text:p text:style-name="Title">{TITLE}</text:p>']
    for title, paragraphs in text.chapters:
        parts.append(
            f'<text:h text:style-name="Heading_20_1" text:outline-level="1">{html.escape(title)}</text:h>'
        )
        for number, paragraph in enumerate(paragraphs):
            words = html.escape(paragraph, quote=False)
            first, _, rest = words.partition(" ")
            body = f"<text:span>{first}</text:span> {rest}"
            parts.append(
                f"<text:list><text:list-item><text:p>{body}</text:p></text:list-item></text:list>"
                if number == 1
                else f"<text:p>{body}</text:p>"
            )
    return f"<office:body><office:text>{''.join(parts)}</office:text></office:body>"


def _flat_odt(text: MadeText) -> str:
    styles = (
        '<office:styles><style:style style:name="Standard" style:family="paragraph"/>'
        '<style:style style:name="Title" style:family="paragraph"/>'
        '<style:style style:name="Heading_20_1" style:display-name="Heading 1" style:family="paragraph"'
        ' style:default-outline-level="1"/></office:styles>'
    )
    return f"{_ODT_HEAD.format(kind='document')}{styles}{_odt_body(text)}</office:document>"


def _write_rtf(text: MadeText, path: Path) -> None:
    def escaped(words: str) -> str:
        return "".join(
            f"\\{character}"
            if character in "\\{}"
            else character
            if character < "\x80"
            else f"\\'{character.encode('cp1252').hex()}"
            if character in "éïöüßçñœ€“”—å"
            else f"\\u{ord(character)}?"
            for character in words
        )

    styles = r"{\stylesheet{\s1\outlinelevel0 heading 1;}{\s4 Title;}}"
    parts = [rf"{{\rtf1\ansi\ansicpg1252{styles}\pard\s4 {TITLE}\par"]
    for title, paragraphs in text.chapters:
        parts.append(rf"\pard\s1\b {escaped(title)}\b0\par")
        parts += [rf"\pard\plain {escaped(paragraph)}\par" for paragraph in paragraphs]
    path.write_bytes(("\n".join(parts) + "}").encode("ascii"))


def _write_pptx(text: MadeText, path: Path) -> None:
    from pptx import Presentation

    presentation = Presentation()
    for title, paragraphs in text.chapters:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = title
        frame = slide.placeholders[1].text_frame
        frame.text = paragraphs[0]
        for paragraph in paragraphs[1:]:
            frame.add_paragraph().text = paragraph
        slide.notes_slide.notes_text_frame.text = "Remember to pause here."
    presentation.save(str(path))


def _write_notebook(text: MadeText, path: Path) -> None:
    cells: list[dict[str, Any]] = [{"cell_type": "markdown", "metadata": {}, "source": f"# {TITLE}"}]
    for title, paragraphs in text.chapters:
        lines = "\n\n".join([f"## {title}", *(_as_markdown(paragraph) for paragraph in paragraphs)])
        cells.append({"cell_type": "markdown", "metadata": {}, "source": lines.splitlines(keepends=True)})
        output = {"output_type": "display_data", "metadata": {}, "data": {"image/png": "iVBORw0KGgo=" * 200}}
        cells.append(
            {
                "cell_type": "code",
                "execution_count": 1,
                "metadata": {},
                "source": "plot(x)",
                "outputs": [output],
            }
        )
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))


def _as_markdown(paragraph: str) -> str:
    first, _, rest = paragraph.partition(" ")
    return f"*{first}* {rest}"


def _write_tex(text: MadeText, path: Path) -> None:
    def escaped(words: str) -> str:
        for plain, tex in (
            ("&", r"\&"),
            ("“", "``"),
            ("”", "''"),
            ("—", "---"),
            ("é", r"\'e"),
            ("ü", r"\"{u}"),
        ):
            words = words.replace(plain, tex)
        return words

    parts = [
        rf"\documentclass{{article}}\title{{{TITLE}}}\newcommand{{\tide}}{{tide}}\begin{{document}}\maketitle"
    ]
    for title, paragraphs in text.chapters:
        parts.append(rf"\section{{{escaped(title)}}}\label{{sec}} % a comment")
        parts += [escaped(paragraph).replace(" tide ", r" \tide{} ") + "\n" for paragraph in paragraphs]
    path.write_text("\n".join([*parts, r"\end{document}"]), encoding="utf-8")


def _make_mail(subject: str, paragraphs: tuple[str, ...], *, as_page: bool) -> EmailMessage:
    message = EmailMessage()
    message["From"] = f"{SENDER} <ann@example.org>"
    message["Subject"] = subject
    message["Date"] = "Tue, 05 Mar 2024 14:20:00 +0100"
    message["Message-ID"] = "<1@example.org>"
    if as_page:
        page = "".join(f"<p>{html.escape(paragraph)}</p>" for paragraph in paragraphs)
        message.set_content(
            f"<html><body>{page}<div class='gmail_quote'>Old words.</div></body></html>", subtype="html"
        )
    else:
        body = "\n\n".join(paragraphs)
        message.set_content(
            f"{body}\n\nOn Mon, 4 Mar 2024 at 10:00, Bob wrote:\n> Old words.\n\n-- \nAnn\n", cte="base64"
        )
    message.add_attachment(bytes(range(256)) * 8, maintype="image", subtype="png", filename="tide.png")
    return message


def _write_mail(text: MadeText, path: Path) -> None:
    path.write_bytes(bytes(_make_mail(TITLE, tuple(text.paragraphs), as_page=False)))


def _write_mailbox(text: MadeText, path: Path) -> None:
    box = mailbox.mbox(path)
    for number, (title, paragraphs) in enumerate(text.chapters):
        box.add(_make_mail(title, paragraphs, as_page=number % 2 == 1))
    box.close()


def _cues(text: MadeText) -> Iterator[tuple[float, str]]:
    words = " ".join(text.paragraphs).split()
    for at in range(0, len(words), 12):
        yield at / 3, " ".join(words[at : at + 6]) + "\n" + " ".join(words[at + 6 : at + 12])


def _clock(seconds: float, mark: str) -> str:
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}{mark}{thousandths:03}"


def _write_srt(text: MadeText, path: Path) -> None:
    cues = [
        f"{number}\n{_clock(start, ',')} --> {_clock(start + 3.9, ',')}\n<i>{words.strip()}</i>\n"
        for number, (start, words) in enumerate(_cues(text), 1)
    ]
    path.write_text("\n".join(cues), encoding="utf-8")


def _write_vtt(text: MadeText, path: Path) -> None:
    cues = []
    for start, words in _cues(text):
        times = f"{_clock(start, '.')} --> {_clock(start + 3.9, '.')} align:start"
        cues.append(f"{times}\n<c>{html.escape(words.strip(), quote=False)}</c>\n")
    path.write_text("\n".join(["WEBVTT\n", "NOTE made\n", *cues]), encoding="utf-8")


def _write_marked(mark: Callable[[int], str], header: str, text: MadeText, path: Path) -> None:
    """A text in a markup of lines, whose headings begin with ``mark`` of their level."""
    parts = [header]
    for title, paragraphs in text.chapters:
        closing = f" {mark(1)}" if path.suffix in (".wiki", ".adoc") else ""
        parts += [f"{mark(1)} {title}{closing}", *paragraphs]
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


_WRITERS: dict[str, Callable[[MadeText, Path], None]] = {
    "made.odt": _write_odt,
    "made.rtf": _write_rtf,
    "made.pptx": _write_pptx,
    "made.ipynb": _write_notebook,
    "made.tex": _write_tex,
    "made.eml": _write_mail,
    "made.mbox": _write_mailbox,
    "made.srt": _write_srt,
    "made.vtt": _write_vtt,
    "made.wiki": partial(_write_marked, lambda level: "=" * (level + 1), "{{Made}}"),
    "made.adoc": partial(_write_marked, lambda level: "=" * (level + 1), f"= {TITLE}\n:toc:"),
    "made.org": partial(_write_marked, lambda level: "*" * level, f"#+TITLE: {TITLE}"),
}
