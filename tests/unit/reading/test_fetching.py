"""Sources on the web, from servers on the loopback device that behave badly."""

from __future__ import annotations

import base64
import gzip
import socket
import time

import pytest
from loopback import serve
from reading_samples import PROSE, answer_with

from lsum_cli import __version__, read
from lsum_cli.errors import OptionError, SourceError
from lsum_cli.reading import fetching
from lsum_cli.reading.registry import ReadOptions

PAGE = f"<!doctype html><html lang=en-GB><title>A page</title><body><main><h1>A page</h1><p>{PROSE}</p></main>".encode()


@pytest.mark.parametrize("seconds", [-1, 0, float("nan"), float("inf"), 1e300])
def test_a_timeout_that_is_no_time_is_wrong_usage(seconds):
    with pytest.raises(OptionError, match="--timeout"):
        ReadOptions(timeout=seconds)


def test_a_password_in_the_address_is_used_and_not_passed_on():
    seen = []

    def answer(handler):
        seen.append(handler.headers["Authorization"])
        answer_with(PAGE)(handler)

    with serve(answer) as address:
        document = read(f"{address.replace('://', '://reader:secret@')}/page")
    assert seen == [f"Basic {base64.b64encode(b'reader:secret').decode()}"]
    assert document.source == f"{address}/page"


def test_a_page_is_fetched_with_our_name():
    seen = []

    def answer(handler):
        seen.append(handler.headers["User-Agent"])
        answer_with(PAGE)(handler)

    with serve(answer) as address:
        document = read(f"{address}/page")
    assert document.source == f"{address}/page"
    assert document.title == "A page"
    assert document.language == "en"
    assert document.text == PROSE
    assert seen == [f"lsum/{__version__}"]


def test_redirects_lead_to_the_final_address():
    def answer(handler):
        if handler.path == "/old":
            handler.send_response(301)
            handler.send_header("Location", "/new")
            handler.send_header("Content-Length", "0")
            handler.end_headers()
        else:
            answer_with(PAGE)(handler)

    with serve(answer) as address:
        assert read(f"{address}/old").source == f"{address}/new"


def test_endless_redirects_end():
    requests = []

    def answer(handler):
        requests.append(handler.path)
        handler.send_response(302)
        handler.send_header("Location", f"/{len(requests)}")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    with serve(answer) as address, pytest.raises(SourceError, match="redirects more than 10 times"):
        read(f"{address}/0")
    assert len(requests) == fetching.MAX_REDIRECTS + 1


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/plain,hello"])
def test_redirects_to_other_schemes_are_refused(location):
    with (
        serve(answer_with(b"", status=302, headers={"Location": location})) as address,
        pytest.raises(SourceError) as error,
    ):
        read(address)
    assert "not a web address" in str(error.value) or "not a valid web address" in str(error.value)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "login"),
        (403, "save the page"),
        (404, "check the address"),
        (429, "later"),
        (500, "later"),
        (503, "later"),
    ],
)
def test_refusals_name_the_status_and_what_next(status, words):
    with (
        serve(answer_with(b"no", status=status)) as address,
        pytest.raises(SourceError, match=str(status)) as error,
    ):
        read(f"{address}/x")
    assert words in error.value.next_step


def test_a_slow_drip_is_cut_off_in_time():
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.end_headers()
        for _ in range(600):
            handler.wfile.write(b"<p>drop")
            handler.wfile.flush()
            time.sleep(0.1)

    start = time.monotonic()
    with serve(answer) as address, pytest.raises(SourceError, match=r"within 0\.6 seconds"):
        read(address, ReadOptions(timeout=0.6))
    assert time.monotonic() - start < 30


def test_a_slow_drip_of_headers_is_cut_off_in_time():
    def answer(handler):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(600):
            handler.wfile.write(f"X-{number}: 1\r\n".encode())
            handler.wfile.flush()
            time.sleep(0.1)

    start = time.monotonic()
    with serve(answer) as address, pytest.raises(SourceError, match="did not arrive within"):
        read(address, ReadOptions(timeout=0.6))
    assert time.monotonic() - start < 30


def test_names_that_are_looked_up_forever_are_cut_off(monkeypatch):
    monkeypatch.setattr(fetching, "resolve", lambda host, port: time.sleep(30) or [])
    start = time.monotonic()
    with pytest.raises(SourceError, match="did not arrive within"):
        read("http://slow.example/", ReadOptions(timeout=0.3))
    assert time.monotonic() - start < 15


