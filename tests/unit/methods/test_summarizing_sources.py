"""Many sources: what one of them does must not end the others."""

from __future__ import annotations

import pytest

from lsum_cli.errors import CheckpointError, DeviceError, ExitCode, OptionError
from lsum_cli.methods import sources as sources_module
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.seq2seq import Seq2SeqMethod
from lsum_cli.methods.sources import Failure, read_all, summarize_each, summarize_together
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.reading.registry import ReadOptions
from lsum_cli.summaries import Summary


@pytest.fixture
def sources(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nA sentence about {name}. Another one.\n")
    return [str(tmp_path / f"{name}.md") for name in ("a", "b", "c")]


def broken_at(name, error, monkeypatch):
    read = sources_module.read

    def read_or_break(source, *arguments, **keywords):
        if source.endswith(name):
            raise error
        return read(source, *arguments, **keywords)

    monkeypatch.setattr(sources_module, "read", read_or_break)


def test_a_bug_met_in_one_of_many_sources_is_a_failure_of_that_source(sources, monkeypatch):
    broken_at("b.md", ZeroDivisionError("oops"), monkeypatch)
    outcomes = list(summarize_each(sources, SummaryOptions(), ReadOptions()))
    assert [type(outcome) for outcome in outcomes] == [Summary, Failure, Summary]
    failure = outcomes[1].error
    assert failure.exit_code is ExitCode.BUG
    assert "ZeroDivisionError: oops" in str(failure)
    assert isinstance(failure.__cause__, ZeroDivisionError)
    documents, failures = read_all(sources, ReadOptions())
    assert len(documents) == 2
    assert [f.source for f in failures] == [sources[1]]


def test_a_bug_met_in_a_single_source_is_a_bug(sources, monkeypatch):
    broken_at("a.md", ZeroDivisionError("oops"), monkeypatch)
    with pytest.raises(ZeroDivisionError):
        list(summarize_each(sources[:1], SummaryOptions(), ReadOptions()))


def test_wrong_options_end_the_run(sources):
    with pytest.raises(OptionError):
        list(summarize_each(sources, SummaryOptions(method="magic"), ReadOptions()))


def test_together_reads_all_and_numbers_the_documents(sources):
    summary, failures = summarize_together(sources, SummaryOptions(), ReadOptions())
    assert failures == []
    assert [document.id for document in summary.documents] == ["d0", "d1", "d2"]
    assert summary.seconds["read"] > 0


def test_progress_counts_the_sources(sources):
    events = []
    list(summarize_each(sources, SummaryOptions(), ReadOptions(), events.append))
    assert [(e.done, e.total) for e in events if e.stage == "sources"] == [(0, 3), (1, 3), (2, 3)]


@pytest.mark.parametrize("error", [DeviceError("too little memory"), CheckpointError("wrote no text")])
def test_a_model_that_fails_for_one_source_ends_the_run_only_at_the_first(sources, monkeypatch, error):
    broken_at("b.md", error, monkeypatch)
    outcomes = list(summarize_each(sources, SummaryOptions(), ReadOptions()))
    assert [type(outcome) for outcome in outcomes] == [Summary, Failure, Summary]
    assert outcomes[1].error is error
    with pytest.raises(type(error)):
        list(summarize_each(sources[1:], SummaryOptions(), ReadOptions()))


@pytest.fixture
def tiny_model(tmp_path):
    from tiny_checkpoints import make_bart

    return str(make_bart(tmp_path / "tiny"))


def test_a_model_is_prepared_while_the_first_source_is_read(sources, tiny_model, monkeypatch):
    answers = iter([True, True, False])
    monkeypatch.setattr(sources_module._ReadHere, "is_under_way", lambda _: next(answers, False))
    loaded = []
    monkeypatch.setattr(Seq2SeqMethod, "prepare", lambda method: loaded.append(method.loaded))
    options = SummaryOptions(model=tiny_model, max_tokens=8, min_tokens=0)
    ahead = list(summarize_each(sources, options, ReadOptions()))
    assert len(loaded) == 1
    assert [s.text for s in ahead] == [s.text for s in summarize_each(sources, options, ReadOptions())]
    assert ahead[0].seconds["load"] > 0


@pytest.mark.parametrize("answers", [[], [True]])
def test_nothing_is_prepared_where_reading_has_ended(answers, tiny_model):
    left = iter(answers)
    summarizer = Summarizer(SummaryOptions(model=tiny_model))
    summarizer.prepare(lambda: next(left, False))
    assert summarizer._method is None


@pytest.mark.parametrize("options", [SummaryOptions(), SummaryOptions(model="nobody/has")])
def test_without_a_model_that_is_installed_nothing_is_prepared(options):
    summarizer = Summarizer(options)
    summarizer.prepare(lambda: True)
    assert summarizer._method is None


def test_a_checkpoint_that_breaks_ahead_is_not_kept(tiny_model, monkeypatch):
    def broken(_):
        raise CheckpointError("damaged")

    monkeypatch.setattr(Seq2SeqMethod, "prepare", broken)
    summarizer = Summarizer(SummaryOptions(model=tiny_model))
    summarizer.prepare(lambda: True)
    assert summarizer._method is None
