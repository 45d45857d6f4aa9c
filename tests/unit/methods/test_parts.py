"""Long input in parts: summaries that are too long together are summarised again, and traced to the source."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_models import save_family
from tiny_topdown import save_topdown

from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.parts import PartsMethod
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.summaries import AttributionKind, Summary

SENTENCES = (
    "The marsh rise where the mud slow the sea.",
    "The grass slow the river.",
    "The dam cost the marsh its mud.",
    "The wall cost the river more.",
    "The bird and the grass rise first.",
)


@pytest.fixture(scope="module")
def document() -> Document:
    text = " ".join(SENTENCES[number % 5].replace("The", f"The {number}", 1) for number in range(60))
    return compose_document([Passage(paragraphs=(Paragraph.of(text),))], id="d0", source="long.txt")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    base = tmp_path_factory.mktemp("models")
    return {"seq2seq": save_family(base / "bart", "bart"), "topdown": save_topdown(base / "topdown")}


def method_for(folder: Path, **wishes) -> PartsMethod:
    options = SummaryOptions(model=str(folder), **({"dtype": "float32", "beams": 2} | wishes))
    method = Summarizer(options).method_for([])
    assert isinstance(method, PartsMethod)
    return method


def summarize(folder: Path, document: Document, **wishes) -> tuple[PartsMethod, Summary]:
    method = method_for(folder, **wishes)
    return method, method.write(method.plan([document]))


@pytest.mark.parametrize("family", ["seq2seq", "topdown"])
def test_summaries_too_long_together_are_summarised_again(folders, family, document):
    method, summary = summarize(folders[family], document, max_tokens=16, min_tokens=4)
    assert summary.options["parts"] > 2
    assert summary.options["stages"] >= 2
    assert sum(method.count_tokens(sentence.text) for sentence in summary.sentences) <= 16 + 1
    indices = {page.index for page in summary.pages}
    source = {sentence.index: sentence.text for sentence in document.sentences}
    for sentence in summary.sentences:
        weights = sentence.attribution.pages
        assert {weight.page for weight in weights} <= indices
        assert sum(weight.weight for weight in weights) == pytest.approx(1)
        assert all(source[item.sentence_index] == item.text for item in sentence.attribution.evidence)
    assert [sentence.index for sentence in summary.sentences] == list(range(len(summary.sentences)))


@pytest.mark.parametrize("family", ["seq2seq", "topdown"])
def test_joined_summaries_share_the_length(folders, family, document):
    _, summary = summarize(folders[family], document, max_tokens=40, min_tokens=4, parts="join")
    assert summary.options["stages"] == 1
    tops = [sentence.attribution.top_page for sentence in summary.sentences]
    assert tops == sorted(tops)
    assert len(set(tops)) > 1


def test_a_length_that_the_parts_must_fill_is_shared_among_them(folders, document):
    method = method_for(folders["seq2seq"])
    method.max_written = None
    plan = method.plan([document])
    own = method._settings(plan.pages).max_tokens
    asked = own * len(plan.parts)
    long = method_for(folders["seq2seq"], max_tokens=asked, min_tokens=0)
    long.max_written = None
    assert len(long.passes(plan)) == len(plan.parts)
    assert sum(each.max_tokens for each in long.passes(plan)) == pytest.approx(asked, abs=len(plan.parts))


def test_summaries_as_long_as_their_parts_are_joined_after_all(folders, document, monkeypatch):
    method = method_for(folders["seq2seq"], max_tokens=16, min_tokens=4)
    plan = method.plan([document])
    monkeypatch.setattr(
        type(plan), "lengths", lambda self: [1] * len(self.parts) if self is plan else [10**6]
    )
    summary = method.write(plan)
    assert summary.options["stages"] == 1
    assert summary.sentences


@pytest.mark.parametrize("family", ["seq2seq", "topdown"])
def test_verbatim_holds_through_all_stages(folders, family, document):
    _, summary = summarize(folders[family], document, max_tokens=20, faithful="verbatim")
    assert summary.options["stages"] >= 2
    source = {sentence.text: sentence.index for sentence in document.sentences}
    for sentence in summary.sentences:
        assert sentence.attribution.kind is AttributionKind.EXTRACTION
        (evidence,) = sentence.attribution.evidence
        assert evidence.sentence_index == source[sentence.text]
    assert len({sentence.text for sentence in summary.sentences}) == len(summary.sentences)


def test_plan_expects_the_second_stage(folders, document):
    method = method_for(folders["seq2seq"], max_tokens=16, min_tokens=4)
    plan = method.plan([document])
    joined = method_for(folders["seq2seq"], max_tokens=16, min_tokens=4, parts="join")
    assert len(method.passes(plan)) == len(plan.parts) + 1
    assert len(joined.passes(joined.plan([document]))) == len(plan.parts)
