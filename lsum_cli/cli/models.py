"""``lsum models``: list, pull, info, import, export, rm, path."""

from __future__ import annotations

from pathlib import Path

import typer

from lsum_cli.checkpoints.listing import find_known, list_known
from lsum_cli.checkpoints.store import remove_checkpoint, resolve_checkpoint, store_path
from lsum_cli.checkpoints.verification import verify_hashes
from lsum_cli.cli import options as flags
from lsum_cli.cli.import_job import ImportJob
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.streams import product_stream
from lsum_cli.rendering.checkpoints import format_size, write_known, write_known_list, write_object
from lsum_cli.rendering.progress import ProgressDisplay

models = typer.Typer(
    name="models",
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="Get, keep and move checkpoints: the weights of models and what is known of them.",
)


@models.command("list")
def list_models(as_json: flags.AsJson = False, verbose: flags.Verbose = 0) -> None:
    """List the installed checkpoints and those that can be pulled by a short name.

    [bold]Examples[/bold]

      lsum models list
      lsum models list --json
    """
    del verbose  # read before the arguments are parsed
    with product_stream() as stream:
        write_known_list(list_known(), store_path(), stream, as_json=as_json)


@models.command("pull")
def pull_model(
    name: flags.ModelToPull,
    overwrite: flags.Overwrite = False,
    offline: flags.Offline = False,
    as_json: flags.AsJson = False,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = 0,
) -> None:
    """Download a checkpoint and install it; prints its folder. Interrupted, it goes on where it stopped.

    [bold]Examples[/bold]

      lsum models pull distilbart-cnn-12-6
      lsum models pull facebook/bart-large-cnn@main
      HTTPS_PROXY=http://proxy:3128 lsum models pull pagesum-pubmed
    """
    from lsum_cli.checkpoints.pulling import pull

    messages = Messages(quiet=quiet, verbosity=verbose)
    with product_stream() as stream:
        with ProgressDisplay(quiet=quiet) as progress:
            pulled = pull(name, overwrite=overwrite, offline=offline, progress=progress)
        manifest = pulled.manifest
        if pulled.fresh:
            messages.note(
                f"installed {manifest.name}, {format_size(manifest.size)}, licence {manifest.licence}"
            )
        else:
            messages.note(f"{manifest.name} is installed already; --overwrite fetches it anew")
        if as_json:
            write_known(find_known(manifest.name), stream, as_json=True, fresh=pulled.fresh)
        else:
            stream.write(f"{pulled.path}\n")


@models.command("info")
def show_model(
    name: flags.ModelName,
    verify: flags.Verify = False,
    as_json: flags.AsJson = False,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = 0,
) -> None:
    """Show everything known of a checkpoint.

    [bold]Examples[/bold]

      lsum models info pagesum-arxiv-spatial
      lsum models info --verify bart-large-cnn
    """
    del verbose
    known = find_known(name)
    with product_stream() as stream:
        verified = None
        if verify:
            path = resolve_checkpoint(known.name)
            if known.installed is not None and known.installed.problem is not None:
                raise known.installed.problem
            if known.installed is not None and known.installed.manifest is not None:
                with ProgressDisplay(quiet=quiet) as progress:
                    verify_hashes(path, known.installed.manifest, progress)
                verified = True
        write_known(known, stream, as_json=as_json, verified=verified)


@models.command("import")
def import_model(
    paths: flags.ImportPaths,
    base: flags.Base = None,
    locality: flags.TrainedLocality = flags.LocalityFlag.AUTO,
    page_tokens: flags.TrainedPageTokens = None,
    overwrite: flags.Overwrite = False,
    offline: flags.Offline = False,
    as_json: flags.AsJson = False,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = 0,
) -> None:
    """Install a checkpoint from a file: an exported .tar, published PageSum weights, or a folder.

    [bold]Examples[/bold]

      lsum models import model.tar
      lsum models import pagesum-pubmed ~/Downloads/model.bin
      lsum models import mine model.bin --base ./bart --locality discourse --page-tokens 1024
      lsum models import mine ./output/checkpoint-1000
    """
    job = ImportJob.choose(
        paths,
        base=base,
        locality=locality.locality,
        page_len=page_tokens,
        overwrite=overwrite,
        offline=offline,
    )
    with product_stream() as stream:
        with ProgressDisplay(quiet=quiet) as progress:
            manifest = job.run(progress)
        Messages(quiet=quiet, verbosity=verbose).note(
            f"installed {manifest.name}, {format_size(manifest.size)}, licence {manifest.licence}"
        )
        if as_json:
            write_known(find_known(manifest.name), stream, as_json=True)
        else:
            stream.write(f"{resolve_checkpoint(manifest.name)}\n")


@models.command("export")
def export_model(
    name: flags.ModelName,
    file: flags.ExportFile,
    overwrite: flags.Overwrite = False,
    as_json: flags.AsJson = False,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = 0,
) -> None:
    """Write an installed checkpoint to one file, for machines without a network.

    [bold]Examples[/bold]

      lsum models export distilbart-cnn-12-6 model.tar
    """
    from lsum_cli.checkpoints.archives import export_archive

    with product_stream() as stream:
        with ProgressDisplay(quiet=quiet) as progress:
            manifest = export_archive(name, file, overwrite=overwrite, progress=progress)
        Messages(quiet=quiet, verbosity=verbose).note(
            f"wrote {manifest.name}, {format_size(manifest.size)}, licence {manifest.licence};"
            f" install it elsewhere with: lsum models import {file.name}"
        )
        written = {"schema": "lsum.archive/1", "name": manifest.name, "file": str(file)}
        write_object(written | {"size_bytes": file.stat().st_size}, str(file), stream, as_json=as_json)


@models.command("rm")
def remove_model(
    name: flags.ModelName,
    as_json: flags.AsJson = False,
    quiet: flags.Quiet = False,
    verbose: flags.Verbose = 0,
) -> None:
    """Delete an installed checkpoint; prints the folder that is gone.

    [bold]Examples[/bold]

      lsum models rm distilbart-cnn-12-6
    """
    with product_stream() as stream:
        removed = remove_checkpoint(name)
        Messages(quiet=quiet, verbosity=verbose).note(f"removed {removed.name}, {format_size(removed.size)}")
        gone = {"schema": "lsum.removed/1", "name": removed.name, "path": str(removed.path)}
        write_object(gone | {"size_bytes": removed.size}, str(removed.path), stream, as_json=as_json)


@models.command("path")
def show_path(
    name: flags.ModelName,
    offline: flags.Offline = False,
    as_json: flags.AsJson = False,
    verbose: flags.Verbose = 0,
) -> None:
    """Print the folder of an installed checkpoint.

    [bold]Examples[/bold]

      cd "$(lsum models path distilbart-cnn-12-6)"
    """
    del verbose
    from lsum_cli.machine.network import settle_network

    path: Path = resolve_checkpoint(name, offline=settle_network(offline=offline))
    with product_stream() as stream:
        write_object(
            {"schema": "lsum.path/1", "name": name, "path": str(path)}, str(path), stream, as_json=as_json
        )
