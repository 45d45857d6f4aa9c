"""Runs: what is scored, what is kept, and that nothing kept is written twice."""

from __future__ import annotations

import dataclasses
import json
import random
import sys

import numpy as np
import pytest
from evaluation_examples import EXAMPLES, MARSH, TOWER, CountingSystem, make_example

from lsum_cli.errors import DatasetError, DeviceError, MissingDependency, OptionError, OutputError
from lsum_cli.evaluation import runs
from lsum_cli.evaluation.baselines import make_baseline
from lsum_cli.evaluation.metrics.models import EncoderScores
from lsum_cli.evaluation.options import EvaluationOptions
from lsum_cli.evaluation.runs import evaluate_system, score_texts
from lsum_cli.evaluation.summary_cache import SummaryCache, read_cached
from lsum_cli.evaluation.systems import SummarizerSystem
from lsum_cli.locality import paginate
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.pagesum import PageSumMethod
from lsum_cli.progress import ignore_progress
from lsum_cli.summaries import ChapterSummary


def options(tmp_path, **more) -> EvaluationOptions:
    return EvaluationOptions(results=tmp_path / "results", **more)


def test_every_example_is_a_row_with_its_scores():
    result = evaluate_system(CountingSystem(), EXAMPLES)
    assert [row.id for row in result.rows] == ["1", "2"]
    assert result.rows[1].text == "The tower was built of brick in 1702."
    row = result.rows[0].scores
    assert {"rouge1", "rouge2_precision", "rougeLsum_recall", "words", "novel_2", "seconds"} <= set(row)
    assert row["words"] == 6
    assert row["length_error"] == pytest.approx(6 / 11 - 1)
    assert result.means["rouge1"] == pytest.approx(np.mean([row.scores["rouge1"] for row in result.rows]))
    assert result.warnings == ("seen (2 summaries)",)


def test_order_does_not_matter():
    examples = [make_example(str(number), MARSH, f"Mud {'grows ' * number}fast.") for number in range(6)]
    mixed = random.Random(1).sample(examples, 6)
    first, second = (evaluate_system(CountingSystem(), each) for each in (examples, mixed))
    assert {k: v for k, v in first.means.items() if k != "seconds"} == pytest.approx(
        {k: v for k, v in second.means.items() if k != "seconds"}, nan_ok=True
    )


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path):
    stopped = CountingSystem(stops_on="2")
    with pytest.raises(KeyboardInterrupt):
        evaluate_system(stopped, EXAMPLES, options(tmp_path))
    again = CountingSystem()
    result = evaluate_system(again, EXAMPLES, options(tmp_path))
    assert (again.calls, result.taken) == (["2"], 1)
    whole = evaluate_system(CountingSystem(), EXAMPLES)
    for row, fresh in zip(result.rows, whole.rows, strict=True):
        assert {**row.scores, "seconds": 0} == {**fresh.scores, "seconds": 0}
        assert (row.text, row.flags) == (fresh.text, fresh.flags)
    last = CountingSystem()
    assert evaluate_system(last, EXAMPLES, options(tmp_path, fresh=True)).taken == 0
    assert last.calls == ["1", "2"]


def test_a_torn_line_costs_one_summary(tmp_path):
    first = evaluate_system(CountingSystem(), EXAMPLES, options(tmp_path))
    path = tmp_path / "results" / "counting-0123456789ab" / "summaries.jsonl"
    assert first.summaries_path == str(path)
    path.write_bytes(path.read_bytes()[:-100])
    again = CountingSystem()
    assert evaluate_system(again, EXAMPLES, options(tmp_path)).taken == 1
    assert again.calls == ["2"]
    assert [kept.id for kept in read_cached(path)] == ["1", "2"]
    assert evaluate_system(CountingSystem(), EXAMPLES, options(tmp_path)).taken == 2


def test_another_reference_or_text_is_another_example(tmp_path):
    evaluate_system(CountingSystem(), EXAMPLES, options(tmp_path))
    changed = [
        make_example("1", MARSH, "Another reference."),
        make_example("2", MARSH, EXAMPLES[1].reference),
    ]
    assert evaluate_system(CountingSystem(), changed, options(tmp_path)).taken == 0


