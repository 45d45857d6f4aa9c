"""Plain text: hard-wrapped or one line a paragraph, with the headings that people type."""

from __future__ import annotations

from lsum_cli.documents import Document, Metadata
from lsum_cli.reading.blocks import Block, gather_passages
from lsum_cli.reading.decoding import decode
from lsum_cli.reading.options import RawSource, ReadOptions
from lsum_cli.segmentation import compose_document


def read_plain(raw: RawSource, options: ReadOptions) -> Document:
    """Read a plain text."""
    decoded = decode(raw.content, raw.charset)
    blocks = [Block(text=text) for text in decoded.text.split("\n\n")]
    return compose_document(
        gather_passages(blocks),
        id=raw.id,
        source=raw.name,
        metadata=Metadata(media_type=raw.media_type, num_bytes=len(raw.content), warnings=decoded.warnings),
    )
