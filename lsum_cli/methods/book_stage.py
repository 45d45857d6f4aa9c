"""A stage of the method ``book``: a checkpoint, and how it summarises chapters or their summaries."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lsum_cli.documents import Document
from lsum_cli.errors import CheckpointError
from lsum_cli.methods.choice import MethodChoice
from lsum_cli.methods.method import BoundedMethod, Cost, Method, load_method
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.search_settings import read_generation_defaults
from lsum_cli.methods.summarizer import Summarizer


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A checkpoint of one stage, and how it summarises there."""

    choice: MethodChoice
    options: SummaryOptions
    method: Method

    @classmethod
    def of(cls, choice: MethodChoice, options: SummaryOptions) -> Stage:
        """A stage with the options that its method knows."""
        if choice.folder is None or choice.manifest is None:
            raise CheckpointError("the method book needs a checkpoint", "give --model")
        name = choice.manifest.method.value
        own = replace(options.for_method(name), method=name, model=str(choice.folder.absolute()))
        choice = replace(choice, name=name)
        return cls(choice=choice, options=own, method=load_method(choice, own))

    def of_one_length(self) -> Stage:
        """The same, writing no more of a text read in parts than of one read at once.

        Left to itself, a checkpoint writes as much of every part; a wish is shared among the parts.
        """
        if self.choice.folder is None or self.choice.manifest is None:
            return self
        own = read_generation_defaults(self.choice.folder, self.choice.manifest.generation)
        if own.max_tokens is None:
            return self
        options = replace(
            self.options, min_tokens=min(own.min_tokens or 0, own.max_tokens), max_tokens=own.max_tokens
        )
        return Stage(choice=self.choice, options=options, method=load_method(self.choice, options))

    def reads_at_once(self, num_tokens: int) -> bool:
        """Whether so long a text need not be read in parts."""
        return not isinstance(self.method, BoundedMethod) or num_tokens <= self.method.source_len

    def estimate(self, document: Document) -> Cost:
        """What summarising a document here is expected to cost; loads no weights."""
        pagination = Summarizer(self.options).paginate([document])
        return pagination.method.estimate(pagination.pages)
