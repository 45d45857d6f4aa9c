"""The ranker that was fitted to what readers chose, and the benchmark that fits it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from extraction import candidates_of, document_of

from benchmarks.summaries import choices
from lsum_cli.documents import Document
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.extract.ranking import ranker
from lsum_cli.methods.extract.ranking.salience import features, salience
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.terms import FloatArray

FIELD = (
    "The wardens of the eastern lakes measure the depth of the water beside every weir in spring.",
    "The wardens of the western lakes measure the depth of the water beside every bridge in spring.",
    "The wardens of the northern lakes count the herons beside the water of every harbour in spring.",
)


def document(*sections: tuple[str | None, list[str]]) -> Document:
    return document_of(*sections, language="en")


def rank(source: Document) -> tuple[Candidates, dict[str, FloatArray], FloatArray]:
    candidates = candidates_of(source)
    structure, values = Structure.of(candidates), features(candidates)
    scores = salience(candidates, structure, values=values)
    found = ranker.ranker_features(candidates, structure, scores, values)
    return candidates, found, ranker.preference(candidates, structure, scores, values)


def test_every_kind_of_document_has_a_weight_for_every_feature() -> None:
    names, weights = ranker.fitted_weights()
    _, found, _ = rank(document(("Lakes", list(FIELD))))
    of_talk = set(names) - set(found)
    assert set(found) < set(names)
    assert all(name.startswith(("talk_", "guide_")) for name in of_talk)
    assert set(weights) == {"talk", "hearing", "guide", *map(str, DocumentKind)}
    assert all(row.shape == (len(names),) and np.isfinite(row).all() for row in weights.values())


def test_a_guide_is_what_has_several_sections_and_no_known_kind() -> None:
    lakes, weirs = list(FIELD), list(FIELD[::-1])

    def kind_of(source: Document) -> str:
        candidates = candidates_of(source)
        return ranker.kind_of_ranker(candidates, Structure.of(candidates))

    assert kind_of(document((None, lakes), ("Lakes", lakes), ("Weirs", weirs))) == "other"
    assert kind_of(document((None, lakes), ("Lakes", lakes), ("Weirs", weirs), ("Herons", lakes))) == "guide"
    proposal = [("Abstract", lakes), ("Motivation", weirs), ("Specification", lakes), ("Rationale", weirs)]
    assert kind_of(document(*proposal)) == "proposal"


def test_preferences_are_standardised_and_features_are_finite() -> None:
    candidates, found, scores = rank(document(("Lakes", list(FIELD)), ("Weirs", list(FIELD[::-1]))))
    assert scores.mean() == pytest.approx(0, abs=1e-9)
    assert scores.std() == pytest.approx(1)
    for values in found.values():
        assert values.shape == (len(candidates),)
        assert np.isfinite(values).all()


def test_one_sentence_has_no_preference() -> None:
    _, _, scores = rank(document((None, [FIELD[0]])))
    assert scores.tolist() == [0.0]


@pytest.mark.parametrize(
    ("preferred", "other"),
    [
        (
            "We conclude that higher water in spring drives the herons away from the lakes of the county.",
            "For example, suppose that the water of one lake in the county is higher than in spring.",
        ),
        (
            "In this study, we found that herons leave the lakes where the water is higher in spring.",
            "Do the herons of the county leave the lakes where the water is higher in spring?",
        ),
    ],
)
def test_readers_prefer_what_is_said_to_what_illustrates_or_asks(preferred: str, other: str) -> None:
    for pair in ((preferred, other), (other, preferred)):
        candidates, _, scores = rank(document(("Lakes", [*FIELD, *pair, *FIELD[::-1]])))
        at = [sentence.text for sentence in candidates.sentences].index
        assert scores[at(preferred)] > scores[at(other)]


def test_words_are_found_whole_and_in_any_case() -> None:
    said = ranker._cues(["We MUST act.", "Mustard seeds were sown.", "Is it (not) so: why?"])
    assert said["says_rule"].tolist() == [1, 0, 0]
    assert said["says_past"].tolist() == [0, 1, 0]
    assert said["says_denial"].tolist() == [0, 0, 1]
    assert (said["sign_?"].tolist(), said["sign_("].tolist()) == ([0, 0, 1], [0, 0, 1])
    assert said["after_question"].tolist() == [0, 0, 0]


def test_agreement_counts_main_points_and_words() -> None:
    choice = {"main": [1, 2], "points": [[3], [4, 5], [6]], "ideal": [2, 7], "context": [8]}
    found = choices.agree(choice, {2: 10, 5: 10, 9: 20})
    assert (found.main, found.points, found.chosen, found.words) == (1.0, 1 / 3, 0.5, 40)
    assert found.mean == pytest.approx((1 + 1 / 3 + 0.5) / 3)
    assert choices.agree(choice, {9: 5}).mean == 0


def test_fitting_finds_what_was_chosen_by() -> None:
    rng = np.random.default_rng(0)
    records = []
    for number in range(40):
        values = rng.normal(size=(12, 3))
        kind = ("paper", "talk")[number % 2]
        # Papers are chosen from by the first feature, talk by the second; the third tells nothing.
        best = int(np.argmax(values[:, number % 2]))
        choice = {"main": [best], "points": [], "ideal": [], "context": []}
        records.append(
            {
                "kind": kind,
                "features": ["first", "second", "third"],
                "values": values.tolist(),
                "names": list(range(12)),
                "choice": choice,
            }
        )
    weights = choices.fit(records)["weights"]
    assert np.argmax(weights["paper"]) == 0
    assert np.argmax(weights["talk"]) == 1
    assert abs(weights["paper"][2]) < 0.3 * weights["paper"][0]


def test_of_what_was_judged_in_part_the_rest_tells_nothing() -> None:
    rng = np.random.default_rng(0)
    records = []
    for _ in range(40):
        values = rng.normal(size=(12, 2))
        # Only the first six were judged; what of the others is highest in the second feature was not.
        values[6:, 1] -= 5
        best = int(np.argmax(values[:6, 0]))
        choice = {"main": [], "points": [], "ideal": [best], "context": [], "judged": list(range(6))}
        records.append(
            {
                "kind": "talk",
                "features": ["first", "second"],
                "values": values.tolist(),
                "names": list(range(12)),
                "choice": choice,
            }
        )
    whole = records[0] | {"kind": "paper", "choice": {"main": [0], "points": [], "ideal": [], "context": []}}
    first, second = choices.fit([*records, whole])["weights"]["talk"]
    assert abs(second) < 0.1 * first


def test_nobody_chose_for_what_the_figures_are_of() -> None:
    fitted = {choice["id"] for choice in choices.read_choices("fit")}
    held = {choice["id"] for choice in choices.read_choices("held")}
    again = {choice["id"] for choice in choices.read_choices("again")}
    assert not fitted & held
    assert again <= held
    aside = json.loads(choices.CHOICES.with_name("set_aside.json").read_text(encoding="utf-8"))
    ids = {each for names in aside.values() for each in names}
    assert {choice["id"] for choice in choices.read_choices("held") if "corpus" in choice} <= ids
    assert not fitted & ids
