"""The papers' analyses under ``lsum eval``: dependencies, locality, confidence, sweep."""

from __future__ import annotations

import typer

from lsum_cli.cli import analysis_flags as own
from lsum_cli.cli import eval_flags
from lsum_cli.cli import options as flags
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.picture_files import PictureFiles
from lsum_cli.cli.streams import product_stream
from lsum_cli.cli.summary_flags import with_summary_flags
from lsum_cli.datasets.options import DatasetOptions
from lsum_cli.methods.options import SummaryOptions

# Kept equal to the value beside the analysis, which costs numpy to import.
MAX_DISTANCE = 50


def add_analyses(group: typer.Typer) -> None:
    """Add the analyses to the command group ``lsum eval``."""
    group.command("dependencies")(show_dependencies)
    group.command("locality")(show_locality)
    group.command("confidence")(show_confidence)
    group.command("sweep")(run_sweep)


def show_dependencies(
    data: eval_flags.DataSets,
    predictions: own.Summaries = None,
    text_column: eval_flags.TextColumn = None,
    items: flags.Items = None,
    summary_column: eval_flags.SummaryColumn = None,
    id_column: eval_flags.IdColumn = None,
    limit: eval_flags.Limit = None,
    output: own.PictureName = None,
    overwrite: flags.Overwrite = False,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = 0,
) -> None:
    """Find summary sentences that join two source sentences, and how far apart these stand.

    Equations 13 to 16 and Figure 4 of the PageSum paper.

    [bold]Examples[/bold]

      lsum eval dependencies --data valid.jsonl
      lsum eval dependencies --data valid.jsonl --predictions pagesum.txt --predictions led.txt -o distances
    """
    from lsum_cli.cli.analysis_jobs import find_dependencies
    from lsum_cli.rendering.analyses import overview_dependencies, tabulate_dependencies
    from lsum_cli.rendering.plots import draw_dependencies

    messages = Messages(quiet=quiet, verbosity=verbose)
    files = PictureFiles.choose(output, "dependencies", overwrite=overwrite)
    options = DatasetOptions(
        text_column=text_column, items=items, summary_column=summary_column, id_column=id_column, limit=limit
    )
    with product_stream() as stream:
        results = find_dependencies(data, predictions or [], options, messages)
        table = tabulate_dependencies(results)
        files.finish(draw_dependencies(table), table, overview_dependencies(results), stream, messages)


def show_locality(
    data: eval_flags.DataSets,
    embeddings: own.Embeddings = None,
    max_distance: own.MaxDistance = MAX_DISTANCE,
    device: flags.Device = SummaryOptions.device,
    offline: flags.Offline = False,
    text_column: eval_flags.TextColumn = None,
    items: flags.Items = None,
    limit: eval_flags.Limit = None,
    output: own.PictureName = None,
    overwrite: flags.Overwrite = False,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = 0,
) -> None:
    """Show how like one another the sentences of documents are by their distance.

    Figure 1 of the PageSum paper: where likeness falls with distance, pages of neighbours make sense.

    [bold]Examples[/bold]

      lsum eval locality --data articles.jsonl
      lsum eval locality --data articles.jsonl --data meetings.jsonl --max-distance 100 -o locality
      lsum eval locality --data articles.jsonl --embeddings sentence-transformers/all-MiniLM-L6-v2
    """
    from lsum_cli.cli.analysis_jobs import find_locality
    from lsum_cli.rendering.analyses import overview_locality, tabulate_locality
    from lsum_cli.rendering.plots import draw_locality

    messages = Messages(quiet=quiet, verbosity=verbose)
    files = PictureFiles.choose(output, "locality", overwrite=overwrite)
    options = DatasetOptions(text_column=text_column, items=items, limit=limit, needs_reference=False)
    with product_stream() as stream:
        curves = find_locality(data, embeddings, max_distance, options, device, offline, messages)
        table = tabulate_locality(curves)
        picture = draw_locality(table, curves[0][1].measure)
        files.finish(picture, table, overview_locality(curves), stream, messages)