def test_a_kept_summary_comes_back_whole(tmp_path):
    summary = SummarizerSystem(SummaryOptions(method="extract", length="20")).summarize(
        EXAMPLES[0], ignore_progress
    )
    summary = dataclasses.replace(summary, chapters=(ChapterSummary(page=0, sentences=summary.sentences),))
    kept = SummaryCache(tmp_path, "a/b: c", "f" * 64)
    kept.add(EXAMPLES[0], summary)
    assert kept.get(EXAMPLES[0]) == summary
    assert SummaryCache(tmp_path, "a/b: c", "f" * 64).get(EXAMPLES[0]) == summary
    assert kept.get(EXAMPLES[1]) is None
    assert kept.path.parent.name == "a-b-c-" + "f" * 12
    record = json.loads(kept.path.read_text(encoding="utf-8"))
    assert record["text"] == summary.text
    assert record["sentences"][0]["attribution"]["evidence"]


def test_pieces_of_sentences_come_back(tmp_path):
    long = make_example("1", (" ".join(["word"] * 50) + ".",), "Words.")
    system = SummarizerSystem(SummaryOptions(method="extract", page_tokens=20))
    summary = system.summarize(long, ignore_progress)
    assert len(summary.pages) == len(paginate(long.documents, summary.locality, 20)) > 1
    kept = SummaryCache(tmp_path, "x", "0" * 64)
    kept.add(long, summary)
    assert kept.get(long) == summary


def test_what_cannot_be_summarised_scores_0_and_is_counted():
    result = evaluate_system(CountingSystem(fails_on="1"), EXAMPLES)
    assert (result.failed, result.empty) == (1, 1)
    assert result.rows[0].scores["rouge1"] == 0
    assert result.rows[0].error == "1 holds no text"
    assert result.rows[1].scores["rouge1"] > 0


def test_an_error_that_is_the_systems_own_ends_the_run():
    class Broken(CountingSystem):
        def summarize(self, example, progress):
            raise OptionError("wrong")

    with pytest.raises(OptionError):
        evaluate_system(Broken(), EXAMPLES)


def test_a_full_disk_ends_the_run_instead_of_scoring_0():
    class Full(CountingSystem):
        def summarize(self, example, progress):
            if self.calls:
                raise OutputError("cannot keep summaries")
            return super().summarize(example, progress)

    with pytest.raises(OutputError):
        evaluate_system(Full(), EXAMPLES)


def test_a_score_that_is_no_number_is_left_out_and_said(monkeypatch):
    found = EncoderScores(rows=({"bertscore": float("nan")}, {"bertscore": 0.5}), models={}, warnings=())
    monkeypatch.setattr(runs, "score_with_encoders", lambda *_: found)
    result = evaluate_system(CountingSystem(), EXAMPLES)
    assert result.rows[0].scores["bertscore"] is None
    assert result.means["bertscore"] == 0.5
    assert "bertscore is NaN for 1 summaries, which are left out" in result.warnings


def test_warnings_that_differ_in_numbers_alone_are_one_line():
    class Doubtful(CountingSystem):
        def summarize(self, example, progress):
            summary = super().summarize(example, progress)
            return dataclasses.replace(summary, warnings=(f"{len(self.calls) * 1200:,} tokens lost", "seen"))

    result = evaluate_system(Doubtful(), EXAMPLES)
    assert result.warnings == ("1,200 tokens lost (and similarly for 1 more)", "seen (2 summaries)")


def test_a_length_that_was_asked_for_is_that_of_texts_too():
    result = score_texts("other", ["one two three"] * 2, EXAMPLES, requested_words=6)
    assert [row.scores["length_error"] for row in result.rows] == [-0.5, -0.5]
    assert result.settings == {"length": 6}


def test_no_reference_no_score():
    for reference in (None, "  "):
        with pytest.raises(DatasetError, match=r"data\.jsonl, line 7"):
            evaluate_system(CountingSystem(), [make_example("7", MARSH, reference)])
    with pytest.raises(DatasetError, match="no example"):
        evaluate_system(CountingSystem(), [])


def test_texts_of_another_program():
    result = score_texts("other", [EXAMPLES[0].reference, ""], EXAMPLES)
    assert [row.scores["rouge1"] for row in result.rows] == [1, 0]
    assert (result.empty, result.kind) == (1, "predictions")
    assert result.rows[0].scores["novel_1"] is not None
    bare = [dataclasses.replace(example, documents=()) for example in EXAMPLES]
    assert score_texts("other", ["Mud.", "Bell."], bare).rows[0].scores["novel_1"] is None
    with pytest.raises(DatasetError, match="1 summaries in other, but 2 examples"):
        score_texts("other", ["one"], EXAMPLES)


