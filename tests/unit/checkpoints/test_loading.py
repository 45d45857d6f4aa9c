"""Loading: what is right loads, and whatever is wrong is one line."""

from __future__ import annotations

import json
import pickle
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file
from tiny_checkpoints import make_tokenizer
from tiny_models import save_pagesum
from tiny_topdown import save_topdown
from tiny_windowing import save_windowing

from lsum_cli import Summarizer, SummaryOptions, read
from lsum_cli.checkpoints.importing import import_folder
from lsum_cli.checkpoints.loading import load_checkpoint, load_folder
from lsum_cli.checkpoints.manifest import (
    Manifest,
    Origin,
    OriginKind,
    describe_folder,
    read_manifest,
    verify_hashes,
)
from lsum_cli.checkpoints.saving import save_checkpoint
from lsum_cli.checkpoints.store import checkpoint_path
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.errors import CheckpointError, DeviceError, LsumError, OptionError, OutputError
from lsum_cli.locality import Locality
from lsum_cli.machine.devices import choose_device, choose_precision


@pytest.fixture
def folder(tiny_bart, tmp_path):
    """A copy of the tiny model that a test may spoil."""
    return shutil.copytree(tiny_bart, tmp_path / "model")


def test_a_directory_of_transformers_loads(tiny_bart):
    checkpoint = load_checkpoint(tiny_bart, device="cpu", dtype="float32")
    assert checkpoint.manifest.method is CheckpointMethod.SEQ2SEQ
    assert checkpoint.manifest.name == "tiny-bart"
    assert not checkpoint.model.training
    assert not any(parameter.requires_grad for parameter in checkpoint.model.parameters())
    assert checkpoint.tokenizer("mud.")["input_ids"][0] == 0
    assert checkpoint.reference.trained_confidence is False
    assert checkpoint.place_model().dtype is torch.float32


def test_an_installed_copy_gives_the_same_logits(tiny_bart):
    manifest = import_folder("mine", tiny_bart)
    loaded = load_checkpoint("mine", device="cpu", dtype="float32")
    assert loaded.path == checkpoint_path("mine")
    assert loaded.reference.sha256 == manifest.weights_sha256
    original = load_checkpoint(tiny_bart, device="cpu", dtype="float32")
    ids = torch.tensor([[0, 5, 6, 7, 2]])
    torch.testing.assert_close(loaded.model(ids).logits, original.model(ids).logits, rtol=0, atol=0)
    with pytest.raises(OutputError, match="installed already"):
        import_folder("mine", tiny_bart)
    import_folder("mine", tiny_bart, overwrite=True)


def test_saving_and_loading_give_the_same_model(tiny_bart, tmp_path):
    checkpoint = load_checkpoint(tiny_bart, dtype="float32")
    manifest = Manifest(
        name="trained",
        method=CheckpointMethod.SEQ2SEQ,
        origin=Origin(kind=OriginKind.TRAINING, source="tiny-bart"),
        metrics={"dev/rouge1": 12.5},
    )
    target = tmp_path / "new" / "trained"
    for _ in range(2):  # the second replaces the first
        save_checkpoint(target, checkpoint.model, checkpoint.tokenizer, manifest)
    assert "12.50" in (target / "README.md").read_text()
    again = load_checkpoint(target, dtype="float32")
    verify_hashes(target, again.manifest)
    assert again.manifest.metrics == {"dev/rouge1": 12.5}
    for (name, ours), (_, theirs) in zip(
        again.model.named_parameters(), checkpoint.model.named_parameters(), strict=True
    ):
        assert torch.equal(ours, theirs), name
    import_folder("kept", target)
    assert read_manifest(checkpoint_path("kept")).origin.kind is OriginKind.TRAINING
    assert [path.name for path in target.parent.iterdir()] == ["trained"]


def test_pickled_weights_of_a_folder_load_and_are_converted(folder):
    state = load_file(folder / "model.safetensors")
    state["model.encoder.embed_tokens.weight"] = state["model.shared.weight"]
    torch.save(state, folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    loaded = load_checkpoint(folder, dtype="float32")
    assert torch.equal(loaded.model.state_dict()["model.shared.weight"], state["model.shared.weight"])
    import_folder("converted", folder)
    converted = load_file(checkpoint_path("converted") / "model.safetensors")
    assert not (checkpoint_path("converted") / "pytorch_model.bin").exists()
    assert "model.encoder.embed_tokens.weight" not in converted  # the shared copy is stored once
    assert converted.keys() == state.keys() - {"model.encoder.embed_tokens.weight"}
    assert all(torch.equal(converted[name], state[name]) for name in converted)


def test_generation_settings_of_an_old_config_are_kept(folder):
    (folder / "generation_config.json").unlink()
    set_config(folder, num_beams=4, length_penalty=2.0, min_length=56, max_length=142, forced_bos_token_id=0)
    import_folder("old", folder)
    kept = json.loads((checkpoint_path("old") / "generation_config.json").read_text())
    assert (kept["num_beams"], kept["min_length"], kept["forced_bos_token_id"]) == (4, 56, 0)
    assert load_checkpoint("old").model.generation_config.length_penalty == 2.0


def set_config(folder, **changes):
    config = json.loads((folder / "config.json").read_text()) | changes
    (folder / "config.json").write_text(json.dumps(config))


def set_weights(folder, change):
    state = load_file(folder / "model.safetensors")
    change(state)
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})


