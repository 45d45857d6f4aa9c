"""Embeddings from the company that tokens keep."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tiny_topdown_models import tiny_tagger, tiny_topdown
from tiny_training import tiny_recipe, write_examples

from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.training import initialisation
from lsum_cli.training.initialisation import (
    fingerprint_tokenizer,
    initialise_embeddings,
    read_streams,
    set_dropout,
    train_tokenizer,
)
from lsum_cli.training.pagesum import build_objective
from lsum_cli.training.settings import TokenizerSettings

SPECIAL = 4
# Tokens 4-7 stand for one another among the first words of company, tokens 8-11 among the others.
KINDS = (range(4, 8), range(8, 12))
COMPANY = (range(12, 22), range(22, 32))
RARE, UNSEEN = 32, 33
VOCAB, DIM = 34, 16


def made_up_text(seed: int = 0) -> list[list[int]]:
    """Sentences of a word of one kind between words of its company, and one with the rare word."""
    chance = np.random.default_rng(seed)
    streams = []
    for _ in range(400):
        kind = int(chance.integers(2))
        company = chance.choice(list(COMPANY[kind]), 6).tolist()
        streams.append([*company[:3], int(chance.choice(list(KINDS[kind]))), *company[3:]])
    return [*streams, [12, RARE, 13]]


def fresh_table() -> torch.Tensor:
    return torch.randn(VOCAB, DIM, generator=torch.Generator().manual_seed(0)) * 0.02


def test_words_of_the_same_company_are_near_one_another() -> None:
    table = fresh_table()
    assert initialise_embeddings(table, made_up_text(), spread=0.02, seed=0) == 28
    near = torch.nn.functional.normalize(table, dim=1) @ torch.nn.functional.normalize(table, dim=1).T
    one, other = (list(kind) for kind in KINDS)
    assert near[one][:, one].min() > near[one][:, other].max() + 0.5
    assert near[other][:, other].min() > near[other][:, one].max() + 0.5


def test_vectors_are_as_long_as_random_ones_and_the_rest_keep_theirs() -> None:
    table = fresh_table()
    before = table.clone()
    initialise_embeddings(table, made_up_text(), spread=0.02, seed=0)
    known = list(range(SPECIAL, RARE))
    assert table[known].norm(dim=1).tolist() == pytest.approx([0.02 * DIM**0.5] * len(known))
    unchanged = [*range(SPECIAL), RARE, UNSEEN]
    assert torch.equal(table[unchanged], before[unchanged])
    # No coordinate has the most of it.
    assert table[known].square().mean(dim=0).max() < 4 * 0.02**2


def test_the_same_text_and_seed_give_the_same_table_and_chance_goes_on() -> None:
    tables = []
    for seed in (0, 0, 1):
        torch.manual_seed(7)
        table = fresh_table()
        initialise_embeddings(table, made_up_text(), spread=0.02, seed=seed)
        tables.append(table)
        drawn = torch.rand(1)
        torch.manual_seed(7)
        assert torch.equal(drawn, torch.rand(1))
    assert torch.equal(tables[0], tables[1])
    assert not torch.equal(tables[0], tables[2])


@pytest.mark.parametrize("streams", [[], [[]], [[5]], [[5]] * 20, [[5, 6]]])
def test_text_that_tells_nothing_changes_nothing(streams) -> None:
    table = fresh_table()
    assert initialise_embeddings(table, streams, spread=0.02, seed=0) == 0
    assert torch.equal(table, fresh_table())


def test_neighbours_count_by_their_distance_and_not_across_texts() -> None:
    running = initialisation._join([[0, 1, 2], [3, 0]])
    counts = initialisation._count_neighbours(running, np.bincount(running[running >= 0]))
    assert counts.tolist() == [[0, 1, 0.5, 1], [1, 0, 1, 0], [0.5, 1, 0, 0], [1, 0, 0, 0]]


def test_positive_information_is_that_of_the_definition() -> None:
    counts = torch.tensor([[0.0, 4.0, 1.0], [4.0, 0.0, 3.0], [1.0, 3.0, 0.0]])
    smoothed = counts.sum(0) ** 0.75
    joint, of_words = counts / counts.sum(), counts.sum(1) / counts.sum()
    expected = torch.log(joint / (of_words[:, None] * smoothed / smoothed.sum())).clamp(min=0)
    torch.testing.assert_close(initialisation._positive_information(counts.clone()), expected)


def test_long_data_are_read_evenly(tmp_path) -> None:
    dataset = open_dataset(write_examples(tmp_path / "train.jsonl", 24))
    tokenizer = build_objective(tiny_recipe(tmp_path / "train.jsonl"), dataset, None).tokenizer
    of_each = [read_streams([example], tokenizer) for example in dataset]
    whole = read_streams(dataset, tokenizer)
    total = sum(map(len, whole))
    assert [each.tolist() for each in whole] == [each.tolist() for streams in of_each for each in streams]
    for most in (total // 2, total // 5):
        some = read_streams(dataset, tokenizer, most_tokens=most)
        assert most / 4 < sum(map(len, some)) <= most
        stride = next(
            stride
            for stride in (2, 4, 8, 16)
            if [each.tolist() for streams in of_each[::stride] for each in streams]
            == [each.tolist() for each in some]
        )
        assert stride >= total / most


def test_a_page_sum_begins_with_them(tmp_path) -> None:
    path = write_examples(tmp_path / "train.jsonl", 24)
    tables = []
    for embeddings in ("cooccurrence", "cooccurrence", "random"):
        torch.manual_seed(0)
        recipe = tiny_recipe(path, model={"embeddings": embeddings})
        model = build_objective(recipe, open_dataset(path), None).model
        assert model.get_output_embeddings().weight is model.get_input_embeddings().weight
        tables.append(model.get_input_embeddings().weight.detach())
    assert torch.equal(tables[0], tables[1])
    is_new = (tables[0] != tables[2]).any(dim=1)
    assert not is_new[:SPECIAL].any()
    assert is_new.sum() > 20
    assert float(tables[0].std()) == pytest.approx(float(tables[2].std()), rel=0.1)


def test_without_dropout_every_pass_of_a_model_in_training_is_the_same() -> None:
    tokens = torch.arange(4, 28).unsqueeze(0)
    summary = torch.tensor([[2, 5, 6]])
    tagger, topdown = tiny_tagger(dropout=0.3).train(), tiny_topdown(dropout=0.3).train()
    for model in (tagger, topdown):
        set_dropout(model, 0.0)
    assert torch.equal(tagger(input_ids=tokens).logits, tagger(input_ids=tokens).logits)
    first, second = (topdown(input_ids=tokens, decoder_input_ids=summary).logits for _ in range(2))
    assert torch.equal(first, second)


def test_the_tokenizer_of_a_data_set_is_trained_once(tmp_path, monkeypatch):
    dataset = open_dataset(write_examples(tmp_path / "train.jsonl"))
    settings = TokenizerSettings(vocab_size=320)
    first = train_tokenizer(dataset, settings, max_length=64)
    with monkeypatch.context() as changed:
        changed.setattr(initialisation, "_train_bpe", None)
        again = train_tokenizer(dataset, settings, max_length=64)
    assert fingerprint_tokenizer(again) == fingerprint_tokenizer(first)
    assert (again.model_max_length, again.pad_token) == (64, first.pad_token)
    other = train_tokenizer(dataset, TokenizerSettings(vocab_size=330))
    assert len(other) > len(again)
    # A folder that cannot be written costs time alone.
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "train.jsonl"))
    assert fingerprint_tokenizer(train_tokenizer(dataset, settings)) == fingerprint_tokenizer(first)
