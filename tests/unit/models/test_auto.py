"""Our models as others use them: the Auto classes, a hub, LoRA."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from loopback_hub import LoopbackHub, repository_of
from tiny_checkpoints import make_tokenizer
from tiny_pagesum import tiny_pagesum
from tiny_topdown_models import tiny_tagger, tiny_topdown

ROOT = Path(__file__).resolve().parents[3]
SIZES = {"vocab_size": 120, "bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "forced_bos_token_id": 0}


def run(code: str, folder: Path, **environment: str) -> str:
    """Run Python in a process of its own, which has imported nothing."""
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"} | environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def python_of_the_docs(word: str) -> str:
    """The block of docs/models.md that has this word."""
    text = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    (found,) = (block for block in re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S) if word in block)
    return str(found)


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the checkpoint that the docs speak of."""
    tiny_pagesum(**SIZES).save_pretrained(tmp_path / "my-checkpoint")
    make_tokenizer().save_pretrained(tmp_path / "my-checkpoint")
    return tmp_path


def test_a_repository_on_the_hub_is_loaded_after_one_import(tmp_path: Path) -> None:
    with LoopbackHub() as hub:
        for name, model in (("summariser", tiny_topdown(**SIZES)), ("tagger", tiny_tagger(**SIZES))):
            model.save_pretrained(tmp_path / name)
            make_tokenizer().save_pretrained(tmp_path / name)
            hub.add(f"o/{name}", repository_of(tmp_path / name))
        code = (
            "import lsum_cli.models.auto\n"
            "from transformers import AutoModelForSeq2SeqLM, AutoModelForTokenClassification, AutoTokenizer\n"
            "model = AutoModelForSeq2SeqLM.from_pretrained('o/summariser')\n"
            "tokenizer = AutoTokenizer.from_pretrained('o/summariser')\n"
            "tagger = AutoModelForTokenClassification.from_pretrained('o/tagger')\n"
            "text = tokenizer('the marsh rises', return_tensors='pt')\n"
            "print(type(model).__name__, type(tagger).__name__, model.generate(**text, max_length=9).shape[0])"
        )
        told = run(code, tmp_path, HF_ENDPOINT=hub.endpoint, HF_HUB_OFFLINE="0", HF_HOME=str(tmp_path / "hf"))
    assert told.split() == ["TopDownForConditionalGeneration", "TopDownForTokenClassification", "1"]


def test_the_docs_generate(desk: Path) -> None:
    assert run(python_of_the_docs("num_beams"), desk).strip()


def test_the_docs_tune_with_lora_and_lsum_writes_with_it(desk: Path) -> None:
    losses = [float(line) for line in run(python_of_the_docs("peft"), desk).split()]
    assert losses[-1] < losses[0] - 0.5
    (desk / "notes.txt").write_text("The marsh rises slowly. The birds recovered.\n", encoding="utf-8")
    command = ["summarize", "notes.txt", "-m", "./tuned", "--max-tokens", "12", "--any-language"]
    assert run(
        f"from lsum_cli.cli.app import main; import sys; sys.argv[1:] = {command}; main()", desk
    ).strip()
