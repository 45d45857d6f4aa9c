"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import gc
import importlib
import importlib.util
import pickle
import pkgutil
import re
from pathlib import Path

import pytest

import lsum_cli
from lsum_cli.text.patterns import _Uncompiled, regex


def test_it_finds_what_a_compiled_pattern_finds():
    source, text = r"(?P<word>[a-z]+)\s(\d)", "One 1, Two 2"
    lazy, compiled = regex(source, re.IGNORECASE), re.compile(source, re.IGNORECASE)
    for _ in range(2):  # before and after it is compiled
        assert lazy.findall(text) == compiled.findall(text)
        assert lazy.sub(r"\2", text) == compiled.sub(r"\2", text)
        assert lazy.search(text)["word"] == "One"
        assert [match.span() for match in lazy.finditer(text)] == [(0, 5), (7, 12)]
        assert (lazy.fullmatch(text), lazy.match(text).span(2)) == (None, (4, 5))
    assert (lazy.pattern, lazy.flags, lazy.groups) == (compiled.pattern, compiled.flags, compiled.groups)


def test_nothing_is_compiled_before_it_is_used(monkeypatch):
    compiled = []
    monkeypatch.setattr(re, "compile", lambda *given: compiled.append(given))
    lazy = regex("a" * 9)
    assert (lazy.pattern, repr(lazy), compiled) == ("a" * 9, "regex('aaaaaaaaa', 0)", [])


def test_it_crosses_to_another_process():
    assert pickle.loads(pickle.dumps(regex("b+", re.IGNORECASE))).match("aB") is None
    assert pickle.loads(pickle.dumps(regex("b+", re.IGNORECASE))).match("Ba")


def test_what_no_pattern_has_is_missed():
    with pytest.raises(AttributeError):
        _ = regex("a").nothing


def patterns() -> list[_Uncompiled]:
    """All that there are, also those that tuples, mappings and instances hold."""
    return [each for each in gc.get_objects() if type(each) is _Uncompiled]


def test_patterns_in_tuples_and_mappings_are_seen():
    held = {"pairs": ((1.0, regex("never anywhere else")),)}
    assert "never anywhere else" in {each.pattern for each in patterns()}, held


def test_every_pattern_of_the_program_compiles():
    users = set()
    for module in pkgutil.walk_packages(lsum_cli.__path__, "lsum_cli."):
        spec = importlib.util.find_spec(module.name)
        if "text.patterns import" in Path(spec.origin).read_text(encoding="utf-8"):
            importlib.import_module(module.name)
            users.add(module.name.split(".")[1])
    assert {"text", "reading", "methods", "attribution", "rendering", "paging"} <= users
    found = patterns()
    assert len(found) > 400
    for each in found:
        assert re.compile(each.pattern, each.flags)
