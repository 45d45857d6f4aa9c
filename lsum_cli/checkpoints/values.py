"""What identifies a checkpoint without its manifest: its files, its method, the values of options it sets.

Apart from :mod:`~lsum_cli.checkpoints.manifest`, whose records a summary without a model does not need.
"""

from __future__ import annotations

import enum

from lsum_cli.text.patterns import regex

MANIFEST_NAME = "manifest.json"
WEIGHTS_NAME = "model.safetensors"
WEIGHT_FILES = (
    WEIGHTS_NAME,
    f"{WEIGHTS_NAME}.index.json",
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
)

# The values of ``--faithful`` and ``--read``, which a checkpoint can set too.
OFF, FLAG, VERBATIM = FAITHFULNESS = ("off", "flag", "verbatim")
READING = regex(r"all|salient(?::(\d{1,9}))?")


class CheckpointMethod(enum.StrEnum):
    """The method that a checkpoint's weights are for; a tagger serves another method and cannot summarise."""

    PAGESUM = "pagesum"
    TOPDOWN = "topdown"
    WINDOWING = "windowing"
    SEQ2SEQ = "seq2seq"
    TAGGER = "tagger"