@with_summary_flags(but=("attribution",))
def show_confidence(
    data: eval_flags.RequiredData,
    wishes: SummaryOptions,
    example: own.ExampleChoice = "1",
    text_column: eval_flags.TextColumn = None,
    items: flags.Items = None,
    summary_column: eval_flags.SummaryColumn = None,
    id_column: eval_flags.IdColumn = None,
    output: own.PictureName = None,
    overwrite: flags.Overwrite = False,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = 0,
) -> None:
    """Draw which pages a PageSum model reads at every token, of its own summary and of the reference.

    Figure 3 of the PageSum paper: pages by decoding steps, darker is higher. The reference is given to
    the model word by word (teacher forcing).

    [bold]Examples[/bold]

      lsum eval confidence --data valid.jsonl -m pagesum-arxiv-discourse
      lsum eval confidence --data valid.jsonl -m ./my-checkpoint --example 12 -o confidence
    """
    from lsum_cli.cli.analysis_jobs import trace_example
    from lsum_cli.rendering.analyses import overview_confidence, tabulate_confidence
    from lsum_cli.rendering.plots import draw_confidence

    messages = Messages(quiet=quiet, verbosity=verbose)
    files = PictureFiles.choose(output, "confidence", overwrite=overwrite)
    options = DatasetOptions(
        text_column=text_column,
        items=items,
        summary_column=summary_column,
        id_column=id_column,
        needs_reference=False,
    )
    with product_stream() as stream:
        maps = trace_example(data, example, options, wishes, messages)
        table = tabulate_confidence(maps)
        files.finish(draw_confidence(table), table, overview_confidence(maps), stream, messages)


@with_summary_flags(but=("attribution",))
def run_sweep(
    data: eval_flags.RequiredData,
    setting: own.Setting,
    values: own.Values,
    wishes: SummaryOptions,
    text_column: eval_flags.TextColumn = None,
    items: flags.Items = None,
    summary_column: eval_flags.SummaryColumn = None,
    id_column: eval_flags.IdColumn = None,
    limit: eval_flags.Limit = None,
    processes: eval_flags.Processes = None,
    results: eval_flags.Results = None,
    fresh: eval_flags.Fresh = False,
    output: own.PictureName = None,
    overwrite: flags.Overwrite = False,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = 0,
) -> None:
    """Evaluate one system with several values of one setting, everything else equal.

    Settings are flags of lsum summarize, or what a checkpoint keeps in its config.json; the latter is
    changed in a copy that shares the weights.

    [bold]Examples[/bold]

      lsum eval sweep --data valid.jsonl -m ./mine --setting page-tokens --values 128,256,512,1024
      lsum eval sweep --data valid.jsonl -m ./mine --setting decoding --values page,global
      lsum eval sweep --data valid.jsonl -m ./topdown --setting attention_window --values 32,128,512
    """
    from lsum_cli.cli.analysis_jobs import sweep_values
    from lsum_cli.cli.eval_job import choose_options
    from lsum_cli.evaluation.options import EvaluationOptions
    from lsum_cli.rendering.analyses import tabulate_sweep
    from lsum_cli.rendering.plots import draw_sweep

    messages = Messages(quiet=quiet, verbosity=verbose)
    files = PictureFiles.choose(output, "sweep", overwrite=overwrite)
    options = DatasetOptions(
        text_column=text_column, items=items, summary_column=summary_column, id_column=id_column, limit=limit
    )
    evaluation = choose_options(EvaluationOptions(fresh=fresh), processes=processes, results=results)
    with product_stream() as stream:
        points = sweep_values(data, setting, values, options, wishes, evaluation, messages)
        table = tabulate_sweep(points)
        files.finish(draw_sweep(table, setting), table, table, stream, messages)
