"""``lsum eval``: scores of systems on a data set, of summaries in files, and comparisons."""

from __future__ import annotations

import typer

from lsum_cli.cli import eval_flags
from lsum_cli.cli import options as flags
from lsum_cli.cli.eval_analyses import add_analyses
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.streams import product_stream
from lsum_cli.cli.summary_flags import with_summary_flags
from lsum_cli.evaluation.options import DEFAULT_RESAMPLES, Preparation, RougeSettings, Tokenizer
from lsum_cli.methods.options import SummaryOptions

evaluation = typer.Typer(
    name="eval",
    invoke_without_command=True,
    rich_markup_mode="rich",
)


@evaluation.callback()
@with_summary_flags(but=("model",))
def evaluate(
    context: typer.Context,
    models: eval_flags.Models = None,
    data: eval_flags.Data = None,
    predictions: eval_flags.Predictions = None,
    references: eval_flags.References = None,
    prediction_column: eval_flags.PredictionColumn = None,
    reference_column: eval_flags.ReferenceColumn = None,
    text_column: eval_flags.TextColumn = None,
    items: flags.Items = None,
    summary_column: eval_flags.SummaryColumn = None,
    id_column: eval_flags.IdColumn = None,
    limit: eval_flags.Limit = None,
    baselines: eval_flags.Baselines = None,
    measures: eval_flags.Measures = None,
    bertscore: eval_flags.BertScore = None,
    coherence: eval_flags.Coherence = None,
    stem: eval_flags.Stem = RougeSettings.stem,
    tokenizer: eval_flags.TokenizerKind = Tokenizer.AUTO,
    prepare: eval_flags.Prepare = Preparation.NONE,
    resamples: eval_flags.Resamples = DEFAULT_RESAMPLES,
    bootstrap_seed: eval_flags.BootstrapSeed = 0,
    wishes: SummaryOptions | None = None,
    processes: eval_flags.Processes = None,
    batch_size: eval_flags.BatchSize = 1,
    results: eval_flags.Results = None,
    fresh: eval_flags.Fresh = False,
    format: eval_flags.EvalFormat = None,
    output: eval_flags.EvalOutput = None,
    overwrite: flags.Overwrite = False,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = 0,
) -> None:
    """Score summaries with ROUGE and measure what it does not see, with intervals and a signature.

    [bold]Examples[/bold]

      lsum eval --predictions system.txt --references reference.txt
      lsum eval --data test.jsonl --method extract --yardsticks lead3,lead,random,oracle
      lsum eval --data test.jsonl -m ./one -m ./other --limit 100 -o report.json
      lsum eval --predictions system.txt --references reference.txt --prepare ptb
      lsum eval compare report.json other-report.json
    """
    if context.invoked_subcommand is not None:
        eval_flags.refuse_flags_before(context)
        return
    # Imported here, so that help and wrong usage do not pay for them.
    from lsum_cli.cli.eval_job import EvalJob, Request, choose_measures, choose_options
    from lsum_cli.cli.eval_sink import ReportSink
    from lsum_cli.datasets.options import DatasetOptions
    from lsum_cli.evaluation.options import EvaluationOptions, EncoderOptions
    from lsum_cli.rendering.evaluation import write_report
    from lsum_cli.rendering.progress import ProgressDisplay

    request = Request(
        models=models or (),
        data=data or (),
        predictions=predictions or (),
        references=references,
        prediction_column=prediction_column,
        reference_column=reference_column,
        baselines=baselines,
        dataset_options=DatasetOptions(
            text_column=text_column,
            items=items,
            summary_column=summary_column,
            id_column=id_column,
            limit=limit,
        ),
        wishes=wishes or SummaryOptions(),
    )
    rouge = RougeSettings(stem=stem, tokenizer=tokenizer, prepare=prepare)
    encoders = EncoderOptions(
        bertscore=bertscore,
        coherence=coherence,
        device=request.wishes.device,
        offline=request.wishes.offline,
    )
    options = EvaluationOptions(
        rouge=rouge,
        resamples=resamples,
        seed=bootstrap_seed,
        batch_size=batch_size,
        fresh=fresh,
        models=encoders,
    )
    shown = choose_measures(measures)
    with product_stream() as stream:
        sink = ReportSink.choose(stream, format, output, overwrite=overwrite)
        job = EvalJob(
            request,
            choose_options(options, processes=processes, results=results),
            Messages(quiet=quiet, verbosity=verbose),
        )
        with ProgressDisplay(quiet=quiet) as progress:
            report = job.run(progress)
        sink.write(lambda where: write_report(report, sink.format, where, measures=shown))
    job.conclude()


@evaluation.command("compare")
def compare(
    first: eval_flags.FirstReport,
    second: eval_flags.SecondReport = None,
    format: eval_flags.EvalFormat = None,
    output: eval_flags.EvalOutput = None,
    overwrite: flags.Overwrite = False,
    verbose: flags.Verbose = 0,
) -> None:
    """Say which of two systems is better and how sure that is, by the paired bootstrap.

    [bold]Examples[/bold]

      lsum eval compare a.json b.json
      lsum eval compare report.json -f csv
    """
    del verbose  # read before the arguments are parsed
    from lsum_cli.cli.eval_sink import ReportSink
    from lsum_cli.evaluation.report import compare_reports, read_report
    from lsum_cli.rendering.evaluation import write_comparisons

    with product_stream() as stream:
        sink = ReportSink.choose(stream, format, output, overwrite=overwrite)
        report = read_report(first)
        comparisons = compare_reports(report, read_report(second) if second else None)
        sink.write(lambda where: write_comparisons(comparisons, str(report.signature), sink.format, where))


add_analyses(evaluation)
