"""Scores by encoders, with tiny BERTs of random weights."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from evaluation_examples import EXAMPLES
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import BertConfig, BertForNextSentencePrediction, BertModel, PreTrainedTokenizerFast

from lsum_cli.checkpoints.loading import quiet_transformers
from lsum_cli.errors import CheckpointError, ExitCode, OptionError
from lsum_cli.evaluation.metrics.bertscore import BertScorer
from lsum_cli.evaluation.metrics.coherence import CoherenceScorer
from lsum_cli.evaluation.metrics.encoders import SentenceEncoder, find_encoder
from lsum_cli.evaluation.metrics.models import ENCODER_METRICS
from lsum_cli.evaluation.options import EncoderOptions, EvaluationOptions
from lsum_cli.evaluation.runs import score_texts

WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", *"abcdefghij", "."]
POSITIONS = 16


def save_bert(folder, model_class=BertForNextSentencePrediction, seed=0):
    tokenizer = Tokenizer(models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    torch.manual_seed(seed)
    model = model_class(
        BertConfig(
            vocab_size=len(WORDS),
            hidden_size=16,
            num_hidden_layers=3,
            num_attention_heads=2,
            intermediate_size=16,
            max_position_embeddings=POSITIONS,
            initializer_range=0.5,
        )
    )
    with quiet_transformers():
        model.save_pretrained(folder)
        PreTrainedTokenizerFast(
            tokenizer_object=tokenizer,
            pad_token="[PAD]",
            cls_token="[CLS]",
            sep_token="[SEP]",
            unk_token="[UNK]",
        ).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    return save_bert(tmp_path_factory.mktemp("bert"))


def test_coherence_is_the_mean_probability_that_each_sentence_follows(bert):
    found = CoherenceScorer(str(bert)).score(["a b", "c .", " ", "d e f"])
    model = BertForNextSentencePrediction.from_pretrained(bert).eval()
    # [CLS] a b [SEP] c . [SEP], and [CLS] c . [SEP] d e f [SEP]
    expected = []
    for ids, second in (([1, 4, 5, 2, 6, 14, 2], 4), ([1, 6, 14, 2, 7, 8, 9, 2], 4)):
        types = [int(place >= second) for place in range(len(ids))]
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([ids]), token_type_ids=torch.tensor([types])).logits
        expected.append(float(logits.softmax(-1)[0, 0]))
    assert abs(expected[0] - expected[1]) > 0.001
    assert found.mean == pytest.approx(sum(expected) / 2, abs=1e-5)
    assert (found.pairs, found.truncated) == (2, 0)


@pytest.mark.parametrize("sentences", [[], ["a b ."], ["", " "]])
def test_fewer_than_two_sentences_have_no_coherence(bert, sentences):
    found = CoherenceScorer(str(bert)).score(sentences)
    assert found.mean is None
    assert found.pairs == 0


def test_pairs_that_are_cut_are_counted(bert):
    found = CoherenceScorer(str(bert)).score(["a " * POSITIONS, "b", "c"])
    assert (found.pairs, found.truncated) == (2, 1)


def test_a_model_without_the_head_is_refused(tmp_path):
    with pytest.raises(CheckpointError, match="lacks what BertForNextSentencePrediction needs"):
        CoherenceScorer(str(save_bert(tmp_path / "bare", BertModel)))


def test_bertscore_of_a_text_with_itself_is_one_whatever_the_layer(bert):
    for layer in (1, 2, 3):
        found = BertScorer(str(bert), layer=layer).score_pair("a b c", "a b c")
        assert (found.precision, found.recall, found.f1) == pytest.approx((1, 1, 1), abs=1e-5)


def test_bertscore_by_hand(bert):
    found = BertScorer(str(bert), layer=2).score_pair("a b", "c d e")
    model = BertForNextSentencePrediction.from_pretrained(bert).bert.eval()

    def states(ids):
        with torch.no_grad():
            hidden = model(input_ids=torch.tensor([ids]), output_hidden_states=True).hidden_states[2][0]
        inner = hidden[1:-1].numpy()
        return inner / np.linalg.norm(inner, axis=1, keepdims=True)

    cosines = states([1, 4, 5, 2]) @ states([1, 6, 7, 8, 2]).T
    precision, recall = cosines.max(axis=1).mean(), cosines.max(axis=0).mean()
    assert found.precision == pytest.approx(precision, abs=1e-5)
    assert found.recall == pytest.approx(recall, abs=1e-5)
    assert found.f1 == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-5)
    turned = BertScorer(str(bert), layer=2).score_pair("c d e", "a b")
    assert (turned.precision, turned.recall) == pytest.approx((found.recall, found.precision), abs=1e-5)


def test_bertscore_of_nothing_is_zero_and_cut_texts_are_counted(bert):
    scorer = BertScorer(str(bert))
    assert scorer.layer == 3
    assert scorer.score_pair("", "a b").f1 == 0
    found = scorer.score_pair("a " * 40, "a b")
    assert found.truncated == 1
    assert 0 < found.f1 <= 1


def test_a_layer_that_is_not_there_is_refused(bert):
    with pytest.raises(OptionError, match="3 layers"):
        BertScorer(str(bert), layer=4)


def test_embeddings_have_length_one_and_do_not_depend_on_the_batch(bert):
    encoder = SentenceEncoder(str(bert))
    sentences = ["a b c d e", "f", "", "g h ."]
    together = encoder.embed(sentences)
    alone = np.concatenate([encoder.embed([sentence]) for sentence in sentences])
    assert together == pytest.approx(alone, abs=1e-5)
    assert np.linalg.norm(together, axis=1) == pytest.approx([1, 1, 0, 1], abs=1e-5)
    assert encoder.num_truncated == 0
    encoder.embed(["a " * 100])
    assert encoder.num_truncated == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody/nothing", "hf download nobody/nothing"),
        ("nobody/nothing@v1", "hf download nobody/nothing --revision v1"),
        ("no name at all", "neither a folder nor a valid name"),
        ("bert-large-uncased", "neither a folder nor a valid name"),
    ],
)
def test_a_model_that_is_not_here_is_named_with_the_command_that_brings_it(
    name, message, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CheckpointError, match=message) as caught:
        find_encoder(name)
    assert caught.value.exit_code is ExitCode.CHECKPOINT


def test_a_folder_without_a_model_and_a_damaged_one(tmp_path, bert):
    with pytest.raises(CheckpointError, match=r"no config\.json"):
        find_encoder(str(tmp_path))
    broken = save_bert(tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(CheckpointError, match="cannot be loaded"):
        SentenceEncoder(str(broken))


def test_an_evaluation_has_the_columns_and_names_the_models_and_the_cuts(bert):
    options = EvaluationOptions(models=EncoderOptions(bertscore=str(bert), coherence=str(bert)), resamples=10)
    texts = ["a b.\nc d e.", "a " * 40]
    result = score_texts("mine", texts, EXAMPLES, options)
    first, second = (row.scores for row in result.rows)
    assert first["bertscore"] == BertScorer(str(bert)).score_pair(texts[0], EXAMPLES[0].reference).f1
    assert first["coherence"] == CoherenceScorer(str(bert)).score(["a b.", "c d e."]).mean
    assert second["coherence"] is None
    assert result.settings["bertscore"] == f"{bert}, layer 3"
    assert any("BERTScore: 1 texts are longer" in warning for warning in result.warnings)
    assert "bertscore" not in score_texts("mine", texts, EXAMPLES).rows[0].scores


def test_every_encoder_metric_is_requested_by_an_option_of_its_name():
    names = {field.name for field in dataclasses.fields(EncoderOptions)}
    assert {metric.name for metric in ENCODER_METRICS} <= names
