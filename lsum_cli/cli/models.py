"""``lsum models``: list, pull, info, import, export, rm, path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lsum_cli.cli.flags import Command, only, with_flags
from lsum_cli.cli.messages import Messages
from lsum_cli.cli.output import JsonOutput
from lsum_cli.cli.streams import result_stream
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.locality import Locality
from lsum_cli.options import Panel, check_options, offline_option, option
from lsum_cli.reading.registry import ReadOptions

if TYPE_CHECKING:
    from lsum_cli.checkpoints.manifest import Manifest
    from lsum_cli.documents import Document
    from lsum_cli.progress import ProgressListener

models = typer.Typer(
    name="models",
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="Download, install and manage checkpoints: model weights and their descriptions.",
)
InstalledName = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="A short name or OWNER/NAME[@REVISION], as installed.", show_default=False
    ),
]


@dataclass(frozen=True, kw_only=True)
class StoreOptions:
    """How checkpoints are fetched and installed."""

    overwrite: bool = option(
        False, "--overwrite", help="Replace an installed checkpoint or existing file.", panel=Panel.OUTPUT
    )
    offline: bool = offline_option()
    verify: bool = option(
        False, "--verify", help="Compare every file with its SHA-256.", panel=Panel.RUNNING, env=False
    )


@dataclass(frozen=True, kw_only=True)
class ImportOptions:
    """What published weights do not say about themselves.

    Raises:
        OptionError: A page of no tokens.
    """

    base: str | None = option(
        None,
        "--base",
        metavar="NAME|DIR",
        help="Published weights: the model they were trained from, which provides configuration and"
        " tokenizer.",
        panel=Panel.READING,
        env=False,
        shown_default="facebook/bart-large-cnn",
    )
    locality: Locality | None = option(
        None,
        "--locality",
        help="Published weights: the locality they were trained for; auto looks it up in the catalogue.",
        panel=Panel.READING,
        env=False,
        none_choice="auto",
    )
    page_tokens: int | None = option(
        None,
        "--page-tokens",
        help="Published weights: tokens per page.",
        panel=Panel.READING,
        env=False,
        shown_default="the catalogue's, or what the model can read, up to 1024",
        minimum=1,
    )
    pages: int | None = option(
        None,
        "--pages",
        help="Published weights: the number of pages they were trained with.",
        panel=Panel.READING,
        env=False,
        shown_default="the catalogue's",
        minimum=1,
    )

    calibrate: bool = option(
        False,
        "--calibrate",
        help="Compare int8 with the full weights afterwards: see lsum models calibrate.",
        panel=Panel.RUNNING,
        env=False,
    )

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    """Where an archive is written."""

    output: Path | None = option(
        None,
        "-o",
        "--output",
        metavar="FILE.tar",
        help="The file to write, if it is not the second argument.",
        panel=Panel.OUTPUT,
        env=False,
    )

    def chosen(self, file: Path | None) -> Path:
        """The file, as an argument or by the flag.

        Raises:
            OptionError: There is none, or two.
        """
        if (file is None) is (self.output is None):
            problem = (
                "no file was named" if file is None else f"two files were named, {file} and {self.output}"
            )
            raise OptionError(problem, "give one: lsum models export NAME -o model.tar")
        chosen = file or self.output
        assert chosen is not None
        return chosen


@models.command("list", cls=Command)
@with_flags
def list_models(output: JsonOutput, messages: Messages) -> None:
    """List the installed checkpoints and those that can be downloaded by a short name.

    [bold]Examples[/bold]

      lsum models list
      lsum models list --json
    """
    from lsum_cli.checkpoints.known import list_known
    from lsum_cli.checkpoints.store import store_path
    from lsum_cli.rendering.checkpoints import write_known_list

    del messages
    with result_stream() as stream:
        write_known_list(list_known(), store_path(), stream, as_json=output.as_json)


@models.command("pull", cls=Command)
@with_flags
def pull_model(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="A name from lsum models list, or OWNER/NAME[@REVISION].", show_default=False
        ),
    ],
    options: Annotated[StoreOptions, only("overwrite", "offline")],
    output: JsonOutput,
    messages: Messages,
) -> None:
    """Download and install a checkpoint, and print its folder. An interrupted download is resumed.

    [bold]Examples[/bold]

      lsum models pull distilbart-cnn-12-6
      lsum models pull facebook/bart-large-cnn@main
      HTTPS_PROXY=http://proxy:3128 lsum models pull pagesum-pubmed
    """
    from lsum_cli.checkpoints.known import find_known
    from lsum_cli.checkpoints.pulling import pull
    from lsum_cli.rendering.checkpoints import write_known

    with result_stream() as stream:
        with messages.progress() as progress:
            pulled = pull(name, overwrite=options.overwrite, offline=options.offline, progress=progress)
        manifest = pulled.manifest
        if pulled.fresh:
            messages.note(f"installed {_describe(manifest)}")
        else:
            messages.note(f"{manifest.name} is already installed; --overwrite downloads it again")
        if output.as_json:
            write_known(find_known(manifest.name), stream, as_json=True, fresh=pulled.fresh)
        else:
            stream.write(f"{pulled.path}\n")


@models.command("info", cls=Command)
@with_flags
def show_model(
    name: InstalledName,
    options: Annotated[StoreOptions, only("verify")],
    output: JsonOutput,
    messages: Messages,
) -> None:
    """Show everything known about a checkpoint.

    [bold]Examples[/bold]

      lsum models info pagesum-arxiv-spatial
      lsum models info --verify bart-large-cnn
    """
    from lsum_cli.checkpoints.known import find_known
    from lsum_cli.checkpoints.manifest import verify_hashes
    from lsum_cli.checkpoints.store import resolve_checkpoint
    from lsum_cli.rendering.checkpoints import write_known

    known = find_known(name)
    with result_stream() as stream:
        verified = None
        if options.verify:
            path = resolve_checkpoint(known.name)
            if known.installed is not None and known.installed.problem is not None:
                raise known.installed.problem
            if known.installed is not None and known.installed.manifest is not None:
                with messages.progress() as progress:
                    verify_hashes(path, known.installed.manifest, progress)
                verified = True
        write_known(known, stream, as_json=output.as_json, verified=verified)


@models.command("import", cls=Command)
@with_flags
def import_model(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="[NAME] FILE",
            help="The name to install it under, and a .tar, a .bin or .safetensors, or a folder.",
            show_default=False,
        ),
    ],
    about: ImportOptions,
    options: Annotated[StoreOptions, only("overwrite", "offline")],
    output: JsonOutput,
    messages: Messages,
) -> None:
    """Install a checkpoint from an exported .tar, published PageSum weights, or a folder.

    [bold]Examples[/bold]

      lsum models import model.tar
      lsum models import pagesum-pubmed ~/Downloads/model.bin
      lsum models import mine model.bin --base ./bart --locality spatial --pages 7
      lsum models import mine ./output/checkpoint-1000 --calibrate
    """
    from lsum_cli.checkpoints.known import find_known
    from lsum_cli.checkpoints.store import resolve_checkpoint
    from lsum_cli.rendering.checkpoints import write_known

    if len(paths) > 2:
        raise OptionError(f"expected at most 2 arguments, got {len(paths)}", "give NAME and FILE")
    name, source = (paths[0] if len(paths) > 1 else None), Path(paths[-1]).expanduser()
    _check_import(name, source, about)
    if about.calibrate:
        from lsum_cli.methods.calibration import check_processor

        check_processor()
    with result_stream() as stream:
        with messages.progress() as progress:
            manifest = _import(name, source, about, options, progress)
        messages.note(f"installed {_describe(manifest)}")
        if about.calibrate:
            _calibrate_imported(manifest, messages)
        if output.as_json:
            write_known(find_known(manifest.name), stream, as_json=True)
        else:
            stream.write(f"{resolve_checkpoint(manifest.name)}\n")


def _check_import(name: str | None, source: Path, about: ImportOptions) -> None:
    """Refuse a name or flags that do not suit what is imported.

    Raises:
        OptionError: They do not.
        CheckpointError: The file does not exist.
    """
    if not source.exists():
        raise CheckpointError(f"there is no file {source}", "check the path")
    is_published = _is_published(source)
    if name is None and (is_published or source.is_dir()):
        raise OptionError(
            f"{source} cannot be imported without a name", f"run: lsum models import NAME {source}"
        )
    if replace(about, calibrate=False) != ImportOptions() and not is_published:
        raise OptionError(
            "--base, --locality, --page-tokens and --pages are for published weights",
            "see lsum models import --help",
        )


def _import(
    name: str | None,
    source: Path,
    about: ImportOptions,
    options: StoreOptions,
    progress: ProgressListener,
) -> Manifest:
    """Install what :func:`_check_import` has approved.

    Raises:
        CheckpointError: It is damaged, unsafe, or of something else.
        OptionError: Which pages published weights were trained with is not known.
    """
    from lsum_cli.checkpoints.archives import import_archive
    from lsum_cli.checkpoints.catalogue import find_entry
    from lsum_cli.checkpoints.importing import (
        DEFAULT_BASE,
        PublishedSettings,
        import_folder,
        import_published,
    )
    from lsum_cli.checkpoints.pulling import base_folder

    if name is None or not (source.is_dir() or _is_published(source)):
        return import_archive(source, name, overwrite=options.overwrite, progress=progress)
    if source.is_dir():
        return import_folder(name, source, overwrite=options.overwrite, progress=progress)
    entry = find_entry(name)
    base_name = about.base or (entry.base if entry is not None else None) or DEFAULT_BASE
    settings = PublishedSettings.for_name(
        name, locality=about.locality, page_len=about.page_tokens, pages=about.pages
    )
    settings.check(name)
    with base_folder(base_name, offline=options.offline, progress=progress) as base:
        return import_published(
            name,
            source,
            base,
            settings,
            base_name=Path(base_name).name if Path(base_name).is_dir() else base_name,
            overwrite=options.overwrite,
            progress=progress,
        )


def _is_published(source: Path) -> bool:
    """Whether it is a file of weights alone, as the papers' authors publish them."""
    from lsum_cli.checkpoints.importing import WEIGHT_SUFFIXES

    return source.is_file() and source.suffix.lower() in WEIGHT_SUFFIXES


