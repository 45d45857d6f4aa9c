from __future__ import annotations

import json

import pytest
from tiny_models import save_pagesum

from lsum_cli.checkpoints.loading import load_folder
from lsum_cli.checkpoints.manifest import (
    Manifest,
    Origin,
    OriginKind,
    describe_folder,
    read_config,
    read_manifest,
    verify_hashes,
)
from lsum_cli.checkpoints.saving import derive_checkpoint, finish_draft, parse_setting
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.locality import Locality


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_pagesum(tmp_path_factory.mktemp("models") / "tiny")


def test_a_setting_is_changed_and_the_weights_are_the_same_file(folder, tmp_path):
    derived = derive_checkpoint(folder, {"decoding": "global"}, tmp_path / "a" / "tiny")
    assert read_config(derived)["decoding"] == "global"
    assert read_config(folder)["decoding"] == "page"
    assert (derived / "model.safetensors").samefile(folder / "model.safetensors")
    model = load_folder(derived, device="cpu").model
    assert model.config.decoding == "global"
    kept = load_folder(folder, device="cpu").model.state_dict()
    assert all((tensor == kept[name]).all() for name, tensor in model.state_dict().items())


def test_what_the_manifest_states_too_is_changed_in_both(folder, tmp_path):
    draft = save_pagesum(tmp_path / "draft")
    manifest = Manifest(
        name="mine",
        method=CheckpointMethod.PAGESUM,
        locality=Locality.SPATIAL,
        page_len=64,
        trained_confidence=True,
        origin=Origin(kind=OriginKind.TRAINING, source="test"),
    )
    installed = tmp_path / "mine"
    finish_draft(draft, installed, manifest)
    derived = derive_checkpoint(installed, {"page_len": 32, "locality": "discourse"}, tmp_path / "derived")
    changed = read_manifest(derived)
    assert (changed.page_len, changed.locality) == (32, Locality.DISCOURSE)
    assert (changed.name, changed.trained_confidence) == ("mine", True)
    assert describe_folder(installed).page_len == 64
    verify_hashes(derived, changed)
    assert load_folder(derived, device="cpu").model.config.page_len == 32
    with pytest.raises(CheckpointError, match="cannot be used with these settings"):
        derive_checkpoint(installed, {"locality": "cosmic"}, tmp_path / "cosmic")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("decoding", "global", "global"),
        ("page_len", "32", 32),
        ("mask_absent_pages", "False", False),
        ("dropout", "0", 0),
        ("dropout", "0.5", 0.5),
        ("length_rule", "1", "1"),
    ],
)
def test_values_have_the_type_of_the_setting(folder, name, text, value):
    found = parse_setting(text, name, folder)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("page_len", "many", "'many' is not a valid value for page_len"),
        ("page_len", "true", "'True' is not a valid value for page_len"),
        ("mask_absent_pages", "1", "not a valid value for mask_absent_pages"),
        ("dropout", "true", "not a valid value for dropout"),
        ("attention_window", "32", "no setting 'attention_window'"),
        ("model_type", "bart", "no setting 'model_type'"),
        ("architectures", "x", "no setting 'architectures'"),
    ],
)
def test_settings_and_values_that_cannot_be_are_refused(folder, name, text, message):
    with pytest.raises(OptionError, match=message):
        parse_setting(text, name, folder)


def test_a_damaged_configuration_is_said(tmp_path):
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(CheckpointError, match="damaged"):
        parse_setting("1", "page_len", tmp_path)


def test_a_value_the_model_refuses_is_said_when_it_is_loaded(folder, tmp_path):
    derived = derive_checkpoint(folder, {"decoding": "sideways"}, tmp_path / "derived")
    with pytest.raises(CheckpointError, match="sideways"):
        load_folder(derived, device="cpu")
    assert json.loads((folder / "config.json").read_text())["decoding"] == "page"
