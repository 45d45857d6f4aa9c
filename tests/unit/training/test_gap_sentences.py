"""Sentences taken out of documents, and models trained to write them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_training import tiny_recipe

from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.datasets.example import Example
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.documents import Paragraph, Passage, SectionRole, compose_document
from lsum_cli.errors import OptionError
from lsum_cli.training.events import ignore_reports
from lsum_cli.training.folder import RunFolder
from lsum_cli.training.gap_sentences import cut_example, cut_gaps, salience_by_rouge
from lsum_cli.training.options import TrainOptions
from lsum_cli.training.plan import RunPlan
from lsum_cli.training.settings import GapSettings, Recipe, Salience


def plan_of(recipe: Recipe, folder: Path) -> RunPlan:
    return RunPlan.of(RunFolder(folder), recipe, TrainOptions(output=folder, dry_run=True), ignore_reports)


SEA = (
    "The sea wall holds the tide back from the old marsh.",
    "Boats leave at dawn.",
    "The tide of the sea rises over the wall in the winter storms.",
    "Nobody paints the yellow shutters of that hotel any longer.",
    "The marsh behind the wall drains when the tide of the sea falls.",
    "A heron stands there.",
)


def example(reference: str | None = None) -> Example:
    passages = [
        Passage(heading="Coast", level=1, paragraphs=(Paragraph.of(" ".join(SEA[:2])), Paragraph.of(SEA[2]))),
        Passage(heading="Land", level=1, paragraphs=(Paragraph.of(" ".join(SEA[3:])),)),
        Passage(
            heading="References",
            level=1,
            paragraphs=(Paragraph.of("Of the tide and the sea and the wall, London 1901."),),
            role=SectionRole.REFERENCES,
        ),
    ]
    document = compose_document(passages, id="d0", source="a test")
    return Example(id="e", documents=(document,), reference=reference, where="line 1")


def long_example(documents: int = 2) -> Example:
    """Documents of three parts, the second of which is a bare heading, and a reference list in between."""

    def paragraphs(part: str) -> tuple[Paragraph, ...]:
        words = [f"{part}{number}" for number in range(40)]
        lines = [f"Of {word} the sea says what the tide and {word} say." for word in words]
        return tuple(Paragraph.of(" ".join(lines[start : start + 5])) for start in range(0, 40, 5))

    made = []
    for number in range(documents):
        passages = [
            Passage(heading=f"Coast {number}", level=1, paragraphs=paragraphs(f"coast{number}x")),
            Passage(
                heading="References",
                level=1,
                paragraphs=(Paragraph.of("Sea and tide, 1901."),),
                role=SectionRole.REFERENCES,
            ),
            Passage(heading=f"Land {number}", level=1, paragraphs=()),
            Passage(heading=f"Fields {number}", level=2, paragraphs=paragraphs(f"field{number}x")),
        ]
        made.append(compose_document(passages, id=f"d{number}", source="a test"))
    return Example(id="long", documents=tuple(made), reference="Of coast0x3.\nOf field0x7.", where="line 1")


def running_texts(example: Example) -> list[str]:
    return [
        sentence.text
        for document in example.documents
        for section in document.sections
        if section.role is not SectionRole.REFERENCES
        for sentence in section.sentences
    ]


def assert_consistent(example: Example) -> None:
    for document in example.documents:
        text = document.text
        for index, sentence in enumerate(document.sentences):
            assert sentence.index == index
            assert text[sentence.start : sentence.end] == sentence.text
            assert sentence in document.sections[sentence.section_index].sentences


def write_texts(path: Path, documents: list[str]) -> Path:
    """Documents without references, a JSON object a line."""
    lines = (json.dumps({"id": f"e{number}", "text": text}) for number, text in enumerate(documents))
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def texts(cut: Example) -> list[str]:
    return [sentence.text for document in cut.documents for sentence in document.sentences]


def test_salience_is_rouge_against_the_rest() -> None:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1"])
    for place, score in enumerate(salience_by_rouge(SEA)):
        rest = " ".join(SEA[:place] + SEA[place + 1 :])
        assert score == pytest.approx(scorer.score(rest, SEA[place])["rouge1"].fmeasure)


def test_salient_sentences_become_the_reference() -> None:
    cut = cut_example(example(), GapSettings(share=0.4), 0, 0)
    assert cut.reference is not None
    assert cut.reference.split("\n") == [SEA[2], SEA[4]]
    (document,) = cut.documents
    assert [section.heading for section in document.sections] == ["Coast", "Land", "References"]
    assert texts(cut)[:4] == [SEA[0], SEA[1], SEA[3], SEA[5]]
    for index, sentence in enumerate(document.sentences):
        assert sentence.index == index
        assert document.text[sentence.start : sentence.end] == sentence.text
    assert f"{SEA[3]} {SEA[5]}" in document.text


def test_paragraphs_stay_apart_where_their_first_sentence_is_gone() -> None:
    cut = cut_example(example(), GapSettings(share=0.2, max_words=12), 0, 0)
    (document,) = cut.documents
    assert document.text.count("\n\n") in (5, 6)
    assert all(document.text[s.start : s.end] == s.text for s in document.sentences)


@pytest.mark.parametrize(
    ("share", "max_words", "most"), [(0.17, 150, 1), (0.9, 24, 2), (0.9, 8, 0), (0.1, 150, 0)]
)
def test_no_more_is_taken_than_allowed(share, max_words, most) -> None:
    cut = cut_example(example("a reference"), GapSettings(share=share, max_words=max_words), 0, 0)
    taken = (cut.reference or "").split("\n") if cut.reference else []
    assert len(taken) <= most
    assert sum(len(text.split()) for text in taken) <= max_words
    assert Counter(texts(cut) + taken) == Counter(texts(example()))
    if not most:
        assert cut.reference is None


def test_variants_differ_and_are_the_same_for_the_same_seed(tmp_path) -> None:
    write_texts(tmp_path / "train.jsonl", [" ".join(SEA[place:] + SEA[:place]) for place in range(5)])
    dataset = open_dataset(tmp_path / "train.jsonl", DatasetOptions(needs_reference=False))
    settings = GapSettings(share=0.2, max_words=20, variants=3)
    sound = list(cut_gaps(dataset, settings, 1))
    again = list(cut_gaps(dataset, settings, 1))
    other = list(cut_gaps(dataset, settings, 2))
    assert [(each.id, each.reference) for each in sound] == [(each.id, each.reference) for each in again]
    assert [each.reference for each in sound] != [each.reference for each in other]
    assert len({each.id for each in sound}) == len(sound) > 5
    of_record = [{each.reference for each in sound if each.id.startswith(f"e{n}-")} for n in range(5)]
    assert max(map(len, of_record)) > 1
    identities = {
        cut_gaps(dataset, replace(settings, share=share), seed).fingerprint
        for share, seed in ((0.2, 1), (0.2, 2), (0.3, 1))
    }
    assert len(identities | {dataset.fingerprint}) == 4


@pytest.mark.parametrize("salience", list(Salience))
def test_where_none_is_removed_the_text_stays_as_it_is(salience) -> None:
    given = example("The tide of the sea. The marsh behind the wall.")
    cut = cut_example(given, GapSettings(share=0.4, removed=0, salience=salience), 0, 0)
    assert cut.reference is not None
    assert set(cut.reference.split("\n")) <= set(SEA)
    assert cut.documents == given.documents


def test_chosen_sentences_stay_as_often_as_asked() -> None:
    given = long_example()
    taken = stayed = 0
    for variant in range(20):
        settings = GapSettings(share=0.2, max_words=400, removed=0.75, variants=20)
        cut = cut_example(given, settings, variant, 0)
        assert_consistent(cut)
        left = set(texts(cut))
        chosen = (cut.reference or "").split("\n")
        stayed += sum(text in left for text in chosen)
        taken += len(chosen)
        assert Counter(left | set(chosen)) == Counter(set(texts(given)))
    assert taken > 400
    assert 0.2 < stayed / taken < 0.3


def test_the_oracle_takes_what_the_reference_says() -> None:
    settings = GapSettings(share=0.9, salience=Salience.ORACLE, variants=2)
    for variant in range(2):
        cut = cut_example(long_example(), settings, variant, 0)
        # Nothing that the reference does not gain from, and in the order of the text.
        assert (cut.reference or "").split("\n") == [
            "Of coast0x3 the sea says what the tide and coast0x3 say.",
            "Of field0x7 the sea says what the tide and field0x7 say.",
        ]
    few = cut_example(long_example(), replace(settings, max_words=12), 0, 0)
    assert len((few.reference or "").split("\n")) == 1


def test_the_oracle_leaves_out_and_counts_what_has_no_reference(tmp_path) -> None:
    records = [
        {"id": "a", "text": " ".join(SEA), "summary": "The tide of the sea rises over the wall."},
        {"id": "b", "text": " ".join(SEA), "summary": ""},
        {"id": "c", "text": " ".join(SEA), "summary": "Completely unlike."},
    ]
    path = tmp_path / "train.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    gaps = {"share": 0.4, "salience": "oracle", "variants": 2, "removed": 0.5}
    recipe = tiny_recipe(path, path, data={"gap_sentences": gaps})
    plan = plan_of(recipe, tmp_path / "run")
    found = list(plan.train)
    assert [each.id for each in found] == ["a-gap1", "a-gap2"]
    assert all(SEA[2] in (each.reference or "") for each in found)
    assert plan.train.excluded.empty_references == 4


def test_a_limit_counts_variants_and_takes_them_from_all_over_the_data(tmp_path) -> None:
    path = write_texts(tmp_path / "texts.jsonl", [" ".join(SEA)] * 12)
    gaps = {"share": 0.4, "removed": 0.5, "variants": 3}
    recipe = tiny_recipe(path, path, data={"gap_sentences": gaps, "max_train_samples": 10})
    plan = plan_of(recipe, tmp_path / "run")
    found = [each.id for each in plan.train]
    assert len(found) == 10
    assert list(dict.fromkeys(each.partition("-")[0] for each in found)) == ["e2", "e5", "e8", "e11"]


@pytest.mark.parametrize("documents", [1, 2])
def test_windows_are_runs_of_the_text(documents) -> None:
    given = long_example(documents)
    whole = running_texts(given)
    settings = GapSettings(share=0.1, removed=0, window_words=300, variants=30)
    begun = set()
    for variant in range(settings.variants):
        cut = cut_example(given, settings, variant, 0)
        assert cut == cut_example(given, settings, variant, 0)
        assert_consistent(cut)
        window = texts(cut)
        start = whole.index(window[0])
        begun.add(start)
        assert window == whole[start : start + len(window)]
        assert 300 <= sum(len(text.split()) for text in window) <= 311
        assert set((cut.reference or "").split("\n")) <= set(window)
        known = {document.id: document for document in given.documents}
        for document in cut.documents:
            headings = [section.heading for section in document.sections]
            assert {heading for heading in headings if heading} <= {
                section.heading for section in known[document.id].sections
            }
            assert document.sections[0].sentences
            assert document.sections[-1].sentences
            assert SectionRole.REFERENCES not in {section.role for section in document.sections}
            for section in document.sections:
                run = (
                    document.text[section.sentences[0].start : section.sentences[-1].end]
                    if section.sentences
                    else ""
                )
                assert run in known[document.id].text
    assert len(begun) > 15
    assert max(begun) - min(begun) > len(whole) / 3


def test_a_text_within_the_window_is_whole() -> None:
    cut = cut_example(example(), GapSettings(share=0.4, removed=0, window_words=200), 0, 0)
    assert cut.documents == example().documents


@pytest.mark.parametrize(
    "other",
    [
        {"share": 0.3},
        {"salience": Salience.ORACLE},
        {"max_words": 30},
        {"removed": 0.5},
        {"window_words": 400},
        {"variants": 2},
    ],
)
def test_every_setting_makes_another_data_set(other, tmp_path) -> None:
    path = write_texts(tmp_path / "texts.jsonl", [" ".join(SEA)])
    dataset = open_dataset(path, DatasetOptions(needs_reference=False))
    settings = GapSettings(share=0.2)
    ours, theirs = (cut_gaps(dataset, each, 0) for each in (settings, replace(settings, **other)))
    assert ours.fingerprint != theirs.fingerprint


def test_data_without_references_will_do(tmp_path) -> None:
    path = write_texts(tmp_path / "texts.jsonl", [" ".join(SEA), "Too short."])
    recipe = tiny_recipe(path, path, data={"gap_sentences": {"share": 0.4, "variants": 2}})
    plan = plan_of(recipe, tmp_path / "run")
    found = list(plan.train)
    assert {each.id for each in found} <= {"e0-gap1", "e0-gap2"}
    assert found
    assert plan.train.excluded.empty_references >= 2
    assert [each.id for each in plan.validation] == ["e0"]


@pytest.mark.parametrize(
    "gaps",
    [
        {"share": 1.0},
        {"share": -0.1},
        {"max_words": 0},
        {"variants": 0},
        {"removed": 1.1},
        {"removed": -0.1},
        {"window_words": 149},
        {"salience": "best"},
    ],
)
def test_wrong_settings_are_refused(gaps, tmp_path) -> None:
    with pytest.raises(OptionError, match="gap_sentences"):
        tiny_recipe(tmp_path / "x.jsonl", data={"gap_sentences": gaps})
