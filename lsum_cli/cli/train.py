"""``lsum train``."""

from __future__ import annotations

from lsum_cli.cli import options as flags
from lsum_cli.cli import train_flags as train_flags
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.streams import product_stream
from lsum_cli.errors import OptionError


def train(
    recipe: train_flags.Recipe = None,
    list_recipes: train_flags.List = False,
    show: train_flags.Show = False,
    set_keys: train_flags.Set = None,
    train_file: train_flags.TrainFile = None,
    validation_file: train_flags.ValidationFile = None,
    text_column: train_flags.TextColumn = None,
    items: flags.Items = None,
    summary_column: train_flags.SummaryColumn = None,
    id_column: train_flags.IdColumn = None,
    max_train_samples: train_flags.MaxTrainSamples = None,
    max_eval_samples: train_flags.MaxEvalSamples = None,
    base: train_flags.Base = None,
    device: train_flags.Device = "auto",
    seed: train_flags.Seed = None,
    output: train_flags.Output = None,
    resume: train_flags.Resume = False,
    overwrite: train_flags.Overwrite = False,
    dry_run: train_flags.DryRun = False,
    report_to: train_flags.ReportTo = None,
    offline: flags.Offline = False,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = 0,
) -> None:
    """Train a checkpoint on documents with summaries, by a recipe; prints the run's folder.

    [bold]Examples[/bold]

      lsum train --list
      lsum train pagesum-small --train-file papers.jsonl --output runs/papers
      lsum train pagesum-small --train-file ./papers/ --set training.max_steps=1000
      lsum train --resume --output runs/papers
      torchrun --nproc-per-node 4 -m lsum_cli train pagesum-arxiv-discourse --train-file train.jsonl
    """
    # Imported here, so that help and wrong usage do not pay for them.
    from lsum_cli.cli.train_job import TrainJob, write_recipe, write_recipes

    if resume and overwrite:
        raise OptionError("--resume and --overwrite exclude each other", "give one of them")
    values = {
        "data.train_file": _one_or_several(train_file),
        "data.validation_file": _one_or_several(validation_file),
        "data.text_column": text_column,
        "data.items": items,
        "data.summary_column": summary_column,
        "data.id_column": id_column,
        "data.max_train_samples": max_train_samples,
        "data.max_eval_samples": max_eval_samples,
        "base": base,
        "training.seed": seed,
    }
    job = TrainJob(
        recipe=recipe,
        assignments=set_keys or (),
        values={key: value for key, value in values.items() if value is not None},
        output=output,
        resume=resume,
        overwrite=overwrite,
        dry_run=dry_run,
        report_to=tuple(report_to) if report_to else None,
        device=device,
        offline=offline,
        messages=Messages(quiet=quiet, verbosity=verbose),
    )
    with product_stream() as stream:
        if list_recipes:
            write_recipes(stream)
        elif show:
            write_recipe(job.recipe, stream)
        else:
            job.run(stream)


def _one_or_several(paths: list[str] | None) -> str | list[str] | None:
    """As a person would write it in a recipe."""
    return paths[0] if paths and len(paths) == 1 else paths or None