def test_an_empty_reference_among_others_gives_0_and_is_said():
    examples = [EXAMPLES[0], dataclasses.replace(EXAMPLES[1], reference="")]
    result = score_texts("other", [EXAMPLES[0].reference, "A bell."], examples)
    assert [row.scores["rouge1"] for row in result.rows] == [1, 0]
    assert result.rows[1].scores["length_error"] is None
    assert result.warnings == ("1 of 2 references is empty and gives 0 (data.jsonl, line 2)",)


def test_settings_and_weights_make_the_fingerprint(tmp_path):
    from tiny_models import save_family

    folder = save_family(tmp_path / "bart", "bart")
    base = SummaryOptions(model=str(folder), device="cpu")
    same = SummarizerSystem(base)
    assert same.name == "bart"
    assert same.fingerprint == SummarizerSystem(dataclasses.replace(base, device="auto")).fingerprint
    assert same.fingerprint != SummarizerSystem(dataclasses.replace(base, beams=2)).fingerprint
    save_family(tmp_path / "bart", "bart", seed=1)
    assert same.fingerprint != SummarizerSystem(base).fingerprint


def test_the_weights_of_a_book_are_those_of_both_stages(tmp_path):
    from tiny_models import save_family

    whole, chapters = save_family(tmp_path / "whole", "bart"), save_family(tmp_path / "chapters", "bart")
    options = SummaryOptions(method="book", model=str(whole), chapter_model=str(chapters), device="cpu")
    before = SummarizerSystem(options).fingerprint
    assert SummarizerSystem(options).fingerprint == before
    save_family(chapters, "bart", seed=1)
    assert SummarizerSystem(options).fingerprint != before


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "results").write_text("a file", encoding="utf-8")
    with pytest.raises(OutputError, match="--results"):
        evaluate_system(CountingSystem(), EXAMPLES, options(tmp_path))


def test_baselines_are_called_baselines():
    assert evaluate_system(make_baseline("lead1", SummaryOptions()), EXAMPLES).kind == "baseline"


def test_options_out_of_range():
    for wrong in ({"resamples": 0}, {"processes": 0}, {"seed": -1}):
        with pytest.raises(OptionError):
            EvaluationOptions(**wrong)


def test_an_example_without_text_does_not_end_a_run_that_has_only_begun():
    assert evaluate_system(CountingSystem(fails_on="1"), EXAMPLES[:1]).failed == 1


def test_a_missing_package_is_said_before_anything_is_written(monkeypatch):
    monkeypatch.setitem(sys.modules, "rouge_score.tokenize", None)
    system = CountingSystem()
    with pytest.raises(MissingDependency):
        evaluate_system(system, EXAMPLES)
    assert system.calls == []


def test_summaries_written_together_are_those_written_one_by_one(tmp_path, monkeypatch):
    from tiny_models import save_pagesum

    folder = save_pagesum(tmp_path / "tiny")
    wanted = SummaryOptions(model=str(folder), device="cpu", dtype="float32", page_tokens=20, beams=2)
    wanted = dataclasses.replace(wanted, min_tokens=4, max_tokens=12)
    examples = [*EXAMPLES, make_example("3", (*MARSH, *TOWER), "Marsh and tower.")]
    alone = evaluate_system(SummarizerSystem(wanted), examples)
    batches = []
    write_all = PageSumMethod._write_all

    def watch(self, plans, batch_tokens):
        batches.append([len(plan.pages) for plan in plans])
        return write_all(self, plans, batch_tokens)

    monkeypatch.setattr(PageSumMethod, "_write_all", watch)
    together = evaluate_system(SummarizerSystem(wanted), examples, options(tmp_path, batch_size=2))
    # Two documents of several pages each, then the one that is left.
    assert [len(batch) for batch in batches] == [2, 1]
    assert min(batches[0]) > 1
    assert [row.text for row in together.rows] == [row.text for row in alone.rows]
    for one, other in zip(together.rows, alone.rows, strict=True):
        untimed = {name: value for name, value in one.scores.items() if name != "seconds"}
        assert untimed == pytest.approx({name: other.scores[name] for name in untimed}, abs=1e-5)
    again = evaluate_system(SummarizerSystem(wanted), examples, options(tmp_path, batch_size=3))
    assert (again.taken, len(batches)) == (3, 2)


def test_a_batch_that_fails_is_tried_one_by_one(tmp_path):
    class Together(CountingSystem):
        def summarize_batch(self, examples, progress):
            raise DeviceError("the memory of this machine does not suffice")

    system = Together(fails_on="2")
    result = evaluate_system(system, EXAMPLES, options(tmp_path, batch_size=2))
    assert (system.calls, result.failed) == (["1", "2"], 1)
    assert result.warnings[0].startswith("2 summaries could not be written together: the memory")