def with_nan(state):
    state["model.decoder.layers.1.fc1.weight"][3, 4] = float("nan")


def truncated(folder):
    content = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(content[:-1000])


class Canary:
    """Unpickled without care, it writes a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (type(self.path).touch, (self.path,))


SPOILED = {
    "no config": (lambda f: (f / "config.json").unlink(), "no config.json"),
    "no json": (lambda f: (f / "config.json").write_text("{"), "not valid JSON"),
    "deep json": (lambda f: (f / "config.json").write_text("[" * 100_000), "not valid JSON"),
    "a list": (lambda f: (f / "config.json").write_text("[]"), "names no model_type"),
    "unknown type": (lambda f: set_config(f, model_type="magic"), "cannot be loaded"),
    "no seq2seq": (lambda f: set_config(f, model_type="gpt2"), "cannot be loaded"),
    "negative size": (lambda f: set_config(f, d_model=-1), "cannot be loaded"),
    "absurd heads": (lambda f: set_config(f, encoder_attention_heads=7), "cannot be loaded"),
    "text for number": (lambda f: set_config(f, encoder_layers="two"), "cannot be loaded"),
    "code of its own": (
        lambda f: set_config(f, model_type="own", auto_map={"AutoModelForSeq2SeqLM": "code.Model"}),
        "cannot be loaded",
    ),
    "more layers": (lambda f: set_config(f, decoder_layers=3), "lacks 26 weights: model.decoder.layers.2."),
    "other sizes": (lambda f: set_config(f, decoder_ffn_dim=65), ""),
    "missing key": (
        lambda f: set_weights(f, lambda s: s.pop("model.encoder.layers.0.fc1.bias")),
        "lacks 1 weight: model.encoder.layers.0.fc1.bias",
    ),
    "no number": (lambda f: set_weights(f, with_nan), "values that are NaN or infinite"),
    "truncated": (truncated, ""),
    "empty weights": (lambda f: (f / "model.safetensors").write_bytes(b""), ""),
    "no safetensors": (lambda f: (f / "model.safetensors").write_bytes(b"\xff" * 5000), ""),
    "no weights": (lambda f: (f / "model.safetensors").unlink(), "contains no weights"),
    "no tokenizer": (lambda f: [p.unlink() for p in f.glob("tokenizer*")], "contains no tokenizer"),
    "damaged tokenizer": (lambda f: (f / "tokenizer.json").write_text('{"a": 1}'), "tokenizer"),
    "greater tokenizer": (
        lambda f: make_tokenizer(200).save_pretrained(f),
        "has 200 tokens, its model only 120",
    ),
}


@pytest.mark.parametrize("spoiled", SPOILED)
def test_what_is_spoiled_is_one_line(folder, spoiled):
    spoil, part = SPOILED[spoiled]
    spoil(folder)
    with pytest.raises(CheckpointError) as caught:
        load_checkpoint(folder)
    assert part in str(caught.value)
    assert str(folder) in str(caught.value)
    assert caught.value.next_step
    assert "\n" not in str(caught.value)


def test_a_pickle_that_executes_code_does_not(folder, tmp_path):
    (folder / "model.safetensors").unlink()
    canary = tmp_path / "canary"
    with (folder / "pytorch_model.bin").open("wb") as file:
        pickle.dump({"model.shared.weight": Canary(canary)}, file)
    with pytest.raises(CheckpointError):
        load_checkpoint(folder)
    with pytest.raises(CheckpointError, match="something other than weights"):
        import_folder("evil", folder)
    assert not canary.exists()
    assert not checkpoint_path("evil").exists()


def test_a_folder_of_pagesum_without_manifest(folder):
    set_config(folder, model_type="pagesum", locality="discourse", page_len=32)
    described = describe_folder(folder)
    assert (described.method, described.locality, described.page_len) == (
        CheckpointMethod.PAGESUM,
        Locality.DISCOURSE,
        32,
    )
    assert (described.mask_absent_pages, described.absent_page_text) == (True, "")
    set_config(folder, mask_absent_pages=False)
    assert describe_folder(folder).absent_page_text == "."
    set_config(folder, locality="nonsense")
    with pytest.raises(CheckpointError, match="configuration"):
        describe_folder(folder)


def test_a_folder_in_the_cache_of_the_hub_says_what_it_is(tiny_bart, tmp_path):
    folder = tmp_path / "models--o--safe" / "snapshots" / "0123abcd"
    shutil.copytree(tiny_bart, folder)
    described = describe_folder(folder)
    assert (described.name, described.origin.kind, described.origin.revision) == (
        "o/safe",
        OriginKind.HUB,
        "0123abcd",
    )


def test_devices_and_precisions():
    cpu = choose_device("cpu")
    assert choose_precision("int8", cpu).value == "int8"
    assert choose_precision("auto", cpu).value in ("float32", "bfloat16")
    for wish in ("tpu", "cpu:1", "cuda:x", "", "mps:0"):
        with pytest.raises(OptionError, match="there is no device"):
            choose_device(wish)
    with pytest.raises(DeviceError, match="cuda:99"):
        choose_device("cuda:99")
    with pytest.raises(OptionError, match="float8"):
        choose_precision("float8", cpu)


def test_int8_is_for_engines(tiny_bart):
    checkpoint = load_checkpoint(tiny_bart, device="cpu", dtype="int8")
    with pytest.raises(LsumError, match="int8"):
        checkpoint.place_model()


@pytest.mark.parametrize("for_engine", [True, False])
@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"decoder_start_token_id": 26}, "does not say which token a summary begins with: decoder_start_token_id is 26"),
        ({"decoder_start_token_id": None}, "a summary begins with: decoder_start_token_id is none"),
        ({"eos_token_id": -1}, "a summary ends with: eos_token_id is -1"),
        ({"eos_token_id": "3"}, "eos_token_id"),
        ({"shift_token_id": 26}, "shift_token_id 26 or unk_token_id 1 is beyond the vocabulary of 26"),
        ({"shift_token_id": "4"}, "shift_token_id is '4'"),
        ({"stretch_overlap": None}, "stretch_overlap is None"),
        ({"weight_k": "a"}, "weight_k is 'a'"),
        ({"source_len": float("nan")}, "source_len is nan"),
    ],
)  # fmt: skip
def test_a_windowing_checkpoint_names_tokens_that_it_has(change, part, for_engine, tmp_path):
    folder = save_windowing(tmp_path / "w")
    assert load_folder(folder, for_engine=for_engine).manifest
    set_config(folder, **change)
    with pytest.raises(CheckpointError) as caught:
        load_folder(folder, for_engine=for_engine)
    assert part in str(caught.value)


@pytest.mark.parametrize(
    ("save", "change"),
    [
        (save_pagesum, {"activation_function": "x"}),
        (save_pagesum, {"activation_function": ["gelu"]}),
        (save_topdown, {"activation_function": "x"}),
        (save_topdown, {"activation_function": 3}),
        (save_pagesum, {"paging": "x"}),
        (save_pagesum, {"max_source_tokens": "x"}),
        (save_pagesum, {"max_source_tokens": 0.5}),
        (save_topdown, {"pooling": [1]}),
        (save_topdown, {"dropout": -1}),
        (save_topdown, {"activation_dropout": "x"}),
        (save_topdown, {"pad_token_id": 0.5}),
        (save_windowing, {"windowing": 0}),
    ],
)
def test_a_setting_that_no_model_has_is_one_line(save, change, tmp_path):
    folder = save(tmp_path / "a")
    set_config(folder, **change)
    text = tmp_path / "a.txt"
    text.write_text("The river rose over the marsh. Mud and grass of the sea wall.\n")
    with pytest.raises(CheckpointError, match=f"configuration is damaged: {next(iter(change))}"):
        Summarizer(SummaryOptions(model=str(folder))).summarize([read(text)])


@pytest.mark.parametrize("for_engine", [True, False])
@pytest.mark.parametrize("name", ["forced_bos_token_id", "forced_eos_token_id"])
@pytest.mark.parametrize("value", ["x", 10**9, [1], 0.5])
def test_a_forced_token_that_is_none_is_one_line(name, value, for_engine, tmp_path):
    folder = save_pagesum(tmp_path / "a")
    assert load_folder(folder, for_engine=for_engine).manifest
    path = folder / "generation_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {name: value}))
    with pytest.raises(CheckpointError):
        load_folder(folder, for_engine=for_engine)