def test_a_huge_body_is_stopped_at_the_limit():
    sent = []

    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/plain")
        handler.end_headers()
        for _ in range(400):
            handler.wfile.write(b"word " * 20_000)
            sent.append(100_000)

    with serve(answer) as address, pytest.raises(SourceError, match="more than 1 MiB"):
        read(address, ReadOptions(max_bytes=1 << 20))
    assert sum(sent) < 20_000_000


def test_a_declared_length_over_the_limit_is_refused_at_once():
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/plain")
        handler.send_header("Content-Length", str(1 << 30))
        handler.end_headers()
        handler.wfile.write(b"word " * 20_000)
        time.sleep(30)

    start = time.monotonic()
    with serve(answer) as address, pytest.raises(SourceError, match="too large"):
        read(address)
    assert time.monotonic() - start < 15


def test_a_compressed_bomb_is_stopped():
    body = gzip.compress(b"word " * 10_000_000)
    with (
        serve(answer_with(body, "text/plain", headers={"Content-Encoding": "gzip"})) as address,
        pytest.raises(SourceError, match="too large"),
    ):
        read(address, ReadOptions(max_bytes=1 << 20))


@pytest.mark.parametrize(
    ("body", "content_type", "message"),
    [
        (b"GIF89a\x00\x00", "image/gif", "image/gif"),
        (b"GIF89a\x00\x00" + bytes(100), "text/html", "a GIF image"),
        (b"\x00\x01" * 500, "application/octet-stream", "a binary file"),
        (b"", "text/html", "contains no text"),
    ],
)
def test_what_is_no_text_is_refused(body, content_type, message):
    with serve(answer_with(body, content_type)) as address, pytest.raises(SourceError, match=message):
        read(f"{address}/thing")


def test_a_login_page_instead_of_a_paper():
    with serve(answer_with(PAGE)) as address, pytest.raises(SourceError, match="is an HTML page, not a PDF"):
        read(f"{address}/paper.pdf")


def test_the_servers_type_tells_text_formats_apart():
    with serve(answer_with(f"Top\n===\n\n*{PROSE}*".encode(), "text/markdown; charset=utf-8")) as address:
        document = read(f"{address}/raw/README")
    assert document.metadata.media_type == "text/markdown"
    assert document.title == "Top"
    assert document.text == PROSE


@pytest.mark.parametrize(
    ("media_type", "body"),
    [
        ("application/x-tex", b"\\section{One} The tide rises."),
        ("application/x-latex", b"\\section{One} The tide rises."),
        ("application/x-subrip", b"junk\n00:00:01,000 --> 00:00:02,000\nThe tide rises.\n"),
        ("text/vtt; charset=utf-8", b"WEBVTT\n\n00:01.000 --> 00:02.000\nThe tide rises.\n"),
        (
            "application/x-ipynb+json",
            b'{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "The tide rises."}]}',
        ),
        ("message/rfc822", b"Subject: x\nX-A: b\n\nThe tide rises.\n"),
        ("text/rtf", b"{\\rtf1 The tide rises.}"),
        ("application/mbox", b"From ann\nSubject: x\n\nThe tide rises.\n"),
    ],
)
def test_the_servers_type_tells_the_format(media_type, body):
    with serve(answer_with(body, media_type)) as address:
        document = read(f"{address}/download?id=7")
    assert [sentence.text for sentence in document.sentences] == ["The tide rises."]


def test_a_wrong_charset_does_no_harm():
    body = f"<p>Größe und Straße, naïve cafés. {PROSE}".encode()
    with serve(answer_with(body, "text/html; charset=iso-8859-1")) as address:
        assert "Größe und Straße, naïve cafés." in read(address).text
    with serve(answer_with(body, "text/html; charset=no-such-thing")) as address:
        assert "Größe und Straße" in read(address).text


def test_a_charset_only_the_server_knows():
    body = f"<p>Größe und Straße. {PROSE}".encode("iso-8859-1")
    with serve(answer_with(body, "text/html; charset=iso-8859-1")) as address:
        assert "Größe und Straße." in read(address).text


def test_nobody_is_home():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(SourceError, match="cannot be reached"):
        read(f"http://127.0.0.1:{port}/", ReadOptions(timeout=5))


