"""Zip archives that hold documents, unpacked member by member; the sizes they declare are not trusted."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from lsum_cli.errors import SourceError
from lsum_cli.reading.registry import MIB, ReadOptions

_MAX_MEMBERS = 20_000
_CENTRAL_RECORD = b"PK\x01\x02"
_CHUNK_BYTES = 1 << 18
# No XML text packs this well; an archive bomb does.
_MAX_RATIO = 300
_RATIO_FREE_BYTES = 16 * MIB
_MAX_TOTAL_FACTOR = 4
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED_FLAG = 0x1
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
    struct.error,
)


class DamagedArchive(SourceError):
    """A member is missing or broken; the others may be sound."""


class Archive:
    """A zip archive in memory; limits apply to the bytes that are really unpacked.

    Args:
        content: The archive, whole.
        name: The source's name, for messages.
        options: ``max_bytes`` limits each member, and four times as much all members together.

    Raises:
        SourceError: It is damaged or contains too many members.
    """

    def __init__(self, content: bytes, name: str, options: ReadOptions) -> None:
        self.name = name
        self._max_bytes = options.max_bytes
        self._left = _MAX_TOTAL_FACTOR * options.max_bytes
        if content.count(_CENTRAL_RECORD) > _MAX_MEMBERS:
            raise SourceError(
                f"{name} contains more than {_MAX_MEMBERS:,} files", "unpack it and give the files you need"
            )
        try:
            self._file = zipfile.ZipFile(io.BytesIO(content))
        except _DAMAGE as error:
            raise self.damage("it is not a complete zip archive") from error
        self._members = {info.filename: info for info in self._file.infolist()}

    @property
    def members(self) -> tuple[str, ...]:
        """Names of the files inside."""
        return tuple(self._members)

    def __contains__(self, member: object) -> bool:
        return member in self._members

    def read(self, member: str) -> bytes:
        """Unpack one member.

        Raises:
            DamagedArchive: It is missing or damaged.
            SourceError: It is encrypted, or larger than the limits.
        """
        info = self._members.get(member)
        if info is None:
            raise self.damage(f"{member} is missing inside")
        if info.flag_bits & _ENCRYPTED_FLAG:
            raise SourceError(
                f"{self.name} is protected by a password",
                "unpack it with the password and save it without one",
            )
        if info.compress_type not in _METHODS:
            raise self.damage(f"{member} is packed in a way that the format does not allow")
        content = bytearray()
        try:
            with self._file.open(info) as stream:
                while chunk := stream.read(_CHUNK_BYTES):
                    content += chunk
                    self._left -= len(chunk)
                    self._check(member, len(content), info.compress_size)
        except _DAMAGE as error:
            raise self.damage(f"{member} cannot be unpacked") from error
        return bytes(content)

    def damage(self, reason: str) -> DamagedArchive:
        """The error for a damaged archive."""
        return DamagedArchive(
            f"{self.name} is damaged: {reason}", "get it again, or open it in its program and save it again"
        )

    def _check(self, member: str, unpacked: int, packed: int) -> None:
        swollen = unpacked > _RATIO_FREE_BYTES and unpacked > _MAX_RATIO * max(1, packed)
        if unpacked > self._max_bytes or self._left < 0 or swollen:
            raise SourceError(
                f"{self.name} unpacks to more than the limit ({member})",
                "check where it comes from before opening it",
            )
