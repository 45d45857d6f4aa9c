"""``lsum summarize``."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from lsum_cli.cli.flags import Sources, flags_for_models, typed_flags, with_flags
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.source_run import SourceOptions, SourceRun
from lsum_cli.cli.streams import result_stream
from lsum_cli.cli.summary_output import FinishedSummary, Sink, SummaryOutput, finish_summary
from lsum_cli.errors import OptionError, SourceError
from lsum_cli.machine.storage import is_first_time_today
from lsum_cli.machine.workers import usual_jobs
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.reading.registry import ReadOptions
from lsum_cli.rendering.formats import Format

if TYPE_CHECKING:
    from lsum_cli.batch.workers import Outcome, SummaryWorkers
    from lsum_cli.changes import EarlierText
    from lsum_cli.cli.summary_folder import Output
    from lsum_cli.progress import ProgressListener
    from lsum_cli.reading.reader import Reader
    from lsum_cli.rendering.progress import ProgressDisplay
    from lsum_cli.summaries import Summary, SummaryListener


@with_flags
def summarize(
    context: typer.Context,
    sources: Sources,
    source_options: SourceOptions,
    options: SummaryOptions,
    reading: ReadOptions,
    output: SummaryOutput,
    messages: Messages,
) -> None:
    """Summarise documents, and show for every sentence where it came from.

    [bold]Examples[/bold]

      lsum summarize paper.pdf
      lsum summarize -m ./my-checkpoint --beams 2 paper.pdf
      lsum summarize --length 200 --pdf-pages 1-12 report.pdf
      lsum summarize --multi ./news/ -f html -o news.html
      lsum summarize --each ./papers/ -f markdown -o summaries/ --resume
      lsum summarize --style outline --keywords book.epub
      lsum summarize --focus "side effects of the drug" trial.pdf
      lsum summarize --since draft-1.pdf draft-2.pdf
      lsum summarize -m ./my-checkpoint --method book --show-chapters book.epub
      curl -s https://example.org/ | lsum summarize - -f json
    """
    # Imported here, so that help and wrong usage do not pay for them.
    from lsum_cli.reading.reader import Reader

    run = SourceRun(sources, source_options, messages)
    if run.since is not None and output.resume:
        raise OptionError("--since writes one summary anew: nothing can be resumed", "leave out --resume")
    with (
        Reader.of_many(reading, run.sources if run.together else run.sources[:1]) as reader,
        _start_workers(run, options, reading) as workers,
        result_stream() as stream,
    ):
        if not output.resume and workers is None:
            reader.prefetch(run.sources[0])

        def list_outputs(how: Format) -> list[Output]:
            from lsum_cli.cli import summary_folder

            return summary_folder.list_outputs(
                run.sources,
                options,
                reading,
                how,
                together=run.together,
                show_source=output.source,
            )

        sink = Sink.choose(
            stream,
            output,
            attribution=options.attribution,
            is_verbose=messages.verbosity > 0,
            several=run.several,
            sources=run.sources,
            list_outputs=list_outputs,
        )
        run.say_left_out()
        # A report zooms through all lengths.
        how = replace(options, zoom=sink.format is Format.HTML)
        with messages.progress() as progress:
            writing = _Writing(run, how, reader, workers, messages, flags_for_models(context))
            try:
                sink.write(progress.paused_for_each(writing.summaries(sink, progress)))
            except KeyboardInterrupt:
                if sink.folder is not None:
                    messages.note("what is done is kept: run the same command with --resume to go on")
                raise
        if sink.clipboard is not None:
            messages.note("copied to the clipboard")
    run.say_idle([each.option.flag for each in typed_flags(context)], reading)
    run.conclude()


def _start_workers(
    run: SourceRun, options: SummaryOptions, reading: ReadOptions
) -> AbstractContextManager[SummaryWorkers[FinishedSummary] | None]:
    """Workers where several summaries can be made at a time; else ``None``.

    They are started before anything starts threads, and learn only later what exactly is wanted.
    """
    if not run.several or (reading.jobs or usual_jobs()) == 1:
        return nullcontext()
    from lsum_cli.batch.workers import SummaryWorkers

    finish = partial(finish_summary, None, True)
    jobs, num_tasks = reading.jobs, len(run.sources)
    return SummaryWorkers(options, reading, finish=finish, jobs=jobs, num_tasks=num_tasks)


class _Writing:
    """Summarises the sources of a run, and tells the user what matters about each summary.

    Args:
        workers: Where several summaries can be made at a time.
        for_models: The flags on the command line that only a model uses.
    """

    def __init__(
        self,
        run: SourceRun,
        options: SummaryOptions,
        reader: Reader,
        workers: SummaryWorkers[FinishedSummary] | None,
        messages: Messages,
        for_models: Sequence[str],
    ) -> None:
        self._for_models = for_models
        self._run, self._options, self._reader, self._messages = run, options, reader, messages
        self._workers = workers
        self._said_writer: str | None = None

    def summaries(self, sink: Sink, progress: ProgressDisplay) -> Iterator[tuple[int, FinishedSummary]]:
        """Yield each summary when it is ready, with its position in the list of outputs.

        Raises:
            LsumError: The options are wrong, or no source can be found.
        """
        run, done = self._run, sink.done
        if done:
            total = len(run.sources) if run.several else 1
            some = f"{len(done):,} of {total:,} sources were done"
            self._messages.note(f"resumed: {'nothing was left to do' if len(done) == total else some}")
        for number, losses in done.items():
            run.record_losses(run.sources[number], losses)
        finished = self._gather(sink, progress)
        if finished is None:
            written = self._write(done, progress, progress.pausing(sink.listener))
            finished = ((number, FinishedSummary(summary=summary)) for number, summary in written)
        for number, each in finished:
            self._comment_on(each.summary)
            yield number, each

    def _gather(self, sink: Sink, progress: ProgressListener) -> Iterator[tuple[int, FinishedSummary]] | None:
        """The summaries that workers make; ``None`` where they are better made here, one after the other."""
        workers = self._workers
        if workers is None:
            return None
        from lsum_cli.batch.workers import SummaryTask, choose_samples

        sources = self._run.sources
        tasks = [SummaryTask(id=n, source=source) for n, source in enumerate(sources) if n not in sink.done]
        workers.options, workers.finish = self._options, sink.finish
        if len(tasks) < 2 or workers.choose_jobs(choose_samples(tasks)) == 1:
            # Here the next document is read meanwhile, and a terminal shows what is being written.
            workers.close()
            return None
        outcomes = _count(workers.completed(tasks, progress), len(tasks), progress)
        return self._sort_out(
            _in_order(outcomes, [task.id for task in tasks]) if sink.is_ordered else outcomes
        )

    def _sort_out(
        self, outcomes: Iterable[Outcome[int, FinishedSummary]]
    ) -> Iterator[tuple[int, FinishedSummary]]:
        """The summaries among outcomes; failures are recorded."""
        from lsum_cli.methods.sources import Failure

        for outcome in outcomes:
            if outcome.error is not None:
                self._run.record_failure(Failure(source=outcome.source, error=outcome.error))
            elif outcome.result is not None:
                yield outcome.id, outcome.result

    def _write(
        self,
        done: Mapping[int, Sequence[str]],
        progress: ProgressListener,
        listener: SummaryListener | None,
    ) -> Iterator[tuple[int, Summary]]:
        # What brings heavy libraries is imported while the first source is read.
        from lsum_cli.methods.sources import Failure, summarize_each, summarize_together

        run = self._run
        if run.since is not None:
            yield 0, self._compare(run.sources[0], run.since, progress, listener)
            return
        if run.together:
            if 0 in done:
                return
            summary, failures = summarize_together(
                run.sources,
                self._options,
                self._reader.options,
                progress,
                listener,
                reader=self._reader,
            )
            for failure in failures:
                run.record_failure(failure)
            if summary is not None:
                yield 0, summary
            return
        numbered = {n: source for n, source in enumerate(run.sources) if n not in done}
        outcomes = summarize_each(
            list(numbered.values()),
            self._options,
            self._reader.options,
            progress,
            listener,
            reader=self._reader,
        )
        for number, outcome in zip(numbered, outcomes, strict=True):
            if isinstance(outcome, Failure):
                run.record_failure(outcome)
            else:
                yield number, outcome

    def _compare(
        self, source: str, since: str, progress: ProgressListener, listener: SummaryListener | None
    ) -> Summary:
        """A summary of what changed in a source.

        Raises:
            LsumError: One of the versions cannot be read, or the options are wrong.
        """
        from lsum_cli.changes import EarlierText
        from lsum_cli.methods.summarizer import Summarizer

        started = time.perf_counter()
        reader, keep_references = self._reader, self._options.keep_references
        new = reader.begin(source)
        old = _read_earlier_text(since, keep_references)
        if old is None:
            document = reader.read(since, id="old", progress=progress)
            old = EarlierText.of(document, keep_references=keep_references)
        elif not old.has_text:
            self._messages.note(f"{since} holds no text: what was removed is counted, not shown")
        read = new.result(progress)
        seconds = time.perf_counter() - started
        summary = Summarizer(self._options, progress, listener).summarize_changes(old, read)
        return replace(summary, seconds={"read": seconds, **summary.seconds})

    def _comment_on(self, summary: Summary) -> None:
        from lsum_cli.rendering.quantities import count

        self._run.record_documents(summary.documents)
        source = summary.documents[0].source
        prefix = self._run.prefix(source)
        self._say_writer(summary)
        for warning in summary.warnings:
            self._messages.warn(prefix + warning)
        for part in summary.coverage.left_out:
            self._messages.detail(f"{prefix}left out {count(part.words, 'word')}: {part.what}")
        if summary.coverage.tokens_references:
            self._messages.detail(
                f"{prefix}left out {count(summary.coverage.tokens_references, 'token')} of references"
                " (--keep-references reads them)"
            )
        for stage, seconds in summary.seconds.items():
            self._messages.detail(f"{prefix}{stage}: {seconds:.2f} s")
        self._run.record_losses(source, summary.coverage.lost)

    def _say_writer(self, summary: Summary) -> None:
        """Report once which method and checkpoint ``auto`` chose and, with ``-v``, where it ran."""
        checkpoint = summary.checkpoint
        if checkpoint is None:
            self._messages.idle(self._for_models)
            self._for_models = ()
            text = "no checkpoint is installed: sentences are extracted from the source (method extract)"
        else:
            text = f"written by the checkpoint {checkpoint.name} (method {summary.method})"
        if text == self._said_writer:
            return
        self._said_writer = text
        if self._options.method in ("auto", "book") and self._options.model is None:
            if checkpoint is not None:
                self._messages.note(text)
            elif is_first_time_today("summary"):
                from lsum_cli.methods.recommendation import recommend

                self._messages.note(text)
                self._messages.note(f"for sentences that a model writes: {recommend(roughly=True)}")
            else:
                self._messages.detail(text)
        if checkpoint is not None:
            used = [f"{name} {value}" for name, value in summary.options.items() if value is not None]
            self._messages.detail(f"{checkpoint.name}: {', '.join(used)}")


def _read_earlier_text(since: str, keep_references: bool) -> EarlierText | None:
    """What a summary of ours holds of its source; ``None`` where the file is a document.

    Raises:
        OptionError: It is a summary of ours that cannot be compared with.
        SourceError: The file cannot be read.
    """
    from lsum_cli.rendering.earlier_text import SUMMARY_SUFFIXES, read_earlier_text

    path = Path(since)
    if "://" in since or path.suffix.lower() not in SUMMARY_SUFFIXES or not path.is_file():
        return None
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{since} cannot be read: {error.strerror}", "correct its permissions") from error
    return read_earlier_text(content, since, keep_references=keep_references)


def _count(
    outcomes: Iterable[Outcome[int, FinishedSummary]], total: int, progress: ProgressListener
) -> Iterator[Outcome[int, FinishedSummary]]:
    """The same, with the progress of all."""
    from lsum_cli.progress import ProgressEvent

    counted = ProgressEvent(stage="sources", done=0, total=total, unit="sources")
    progress(counted)
    for done, outcome in enumerate(outcomes, start=1):
        yield outcome
        progress(replace(counted, done=done))


def _in_order(
    outcomes: Iterable[Outcome[int, FinishedSummary]], numbers: Sequence[int]
) -> Iterator[Outcome[int, FinishedSummary]]:
    """The same in the order of these numbers, each as soon as those before it are there."""
    waiting: dict[int, Outcome[int, FinishedSummary]] = {}
    left = iter(numbers)
    following = next(left, None)
    for outcome in outcomes:
        waiting[outcome.id] = outcome
        while following in waiting:
            yield waiting.pop(following)
            following = next(left, None)
