"""The method ``seq2seq``: any encoder-decoder of ``transformers``, decoded by its own ``generate``.

The yardstick for the others. What is longer than the model reads is split at sentences, the parts
are summarised one by one and their summaries joined; nothing is cut.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from lsum_cli.attribution import align
from lsum_cli.checkpoints.loading import LoadedCheckpoint, quiet_transformers
from lsum_cli.documents import Document
from lsum_cli.errors import CheckpointError
from lsum_cli.locality import Locality, LocalityChoice, Page
from lsum_cli.machine.memory import explain_out_of_memory
from lsum_cli.methods.architectures import InputForm
from lsum_cli.methods.choice import MethodChoice
from lsum_cli.methods.costs import Work
from lsum_cli.methods.method import Cost, Written
from lsum_cli.methods.opening import OpenedCheckpoint
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.page_inputs import encode_page
from lsum_cli.methods.search_settings import SearchSettings, recorded_settings
from lsum_cli.methods.token_sentences import BROKEN_OFF, end_at_sentence, mean_log_prob, split_tokens
from lsum_cli.progress import ProgressEvent, ProgressListener
from lsum_cli.summaries import Attribution, SummarySentence

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel
    from transformers.modeling_outputs import BaseModelOutput

REASON = "the input is read in parts as long as the model allows"
# First and last token, besides those of the summary.
_FRAME = 2


@dataclass(frozen=True, kw_only=True)
class Part:
    """Pages that the model reads at once."""

    pages: tuple[Page, ...]

    @property
    def num_tokens(self) -> int:
        """Tokens of its sentences."""
        return sum(page.num_tokens for page in self.pages)


@dataclass(frozen=True, kw_only=True)
class PartSummary:
    """What was generated for one part: ids without the start token, and their log probabilities."""

    token_ids: tuple[int, ...]
    log_probs: tuple[float, ...]


class Seq2SeqMethod:
    """Any encoder-decoder with one checkpoint, which is loaded at the first summary and kept.

    Args:
        choice: Its folder and manifest.
        options: How summaries are to be made.

    Raises:
        CheckpointError: The checkpoint's configuration or tokenizer is damaged.
    """

    name = "seq2seq"
    pages = None

    def __init__(self, choice: MethodChoice, options: SummaryOptions) -> None:
        self._opened = opened = OpenedCheckpoint.of(choice, options)
        self._options, self._tokenizer, self._frame = options, opened.tokenizer, opened.frame
        self._form = InputForm.of(opened.config, self._tokenizer)
        prefix = self._tokenizer(self._form.prefix, add_special_tokens=False)["input_ids"]
        self._prefix_ids: list[int] = list(prefix) if self._form.prefix else []
        self.page_len = self._form.max_tokens - len(self._frame) - len(self._prefix_ids)
        if self.page_len < 1:
            raise CheckpointError(
                f"{opened.name} reads only {self._form.max_tokens} tokens at once",
                "give another --model",
            )
        self.source_len = self.page_len
        self.max_page_len = None if self._form.can_exceed else self.page_len
        self.locality: LocalityChoice | None = LocalityChoice(locality=Locality.SPATIAL, reason=REASON)
        self._loaded: LoadedCheckpoint | None = None

    def count_tokens(self, text: str) -> int:
        """Tokens of a sentence, as the checkpoint's tokenizer makes them within running text."""
        return self._opened.count_tokens(text)

    def estimate(self, pages: Sequence[Page]) -> Cost:
        """Time and memory from the configuration and this machine's speed; loads no weights."""
        parts = self._parts(pages)
        settings = self._settings(pages)
        work = Work(
            page_lengths=tuple(part.num_tokens for part in parts),
            steps=self._settings_for(parts[0], parts, settings).max_tokens,
            passes=len(parts),
            rows=settings.beams,
            memory_copies=settings.beams,
        )
        return self._opened.estimate(work)

    def write(
        self,
        pages: Sequence[Page],
        documents: Sequence[Document],
        options: SummaryOptions,
        progress: ProgressListener,
    ) -> Written:
        """Write a summary of every part and join them.

        Raises:
            CheckpointError: The checkpoint is damaged, or writes nothing.
            DeviceError: There is no such device, or its memory does not suffice.
            OptionError: A length or precision that the model cannot have.
        """
        settings = self._settings(pages)
        parts = self._parts(pages)
        seconds = {"load": 0.0, "encode": 0.0, "decode": 0.0, "attribute": 0.0}
        sentences: list[SummarySentence] = []
        warnings: list[str] = []
        with explain_out_of_memory(options.device), quiet_transformers():
            with _timed(seconds, "load"):
                loaded = self._loaded or self._load(progress)
            for number, part in enumerate(parts):
                wanted = self._settings_for(part, parts, settings)
                stage = f"writing part {number + 1} of {len(parts)}" if len(parts) > 1 else "writing"
                generated = self._generate(loaded.model, part, wanted, stage, progress, seconds)
                with _timed(seconds, "attribute"):
                    more, doubts = self._read(generated, part, wanted, documents[0].language)
                sentences += [replace(each, index=len(sentences) + i) for i, each in enumerate(more)]
                warnings += [doubt for doubt in doubts if doubt not in warnings]
        if not sentences:
            raise self._opened.wrote_nothing()
        return Written(
            sentences=tuple(sentences),
            options={**recorded_settings(options, settings, loaded), "parts": len(parts)},
            seconds=seconds,
            checkpoint=loaded.reference,
            warnings=tuple(warnings),
        )

    def _load(self, progress: ProgressListener) -> LoadedCheckpoint:
        loaded = self._opened.load(progress)
        self._loaded = replace(loaded, model=loaded.place_model())
        return self._loaded

    def _parts(self, pages: Sequence[Page]) -> list[Part]:
        """A page each; where the model knows a separator of documents, as many as it can read."""
        if self._form.separator_id is None:
            return [Part(pages=(page,)) for page in pages]
        most = self._options.page_tokens or self.page_len
        parts: list[list[Page]] = [[]]
        for page in pages:
            # A separator stands between any two pages at most.
            taken = sum(each.num_tokens + 1 for each in parts[-1])
            if parts[-1] and taken + page.num_tokens > most:
                parts.append([])
            parts[-1].append(page)
        return [Part(pages=tuple(part)) for part in parts]

    def _settings(self, pages: Sequence[Page]) -> SearchSettings:
        written = self._form.max_written
        return self._opened.search_settings(pages, positions=None if written is None else written - _FRAME)

    def _settings_for(self, part: Part, parts: Sequence[Part], settings: SearchSettings) -> SearchSettings:
        """A wished length is shared among the parts; a checkpoint's own holds for each of them."""
        options = self._options
        wishes = (options.length, options.min_tokens, options.max_tokens)
        if not settings.length_in_words and all(wish is None for wish in wishes):
            return settings
        return settings.for_share(part.num_tokens / max(1, sum(each.num_tokens for each in parts)))

    def _input_ids(self, part: Part) -> list[int]:
        """The ids of a part, with its prefix, its separators and the special tokens around them."""
        most = self._options.page_tokens or self.page_len
        ids = list(self._prefix_ids)
        for before, page in pairwise((None, *part.pages)):
            if page is None:
                continue
            if before is not None and before.document_id != page.document_id and self._form.separator_id:
                ids.append(self._form.separator_id)
            ids += encode_page(self._tokenizer, page, max(most, page.num_tokens)).token_ids
        return self._frame.around(ids)

    def _generate(
        self,
        model: PreTrainedModel,
        part: Part,
        settings: SearchSettings,
        stage: str,
        progress: ProgressListener,
        seconds: dict[str, float],
    ) -> PartSummary:
        import torch

        input_ids = torch.tensor([self._input_ids(part)], device=model.device)  # (1, source_len)
        inputs: dict[str, Tensor] = {"attention_mask": torch.ones_like(input_ids)}
        if self._form.has_global_attention:
            inputs["global_attention_mask"] = self._global_attention(input_ids)
        with torch.inference_mode():
            with _timed(seconds, "encode"):
                progress(ProgressEvent(stage="reading", done=0))
                encoder: Any = model.get_encoder()
                encoded = encoder(input_ids=input_ids, return_dict=True, **inputs)
            with _timed(seconds, "decode"):
                arguments = self._arguments(model, settings)
                watch = _watch(stage, arguments["max_new_tokens"], progress)
                generate: Any = model.generate
                ids = generate(
                    # Generation repeats it for the beams in place.
                    encoder_outputs=copy.copy(encoded),
                    attention_mask=inputs["attention_mask"],
                    logits_processor=[watch],
                    **arguments,
                )[0]
                log_probs = _score(model, encoded, inputs["attention_mask"], ids)
        return PartSummary(token_ids=tuple(ids[1:].tolist()), log_probs=log_probs)

    def _global_attention(self, input_ids: Tensor) -> Tensor:
        """1 at the first token and at every separator of documents."""
        mask = input_ids.new_zeros(input_ids.shape)
        mask[:, 0] = 1
        if self._form.separator_id is not None:
            mask[input_ids == self._form.separator_id] = 1
        return mask

    def _arguments(self, model: PreTrainedModel, settings: SearchSettings) -> dict[str, Any]:
        generation = model.generation_config
        first = self._form.first_token_id
        first = generation.forced_bos_token_id if first is None else first
        arguments: dict[str, Any] = {
            "do_sample": False,
            "num_beams": settings.beams,
            "max_length": None,
            "min_length": 0,
            # Counted as everywhere in this field: besides the summary's tokens one end token.
            "max_new_tokens": settings.max_tokens + 1,
            "min_new_tokens": settings.min_tokens,
            "no_repeat_ngram_size": settings.no_repeat_ngram,
            "forced_bos_token_id": first,
        }
        if settings.beams > 1:
            arguments |= {
                "length_penalty": settings.length_penalty,
                "early_stopping": settings.early_stopping,
            }
        else:
            arguments |= {"length_penalty": 1.0, "early_stopping": False}
        return arguments

    def _read(
        self, generated: PartSummary, part: Part, settings: SearchSettings, language: str | None
    ) -> tuple[list[SummarySentence], list[str]]:
        """The sentences of a part's summary, attributed to its pages alone."""
        found = split_tokens(self._tokenizer, generated.token_ids, language)
        if not found:
            return [], [f"nothing was written for {part.pages[0].label}"]
        kept, is_broken_off = end_at_sentence(found, settings, len(generated.token_ids))
        origins: Sequence[Attribution | None] = [None] * len(kept)
        if self._options.attribution:
            origins = align([sentence.text for sentence in kept], part.pages)
        sentences = [
            SummarySentence(
                text=sentence.text,
                index=index,
                log_prob=mean_log_prob(sentence, generated.log_probs),
                attribution=origin,
            )
            for index, (sentence, origin) in enumerate(zip(kept, origins, strict=True))
        ]
        return sentences, [BROKEN_OFF] if is_broken_off else []


