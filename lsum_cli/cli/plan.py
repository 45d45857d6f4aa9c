"""``lsum plan``."""

from __future__ import annotations

from lsum_cli.cli import options as flags
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.streams import product_stream
from lsum_cli.errors import OptionError
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.reading.registry import ReadOptions
from lsum_cli.rendering.formats import PlanFormat


def plan(
    sources: flags.Sources,
    multi: flags.Multi = False,
    each: flags.Each = False,
    method: flags.Method = SummaryOptions.method,
    model: flags.Model = None,
    locality: flags.Locality = flags.LocalityFlag.AUTO,
    length: flags.Length = SummaryOptions.length,
    page_tokens: flags.PageTokens = None,
    pages: flags.Pages = None,
    max_tokens: flags.MaxTokens = None,
    beams: flags.Beams = None,
    pooling: flags.Pooling = None,
    chapter_model: flags.ChapterModel = None,
    windowing: flags.Windowing = None,
    window: flags.Window = None,
    stride: flags.Stride = None,
    device: flags.Device = SummaryOptions.device,
    dtype: flags.Dtype = flags.DtypeFlag.AUTO,
    keep_references: flags.KeepReferences = SummaryOptions.keep_references,
    pdf_pages: flags.PdfPages = None,
    password: flags.Password = None,
    timeout: flags.Timeout = ReadOptions.timeout,
    offline: flags.Offline = ReadOptions.offline,
    format: flags.PlanFormat = None,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = 0,
) -> None:
    """Show how documents would be read and split, and what a summary would cost here.

    [bold]Examples[/bold]

      lsum plan paper.pdf
      lsum plan -m ./my-checkpoint paper.pdf
      lsum plan --locality spatial --pages 7 report.pdf
      lsum plan --multi ./news/ -f json
    """
    # Imported here, so that help and wrong usage do not pay for them.
    from lsum_cli.cli.plan_job import PlanJob
    from lsum_cli.rendering.plan import write_plans
    from lsum_cli.rendering.progress import ProgressDisplay

    if multi and each:
        raise OptionError("--multi and --each exclude each other", "give one of them")
    options = SummaryOptions(
        method=method,
        model=model,
        locality=locality.locality,
        length=length,
        page_tokens=page_tokens,
        pages=pages,
        max_tokens=max_tokens,
        beams=beams,
        pooling=pooling,
        chapter_model=chapter_model,
        windowing=windowing,
        window=window,
        stride=stride,
        device=device,
        dtype=dtype.value,
        offline=offline,
        keep_references=keep_references,
    )
    read_options = ReadOptions(pdf_pages=pdf_pages, password=password, timeout=timeout, offline=offline)
    job = PlanJob(
        sources=sources,
        together=multi,
        options=options,
        read_options=read_options,
        messages=Messages(quiet=quiet, verbosity=verbose),
    )
    with product_stream() as stream:
        with ProgressDisplay(quiet=quiet) as progress:
            plans = job.run(progress)
        write_plans(plans, PlanFormat.choose(format, is_terminal=stream.isatty()), stream)
    job.conclude()
