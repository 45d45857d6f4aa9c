"""Conversations, a turn a line: SummScreen, and meetings as released by QMSum."""

from __future__ import annotations

from lsum_cli.datasets.layouts.layout import Layout

LAYOUTS = (
    # The tokenised release is in pieces of words, "walk@@ ing", and has the columns in capitals.
    Layout(
        name="SummScreen, tokenised",
        text="Transcript",
        summary="Recap",
        id="filename",
        title=None,
        marks=(("@@ ", ""),),
    ),
    Layout(name="SummScreen", text="transcript", summary="recap", title="episode_title", id=None),
    Layout(name="dialogues", text="dialogue", summary="summary"),
)
