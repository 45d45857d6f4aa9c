"""The method windowing: what is read, what is written, and where it says it came from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tiny_models import save_family
from tiny_windowing import WORDS, save_windowing, tiny_windowing

from lsum_cli.checkpoints.manifest import GenerationDefaults, describe_folder
from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.errors import CheckpointError, OptionError, SourceError
from lsum_cli.generation.options import Slots
from lsum_cli.locality import Locality
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.summaries import AttributionKind, Summary, SummarySentence

TEXT = "The marsh rise where the mud slow the sea. The grass slow the River Ouse. The dam cost the marsh its mud! "


def make_document(text: str, id: str = "d0", pdf_page: int | None = None) -> Document:
    return compose_document(
        [Passage(paragraphs=(Paragraph.of(text, pdf_page),))], id=id, source=f"{id}.md", language="en"
    )


@pytest.fixture(scope="module")
def document() -> Document:
    return make_document(TEXT * 6, pdf_page=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_windowing(tmp_path_factory.mktemp("models") / "tiny")


def summarize(folder: Path, *documents: Document, listener=None, **wishes) -> Summary:
    options = SummaryOptions(model=str(folder), dtype="float32", **wishes)
    return Summarizer(options, listener=listener).summarize(documents)


class Audience:
    """Remembers what it hears."""

    def __init__(self) -> None:
        self.openings: list[Summary] = []
        self.sentences: list[SummarySentence] = []

    def begin(self, opening: Summary) -> None:
        self.openings.append(opening)

    def add(self, sentence: SummarySentence) -> None:
        self.sentences.append(sentence)


def test_every_sentence_names_the_windows_it_was_read_in(folder, document):
    summary = summarize(folder, document)
    assert (summary.method, summary.checkpoint.name) == ("windowing", "tiny")
    assert summary.locality is Locality.SPATIAL
    assert len(summary.pages) == -(-(len(document.sentences) // 3 * 25 - 12) // 10) + 1
    assert summary.coverage.tokens_read == summary.coverage.tokens_total > 0
    assert set(summary.seconds) >= {"load", "encode", "decode"}
    reached = [sentence.attribution.top_page for sentence in summary.sentences]
    assert reached == sorted(reached)
    assert reached[-1] == len(summary.pages) - 1
    for sentence in summary.sentences:
        assert sentence.attribution.kind is AttributionKind.WINDOW
        assert sum(page.weight for page in sentence.attribution.pages) == pytest.approx(1)
        assert sentence.log_prob <= 0
        for evidence in sentence.attribution.evidence:
            assert document.sentences[evidence.sentence_index].text == evidence.text
            assert evidence.pdf_page == 3
            assert 0 < evidence.score <= 1
    assert "shift" not in summary.text


def test_the_papers_decoding_can_be_had_from_the_options_and_from_the_checkpoint(document, tmp_path):
    ours = save_windowing(tmp_path / "ours", seed=4)
    papers = save_windowing(tmp_path / "papers", seed=4, paced=False)
    assert summarize(papers, document).text == summarize(ours, document, paced=False).text
    assert summarize(papers, document, paced=True).text == summarize(ours, document).text
    assert summarize(ours, document).text != summarize(papers, document).text
    assert summarize(papers, document).options["paced"] is False
    with pytest.raises(OptionError, match="--paced does not apply to the method extract"):
        Summarizer(SummaryOptions(method="extract", paced=False)).summarize([document])


def test_a_model_that_has_learnt_to_end_anywhere_may(document, tmp_path):
    between = save_windowing(tmp_path / "between", shifts="between", seed=4)
    throughout = save_windowing(tmp_path / "throughout", seed=4)
    ended = summarize(between, document)
    assert "what follows it is not summarised" in " ".join(ended.warnings)
    reached = [s.attribution.top_page for s in summarize(throughout, document).sentences]
    assert reached[-1] == len(ended.pages) - 1 > ended.sentences[-1].attribution.top_page


def test_the_checkpoints_own_limit_and_slots_are_used_and_named(document, tmp_path):
    folder = save_windowing(tmp_path / "limited")
    manifest = replace(
        describe_folder(folder), generation=GenerationDefaults(max_tokens=7, slots=Slots.SHARED)
    )
    (folder / "manifest.json").write_text(manifest.to_json(), encoding="utf-8")
    summary = summarize(folder, document)
    assert (summary.options["slots"], summary.options["max_tokens"]) == ("shared", 7)
    assert "the summary was cut off at the checkpoint's 7 tokens" in " ".join(summary.warnings)
    assert "cut off at --max-tokens" in " ".join(summarize(folder, document, max_tokens=6).warnings)


@pytest.mark.parametrize("beams", [1, 3])
def test_sentences_told_while_writing_are_those_of_the_summary(folder, document, beams):
    audience = Audience()
    summary = summarize(folder, document, listener=audience, beams=beams)
    assert tuple(audience.sentences) == summary.sentences
    (opening,) = audience.openings
    assert (opening.pages, opening.coverage, opening.sentences) == (summary.pages, summary.coverage, ())
    assert opening.checkpoint == summary.checkpoint
    assert summarize(folder, document, beams=beams).sentences == summary.sentences


def test_copied_words_are_exactly_those_of_their_evidence(tmp_path):
    copying = save_windowing(tmp_path / "copying", copies=30)
    document = make_document(
        "Zoe met Ångström in Kew. Quaggas grazed there. " * 3 + "Vast moas fed near Oamaru."
    )
    summary = summarize(copying, document)
    source = {word.strip(".,!") for sentence in document.sentences for word in sentence.text.split()}
    words = [word.strip(".,!") for word in summary.text.split()]
    assert words
    # Letter by letter as the source has them, but for the first of a sentence.
    assert {word for word in words if word} <= source | {word.capitalize() for word in source}
    for sentence in summary.sentences:
        written = {word.strip(".,!").lower() for word in sentence.text.split()} - {""}
        quoted = {w.strip(".,!").lower() for e in sentence.attribution.evidence for w in e.text.split()}
        assert not written or written & quoted
    assert any("unknown to copying" in warning for warning in summary.warnings)


def test_two_documents_are_one_text_whose_windows_keep_them_apart(folder):
    documents = [make_document(TEXT, "d0"), make_document("A bird rise. The wall cost the river. " * 3, "d1")]
    summary = summarize(folder, *documents)
    assert {page.document_id for page in summary.pages} == {"d0", "d1"}
    for sentence in summary.sentences:
        for evidence in sentence.attribution.evidence:
            assert summary.pages[evidence.page].document_id == evidence.document_id


def test_a_window_from_which_the_model_does_not_move_on_is_told(tmp_path, document):
    endless = save_windowing(tmp_path / "endless", max_window_tokens=3, seed=3)
    summary = summarize(endless, document)
    (warning,) = [warning for warning in summary.warnings if "did not stop writing" in warning]
    assert f"of {len(summary.pages)} windows (" in warning
    assert "after 3 words" in warning


def test_the_most_words_are_kept_to_and_what_was_not_reached_is_said(folder, document):
    summary = summarize(folder, document, max_tokens=7)
    assert any("cut off at --max-tokens, in window" in warning for warning in summary.warnings)
    assert summary.num_words <= 7


def test_static_windows_share_the_length(tmp_path, document):
    static = save_windowing(tmp_path / "static", windowing="static", weight_d=0.0)
    short, long = (summarize(static, document, length=length) for length in ("10", "60"))
    assert long.num_words > short.num_words
    assert short.options["windowing"] == "static"


def test_a_model_without_windowing_says_what_it_did_not_read(tmp_path, document):
    summary = summarize(save_windowing(tmp_path / "stan", windowing="none"), document)
    assert len(summary.pages) == 1
    assert summary.coverage.tokens_dropped > 0
    assert any("tokens were dropped" in warning for warning in summary.warnings)


def test_windows_can_be_set(folder, document):
    summary = summarize(folder, document, window=30, stride=15)
    assert (summary.options["window"], summary.options["stride"]) == (30, 15)
    assert summary.pages[0].label == f"window 1/{len(summary.pages)}"


def test_a_text_shorter_than_a_window_and_one_huge_sentence(folder):
    assert [page.label for page in summarize(folder, make_document("The marsh.")).pages] == ["window 1/1"]
    huge = summarize(folder, make_document("mud " * 100))
    assert len(huge.pages) == 10
    assert huge.coverage.tokens_read == 100


def test_a_coverage_penalty_and_an_ngram_rule_change_what_is_written(folder, document):
    plain = summarize(folder, document)
    ruled = summarize(folder, document, no_repeat_ngram=2, coverage_penalty=2.0)
    assert ruled.text != plain.text
    assert ruled.options["coverage_penalty"] == 2.0
    assert ruled.options["no_repeat_ngram"] == 2


def test_a_plan_shows_the_windows(folder, document):
    plan = Summarizer(SummaryOptions(model=str(folder))).plan([document])
    assert plan.pages == summarize(folder, document).pages
    assert plan.cost.seconds > 0


@pytest.mark.parametrize(
    ("wish", "part"),
    [
        ({"stride": 13}, "would skip text"),
        ({"length": "short"}, "--length has no effect"),
        ({"page_tokens": 5}, "--page-tokens does not apply"),
        ({"locality": Locality.DISCOURSE}, "--locality does not apply"),
    ],
)
def test_wishes_that_cannot_be_granted(folder, document, wish, part):
    with pytest.raises(OptionError, match=part):
        summarize(folder, document, **wish)


def test_a_model_that_knows_no_shift_cannot_be_dynamic(tmp_path, document):
    static = save_windowing(tmp_path / "static", windowing="static")
    with pytest.raises(OptionError, match="has no window-shift token"):
        summarize(static, document, windowing="dynamic")


def test_a_checkpoint_of_another_architecture(tmp_path, document):
    from lsum_cli.checkpoints.manifest import describe_folder
    from lsum_cli.checkpoints.values import CheckpointMethod

    bart = save_family(tmp_path / "bart", "bart")
    manifest = replace(describe_folder(bart), method=CheckpointMethod.WINDOWING)
    (bart / "manifest.json").write_text(manifest.to_json(), encoding="utf-8")
    with pytest.raises(CheckpointError, match="not a windowing model"):
        summarize(bart, document)


def test_a_damaged_configuration(tmp_path, document):
    folder = save_windowing(tmp_path / "damaged")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"window_len": 0}))
    with pytest.raises(CheckpointError, match="damaged"):
        summarize(folder, document)


def test_a_document_without_text(folder):
    with pytest.raises(SourceError, match="no text"):
        summarize(folder, make_document(""))


def test_traced_piece_by_piece_is_traced_at_once():
    from lsum_cli.models.windowing.engine import WindowingEngine
    from lsum_cli.models.windowing.vocabulary import encode_source, make_tokenizer

    model = tiny_windowing()
    source = encode_source(make_tokenizer(WORDS.split()), [TEXT] * 2)
    decoder = WindowingEngine.prepare(model).encode([source])
    ids = [5, 6, 4, 15, 13, 4, 16, 17, 13]
    windows = decoder.windows(0, ids)
    whole, tracer = decoder.trace(0, ids), decoder.tracer(0)
    pieces = [tracer.extend(ids[start:end], windows[start:end]) for start, end in ((0, 1), (1, 5), (5, 9))]
    for name in ("p_gen", "copied"):
        joined = np.concatenate([getattr(piece, name) for piece in pieces])
        np.testing.assert_allclose(joined, getattr(whole, name), atol=1e-5)
    sources = [places for piece in pieces for places in piece.sources]
    assert [p.tokens.tolist() for p in sources] == [p.tokens.tolist() for p in whole.sources]