@models.command("calibrate", cls=Command)
@with_flags
def calibrate_model(
    name: InstalledName,
    reading: Annotated[ReadOptions, only("offline")],
    output: JsonOutput,
    messages: Messages,
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SOURCE...]",
            help="Documents like those that it will summarise, of which six passages are compared; by default"
            " a built-in English text.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Compare a PageSum in int8 with its full weights; --dtype auto takes int8 where they agree.

    [bold]Examples[/bold]

      lsum models calibrate pagesum-arxiv-spatial
      lsum models calibrate mine paper.pdf report.docx --json
    """
    from lsum_cli.machine.processor import processor_class
    from lsum_cli.rendering.checkpoints import write_calibration

    with result_stream() as stream:
        documents = _read_samples(sources, reading) if sources else None
        manifest = _calibrate(name, documents, messages)
        assert manifest.int8 is not None
        write_calibration(manifest, manifest.int8, processor_class(), stream, as_json=output.as_json)


def _read_samples(sources: Sequence[str], reading: ReadOptions) -> list[Document]:
    from lsum_cli.reading.sources import read

    return [read(source, reading) for source in sources]


def _calibrate(name: str, documents: Sequence[Document] | None, messages: Messages) -> Manifest:
    from lsum_cli.methods.calibration import BUILT_IN, calibrate

    # Manifests travel with checkpoints: what the user's documents are called is nobody's business.
    sample = BUILT_IN if documents is None else f"{len(documents)} document{'s'[: len(documents) > 1]}"
    with messages.progress() as progress:
        return calibrate(name, documents, sample=sample, progress=progress)


def _calibrate_imported(manifest: Manifest, messages: Messages) -> None:
    from lsum_cli.checkpoints.int8 import METHODS, describe_int8
    from lsum_cli.machine.processor import processor_class

    if manifest.method not in METHODS:
        messages.warn(f"{manifest.name} was not compared in int8: only PageSum models can compute in it")
        return
    compared = _calibrate(manifest.name, None, messages)
    messages.note(f"int8: {describe_int8(compared, processor_class())}")


@models.command("export", cls=Command)
@with_flags
def export_model(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME|FOLDER",
            help="An installed checkpoint, or the folder of a finished run.",
            show_default=False,
        ),
    ],
    options: Annotated[StoreOptions, only("overwrite")],
    target: ExportOptions,
    output: JsonOutput,
    messages: Messages,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE.tar", help="The file to write.", show_default=False)
    ] = None,
) -> None:
    """Write a checkpoint to one file, for machines without a network.

    [bold]Examples[/bold]

      lsum models export distilbart-cnn-12-6 model.tar
      lsum models export runs/papers -o papers.tar
    """
    from lsum_cli.checkpoints.archives import export_archive
    from lsum_cli.rendering.checkpoints import write_result

    file = target.chosen(file)
    with result_stream() as stream:
        with messages.progress() as progress:
            manifest = export_archive(name, file, overwrite=options.overwrite, progress=progress)
        messages.note(
            f"wrote {_describe(manifest)}; install it elsewhere with: lsum models import {file.name}"
        )
        written = {"schema": "lsum.archive/1", "name": manifest.name, "file": str(file)}
        size = {"size_bytes": file.stat().st_size}
        write_result(written | size, str(file), stream, as_json=output.as_json)


@dataclass(frozen=True, kw_only=True)
class PushOptions:
    """How a checkpoint is sent to the hub."""

    yes: bool = option(
        False,
        "--yes",
        help="Send it; without this flag what would be sent is listed, and nothing is.",
        panel=Panel.RUNNING,
        env=False,
    )
    private: bool = option(
        False, "--private", help="Make a new repository private.", panel=Panel.OUTPUT, env=False
    )
    licence: str | None = option(
        None,
        "--licence",
        metavar="IDENTIFIER",
        help="Licence that the card states, such as apache-2.0.",
        panel=Panel.OUTPUT,
        env=False,
        shown_default="that of the checkpoint",
    )


@models.command("push", cls=Command)
@with_flags
def push_model(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="[CHECKPOINT] OWNER/NAME",
            help="An installed checkpoint or the folder of a finished run, and where to send it.",
            show_default=False,
        ),
    ],
    about: PushOptions,
    options: Annotated[StoreOptions, only("offline")],
    output: JsonOutput,
    messages: Messages,
) -> None:
    """Send a checkpoint with its card to the hub; without --yes only show what would be sent.

    [bold]Examples[/bold]

      lsum models push runs/papers me/papers-pagesum
      lsum models push runs/papers me/papers-pagesum --licence cc-by-4.0 --yes
    """
    from lsum_cli.checkpoints.pushing import push
    from lsum_cli.rendering.checkpoints import write_push

    if len(names) > 2:
        raise OptionError(f"expected at most 2 arguments, got {len(names)}", "give CHECKPOINT and OWNER/NAME")
    with result_stream() as stream:
        with messages.progress() as progress:
            pushed = push(
                names[0],
                names[-1],
                licence=about.licence,
                private=about.private,
                sends=about.yes,
                offline=options.offline,
                progress=progress,
            )
        if pushed.url is None:
            messages.note(f"nothing was sent to {pushed.endpoint}; give --yes to send it")
        if pushed.lacks_licence:
            messages.warn("the card states no licence; give --licence")
        write_push(pushed, stream, as_json=output.as_json)


@models.command("rm", cls=Command)
@with_flags
def remove_model(name: InstalledName, output: JsonOutput, messages: Messages) -> None:
    """Delete an installed checkpoint, and print the folder it was in.

    [bold]Examples[/bold]

      lsum models rm distilbart-cnn-12-6
    """
    from lsum_cli.checkpoints.store import remove_checkpoint
    from lsum_cli.rendering.checkpoints import write_result
    from lsum_cli.rendering.quantities import format_size

    with result_stream() as stream:
        removed = remove_checkpoint(name)
        messages.note(f"removed {removed.name}, {format_size(removed.size)}")
        gone = {"schema": "lsum.removed/1", "name": removed.name, "path": str(removed.path)}
        size = {"size_bytes": removed.size}
        write_result(gone | size, str(removed.path), stream, as_json=output.as_json)


@models.command("path", cls=Command)
@with_flags
def show_path(
    name: InstalledName,
    options: Annotated[StoreOptions, only("offline")],
    output: JsonOutput,
    messages: Messages,
) -> None:
    """Print the folder of an installed checkpoint.

    [bold]Examples[/bold]

      cd "$(lsum models path distilbart-cnn-12-6)"
    """
    from lsum_cli.checkpoints.store import resolve_checkpoint
    from lsum_cli.rendering.checkpoints import write_result

    del messages
    from lsum_cli.machine.network import configure_network

    path = resolve_checkpoint(name, offline=configure_network(offline=options.offline))
    with result_stream() as stream:
        found = {"schema": "lsum.path/1", "name": name, "path": str(path)}
        write_result(found, str(path), stream, as_json=output.as_json)


def _describe(manifest: Manifest) -> str:
    from lsum_cli.rendering.quantities import format_size

    return f"{manifest.name}, {format_size(manifest.size)}, licence {manifest.licence}"
