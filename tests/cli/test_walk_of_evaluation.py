"""The walk of docs/evaluation.md, from checkpoints to a table: its commands run, in their order."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from pathlib import Path

import pytest
from tiny_bert import wordpiece_tokenizer
from tiny_models import save_pagesum

from lsum_cli.cli.app import run

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "evaluation.md"
NLI = "MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli"
# The tiny models have learned nothing, and would write to their limits.
QUICK = ("--beams", "1", "--min-tokens", "4", "--max-tokens", "12", "--device", "cpu", "--dtype", "float32")


def walk() -> list[list[str]]:
    """The arguments of every command of the walk."""
    text = PAGE.read_text(encoding="utf-8").partition("## The walk")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [shlex.split(line)[1:] for line in lines]


def save_nli(folder: Path) -> None:
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    tokenizer = wordpiece_tokenizer(["mud", "marshes"])
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=64, pad_token_id=0,
        id2label={0: "entailment", 1: "neutral", 2: "contradiction"},
        label2id={"entailment": 0, "neutral": 1, "contradiction": 2},
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the checkpoints and the data that the walk begins with."""
    monkeypatch.chdir(tmp_path)
    for number in (1, 2, 3):
        folder = save_pagesum(
            tmp_path / "runs" / "papers" / f"seed-{number}", seed=number, max_position_embeddings=512
        )
        history = [{"step": 10 * step, "eval_loss": 5 - step + 0.1 * number} for step in (1, 2)]
        (folder / "trainer_state.json").write_text(json.dumps({"log_history": history}), encoding="utf-8")
    save_pagesum(tmp_path / "runs" / "plain", seed=9, max_position_embeddings=512)
    state = (tmp_path / "runs" / "papers" / "seed-1" / "trainer_state.json").read_text(encoding="utf-8")
    (tmp_path / "runs" / "plain" / "trainer_state.json").write_text(state, encoding="utf-8")
    save_nli(tmp_path / "nli")
    records = [
        {
            "id": f"r{number}",
            "text": f"Salt marshes grow where mud settles, {number} of them. Grasses slow the water down.",
            "summary": f"Mud makes {number} marshes grow.",
        }
        for number in range(3)
    ]
    (tmp_path / "test.jsonl").write_text(
        "".join(json.dumps(each) + "\n" for each in records), encoding="utf-8"
    )
    return tmp_path


def fill(sheet: str) -> str:
    """A sheet as a rater returns it."""
    rows = list(csv.reader(io.StringIO(sheet)))
    for number, row in enumerate(rows[1:]):
        row[4:7] = [str(1 + number % 5)] * 3
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    return stream.getvalue()


def test_the_walk(desk: Path, capfd: pytest.CaptureFixture[str]) -> None:
    commands = walk()
    assert len(commands) == 7
    for arguments in commands:
        given = [str(desk / "nli") if each == NLI else each for each in arguments]
        given += QUICK if "-m" in given else ()
        if "--ratings" in given:
            assert run(["eval", "rate", "paper/report.json"]) == 0
            sheet = capfd.readouterr().out
            for name in ("anna.csv", "ben.csv"):
                (desk / name).write_text(fill(sheet), encoding="utf-8")
        code = run(given)
        captured = capfd.readouterr()
        assert code == 0, captured.err
    paper = desk / "paper"
    report = json.loads((paper / "report.json").read_text(encoding="utf-8"))
    assert [system["name"] for system in report["systems"]] == [
        "papers",
        "plain",
        "lead:papers",
        "lead:plain",
    ]
    assert [len(system["runs"]) for system in report["systems"]] == [3, 0, 0, 0]
    assert len(report["systems"][0]["rows"]) == 9
    faithful = json.loads((paper / "faithful.json").read_text(encoding="utf-8"))["systems"][0]
    assert faithful["taken"] == 9
    assert faithful["settings"]["nli"].startswith(f"nli:{desk / 'nli'}|weights:")
    assert 0 < faithful["scores"]["summac_cited"]["mean"] <= faithful["scores"]["summac"]["mean"] < 1
    for name in ("table.tex", "tests.tex", "ratings.tex"):
        assert "\\toprule" in (paper / name).read_text(encoding="utf-8")
    assert report["signature"]["text"] in (paper / "table.tex").read_text(encoding="utf-8")
    assert {"curves.png", "curves.svg", "curves.csv", "sheet.html", "examples.csv"} <= {
        path.name for path in paper.iterdir()
    }
