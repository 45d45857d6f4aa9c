"""``lsum summarize``."""

from __future__ import annotations

from lsum_cli.cli import options as flags
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.streams import product_stream
from lsum_cli.errors import OptionError
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.reading.registry import ReadOptions


def summarize(
    sources: flags.Sources,
    multi: flags.Multi = False,
    each: flags.Each = False,
    method: flags.Method = SummaryOptions.method,
    model: flags.Model = None,
    locality: flags.Locality = flags.LocalityFlag.AUTO,
    length: flags.Length = SummaryOptions.length,
    page_tokens: flags.PageTokens = None,
    pages: flags.Pages = None,
    min_tokens: flags.MinTokens = None,
    max_tokens: flags.MaxTokens = None,
    beams: flags.Beams = None,
    length_penalty: flags.LengthPenalty = None,
    no_repeat_ngram: flags.NoRepeatNgram = None,
    coverage_penalty: flags.CoveragePenalty = None,
    pooling: flags.Pooling = None,
    chapter_model: flags.ChapterModel = None,
    windowing: flags.Windowing = None,
    window: flags.Window = None,
    stride: flags.Stride = None,
    device: flags.Device = SummaryOptions.device,
    dtype: flags.Dtype = flags.DtypeFlag.AUTO,
    seed: flags.Seed = SummaryOptions.seed,
    keep_references: flags.KeepReferences = SummaryOptions.keep_references,
    pdf_pages: flags.PdfPages = None,
    password: flags.Password = None,
    timeout: flags.Timeout = ReadOptions.timeout,
    offline: flags.Offline = ReadOptions.offline,
    attribution: flags.Attribution = SummaryOptions.attribution,
    show_chapters: flags.ShowChapters = SummaryOptions.show_chapters,
    format: flags.Format = None,
    output: flags.Output = None,
    overwrite: flags.Overwrite = False,
    resume: flags.Resume = False,
    open: flags.Open = False,
    strict: flags.Strict = False,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = 0,
) -> None:
    """Summarise documents, and say for every sentence which pages it came from.

    [bold]Examples[/bold]

      lsum summarize paper.pdf
      lsum summarize -m ./my-checkpoint --beams 2 paper.pdf
      lsum summarize --length 200 --pdf-pages 1-12 report.pdf
      lsum summarize --multi ./news/ -f html -o news.html
      lsum summarize --each ./papers/ -f markdown -o summaries/ --resume
      lsum summarize -m ./my-checkpoint --method book --show-chapters book.epub
      curl -s https://example.org/ | lsum summarize - -f json
    """
    # Imported here, so that help and wrong usage do not pay for them.
    from lsum_cli.cli.sink import Sink
    from lsum_cli.cli.summarize_job import SummarizeJob
    from lsum_cli.rendering.progress import ProgressDisplay

    if multi and each:
        raise OptionError("--multi and --each exclude each other", "give one of them")
    summary_options = SummaryOptions(
        method=method,
        model=model,
        locality=locality.locality,
        length=length,
        page_tokens=page_tokens,
        pages=pages,
        min_tokens=min_tokens,
        max_tokens=max_tokens,
        beams=beams,
        length_penalty=length_penalty,
        no_repeat_ngram=no_repeat_ngram,
        coverage_penalty=coverage_penalty,
        pooling=pooling,
        chapter_model=chapter_model,
        show_chapters=show_chapters,
        windowing=windowing,
        window=window,
        stride=stride,
        device=device,
        dtype=dtype.value,
        seed=seed,
        offline=offline,
        keep_references=keep_references,
        attribution=attribution,
    )
    read_options = ReadOptions(pdf_pages=pdf_pages, password=password, timeout=timeout, offline=offline)
    messages = Messages(quiet=quiet, verbosity=verbose)
    job = SummarizeJob(
        sources=sources,
        together=multi,
        options=summary_options,
        read_options=read_options,
        messages=messages,
    )
    with product_stream() as stream:
        sink = Sink.choose(
            stream,
            format,
            output,
            list_products=job.list_products,
            overwrite=overwrite,
            resume=resume,
            open_after=open,
            attribution=attribution,
        )
        with ProgressDisplay(quiet=quiet, tell=messages.note) as progress:
            summaries = job.run(progress, progress.pausing(sink.listener), done=sink.done)
            sink.write(progress.paused_for_each(summaries), several=job.several)
    job.conclude(strict=strict)