def _score(
    model: PreTrainedModel, encoded: BaseModelOutput, attention_mask: Tensor, ids: Tensor
) -> tuple[float, ...]:
    """Log probability of every generated token, in one pass over what was generated."""
    output = model(
        encoder_outputs=encoded,
        attention_mask=attention_mask,
        decoder_input_ids=ids[None, :-1],
        use_cache=False,
    )
    log_probs = output.logits[0].float().log_softmax(dim=-1)  # (target_len, vocab)
    scores: list[float] = log_probs.gather(1, ids[1:, None])[:, 0].tolist()
    return tuple(scores)


def _watch(stage: str, total: int, progress: ProgressListener) -> Any:
    """A step of ``generate`` that reports progress and refuses scores that are no numbers."""
    steps = 0

    def watch(_: Tensor, scores: Tensor) -> Tensor:
        nonlocal steps
        steps += 1
        if scores.isnan().any():
            raise CheckpointError(
                "the model's scores are not numbers: its weights are damaged, or overflow at this precision",
                "download the checkpoint again, or try --dtype float32",
            )
        progress(ProgressEvent(stage=stage, done=steps, total=total, unit="tokens"))
        return scores

    return watch


@contextmanager
def _timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    """Add the wall-clock time spent inside to one entry."""
    started = time.perf_counter()
    try:
        yield
    finally:
        seconds[stage] += time.perf_counter() - started
