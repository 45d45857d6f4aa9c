"""A tokenizer read from its files alone is that of transformers, or is left to it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiny_checkpoints import make_tokenizer
from tiny_windowing_model import tiny_tokenizer

from lsum_cli.text.tokenizers import FileTokenizer

TEXTS = [
    "the mud rises.",
    " the mud",
    "",
    "<s> tide </s><pad>  <mask>x\n",
    "Zorblax’s 3.5 m, 北京 😀 <shift>",
]


def byte_level_tokenizer():
    """A tokenizer of BART's kind."""
    from tokenizers import pre_tokenizers
    from transformers import RobertaTokenizer

    symbols = ["<s>", "<pad>", "</s>", "<unk>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    merges = [("t", "h"), ("th", "e"), ("Ġ", "the"), ("m", "u"), ("mu", "d"), ("Ġ", "mud"), ("Ġ", "t")]
    symbols += ["".join(merge) for merge in merges] + ["<mask>"]
    return RobertaTokenizer(
        vocab={symbol: number for number, symbol in enumerate(symbols)}, merges=merges, model_max_length=64
    )


MAKERS = {"words": make_tokenizer, "windowing": tiny_tokenizer, "byte level": byte_level_tokenizer}


@pytest.fixture(scope="module", params=MAKERS)
def both(request, tmp_path_factory):
    """The tokenizer of transformers as it reads the files, and ours."""
    from transformers import AutoTokenizer

    folder = tmp_path_factory.mktemp("tokenizer")
    MAKERS[request.param]().save_pretrained(folder)
    return AutoTokenizer.from_pretrained(folder), FileTokenizer.read(folder)


def agree(theirs, ours, texts):
    """Whether both make the same of texts, whatever they are asked for."""
    asked = {"return_offsets_mapping": True, "return_special_tokens_mask": True}
    for framed in (False, True):
        expected = theirs(texts, add_special_tokens=framed, verbose=False, **asked)
        found = ours(texts, add_special_tokens=framed, verbose=False, **asked)
        assert found == {name: expected[name] for name in found}
        assert ours(texts, add_special_tokens=framed)["input_ids"] == found["input_ids"]
        for text, ids in zip(texts, found["input_ids"], strict=True):
            assert ours(text, add_special_tokens=framed)["input_ids"] == ids
            assert ours.decode(ids) == theirs.decode(ids, clean_up_tokenization_spaces=False)
            assert list(map(ours.convert_ids_to_tokens, ids)) == theirs.convert_ids_to_tokens(ids)


def test_it_is_the_tokenizer_of_transformers(both):
    theirs, ours = both
    agree(theirs, ours, TEXTS)
    assert ours.get_vocab() == theirs.get_vocab()
    assert len(ours) == len(theirs)
    assert sorted(ours.all_special_ids) == sorted(theirs.all_special_ids)
    assert ours.unk_token_id == theirs.unk_token_id
    assert ours.model_max_length == theirs.model_max_length


@given(text=st.text(max_size=60))
def test_of_any_text_it_makes_the_same(both, text):
    agree(*both, [text, f" {text}"])


def test_settings_to_cut_and_pad_are_not_followed(tmp_path):
    tokenizer = make_tokenizer()
    tokenizer.backend_tokenizer.enable_truncation(3)
    tokenizer.backend_tokenizer.enable_padding(length=30)
    tokenizer.save_pretrained(tmp_path)
    found = FileTokenizer.read(tmp_path)
    assert len(found("the mud rises and the sea")["input_ids"]) == 8


def change(folder, name, **changes):
    file = folder / name
    file.write_text(json.dumps(json.loads(file.read_text()) | changes), encoding="utf-8")


DIFFERENT = {
    "a class of its own": {"tokenizer_class": "T5Tokenizer"},
    "no class": {"tokenizer_class": None},
    "a token that is not in the file": {"mask_token": "<gap>"},
    "a setting that nobody knows here": {"split_special_tokens": True},
    "a named token of its own": {"image_token": "<s>"},
    "another list of tokens": {"added_tokens_decoder": {"0": {"content": "<s>", "lstrip": True}}},
    "extra tokens with names": {"extra_special_tokens": {"gap": "<s>"}},
    "a length that is none": {"model_max_length": "long"},
}


@pytest.mark.parametrize("difference", DIFFERENT)
def test_what_transformers_may_read_otherwise_is_left_to_it(difference, tmp_path):
    make_tokenizer().save_pretrained(tmp_path)
    assert FileTokenizer.read(tmp_path) is not None
    change(tmp_path, "tokenizer_config.json", **DIFFERENT[difference])
    assert FileTokenizer.read(tmp_path) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": True, "use_regex": True}},
        {"normalizer": {"type": "Lowercase"}},
        {"post_processor": None},
        {"decoder": None},
    ],
)
def test_a_byte_level_class_builds_another_of_a_changed_file(changes, tmp_path):
    byte_level_tokenizer().save_pretrained(tmp_path)
    if "pre_tokenizer" in changes:
        changes["pre_tokenizer"]["trim_offsets"] = True
    change(tmp_path, "tokenizer.json", **changes)
    assert FileTokenizer.read(tmp_path) is None


@pytest.mark.parametrize("name", ["special_tokens_map.json", "added_tokens.json"])
def test_tokens_of_older_files_are_left_to_transformers(name, tmp_path):
    make_tokenizer().save_pretrained(tmp_path)
    (tmp_path / name).write_text("{}", encoding="utf-8")
    assert FileTokenizer.read(tmp_path) is None


@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer_config.json"])
@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b"\xff"])
def test_damaged_and_missing_files_are_left_to_transformers(name, content, tmp_path):
    make_tokenizer().save_pretrained(tmp_path)
    (tmp_path / name).unlink() if content is None else (tmp_path / name).write_bytes(content)
    assert FileTokenizer.read(tmp_path) is None


def test_it_is_read_without_transformers(tmp_path):
    make_tokenizer().save_pretrained(tmp_path)
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from lsum_cli.text.tokenizers import FileTokenizer\n"
        "assert FileTokenizer.read(Path(sys.argv[1]))('mud')['input_ids']\n"
        "assert not {'transformers', 'torch'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
