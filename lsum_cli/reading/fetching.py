"""Fetching web addresses, with limits on bytes, time, redirects and private networks."""

from __future__ import annotations

import ipaddress
import queue
import socket
import ssl
import threading
import time
import urllib.request
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lsum_cli.errors import LsumError, SourceError
from lsum_cli.progress import ProgressListener, ignore_progress
from lsum_cli.reading.intake import collect
from lsum_cli.reading.registry import SUPPORTED, RawSource, ReadOptions
from lsum_cli.version import __version__

if TYPE_CHECKING:
    import httpx

MAX_REDIRECTS = 10

_SCHEMES = ("http", "https")
_CHUNK_BYTES = 1 << 16
_CODINGS = ("gzip", "deflate")
_FOREIGN_TYPES = ("image/", "audio/", "video/", "font/")
_EMBEDDING_NETWORKS = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("::/96"))
_ACCEPTED = "text/html,application/xhtml+xml,application/pdf,application/epub+zip,text/plain,*/*;q=0.5"
_NEXT_STEPS = {
    401: "it asks for a login: save the page in a browser and give the file",
    402: "it asks for payment: save the page in a browser and give the file",
    403: "it refuses automated access or asks for a login: save the page in a browser and give the file",
    404: "check the address",
    410: "it no longer exists: look for it elsewhere",
    429: "it limits the number of requests: try again later",
    451: "it is blocked for legal reasons: look for it elsewhere",
}


def fetch(
    url: str, options: ReadOptions, *, id: str, progress: ProgressListener = ignore_progress
) -> RawSource:
    """Fetch one source from the web.

    Args:
        url: An http or https address.
        options: ``timeout`` limits everything together: name look-up, redirects and body.
        id: The document's id.
        progress: Called with the number of bytes received.

    Returns:
        The source, named by the address after all redirects.

    Raises:
        SourceError: Offline, refused, not found, too slow, too large, or of an unsupported format.
    """
    try:
        scheme = urlsplit(url).scheme.lower()
    except ValueError as error:
        raise SourceError(f"{url} is not a valid web address: {error}", "check the address") from None
    if scheme == "file":
        raise SourceError(f"{url} is a file, not a web address", "give its path instead")
    if scheme not in _SCHEMES:
        raise SourceError(
            f"{url} cannot be fetched: only http and https are supported",
            "download it first and give the file",
        )
    if options.offline:
        raise SourceError(
            f"{url} cannot be fetched: lsum is offline",
            "turn off --offline (or LSUM_OFFLINE, HF_HUB_OFFLINE), or give a file",
        )
    return _within_time(_Fetching(url, options, id=id, progress=progress), options.timeout)


def _within_time(fetching: _Fetching, timeout: float) -> RawSource:
    """Fetch in a separate thread: name look-up and slow headers have no timeout of their own."""
    outcome: queue.SimpleQueue[RawSource | BaseException] = queue.SimpleQueue()

    def work() -> None:
        try:
            outcome.put(fetching.run())
        except BaseException as error:  # raised again by the thread that waits
            outcome.put(error)

    threading.Thread(target=work, name="lsum-fetch", daemon=True).start()
    try:
        result = outcome.get(timeout=timeout)
    except queue.Empty:
        raise fetching.too_slow() from None
    finally:
        fetching.stop()
    if isinstance(result, BaseException):
        raise result
    return result


