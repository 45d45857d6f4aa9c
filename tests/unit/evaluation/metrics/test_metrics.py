from __future__ import annotations

import json

import pytest

from lsum_cli.documents import Paragraph, Passage, compose_document
from lsum_cli.evaluation.metrics.registry import (
    METRICS,
    count_repeated,
    novel_share,
    repeated_share,
    score_summary,
    score_text,
)
from lsum_cli.evaluation.metrics.support import entropy, find_support
from lsum_cli.evaluation.options import RougeSettings
from lsum_cli.evaluation.results import Row, SystemResult
from lsum_cli.locality import Locality, paginate
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.summaries import (
    Attribution,
    AttributionKind,
    Coverage,
    PageWeight,
    Summary,
    SummarySentence,
)

SECTIONS = {
    "Growth": "Salt marshes grow where mud settles. Grasses slow the water there.",
    "Decline": "Where 12 rivers are dammed, marshes starve. A starving marsh drowns in Norfolk.",
    "Repair": "Dredged mud was spread in Essex. The birds came back last.",
}


def document(sections=None):
    passages = [
        Passage(heading=heading, level=1, paragraphs=(Paragraph.of(text),))
        for heading, text in (sections or SECTIONS).items()
    ]
    return compose_document(passages, id="d0", source="marsh.md", title="Marshes")


def summary(sentences, weights, kind=AttributionKind.CONFIDENCE):
    """A summary of three pages, a section each, whose sentences have these weights over pages."""
    pages = paginate([document()], Locality.DISCOURSE, 1000)
    return Summary(
        title=None,
        sentences=tuple(
            SummarySentence(
                text=text,
                index=index,
                attribution=each
                and Attribution(
                    kind=kind,
                    pages=tuple(PageWeight(page=page, weight=weight) for page, weight in each),
                ),
            )
            for index, (text, each) in enumerate(zip(sentences, weights, strict=True))
        ),
        pages=pages,
        documents=(document(),),
        method="pagesum",
        locality=Locality.DISCOURSE,
        coverage=Coverage(
            tokens_total=50, tokens_read=40, tokens_dropped=7, tokens_references=3, pages_total=3
        ),
    )


def test_novel_ngrams_by_hand():
    source = [["a", "b", "c"], ["d", "e"]]
    written = [["a", "b", "d", "e"], ["c", "x"]]
    assert novel_share(written, source, 1) == pytest.approx(1 / 6)
    # ab known, bd new, de known; cx new. cd would cross a sentence's end, and is not known.
    assert novel_share(written, source, 2) == pytest.approx(2 / 4)
    assert novel_share([["c", "d"]], source, 2) == 1
    assert novel_share(written, source, 5) is None
    assert novel_share([], source, 1) is None


def test_repetition_by_hand():
    assert repeated_share([["a", "b", "c", "a", "b", "c"]]) == pytest.approx(1 - 3 / 4)
    assert repeated_share([["a", "b", "c"], ["a", "b", "c"]]) == pytest.approx(1 / 2)
    assert repeated_share([["a", "b"]]) is None
    assert count_repeated([["a"], ["b"], ["a"], ["a"], []]) == 2


def test_lengths_and_compression_by_hand():
    values = score_text(["Marshes grow slowly here."], [document()], requested_words=5).values
    assert values["words"] == 4
    assert values["length_error"] == pytest.approx(-0.2)
    source_words = sum(len(text.split()) for text in SECTIONS.values())
    assert values["compression"] == pytest.approx(source_words / 4)


def test_a_copy_of_the_source_is_wholly_supported_and_nothing_of_it_is_new():
    sentences = [sentence.text for sentence in document().sentences]
    measures = score_text(sentences, [document()])
    assert [measures.values[f"novel_{size}"] for size in (1, 2, 3, 4)] == [0, 0, 0, 0]
    assert measures.values["unsupported"] == 0
    assert measures.flags == ()
    # Six sentences at places 0, 1/6, … 5/6.
    shares = [1 / 6, 1 / 6, 0, 1 / 6, 0, 1 / 6, 1 / 6, 0, 1 / 6, 0]
    assert measures.deciles == pytest.approx(shares)
    assert measures.values["origin"] == pytest.approx(sum(s * (i + 0.5) / 10 for i, s in enumerate(shares)))


