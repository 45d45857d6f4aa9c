"""Weights loaded for the engines of Top-Down and windowing are the models', and need no transformers."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from tiny_topdown import save_topdown
from tiny_windowing import save_windowing

from lsum_cli.checkpoints.loading import load_folder
from lsum_cli.machine.memory import MappedFile

SAVERS = {
    "topdown": save_topdown,
    "topdown with a tagger": lambda folder: save_topdown(folder, tagger=True),
    "windowing": save_windowing,
}


@pytest.fixture(params=SAVERS)
def saved(request, tmp_path):
    return SAVERS[request.param](tmp_path / "model")


def test_every_weight_and_setting_is_the_model_s(saved):
    model = load_folder(saved, device="cpu").model
    plain = load_folder(saved, device="cpu", for_engine=True).model
    assert not type(plain).__module__.endswith("modeling")
    theirs = model.state_dict()
    for name, weight in plain.state_dict().items():
        assert torch.equal(weight, theirs[name]), name
    assert theirs.keys() - plain.state_dict().keys() <= {"model.shared.weight"}
    settings = getattr(plain, "settings", None) or plain.config
    expected = asdict(type(settings).of(model.config))
    for name in expected.keys() & {"forced_bos_token_id", "forced_eos_token_id"}:
        expected[name] = getattr(model.generation_config, name)
    assert asdict(settings) == expected


TOPDOWN = """
from lsum_cli.models.topdown.engine import TaggerEngine, TopDownEngine, load_parameters
model = load_parameters(Path(sys.argv[1]), "model.safetensors")
TaggerEngine.prepare(model.tagger, release=True).score([torch.arange(3, 90)])
decoder = TopDownEngine.prepare(model, release=True).encode([torch.arange(3, 90)])
"""
WINDOWING = """
import numpy as np
from lsum_cli.models.windowing.engine import WindowingEngine
from lsum_cli.models.windowing.network import load_network
from lsum_cli.models.windowing.vocabulary import SourceText
ids = np.arange(5, 25)
source = SourceText(
    input_ids=ids, extended_ids=ids, unknown_words=(), sentence_of=ids * 0, offsets=np.zeros((20, 2))
)
network = load_network(Path(sys.argv[1]), "model.safetensors")
decoder = WindowingEngine.prepare(network).encode([source])
"""


@pytest.mark.parametrize("name", ["topdown with a tagger", "windowing"])
def test_a_summary_is_written_without_transformers(name, tmp_path):
    folder = SAVERS[name](tmp_path / "model")
    code = f"""
import sys
from pathlib import Path
import torch
from lsum_cli.generation.beam import beam_search
from lsum_cli.generation.options import GenerationOptions
{WINDOWING if name == "windowing" else TOPDOWN}
((found,),) = beam_search(decoder, GenerationOptions(max_length=9))
assert found.token_ids
assert "transformers" not in sys.modules
assert "torch._dynamo" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is mapped")
def test_a_file_that_is_let_go_takes_no_memory_and_reads_the_same(tmp_path):
    def resident() -> int:
        status = Path("/proc/self/status").read_text()
        return int(re.search(r"RssFile:\s+(\d+)", status)[1]) * 1024

    file = tmp_path / "weights.safetensors"
    tensor = torch.arange(4 << 20, dtype=torch.float32)
    save_file({"first": torch.ones(3), "large": tensor, "last": torch.ones(3)}, file)
    weights = load_file(file)
    mapped = MappedFile(file)
    assert torch.equal(weights["large"], tensor)
    before = resident()
    mapped.let_go(weights["large"].data_ptr(), weights["large"].nbytes)
    assert before - resident() > 0.9 * tensor.nbytes
    assert torch.equal(weights["large"], tensor)
    # Memory that is no part of the file is left alone.
    own = tensor.clone()
    mapped.let_go(own.data_ptr(), own.nbytes)
    assert torch.equal(own, tensor)
