"""Operands of content streams: numbers, strings and matrices (PDF 32000-1, 7.3 and 8.3)."""

from __future__ import annotations

import re

from lsum_cli.text.patterns import regex

Matrix = tuple[float, float, float, float, float, float]
Operands = list[bytes]

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_ESCAPE = regex(rb"\\([0-7]{1,3}|\r\n|[\s\S])")
_ESCAPED = {
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"b": b"\b",
    b"f": b"\f",
    b"\n": b"",
    b"\r": b"",
    b"\r\n": b"",
}


def multiply(first: Matrix, second: Matrix) -> Matrix:
    """The matrix that applies ``first`` and then ``second``."""
    a, b, c, d, e, f = first
    ca, cb, cc, cd, ce, cf = second
    return (
        a * ca + b * cc,
        a * cb + b * cd,
        c * ca + d * cc,
        c * cb + d * cd,
        e * ca + f * cc + ce,
        e * cb + f * cd + cf,
    )


def number_of(token: bytes) -> float:
    """A number of a content stream; 0 where it is none."""
    try:
        return float(token)
    except ValueError:
        # Some producers write "--1.5" or "1.2-3"; viewers take the leading number.
        found = re.search(rb"-?\d*\.?\d+", token)
        return float(found[0]) if found else 0.0


def numbers_of(operands: list[bytes], count: int) -> list[float]:
    """The last operands as numbers.

    Raises:
        ValueError: There are fewer.
    """
    try:
        values = [*map(float, operands[-count:])]
    except ValueError:
        values = [number_of(operand) for operand in operands[-count:]]
    if len(values) != count:
        raise ValueError("operands are missing")
    return values


def matrix_of(operands: list[bytes]) -> Matrix:
    """The last six operands as a matrix."""
    a, b, c, d, e, f = numbers_of(operands, 6)
    return (a, b, c, d, e, f)


def string_bytes(token: bytes) -> bytes:
    """The bytes that a string or hexadecimal string of a content stream stands for."""
    if token[:1] == b"<":
        digits = b"".join(token[1:-1].split())
        return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))
    if token[:1] != b"(":
        return b""
    return _ESCAPE.sub(_replace_escape, token[1:-1])


def _replace_escape(match: re.Match[bytes]) -> bytes:
    body = match[1]
    if body[:1].isdigit():
        return bytes((int(body, 8) & 0xFF,))
    return _ESCAPED.get(body, body)


def text_string(data: bytes) -> str:
    """The text of a string outside fonts, such as a replacement text: UTF-16, UTF-8 or Latin-1."""
    if data.startswith(b"\xfe\xff"):
        return data[2:].decode("utf-16-be", errors="replace")
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:].decode("utf-8", errors="replace")
    return data.decode("latin-1")