def test_citing_the_right_and_the_wrong_page():
    texts = ["Dredged mud was spread in Essex.", "A starving marsh drowns in Norfolk."]
    right = score_summary(summary(texts, [[(2, 1.0)], [(1, 0.9), (0, 0.1)]])).values
    wrong = score_summary(summary(texts, [[(0, 1.0)], [(1, 0.9), (0, 0.1)]])).values
    assert right["cites_best"] == right["agreement"] == right["cited_support"] == right["best_support"] == 1
    assert wrong["cites_best"] == wrong["agreement"] == 0.5
    assert wrong["cited_support"] == pytest.approx(0.5)
    assert wrong["best_support"] == 1
    assert right["page_entropy"] == pytest.approx((0 + 0.4689956) / 2)


def test_flags_compare_with_the_cited_pages_only():
    texts = ["Here 12 birds were seen in Essex."]
    for page, expected in ((1, [("name", "Essex"), ("weak-evidence", texts[0])]), (2, [("number", "12")])):
        found = score_summary(summary(texts, [[(page, 1.0)]])).flags
        assert [(flag.kind, flag.text) for flag in found] == expected
    both = score_summary(summary(texts, [[(2, 0.6), (1, 0.4)]]))
    assert both.flags == ()
    assert score_text(texts, [document()]).flags == ()
    # A page of little weight is not cited.
    assert score_summary(summary(texts, [[(2, 0.9), (1, 0.1)]])).values["flagged_numbers"] == 1


def test_headings_and_titles_count_as_source():
    assert score_summary(summary(["It tells of Repair in Marshes."], [[(2, 1.0)]])).flags == ()


def test_sentences_without_attribution_have_no_such_measures_but_flags():
    values = score_summary(summary(["Here 12 birds and 13 mice."], [None])).values
    assert values["cited_support"] is values["agreement"] is values["page_entropy"] is None
    assert values["flagged_numbers"] == 1
    assert values["tokens_read"] == 40
    assert values["tokens_dropped"] == 7


def test_alignment_does_not_agree_with_itself():
    found = summary(["The birds came back last."], [[(2, 1.0)]], AttributionKind.ALIGNMENT)
    assert score_summary(found).values["agreement"] is None
    assert score_summary(found).values["cites_best"] == 1


def test_entropy_by_hand():
    def over(*weights):
        pages = tuple(PageWeight(page=page, weight=weight) for page, weight in enumerate(weights))
        return entropy(Attribution(kind=AttributionKind.CONFIDENCE, pages=pages))

    assert over(1.0) == 0
    assert over(0.5, 0.5) == pytest.approx(1)
    assert over(0.25, 0.25, 0.25, 0.25) == pytest.approx(2)


def test_an_empty_summary_is_measured():
    values = score_summary(summary([], [])).values
    assert values["words"] == 0
    assert values["compression"] is None
    assert values["flagged_sentences"] is None
    assert values["repeated_sentences"] == 0
    assert score_text([], [document()]).deciles is None


def test_a_document_of_one_sentence_and_a_summary_in_no_word_of_it():
    measures = score_text(["Quite unlike."], [document({"A": "Salt marshes grow."})])
    assert measures.values["unsupported"] == 1
    assert measures.values["novel_1"] == 1
    assert measures.deciles is None
    assert find_support(["x"], ()).deciles is None


def test_without_a_source_only_the_text_is_measured():
    values = score_text(["A b c.", "A b c."]).values
    assert values["words"] == 6
    assert values["repeated_sentences"] == 1
    assert values["novel_1"] is values["compression"] is values["flagged_names"] is values["origin"] is None


def test_an_extract_cites_its_own_page_throughout():
    made = Summarizer(SummaryOptions(method="extract", length="20")).summarize([document()])
    values = score_summary(made, requested_words=20).values
    assert values["cites_best"] == values["agreement"] == values["cited_support"] == 1
    assert values["flagged_sentences"] == values["novel_4"] == 0


def test_means_leave_out_examples_without_a_value():
    scores = [score_text(["A b c d."], [document()]), score_text(["A b."]), score_text([])]
    rows = [
        Row(id=str(number), where="", reference_sha256="", text="", reference_words=0, scores=each.values)
        for number, each in enumerate(scores)
    ]
    result = SystemResult(name="x", kind="predictions", rows=tuple(rows), rouge=RougeSettings())
    assert result.means["words"] == 2
    assert result.means["novel_1"] == scores[0].values["novel_1"]
    assert result.means["agreement"] is None


def test_every_row_has_every_column_and_is_json():
    for measures in (score_text([]), score_summary(summary(["X."], [[(0, 1.0)]]))):
        assert list(measures.values) == [column.name for column in METRICS]
        json.dumps(measures.values, allow_nan=False)
