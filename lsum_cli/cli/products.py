"""What a run is to write, and everything that each summary depends on, so that a later run may know it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from lsum_cli.methods.identity import identify_options, identify_writers
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.reading.registry import ReadOptions
from lsum_cli.rendering.formats import Format
from lsum_cli.version import __version__

# How long one waits, and for what right to read, changes nothing of what is read.
_INDIFFERENT = ("password", "offline", "timeout")


@dataclass(frozen=True, kw_only=True)
class Product:
    """A summary that is to be written.

    Attributes:
        source: What it is named after.
        key: A hash of all it depends on; ``None`` where that cannot be known beforehand.
        num_sources: How many sources it is to summarise.
    """

    source: str
    key: str | None
    num_sources: int = 1


def identify_settings(options: SummaryOptions, read_options: ReadOptions, format: Format) -> object:
    """What the files of summaries depend on besides their sources: version, settings, checkpoints."""
    reading = {name: value for name, value in asdict(read_options).items() if name not in _INDIFFERENT}
    return [__version__, format.value, identify_options(options), identify_writers(options), reading]


def identify_sources(sources: Sequence[str], settings: object) -> str | None:
    """The key of a summary of these sources; ``None`` if one is neither a file nor a web page.

    A file counts by its name and content, a web page by its address: what was there is not asked again.
    """
    contents = [source if "://" in source else _hash_content(Path(source)) for source in sources]
    if None in contents:
        return None
    return hashlib.sha256(json.dumps([settings, sources, contents]).encode()).hexdigest()


def _hash_content(path: Path) -> str | None:
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return None  # whoever reads it says why
