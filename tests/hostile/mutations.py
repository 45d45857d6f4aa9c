"""Changed copies of sound files, by class of change; each is made from a seed, and can be made again."""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from growing_inputs import FONT, GROWING, TEXT, docx, epub, odt, pdf_page, pptx, stream

Mutation = Callable[[random.Random, bytes, str], bytes]

_TEXT_SUFFIXES = frozenset(
    (".txt", ".md", ".rst", ".html", ".htm", ".tex", ".eml", ".mbox", ".srt", ".vtt", ".ipynb", ".rtf")
)
_ZIP_SUFFIXES = frozenset((".epub", ".docx", ".odt", ".pptx"))
# What means something in some format, or has once broken a reader.
TOKENS = (
    b"[", b"]", b"(", b")", b"<", b">", b"<<", b">>", b"{", b"}", b"`", b"``", b"*", b"_", b"|", b"\\", b"$", b"%",
    b"&", b"&#", b"&#x110000;", b"&amp;", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?", b"<!DOCTYPE a [", b"<!ENTITY a 'b'>",
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xe2\x80\xae", b"\xe2\x80\x8b", b"\x1b[31m", b"\x1b]0;a\x07", b"\x0c", b"\r",
    b"\n\n\n", b"\t", b" " * 300, b"a" * 3000, b"9" * 400, b"1e999", b"-1", b"4294967296", b"99999999999999999999", b"\xc2\xb2", b"NaN",
    b"obj", b"endobj", b"stream", b"endstream", b"xref", b"trailer", b"%%EOF", b"1 0 R", b"/Kids", b"/Parent 1 0 R", b"/Length 9999999",
    b"/Filter [/FlateDecode /FlateDecode]", b"/Filter /LZWDecode", b"/Filter /ASCII85Decode", b"/Filter /RunLengthDecode", b"/Filter /Crypt",
    b"/DecodeParms << /Predictor 15 /Columns 99999999 >>", b"/ToUnicode 1 0 R", b"BT", b"ET", b"TJ", b"Do", b"q ", b"Q ", b"BI /W 1 ID ",
    b"\\begin{a}", b"\\end{a}", b"\\input{a}", b"\\def\\a{\\a\\a}", b"\\verb|", b"\\footnote{", b"\\u-1?", b"\\'zz", b"\\bin99999999 ", b"{\\*\\a ",
    b"<table>", b"</table>", b"<div>" * 50, b"<p hidden>", b"<script>", b"<style>", b"<template>", b"<base href='//a'>", b"<svg>", b"<math>",
    b"Content-Type: text/html\r\n", b"Content-Type: multipart/mixed; boundary=a\r\n", b"Content-Transfer-Encoding: base64\r\n", b"--a\r\n", b"=?utf-8?q?=", b"From ",
    b"-->", b"00:00:99,999 --> 99:99:99,999", b"WEBVTT", b"* * *", b"====", b"----", b".. include:: /etc/passwd", b".. raw:: html", b"|a| replace::",
    b'outlineLvl w:val="9"', b'w:val="-1"', b'text:c="99999999"', b'table:number-columns-repeated="99999999"', b'linear="no"',
)  # fmt: skip
_NUMBERS = (
    b"0",
    b"-1",
    b"1",
    b"255",
    b"65536",
    b"2147483648",
    b"99999999999",
    b"1e9",
    b"0.0000001",
    b"\xc2\xb2",
)
# How many of the inputs are made here, and how often one of them is taken.
SMALL_INPUTS = 17
_SMALL_SHARE = 0.8
_NUMBER = re.compile(rb"(?<![\w.])\d{1,7}(?![\w.])")


def flip_bytes(rng: random.Random, content: bytes, _suffix: str) -> bytes:
    """Some bytes replaced by others."""
    changed = bytearray(content)
    for _ in range(rng.choice((1, 3, 10, 100))):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def truncate(rng: random.Random, content: bytes, _suffix: str) -> bytes:
    """Only the beginning."""
    return content[: rng.randrange(1, len(content))]


def remove_parts(rng: random.Random, content: bytes, _suffix: str) -> bytes:
    """Without some stretches."""
    for _ in range(rng.choice((1, 1, 5))):
        begin = rng.randrange(len(content))
        length = rng.choice((1, 16, 512, 8192))
        content = content[:begin] + content[begin + length :] or b"a"
    return content


def repeat_part(rng: random.Random, content: bytes, _suffix: str) -> bytes:
    """One stretch again and again, within two million bytes."""
    begin = rng.randrange(len(content))
    part = content[begin : begin + rng.choice((1, 2, 5, 20, 100, 2000))]
    times = min(rng.choice((2, 50, 2000, 60_000)), max(1, 2_000_000 // max(1, len(part))))
    return content[:begin] + part * times + content[begin:]


def insert_tokens(rng: random.Random, content: bytes, _suffix: str) -> bytes:
    """With tokens of some format in wrong places, a few or many in a row."""
    for _ in range(rng.choice((1, 3, 10))):
        place = rng.randrange(len(content) + 1)
        token = rng.choice(TOKENS) * rng.choice((1, 1, 1, 2, 50, 3000))
        content = content[:place] + token[:400_000] + content[place:]
    return content


def change_numbers(rng: random.Random, content: bytes, _suffix: str) -> bytes:
    """With some numbers replaced by extreme ones."""
    places = [match.span() for match in _NUMBER.finditer(content)]
    for begin, end in sorted(rng.sample(places, min(len(places), rng.choice((1, 3, 20)))), reverse=True):
        content = content[:begin] + rng.choice(_NUMBERS) + content[end:]
    return content


def shuffle_lines(rng: random.Random, content: bytes, _suffix: str) -> bytes:
    """With some lines in other places."""
    lines = content.split(b"\n")
    for _ in range(rng.choice((2, 10, 50))):
        first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)


def change_parts(rng: random.Random, content: bytes, suffix: str) -> bytes:
    """What is packed inside is changed and packed again: members of archives, streams of PDFs."""
    if suffix in _ZIP_SUFFIXES:
        return _change_member(rng, content, suffix)
    if suffix == ".pdf":
        return _change_stream(rng, content, suffix)
    return insert_tokens(rng, change_numbers(rng, content, suffix), suffix)


_INNER: tuple[Mutation, ...] = (
    flip_bytes,
    remove_parts,
    insert_tokens,
    change_numbers,
    repeat_part,
    truncate,
)


def _change_member(rng: random.Random, content: bytes, suffix: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        infos = [info for info in old.infolist() if info.file_size]
        chosen = rng.choice(infos)
        drops = rng.random() < 0.1
        for info in infos:
            data = old.read(info)
            if info is chosen:
                if drops:
                    continue
                data = rng.choice(_INNER)(rng, data, suffix)
            new.writestr(info.filename, data)
    return out.getvalue()


_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\nendstream", re.S)


def _change_stream(rng: random.Random, content: bytes, suffix: str) -> bytes:
    found = [match.span(1) for match in _STREAM.finditer(content)]
    if not found:
        return insert_tokens(rng, content, suffix)
    begin, end = rng.choice(found)
    try:
        data = zlib.decompress(content[begin:end])
    except zlib.error:
        return content[:begin] + rng.choice(_INNER)(rng, content[begin:end] or b"a", suffix) + content[end:]
    packed = zlib.compress(rng.choice(_INNER)(rng, data or b"a", suffix)[:30_000_000])
    # Offsets and the length no longer agree, which a reader has to bear.
    return content[:begin] + packed + content[end:]


def grow(rng: random.Random, _content: bytes, _suffix: str) -> tuple[bytes, str]:
    """One of the growing inputs, up to four times its usual size; with the suffix of its format."""
    kind = GROWING[rng.choice(sorted(GROWING))]
    return kind.make(max(1, int(kind.size * rng.choice((0.01, 0.2, 1, 2, 4))))), kind.suffix


def rename(rng: random.Random, content: bytes, _suffix: str) -> tuple[bytes, str]:
    """Under the suffix of another format."""
    return content, rng.choice(
        sorted({kind.suffix for kind in GROWING.values()} | {".htm", ".png", ".csv", ""})
    )


def splice(rng: random.Random, content: bytes, suffix: str, others: Sequence[bytes]) -> bytes:
    """The beginning of one file and the end of another one of its format."""
    other = rng.choice(others)
    return content[: rng.randrange(1, len(content) + 1)] + other[rng.randrange(len(other)) :]


MUTATIONS: Mapping[str, Mutation] = {
    "bytes": flip_bytes,
    "truncated": truncate,
    "gaps": remove_parts,
    "repeats": repeat_part,
    "tokens": insert_tokens,
    "numbers": change_numbers,
    "lines": shuffle_lines,
    "parts": change_parts,
}
CLASSES = (*MUTATIONS, "splices", "suffixes", "growing", "whole")


def sound_inputs(shared: Path | None) -> list[tuple[bytes, str]]:
    """Sound files to change: small ones of every format made here, and the shared ones up to a megabyte."""
    found = [*_made_inputs()]
    if shared is not None:
        for path in sorted((shared / "data" / "inputs").rglob("*")):
            known = path.suffix in _TEXT_SUFFIXES or path.suffix == ".pdf"
            if path.is_file() and known and path.stat().st_size <= 1_000_000:
                found.append((path.read_bytes(), path.suffix))
    return found


_PARAGRAPHS = tuple(
    f"The {tide} tide rises twice a day along this coast. It carries {mud} mud into the marsh, where grasses hold it."
    f" In {1950 + year} the harbour of Saint {name} was dredged for the {year + 1}th time, and the mud came back."
    for year, (tide, mud, name) in enumerate(
        (a, b, c) for a in ("spring", "neap", "storm") for b in ("fine", "grey", "salt") for c in ("Ann", "Bede", "Cuthbert")
    )
)  # fmt: skip


def _made_inputs() -> list[tuple[bytes, str]]:
    text = "\n\n".join(_PARAGRAPHS)
    markdown = "# Tides\n\n" + "\n\n".join(
        f"## Part {n}\n\n{p}\n\n- one `item`\n- **two** [items](a)" for n, p in enumerate(_PARAGRAPHS)
    )
    rst = "Tides\n=====\n\n" + "\n\n".join(f"Part {n}\n------\n\n{p} See `a <b>`_ and ``code``.\n\n* one\n* two" for n, p in enumerate(_PARAGRAPHS))  # fmt: skip
    page = "<html><head><title>Tides</title></head><body><nav>Home</nav><article><h1>Tides</h1>" + "".join(f"<h2>Part {n}</h2><p>{p}</p><table><tr><td>a</td><td>{n}</td></tr></table>" for n, p in enumerate(_PARAGRAPHS)) + "</article></body></html>"  # fmt: skip
    tex = "\\documentclass{article}\\newcommand{\\mud}[1]{\\emph{#1} mud}\n\\begin{document}\\title{Tides}\\maketitle\n" + "\n\n".join(f"\\section{{Part {n}}}\n{p} Then \\mud{{wet}} and $x_{n}^2$.\\footnote{{A note.}}" for n, p in enumerate(_PARAGRAPHS)) + "\n\\end{document}\n"  # fmt: skip
    headers = "From: Ann <ann@example.org>\nTo: ben@example.org\nDate: Tue, 5 Mar 2024 14:20:00 +0100\nSubject: Tides\nMessage-ID: <{}@a>\n"
    mail = headers.format(1) + 'MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="x"\n\n--x\nContent-Type: text/plain; charset=utf-8\n\n' + text + "\n\nOn Monday, Ben wrote:\n> What of the mud?\n\n--x\nContent-Type: text/html\n\n" + page + "\n--x--\n"  # fmt: skip
    mailbox = "".join(f"From ann@example.org Tue Mar  5 14:20:00 2024\n{headers.format(n)}\n{p}\n\n" for n, p in enumerate(_PARAGRAPHS))  # fmt: skip
    cues = [f"00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900\n{p[:80]}\n{p[80:]}\n\n" for n, p in enumerate(_PARAGRAPHS)]  # fmt: skip
    notebook = json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "markdown", "metadata": {}, "source": [f"## Part {n}\n", p]} for n, p in enumerate(_PARAGRAPHS)] + [{"cell_type": "code", "metadata": {}, "source": "a = 1", "outputs": []}]}, indent=1)  # fmt: skip
    rtf = r"{\rtf1\ansi\deff0{\fonttbl{\f0 Times;}}{\stylesheet{\s1 heading 1;}}" + "".join(rf"\pard\s1\b Part {n}\b0\par\pard {p}\par " for n, p in enumerate(_PARAGRAPHS)) + "}"  # fmt: skip
    word = docx("".join(f'<w:p><w:pPr><w:pStyle w:val="h"/><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Part {n}</w:t></w:r></w:p><w:p><w:r><w:t xml:space="preserve">{p[:50]}</w:t></w:r><w:r><w:t>{p[50:]}</w:t></w:r></w:p>' for n, p in enumerate(_PARAGRAPHS)), '<w:style w:styleId="h"><w:name w:val="heading 1"/></w:style>')  # fmt: skip
    open_document = odt("".join(f'<text:h text:outline-level="1">Part {n}</text:h><text:p>{p}<text:s text:c="2"/></text:p>' for n, p in enumerate(_PARAGRAPHS)))  # fmt: skip
    book = epub("".join(f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(len(_PARAGRAPHS))), "".join(f'<itemref idref="c{n}"/>' for n in range(len(_PARAGRAPHS))), [(f"c{n}.xhtml", f'<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>Part {n}</h1><p>{p}</p></body></html>') for n, p in enumerate(_PARAGRAPHS)])  # fmt: skip
    slides = pptx(['<p:sp><p:nvSpPr><p:cNvPr id="2" name="T"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>' + "".join(f"<a:p><a:r><a:t>{s}</a:t></a:r></a:p>" for s in p.split(". ")) + "</p:txBody></p:sp>" for p in _PARAGRAPHS])  # fmt: skip
    lines = b"".join(b"0 -14 Td (%b) Tj " % p[:70].encode() for p in _PARAGRAPHS)
    made = pdf_page(TEXT + b"BT /F 10 Tf 72 680 Td " + lines + b"ET", FONT)
    composite = pdf_page(
        TEXT + b"BT /G 10 Tf 72 400 Td <00540069006400650073> Tj ET",
        FONT,
        b"<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /W [0 [500 500] 10 20 600] >>] /ToUnicode 7 0 R >>",
        stream(
            b"1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0020> <007e> <0020> endbfrange"
        ),
        entries=b"/Font << /F 5 0 R /G 6 0 R >>",
    )
    texts = {".txt": text, ".md": markdown, ".rst": rst, ".html": page, ".tex": tex, ".eml": mail, ".mbox": mailbox, ".srt": "".join(f"{n}\n{cue}" for n, cue in enumerate(cues, 1)), ".vtt": "WEBVTT\n\n" + "".join(cues).replace(",", "."), ".ipynb": notebook, ".rtf": rtf}  # fmt: skip
    archives = {".docx": word, ".odt": open_document, ".epub": book, ".pptx": slides}
    return [
        *((content.encode(), suffix) for suffix, content in texts.items()),
        *((content, suffix) for suffix, content in archives.items()),
        (made, ".pdf"),
        (composite, ".pdf"),
    ]


def mutate(rng: random.Random, name: str, inputs: Sequence[tuple[bytes, str]]) -> tuple[bytes, str]:
    """A changed input of a class, and the suffix of its name."""
    content, suffix = rng.choice(inputs)
    if rng.random() < _SMALL_SHARE:
        # Many of the shared files are large.
        content, suffix = rng.choice(inputs[:SMALL_INPUTS])
    if name == "growing":
        return grow(rng, content, suffix)
    if name == "suffixes":
        return rename(rng, content, suffix)
    if name == "splices":
        return splice(rng, content, suffix, [other for other, kind in inputs if kind == suffix]), suffix
    if name == "whole":
        return content, suffix
    return MUTATIONS[name](rng, content, suffix), suffix
