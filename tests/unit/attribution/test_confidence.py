"""Attribution by confidence: Eq. 8 averaged over a sentence's tokens."""

from __future__ import annotations

import numpy as np
import pytest

from lsum_cli.attribution.confidence import attribute_by_confidence
from lsum_cli.documents import Paragraph, Passage, compose_document
from lsum_cli.locality import Locality, count_tokens, paginate
from lsum_cli.summaries import AttributionKind

TEXTS = ("The marsh grows slowly. Mud settles there.", "The river is dammed.", "Birds came back last.")
DOCUMENT = compose_document(
    [Passage(heading=f"S{i}", level=1, paragraphs=(Paragraph.of(t),)) for i, t in enumerate(TEXTS)],
    id="d0",
    source="x",
)
PAGES = paginate([DOCUMENT], Locality.DISCOURSE, 100, count_tokens)


def test_weights_are_means_over_the_tokens():
    confidence = np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1]], np.float32)
    attribution = attribute_by_confidence("The river was dammed.", confidence, PAGES)
    assert attribution.kind is AttributionKind.CONFIDENCE
    assert [(w.page, pytest.approx(w.weight)) for w in attribution.pages] == [(1, 0.5), (0, 0.4), (2, 0.1)]
    assert sum(weight.weight for weight in attribution.pages) == pytest.approx(1)
    assert attribution.evidence[0].text == "The river is dammed."
    assert attribution.evidence[0].page == 1


def test_evidence_is_found_on_the_foremost_pages_alone():
    confidence = np.array([[0.95, 0.03, 0.02]], np.float32)
    attribution = attribute_by_confidence("The river was dammed by mud.", confidence, PAGES)
    assert attribution.evidence
    assert {evidence.page for evidence in attribution.evidence} == {0}


def test_the_share_of_pages_without_text_goes_to_the_others():
    confidence = np.array([[0.1, 0.3, 0.0, 0.6]], np.float32)
    attribution = attribute_by_confidence("The river.", confidence, PAGES)
    assert [(w.page, pytest.approx(w.weight)) for w in attribution.pages] == [(1, 0.75), (0, 0.25)]


def test_no_weight_at_all_is_no_preference():
    attribution = attribute_by_confidence("The river.", np.array([[0, 0, 0, 1.0]], np.float32), PAGES)
    assert [pytest.approx(weight.weight) for weight in attribution.pages] == [1 / 3] * 3