def test_an_unknown_host(monkeypatch):
    def fail(host, port):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(fetching, "resolve", fail)
    with pytest.raises(SourceError, match=r"the host nowhere\.example was not found"):
        read("https://nowhere.example/a")


def test_a_certificate_that_is_none():
    with (
        serve(answer_with(PAGE)) as address,
        pytest.raises(SourceError, match=r"no valid certificate|cannot be reached"),
    ):
        read(address.replace("http://", "https://"), ReadOptions(timeout=5))


def test_a_server_that_talks_nonsense():
    def answer(handler):
        handler.wfile.write(b"\x00\x01nonsense\r\n\r\n")
        handler.close_connection = True

    with serve(answer) as address, pytest.raises(SourceError, match="cannot be reached"):
        read(address, ReadOptions(timeout=5))


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("file:///etc/passwd", "give its path"),
        ("ftp://example.org/a.txt", "only http and https"),
        ("gopher://example.org/", "only http and https"),
        ("http://", "has no host"),
        ("http://exa mple.org:port/", "not a valid web address"),
        ("http://[::1/", "not a valid web address"),
    ],
)
def test_addresses_that_are_none(url, message):
    with pytest.raises(SourceError, match=message):
        read(url)


def test_offline_nothing_is_fetched():
    requests = []
    with serve(lambda handler: requests.append(1)) as address, pytest.raises(SourceError, match="offline"):
        read(address, ReadOptions(offline=True))
    assert not requests


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.5.5", "169.254.169.254", "0.0.0.0", "100.64.0.1", "::1", "::",
     "fe80::1", "fe80::1%eth0", "fc00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "224.0.0.1"],
)  # fmt: skip
def test_private_addresses_are_recognised(address):
    assert fetching.is_private(address)


@pytest.mark.parametrize(
    "address", ["64:ff9b::7f00:1", "64:ff9b::c0a8:1", "::7f00:1", "fec0::1", "2002:a00:1::"]
)
def test_private_addresses_inside_others_are_recognised(address):
    assert fetching.is_private(address)


@pytest.mark.parametrize(
    "address", ["64:ff9b::808:808", "93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "::ffff:8.8.8.8"]
)
def test_public_addresses_are_recognised(address):
    assert not fetching.is_private(address)


def as_public(monkeypatch, host="public.example"):
    """Let a name pass for that of a public host although it leads to the loopback device."""
    real = socket.getaddrinfo

    def look_up(name, *arguments, **options):
        name = name.decode() if isinstance(name, bytes) else name
        return real("127.0.0.1" if name == host else name, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    resolve = fetching.resolve
    monkeypatch.setattr(
        fetching, "resolve", lambda name, port: ["93.184.216.34"] if name == host else resolve(name, port)
    )


@pytest.mark.parametrize(
    "target", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254"]
)
def test_a_public_address_must_not_lead_into_the_local_network(monkeypatch, target):
    as_public(monkeypatch)
    monkeypatch.setattr(fetching._Fetching, "_refuse_private_peer", lambda self, response: None)
    requests = []

    def answer(handler):
        requests.append(handler.path)
        port = handler.server.server_port
        answer_with(b"", status=302, headers={"Location": f"http://{target}:{port}/secret"})(handler)

    with serve(answer) as address:
        url = address.replace("127.0.0.1", "public.example") + "/start"
        with pytest.raises(SourceError, match="in a private network"):
            read(url, ReadOptions(timeout=5))
    assert requests == ["/start"]


def test_a_name_that_changes_its_address_after_the_check_is_caught(monkeypatch):
    as_public(monkeypatch)
    with serve(answer_with(PAGE)) as address, pytest.raises(SourceError, match="in a private network"):
        read(address.replace("127.0.0.1", "public.example"), ReadOptions(timeout=5))


def test_a_private_address_the_user_typed_may_lead_to_another():
    with (
        serve(answer_with(PAGE)) as inner,
        serve(answer_with(b"", status=302, headers={"Location": f"{inner}/page"})) as outer,
    ):
        assert read(f"{outer}/start").source == f"{inner}/page"


def test_a_proxy_of_the_environment_is_used(monkeypatch):
    seen = []

    def answer(handler):
        seen.append(handler.path)
        answer_with(PAGE)(handler)

    with serve(answer) as proxy:
        monkeypatch.setenv("http_proxy", proxy)
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert read("http://somewhere.example/page").text == PROSE
    assert seen == ["http://somewhere.example/page"]
