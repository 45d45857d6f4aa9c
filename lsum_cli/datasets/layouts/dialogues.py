"""Conversations, a turn a line: SummScreen, and meetings as released by QMSum."""

from __future__ import annotations

from lsum_cli.datasets.layouts.layout import Layout

LAYOUTS = (
    Layout(name="SummScreen", text="Transcript", summary="Recap", title="Episode Title", id=None),
    Layout(
        name="SummScreen, in lower case", text="transcript", summary="recap", title="episode_title", id=None
    ),
    Layout(name="dialogues", text="dialogue", summary="summary"),
)
