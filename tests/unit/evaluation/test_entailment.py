"""Faithfulness by entailment, with tiny NLI models of random weights, against a computation pair by pair."""

from __future__ import annotations

import json
import math
import shutil

import numpy as np
import pytest
import torch
from evaluation_examples import EXAMPLES, make_document
from tiny_bert import make_bert, wordpiece_tokenizer
from transformers import BertConfig, BertForSequenceClassification

from lsum_cli.checkpoints.loading import quiet_transformers
from lsum_cli.errors import CheckpointError, ExitCode
from lsum_cli.evaluation.metrics.entailment import EntailmentScorer, make_chunks
from lsum_cli.evaluation.metrics.models import ENTAILMENT_METRICS
from lsum_cli.evaluation.options import EncoderOptions, EntailmentEvidence, EvaluationOptions
from lsum_cli.evaluation.report import make_report
from lsum_cli.evaluation.runs import evaluate_system, score_texts
from lsum_cli.evaluation.systems import SummarizerSystem
from lsum_cli.locality import Locality, paginate
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.rendering.evaluation import write_report
from lsum_cli.rendering.formats import ReportFormat
from lsum_cli.summaries import Attribution, AttributionKind, PageWeight

LABELS = ("CONTRADICTION", "neutral", "Entailment")
TEXTS = (
    "Salt marshes grow where mud settles. Grasses slow the water down. The slow water drops its mud."
    " Where the mud settles the grasses grow. Salt is in the water and the mud of the marshes.",
    "Dams hold back the mud of rivers. A starving marsh drowns when the sea rises.",
    "Twelve birds breed here. They leave in winter.",
)
WORDS = sorted({word.strip(".").lower() for text in TEXTS for word in text.split()})
SAID = ("Mud makes marshes grow.", "Dams hold back the mud.")


def save_nli(folder, labels=LABELS, positions=64):
    torch.manual_seed(5)
    config = BertConfig(
        vocab_size=len(wordpiece_tokenizer(WORDS)),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=positions,
        initializer_range=0.6,
        pad_token_id=0,
        num_labels=len(labels),
        id2label=dict(enumerate(labels)),
        label2id={label: place for place, label in enumerate(labels)},
    )
    with quiet_transformers():
        BertForSequenceClassification(config).save_pretrained(folder)
        wordpiece_tokenizer(WORDS).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def nli(tmp_path_factory):
    return save_nli(tmp_path_factory.mktemp("nli"))


@pytest.fixture(scope="module")
def scorer(nli):
    return EntailmentScorer(EncoderOptions(nli=str(nli)))


@pytest.fixture(scope="module")
def naive(nli):
    """Probabilities of a pair on its own, without padding: (entailment, contradiction)."""
    model = BertForSequenceClassification.from_pretrained(nli).eval()
    tokenizer = wordpiece_tokenizer(WORDS)

    def score(premise, said):
        inputs = tokenizer(
            premise, said, return_tensors="pt", truncation="longest_first", max_length=64,
            return_token_type_ids=True,
        )  # fmt: skip
        with torch.no_grad():
            shares = model(**inputs).logits[0].double().softmax(-1)
        return float(shares[2]), float(shares[0])

    return score


def cite(*pages):
    weights = tuple(PageWeight(page=page, weight=1 / len(pages)) for page in pages)
    return Attribution(kind=AttributionKind.CONFIDENCE, pages=weights)


DOCUMENT = make_document(TEXTS)
PAGES = paginate([DOCUMENT], Locality.DISCOURSE, 1000)


def sentences_of(*pages):
    return [sentence.text for page in pages for sentence in PAGES[page].sentences]


def test_the_scores_are_those_of_every_pair_on_its_own(scorer, naive):
    assert len(PAGES) == 3
    found = scorer.score(SAID, PAGES, [cite(0), cite(1, 2)], [DOCUMENT])
    cited = [sentences_of(0), sentences_of(1, 2)]

    def mean(premises, part=0):
        return np.mean(
            [max(naive(premise, said)[part] for premise in each)
             for said, each in zip(SAID, premises, strict=True)]
        )  # fmt: skip

    whole = [sentences_of(0, 1, 2)] * 2
    assert found.summac_cited == pytest.approx(mean(cited), abs=1e-6)
    assert found.summac == pytest.approx(mean(whole), abs=1e-6)
    assert found.summac_contrast == pytest.approx(mean(whole) - mean(whole, part=1), abs=1e-6)
    room = scorer._chunk_tokens
    chunks = [
        list(make_chunks([(text, size) for text, size in zip(texts, scorer.model.encoder.count_tokens(texts),
                                                             strict=True)], num_words=350, num_tokens=room))
        for texts in (sentences_of(0), sentences_of(1), sentences_of(2))
    ]  # fmt: skip
    assert any(len(each) > 1 for each in chunks)  # the tiny model reads little
    assert found.alignscore_cited == pytest.approx(mean([chunks[0], [*chunks[1], *chunks[2]]]), abs=1e-6)
    assert found.alignscore == pytest.approx(
        mean([[chunk for each in chunks for chunk in each]] * 2), abs=1e-6
    )
    # The document is the bound.
    assert found.summac_cited <= found.summac
    assert found.alignscore_cited <= found.alignscore
    assert len({found.summac, found.summac_cited, found.alignscore, found.alignscore_cited}) == 4


