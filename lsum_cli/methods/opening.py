"""A checkpoint opened for a method: everything of it but the weights, which wait until they are needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from lsum_cli.checkpoints.description import read_config
from lsum_cli.checkpoints.loading import LoadedCheckpoint, load_folder, load_tokenizer
from lsum_cli.checkpoints.manifest import Manifest
from lsum_cli.errors import CheckpointError
from lsum_cli.locality import Page
from lsum_cli.machine.network import settle_network
from lsum_cli.methods.choice import MethodChoice
from lsum_cli.methods.costs import ModelSizes, Work, estimate_cost
from lsum_cli.methods.method import Cost
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.page_inputs import SequenceFrame, count_text_tokens
from lsum_cli.methods.search_settings import (
    SearchSettings,
    choose_search,
    read_generation_defaults,
    tokens_per_word,
)
from lsum_cli.progress import ProgressEvent, ProgressListener

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True, kw_only=True)
class OpenedCheckpoint:
    """What a method knows of its checkpoint before it writes.

    Attributes:
        options: How summaries are to be made.
        config: Its ``config.json``.
    """

    folder: Path
    manifest: Manifest
    options: SummaryOptions
    config: Mapping[str, Any]
    tokenizer: PreTrainedTokenizerBase

    @classmethod
    def of(cls, choice: MethodChoice, options: SummaryOptions) -> Self:
        """Open the checkpoint that was chosen.

        Raises:
            CheckpointError: There is none, or its configuration or tokenizer is damaged.
        """
        if choice.folder is None or choice.manifest is None:
            raise CheckpointError(f"the method {choice.name} needs a checkpoint", "give --model")
        settle_network(offline=options.offline)
        return cls(
            folder=choice.folder,
            manifest=choice.manifest,
            options=options,
            config=read_config(choice.folder),
            tokenizer=load_tokenizer(choice.folder),
        )

    @property
    def name(self) -> str:
        """Of the checkpoint, as the user knows it."""
        return self.manifest.name

    @cached_property
    def sizes(self) -> ModelSizes:
        """Of an encoder-decoder of Transformer layers.

        Raises:
            CheckpointError: The configuration names none.
        """
        return ModelSizes.of(self.config)

    @cached_property
    def frame(self) -> SequenceFrame:
        """The special tokens around what the model reads."""
        return SequenceFrame.of(self.tokenizer)

    def count_tokens(self, text: str) -> int:
        """Tokens of a sentence, as the checkpoint's tokenizer makes them within running text."""
        return count_text_tokens(self.tokenizer, text)

    def search_settings(self, pages: Sequence[Page], *, positions: int | None) -> SearchSettings:
        """How to search for a summary of these pages.

        Args:
            positions: Tokens of a summary that the model can write at most; ``None`` for any number.

        Raises:
            OptionError: A length that the model cannot write, or that contradicts the checkpoint's.
        """
        return choose_search(
            self.options,
            read_generation_defaults(self.folder, self.manifest.generation),
            tokens_per_word=tokens_per_word(pages),
            positions=positions,
        )

    def estimate(self, work: Work) -> Cost:
        """Time and memory on the device that the options name; loads no weights."""
        from lsum_cli.machine.devices import choose_device, choose_precision

        device = choose_device(self.options.device)
        return estimate_cost(self.sizes, work, device, choose_precision(self.options.dtype, device))

    def load(self, progress: ProgressListener, *, for_engine: bool = False) -> LoadedCheckpoint:
        """Load the weights too.

        Args:
            for_engine: Whether an engine takes them over, so that no model need come with them.

        Raises:
            CheckpointError: They are missing or damaged.
            DeviceError: There is no such device.
        """
        progress(ProgressEvent(stage=f"loading {self.name}", done=0))
        return load_folder(
            self.folder, device=self.options.device, dtype=self.options.dtype, for_engine=for_engine
        )

    def wrote_nothing(self) -> CheckpointError:
        """The error to raise where the model wrote no text."""
        return CheckpointError(
            f"the checkpoint {self.name} wrote no text", "give --min-tokens or another --model"
        )
