"""The published model on tiny random weights, as found among the shared reference data."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tiny_pagesum import load_published_weights

from lsum_cli.models.pagesum.configuration import PageSumConfig
from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(os.environ.get("LSUM_SHARED", ROOT.parent / "shared")) / "golden"

needs_goldens = pytest.mark.skipif(not (GOLDEN / "forward.npz").exists(), reason="no shared reference data")


def load_json(name: str) -> dict:
    return json.loads((GOLDEN / name).read_text())


def load_arrays(name: str) -> dict[str, torch.Tensor]:
    with np.load(GOLDEN / name) as arrays:
        return {key: torch.from_numpy(arrays[key]) for key in arrays.files}


def tiny_config(**settings) -> PageSumConfig:
    recorded = load_json("tiny_config.json")["config"]
    recorded.pop("num_pages")
    return PageSumConfig(
        **(recorded | {"mask_absent_pages": False, "length_rule": "start_and_bos"} | settings)
    )


def tiny_model(weights: str = "tiny_pagesum.safetensors", **settings) -> PageSumForConditionalGeneration:
    # The published code computes attention in the plain way, which over padding alone is uniform.
    model = PageSumForConditionalGeneration(tiny_config(attn_implementation="eager", **settings))
    load_published_weights(model, load_file(GOLDEN / weights))
    return model.eval()
