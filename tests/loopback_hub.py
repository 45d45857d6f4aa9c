"""A server on the loopback interface that speaks the hub's HTTP interface, and can misbehave."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"
LARGE = 1000  # bytes from which a file counts as stored apart, with its SHA-256


@dataclass
class Misbehaviour:
    """What goes wrong, for files of which the name ends so.

    Attributes:
        status: Answer this instead of the file.
        cut_after: Close the connection after so many bytes of each answer.
        seconds_per_chunk: Pause between chunks of 1 kB.
        hang: Answer nothing for so many seconds.
        announced_size: Say this size in the description.
        corrupt: Send other bytes.
        ignore_range: Answer 200 and the whole file, whatever was asked for.
    """

    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    cut_after: int | None = None
    seconds_per_chunk: float = 0.0
    hang: float = 0.0
    announced_size: int | None = None
    corrupt: bool = False
    ignore_range: bool = False


class LoopbackHub:
    """Serves repositories; a context manager."""

    def __init__(self) -> None:
        self.repositories: dict[str, dict[str, bytes]] = {}
        self.cards: dict[str, dict] = {}
        self.misbehaviour: dict[str, Misbehaviour] = {}
        self.api = Misbehaviour()
        self.requests: list[tuple[str, str, str | None]] = []
        self.tokens: list[str | None] = []
        hub = self

        class Handler(_Handler):
            pass

        Handler.hub = hub
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> LoopbackHub:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def add(self, repo: str, files: dict[str, bytes], **card: object) -> None:
        self.repositories[repo] = files
        self.cards[repo] = card

    def ranges_of(self, name: str) -> list[str | None]:
        return [
            asked for method, path, asked in self.requests if method == "GET" and path.endswith(f"/{name}")
        ]


class _Handler(BaseHTTPRequestHandler):
    hub: LoopbackHub
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_POST(self) -> None:
        """Repositories are made, and commits taken whose files are in the request itself."""
        path = unquote(urlsplit(self.path).path)
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.hub.requests.append((self.command, path, None))
        self.hub.tokens.append(self.headers.get("Authorization"))
        if self._misbehaved(self.hub.api):
            return
        json_type = {"Content-Type": "application/json"}
        if path == "/api/repos/create":
            asked = json.loads(content)
            repo = f"{asked.get('organization') or 'me'}/{asked['name']}"
            self.hub.add(repo, {}, private=asked.get("private") or asked.get("visibility") == "private")
            self._send(
                200, json.dumps({"url": f"{self.hub.endpoint}/{repo}", "id": repo}).encode(), json_type
            )
        elif path.endswith("/preupload/main"):
            files = [
                {"path": file["path"], "uploadMode": "regular", "shouldIgnore": False, "oid": None}
                for file in json.loads(content)["files"]
            ]
            self._send(200, json.dumps({"files": files}).encode(), json_type)
        elif committed := re.fullmatch(r"/api/models/([^/]+/[^/]+)/commit/main", path):
            for line in content.splitlines():
                operation = json.loads(line)
                if operation["key"] == "file":
                    value = operation["value"]
                    self.hub.repositories[committed[1]][value["path"]] = base64.b64decode(value["content"])
            url = f"{self.hub.endpoint}/{committed[1]}/commit/{COMMIT}"
            self._send(200, json.dumps({"commitOid": COMMIT, "commitUrl": url}).encode(), json_type)
        else:  # such as the check of a card
            self._send(200, b"{}", json_type)

    def _answer(self, *, body: bool) -> None:
        path = unquote(urlsplit(self.path).path)
        self.hub.requests.append((self.command, path, self.headers.get("Range")))
        self.hub.tokens.append(self.headers.get("Authorization"))
        try:
            described = re.fullmatch(r"/api/models/([^/]+/[^/]+)(?:/revision/(.+))?", path)
            resolved = re.fullmatch(r"/([^/]+/[^/]+)/resolve/([^/]+)/(.+)", path)
            listed = re.fullmatch(r"/api/models/([^/]+/[^/]+)/tree/[^/]+(?:/.*)?", path)
            if described:
                self._describe(described[1], described[2])
            elif listed:  # of a subfolder, of which there are none
                self._send(404, b"{}", {"X-Error-Code": "EntryNotFound"})
            elif resolved:
                self._send_file(resolved[1], resolved[3], body=body)
            else:
                self._send(200, b"a hub", {})
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _describe(self, repo: str, revision: str | None) -> None:
        if self._misbehaved(self.hub.api):
            return
        if repo not in self.hub.repositories:
            self._send(401, b"{}", {"X-Error-Code": "RepoNotFound"})
            return
        if revision not in (None, "main", "v1", COMMIT):
            self._send(404, b"{}", {"X-Error-Code": "RevisionNotFound"})
            return
        siblings = []
        for name, content in self.hub.repositories[repo].items():
            announced = self.hub.misbehaviour.get(name, Misbehaviour()).announced_size
            size = len(content) if announced is None else announced
            entry = {
                "rfilename": name,
                "size": size,
                "blobId": hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest(),
            }
            if len(content) >= LARGE:
                entry["lfs"] = {
                    "size": size,
                    "sha256": hashlib.sha256(content).hexdigest(),
                    "pointerSize": 100,
                }
            siblings.append(entry)
        answer = {
            "_id": "1",
            "id": repo,
            "sha": COMMIT,
            "private": False,
            "downloads": 0,
            "likes": 0,
            "tags": [],
            "cardData": self.hub.cards[repo] or None,
            "siblings": siblings,
        }
        self._send(200, json.dumps(answer).encode(), {"Content-Type": "application/json"})

    def _send_file(self, repo: str, name: str, *, body: bool) -> None:
        content = self.hub.repositories.get(repo, {}).get(name)
        if content is None:
            self._send(404, b"", {"X-Error-Code": "EntryNotFound"})
            return
        wrong = self.hub.misbehaviour.get(name, Misbehaviour())
        if self._misbehaved(wrong):
            return
        if wrong.corrupt:
            content = bytes(byte ^ 0xFF for byte in content)
        headers = {"ETag": f'"{hashlib.sha256(content).hexdigest()}"', "X-Repo-Commit": COMMIT}
        asked, status, start = self.headers.get("Range"), 200, 0
        if asked is not None and not wrong.ignore_range:
            start, status = int(asked.removeprefix("bytes=").rstrip("-")), 206
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        if not body:
            return
        rest = content[start:]
        if wrong.cut_after is not None and wrong.cut_after < len(rest):
            self.close_connection = True
            rest = rest[: wrong.cut_after]
        if not wrong.seconds_per_chunk:
            self.wfile.write(rest)
            return
        for position in range(0, len(rest), 1000):
            self.wfile.write(rest[position : position + 1000])
            self.wfile.flush()
            time.sleep(wrong.seconds_per_chunk)

    def _misbehaved(self, wrong: Misbehaviour) -> bool:
        if wrong.hang:
            time.sleep(wrong.hang)
        if wrong.status is not None:
            self._send(wrong.status, b"{}", wrong.headers)
            return True
        return False

    def _send(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def repository_of(folder) -> dict[str, bytes]:
    """The files of a folder, as a repository holds them."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
