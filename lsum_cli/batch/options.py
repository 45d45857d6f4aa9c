"""Options of a batch."""

from __future__ import annotations

from dataclasses import MISSING, dataclass

from lsum_cli.batch.rows import ShardFormat
from lsum_cli.errors import OptionError
from lsum_cli.methods.batching import BATCH_TOKENS_FLAG
from lsum_cli.options import Panel, check_options, option

DEFAULT_SHARD_SIZE = 100


@dataclass(frozen=True, kw_only=True)
class BatchOptions:
    """Where a batch is written to, and in which files.

    Raises:
        OptionError: A value is out of range.
    """

    output: str = option(
        MISSING,
        "-o",
        "--output",
        metavar="FOLDER",
        help="Folder for the rows (part-*) and batch.json, also of object storage (s3://…); a batch in it"
        " that is not finished is continued.",
        panel=Panel.OUTPUT,
        env=False,
        shown_default="",
    )
    shards: ShardFormat = option(
        ShardFormat.JSONL,
        "--shards",
        help="Format of the files with rows; parquet needs pip install 'lsum-cli[parquet]'.",
        panel=Panel.OUTPUT,
    )
    shard_size: int = option(
        DEFAULT_SHARD_SIZE,
        "--shard-size",
        metavar="N",
        help="Most documents in a file; on a cluster, also what one actor does at a time.",
        panel=Panel.OUTPUT,
        minimum=1,
        maximum=100_000,
    )
    batch_tokens: int | None = option(
        None,
        BATCH_TOKENS_FLAG,
        metavar="N",
        help="Most tokens of documents whose summaries a model writes together: faster, and takes more"
        " memory; no more than the memory that is free suffices for.",
        panel=Panel.RUNNING,
        minimum=1,
        shown_default="on a GPU what suits the method, PageSum 65536, others 16384; else one document at a"
        " time",
    )
    resume: bool = option(
        False,
        "--resume",
        help="Continue the batch in the folder; the same command does so without it too.",
        panel=Panel.OUTPUT,
        env=False,
    )
    overwrite: bool = option(
        False,
        "--overwrite",
        help="Remove the batch in the folder, and begin anew.",
        panel=Panel.OUTPUT,
        env=False,
    )

    ray: str | None = option(
        None,
        "--ray",
        metavar="[ADDRESS]",
        help="Work on a Ray cluster: HOST:PORT; local starts one; alone, that of RAY_ADDRESS or of this"
        " machine.",
        panel=Panel.RUNNING,
        env=False,
        shown_default="this machine, without Ray",
        value_if_alone="auto",
    )

    def __post_init__(self) -> None:
        check_options(self)
        if not self.output.strip():
            raise OptionError("--output is empty", "name a folder")