class _Fetching:
    """Fetches one address, following its redirects."""

    def __init__(self, url: str, options: ReadOptions, *, id: str, progress: ProgressListener) -> None:
        self._url = url
        self._options = options
        self._id = id
        self._progress = progress
        self._deadline = time.monotonic() + options.timeout
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Make the thread end at its next chunk."""
        self._stopped.set()

    def too_slow(self) -> SourceError:
        """The error for an address that took longer than allowed."""
        seconds = f"{self._options.timeout:g}"
        return SourceError(
            f"{self._url} did not arrive within {seconds} seconds",
            "try again, or download it and give the file",
        )

    def run(self) -> RawSource:
        """Fetch; network errors are raised as :class:`SourceError`."""
        import httpx

        try:
            with httpx.Client(
                follow_redirects=False,
                timeout=self._options.timeout,
                headers={
                    "User-Agent": f"lsum/{__version__}",
                    "Accept": _ACCEPTED,
                    "Accept-Encoding": ", ".join(_CODINGS),
                },
            ) as client:
                return self._follow(client)
        except LsumError:
            raise
        except httpx.TimeoutException as error:
            raise self.too_slow() from error
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError) as error:
            raise SourceError(
                f"{self._url} is not a valid web address: {error}", "check the address"
            ) from error
        except (httpx.HTTPError, OSError, UnicodeError) as error:
            raise self._unreachable(error) from error

    def _follow(self, client: httpx.Client) -> RawSource:
        import httpx

        url = httpx.URL(self._url)
        if not url.host:
            raise SourceError(f"{self._url} is not a valid web address: it has no host", "check the address")
        may_be_private = _leads_to_private(url)
        for _ in range(MAX_REDIRECTS + 1):
            with client.stream("GET", url) as response:
                if not may_be_private:
                    self._refuse_private_peer(response)
                if not response.has_redirect_location:
                    return self._receive(response)
                following = response.next_request.url if response.next_request else url
            if following.scheme not in _SCHEMES:
                raise SourceError(
                    f"{url} redirects to {following}, which is not a web address", "check the address"
                )
            if not may_be_private and _leads_to_private(following):
                raise self._private(following)
            url = following
        raise SourceError(
            f"{self._url} redirects more than {MAX_REDIRECTS} times",
            "check the address in a browser",
        )

    def _receive(self, response: httpx.Response) -> RawSource:
        # Credentials in the address do not belong in a summary.
        url = str(response.url.copy_with(userinfo=b""))
        if response.status_code >= 400 or response.status_code == 204:
            raise _refused(url, response)
        declared = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if declared.startswith(_FOREIGN_TYPES):
            raise SourceError(
                f"{url} is {declared}, which is not supported", f"supported formats: {SUPPORTED}"
            )
        length = response.headers.get("Content-Length", "")
        packed = "Content-Encoding" in response.headers
        return collect(
            self._chunks(response),
            url,
            self._options,
            id=self._id,
            size=int(length) if length.isdecimal() and not packed else None,
            declared=declared or None,
            charset=response.charset_encoding,
            progress=self._progress,
        )

    def _chunks(self, response: httpx.Response) -> Iterator[bytes]:
        """The body, unpacked: at most :data:`_CHUNK_BYTES` at once, whatever a server packs into them."""
        codings = [each.strip().lower() for each in response.headers.get("Content-Encoding", "").split(",")]
        codings = [each for each in codings if each not in ("", "identity")]
        packed = self._in_time(response.iter_raw(_CHUNK_BYTES))
        if not codings:
            return packed
        if len(codings) > 1 or codings[0] not in (*_CODINGS, "x-gzip"):
            raise SourceError(
                f"{self._url} is packed in a way that was not asked for ({', '.join(codings)[:80]})",
                "save the page in a browser and give the file",
            )
        return self._in_time(self._unpacked(packed))

    def _in_time(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        for chunk in chunks:
            if self._stopped.is_set() or time.monotonic() > self._deadline:
                raise self.too_slow()
            yield chunk

    def _unpacked(self, packed: Iterator[bytes]) -> Iterator[bytes]:
        """What gzip or deflate has packed; a gzip file may consist of several parts."""
        decompressor = None
        held = b""
        try:
            for chunk in packed:
                held += chunk
                if decompressor is None and len(held) < 2:
                    continue
                while held:
                    if decompressor is None or decompressor.eof:
                        if decompressor is not None and not held.strip(b"\x00"):
                            break  # a gzip file may be padded
                        decompressor = zlib.decompressobj(_window_bits(held))
                    yield decompressor.decompress(held, _CHUNK_BYTES)
                    held = decompressor.unused_data or decompressor.unconsumed_tail
        except zlib.error as error:
            raise SourceError(
                f"{self._url} arrived damaged: it cannot be unpacked", "try again, or check it in a browser"
            ) from error
        if decompressor is not None and not decompressor.eof:
            raise SourceError(f"{self._url} arrived incomplete: its end is missing", "try again")

    def _refuse_private_peer(self, response: httpx.Response) -> None:
        """Refuse an answer from a private address: the name may have been resolved again since the check."""
        stream = response.extensions.get("network_stream")
        address = stream.get_extra_info("server_addr") if stream is not None else None
        if address and not _has_proxy(response.url) and is_private(str(address[0])):
            raise self._private(response.url)

    def _private(self, url: httpx.URL) -> SourceError:
        return SourceError(
            f"{self._url} leads to {url.host}, an address in a private network",
            "give that address directly if this is intended",
        )

    def _unreachable(self, error: Exception) -> SourceError:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, ssl.SSLError):
                reason = getattr(cause, "verify_message", "") or cause.reason or "unknown reason"
                return SourceError(
                    f"{self._url} has no valid certificate: {reason}", "check the address and the clock"
                )
            if isinstance(cause, socket.gaierror):
                host = urlsplit(self._url).hostname
                return SourceError(
                    f"{self._url} cannot be reached: the host {host} was not found",
                    "check the address and the network",
                )
            cause = cause.__cause__ or cause.__context__
        reason = " ".join(str(error).split()) or type(error).__name__
        return SourceError(f"{self._url} cannot be reached: {reason}", "check the address and the network")


def _window_bits(head: bytes) -> int:
    """How zlib is told the format of packed bytes: gzip, zlib, or, as some servers send it, bare deflate."""
    has_header = head.startswith(b"\x1f") or (
        head[0] & 0x0F == 8 and int.from_bytes(head[:2], "big") % 31 == 0
    )
    return zlib.MAX_WBITS | 32 if has_header else -zlib.MAX_WBITS


def is_private(address: str) -> bool:
    """Whether an IP address belongs to this machine or a local network."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.is_site_local:
            return True
        parsed = _embedded_address(parsed) or parsed
    return not parsed.is_global or parsed.is_multicast


def _embedded_address(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address embedded in an IPv6 address: mapped, 6to4, NAT64 or compatible."""
    if any(address in network for network in _EMBEDDING_NETWORKS):
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour


def resolve(host: str, port: int) -> list[str]:
    """The IP addresses of a host; raises the errors of :func:`socket.getaddrinfo`."""
    return [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def _leads_to_private(url: httpx.URL) -> bool:
    host = url.host
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
            return True
        # Behind a proxy, the proxy resolves names, and they may be unknown here.
        if _has_proxy(url):
            return False
        return any(
            is_private(address)
            for address in resolve(host, url.port or (443 if url.scheme == "https" else 80))
        )
    return is_private(host)


def _has_proxy(url: httpx.URL) -> bool:
    proxies = urllib.request.getproxies()
    return (url.scheme in proxies or "all" in proxies) and not urllib.request.proxy_bypass(url.host)


def _refused(url: str, response: httpx.Response) -> SourceError:
    status = response.status_code
    later = "the server has a problem: try again later" if status >= 500 else "check the address in a browser"
    reason = f" {response.reason_phrase}" if response.reason_phrase else ""
    return SourceError(
        f"{url} cannot be fetched: the server answered {status}{reason}", _NEXT_STEPS.get(status, later)
    )
