"""One change that release notes list."""

from __future__ import annotations

from dataclasses import dataclass, field

from lsum_cli.methods.extract.release_notes.kinds import SECURITY

# With fewer words a change is not understood; it is counted.
FEWEST_WORDS = 4


@dataclass(frozen=True, kw_only=True)
class Change:
    """One change.

    Attributes:
        rows: The positions of its sentences.
        speaks: That of the sentence which says it; ``None`` where none can be shown.
        kind: The position of its kind in :data:`~lsum_cli.methods.extract.release_notes.kinds.KINDS`.
        release: The release it is of, as the document writes it.
        topic: The heading of its section, where that names neither a kind nor a release.
        place: How many changes its section lists before it.
        is_commit: Whether it is a line of a list of commits or merged changes.
        beside: The position of a sentence that is quoted with it where there is room: of a security issue the
            flaw, or the remedy.
        clarity: How clearly the sentence states a change, and not how it was before: from about -1 to 2.
    """

    rows: tuple[int, ...]
    speaks: int | None
    kind: int
    release: str | None = None
    topic: str | None = None
    place: int = 0
    clarity: float = 0.0
    is_commit: bool = False
    beside: int | None = field(default=None, compare=False)

    @property
    def row(self) -> int:
        """The position of the sentence that is shown of it, of one that cannot be shown the first."""
        return self.rows[0] if self.speaks is None else self.speaks

    @property
    def shown(self) -> tuple[int, ...]:
        """The positions of the sentences that are shown of it."""
        return (self.row,) if self.beside is None else tuple(sorted((self.row, self.beside)))

    @property
    def is_issue(self) -> bool:
        """Whether it is a security issue that a section explains."""
        return self.kind == SECURITY and self.topic is not None