def test_what_no_page_holds_belongs_to_the_document(scorer):
    part = scorer.score(SAID, PAGES[:1], [cite(0)] * 2, [DOCUMENT])
    whole = scorer.score(SAID, PAGES, [cite(0)] * 2, [DOCUMENT])
    assert part.summac == pytest.approx(whole.summac)
    assert part.summac_cited == pytest.approx(whole.summac_cited)
    assert part.summac > scorer.score(SAID, PAGES[:1], [cite(0)] * 2).summac - 1e-9


def test_only_the_cited_pages_where_that_is_enough(nli):
    options = EncoderOptions(nli=str(nli), nli_evidence=EntailmentEvidence.CITED)
    found = EntailmentScorer(options).score(SAID, PAGES, [cite(0), cite(1)], [DOCUMENT])
    assert found.summac_cited is not None
    assert (found.summac, found.alignscore, found.summac_contrast) == (None, None, None)


def test_without_attribution_or_source_or_sentences(scorer):
    found = scorer.score(SAID, PAGES, (), [DOCUMENT])
    assert found.summac is not None
    assert found.summac_cited is None
    assert scorer.score(SAID, PAGES, [cite(0), None], [DOCUMENT]).alignscore_cited is None
    assert set(scorer.score(SAID, ()).values.values()) == {None}
    assert set(scorer.score(["", " "], PAGES, (), [DOCUMENT]).values.values()) == {None}
    assert scorer.score([*SAID, " "], PAGES, (), [DOCUMENT]) == found


def test_pairs_that_are_cut_are_counted(scorer):
    assert scorer.score(SAID, PAGES, (), [DOCUMENT]).truncated == 0
    assert scorer.score(["mud " * 70], PAGES, (), [DOCUMENT]).truncated > 0


def test_chunks_are_neighbouring_whole_sentences():
    sentences = [("a b", 3), ("c d e", 9), ("f", 1), ("g h i j k", 2), ("l", 1)]
    assert list(make_chunks(sentences, num_words=4, num_tokens=100)) == ["a b", "c d e f", "g h i j k", "l"]
    assert list(make_chunks(sentences, num_words=100, num_tokens=10)) == ["a b", "c d e f", "g h i j k l"]
    assert list(make_chunks([], num_words=4, num_tokens=4)) == []


@pytest.mark.parametrize(
    ("labels", "entailment", "contradiction"),
    [(("not_entailment", "entailment"), 1, None), (("entailment", "neutral", "contradiction"), 0, 2)],
)
def test_labels_are_found_by_name(tmp_path, labels, entailment, contradiction):
    scorer = EntailmentScorer(EncoderOptions(nli=str(save_nli(tmp_path / "nli", labels))))
    assert (scorer.model.entailment, scorer.model.contradiction) == (entailment, contradiction)
    found = scorer.score(SAID, PAGES, (), [DOCUMENT])
    assert (found.summac_contrast is None) == (contradiction is None)
    assert not math.isnan(found.summac)


def test_a_model_that_is_no_nli_model_is_refused(tmp_path):
    unnamed = save_nli(tmp_path / "unnamed", ("LABEL_0", "LABEL_1"))
    with pytest.raises(
        CheckpointError, match="no label for entailment: its labels are LABEL_0, LABEL_1"
    ) as e:
        EntailmentScorer(EncoderOptions(nli=str(unnamed)))
    assert e.value.exit_code is ExitCode.CHECKPOINT
    bare = tmp_path / "bare"
    with quiet_transformers():
        make_bert(bare, WORDS)
    with pytest.raises(CheckpointError, match="lacks what AutoModelForSequenceClassification needs"):
        EntailmentScorer(EncoderOptions(nli=str(bare)))
    pickled = shutil.copytree(unnamed, tmp_path / "pickled")
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")
    with pytest.raises(CheckpointError, match="no weights as safetensors"):
        EntailmentScorer(EncoderOptions(nli=str(pickled)))


def test_the_signature_changes_with_the_weights(tmp_path, nli, scorer):
    assert f"nli:{nli}|weights:" in scorer.signature
    assert "labels:Entailment+CONTRADICTION" in scorer.signature
    other = save_nli(tmp_path / "other", positions=32)
    digest = EntailmentScorer(EncoderOptions(nli=str(other))).model.digest
    assert digest != scorer.model.digest
    assert json.loads((nli / "config.json").read_text())["id2label"]["2"] == "Entailment"


def test_an_evaluation_shows_the_scores_with_their_signature(nli, scorer, tmp_path):
    options = EvaluationOptions(models=EncoderOptions(nli=str(nli)), resamples=10)
    system = evaluate_system(SummarizerSystem(SummaryOptions(method="extract")), EXAMPLES, options)
    texts = score_texts("mine", ["Mud makes it.", ""], EXAMPLES, options)
    report = make_report([system, texts], options, name="d", where="d")
    for row in system.rows:
        assert 0 < row.scores["summac_cited"] <= row.scores["summac"] <= 1
    assert texts.rows[0].scores["summac"] > 0
    assert texts.rows[0].scores["summac_cited"] is None
    assert texts.rows[1].scores["summac"] is None  # an empty summary claims nothing
    with (tmp_path / "report.txt").open("w+", encoding="utf-8") as stream:
        write_report(report, ReportFormat.TEXT, stream)
        stream.seek(0)
        shown = stream.read()
    assert all(metric.label in shown for metric in ENTAILMENT_METRICS)
    assert scorer.signature in shown
    assert "summac" not in score_texts("mine", ["a", "b"], EXAMPLES).rows[0].scores
