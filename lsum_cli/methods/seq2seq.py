"""The method ``seq2seq``: any encoder-decoder of ``transformers``, decoded by its own ``generate``.

The baseline for the others. What is longer than the model reads is split at sentences, the parts
are summarised one by one and their summaries joined; nothing is cut.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lsum_cli.attribution.alignment import align
from lsum_cli.checkpoints.loading import LoadedCheckpoint, count_bytes, quiet_transformers
from lsum_cli.errors import CheckpointError
from lsum_cli.locality import Locality, LocalityChoice, Page
from lsum_cli.methods.base import Cost, MethodChoice
from lsum_cli.methods.batching import group_neighbours
from lsum_cli.methods.detokenising import TokenSentence
from lsum_cli.methods.model_inputs import InputForm, encode_page
from lsum_cli.methods.model_method import Clock, Outcome
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.parts import PartsMethod, PartsPlan, Search
from lsum_cli.methods.search_settings import SearchSettings
from lsum_cli.methods.verbatim import VerbatimSource
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.summaries import Attribution

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedModel

REASON = "the input is read in parts as long as the model allows"
# First and last token, besides those of the summary.
_FRAME = 2
# The share of the longest maximum that others written together have at least.
SIMILAR_SHARE = 0.7


@dataclass(frozen=True, kw_only=True, eq=False)
class EncodedParts:
    """What the encoder made of parts, (parts, source_len, hidden), and which positions are tokens."""

    states: Tensor
    attention_mask: Tensor

    def among(self, parts: Sequence[int]) -> EncodedParts:
        """Some of the parts, by their places, padded to the longest of them."""
        mask = self.attention_mask[parts]
        longest = int(mask.sum(dim=1).max())
        return EncodedParts(states=self.states[parts, :longest], attention_mask=mask[:, :longest])

    @classmethod
    def of(cls, states: Sequence[Tensor]) -> EncodedParts:
        """Put together what was made of each, (source_len, hidden)."""
        import torch
        from torch.nn.utils.rnn import pad_sequence

        masks = [torch.ones(len(each), dtype=torch.int64, device=each.device) for each in states]
        return cls(
            states=pad_sequence(list(states), batch_first=True),
            attention_mask=pad_sequence(masks, batch_first=True),
        )


class Seq2SeqMethod(PartsMethod[EncodedParts]):
    """Any encoder-decoder with one checkpoint; see :class:`~lsum_cli.methods.model_method.ModelMethod`."""

    name = "seq2seq"
    _loads_for_engine = False
    locality = LocalityChoice(locality=Locality.SPATIAL, reason=REASON)

    def __init__(
        self, choice: MethodChoice, options: SummaryOptions, progress: ProgressListener = ignore_progress
    ) -> None:
        super().__init__(choice, options, progress)
        self._form = form = InputForm.of(self.config, self.tokenizer)
        prefix = self.tokenizer(form.prefix, add_special_tokens=False)["input_ids"]
        self._prefix_ids: list[int] = list(prefix) if form.prefix else []
        self.page_len = self.source_len = form.max_tokens - len(self.frame) - len(self._prefix_ids)
        if self.page_len < 1:
            raise CheckpointError(
                f"{self.manifest.name} reads only {form.max_tokens} tokens at once", "give another --model"
            )
        self.max_page_len = None if form.can_exceed else self.page_len
        self.max_written = None if form.max_written is None else form.max_written - _FRAME

    def estimate(self, plan: PartsPlan) -> Cost:
        """Time and memory from the configuration and this machine's speed; loads no weights."""
        beams = self.passes(plan)[0].beams
        work = replace(self._work(plan, plan.lengths(), copies=beams), has_own_vocabulary=False)
        cost = self._estimate(work)
        return replace(cost, shared_bytes=min(cost.memory_bytes, self._mapped_bytes()))

    def _load(self) -> LoadedCheckpoint:
        from lsum_cli.models.blocks.generate_steps import attend_in_steps

        loaded = super()._load()
        model = loaded.place_model()
        with quiet_transformers():
            attend_in_steps(model)
        return replace(loaded, model=model)

    def _mapped_bytes(self) -> int:
        """Bytes of the weights that stay mapped: those that need no conversion, on the processor."""
        from lsum_cli.machine.devices import choose_device, choose_precision

        device = choose_device(self.options.device)
        if device.type != "cpu":
            return 0
        return count_bytes(self.folder, choose_precision(self.options.dtype, device).value)

    def _decoding(self) -> AbstractContextManager[object]:
        return quiet_transformers()

    def _parts(self, pages: Sequence[Page]) -> list[list[Page]]:
        """A page each; where the model knows a separator of documents, as many as it can read."""
        if self._form.separator_id is None:
            return [[page] for page in pages]
        # A separator stands between any two pages at most.
        most = self.options.page_tokens or self.page_len
        return group_neighbours(pages, [page.num_tokens + 1 for page in pages], most + 1)

    def _input_ids(self, part: Sequence[Page]) -> list[int]:
        """The ids of a part, with its prefix, its separators and the special tokens around them."""
        most = self.options.page_tokens or self.page_len
        ids = list(self._prefix_ids)
        for before, page in pairwise((None, *part)):
            if page is None:
                continue
            if before is not None and before.document_id != page.document_id and self._form.separator_id:
                ids.append(self._form.separator_id)
            ids += encode_page(self.tokenizer, page, max(most, page.num_tokens)).token_ids
        return self.frame.around(ids)

    def _encode(self, parts: Sequence[Search], clock: Clock) -> EncodedParts:
        """Each part without padding, which some encoders treat as text."""
        import torch

        model = self.loaded.model
        encoder: Any = model.get_encoder()
        states = []
        with torch.inference_mode():
            for number, part in enumerate(parts):
                self.progress(ProgressEvent(stage="reading", done=number, total=len(parts), unit="parts"))
                ids = self._input_ids(part.pages)
                input_ids = torch.tensor([ids], device=model.device)  # (1, source_len)
                inputs: dict[str, Tensor] = {"attention_mask": torch.ones_like(input_ids)}
                if self._form.has_global_attention:
                    inputs["global_attention_mask"] = self._form.global_attention(input_ids)
                if hasattr(encoder, "set_attention_type"):
                    # A short text makes BigBird turn to full attention, and stay with it.
                    encoder.set_attention_type(model.config.attention_type)
                found = encoder(input_ids=input_ids, return_dict=True, **inputs)
                states.append(found.last_hidden_state[0])
            encoded = EncodedParts.of(states)
        clock.stop("encode")
        return encoded

    def _decode(self, encoded: EncodedParts, searches: Sequence[Search], clock: Clock) -> list[Outcome]:
        import torch

        found: dict[int, Outcome] = {}
        with torch.inference_mode():
            for places in _groups_of_similar_length([search.settings.max_tokens for search in searches]):
                outcomes = self._generate(encoded.among(places), [searches[place] for place in places])
                found |= zip(places, outcomes, strict=True)
        clock.stop("decode")
        return [found[place] for place in range(len(searches))]

    def _generate(self, encoded: EncodedParts, searches: Sequence[Search]) -> list[Outcome]:
        """What ``generate`` writes for parts, each within the limits of its own search."""
        from transformers.modeling_outputs import BaseModelOutput

        from lsum_cli.generation.hypotheses import Hypothesis
        from lsum_cli.models.blocks.generate_steps import OwnLengths, make_cache

        model, all_settings = self.loaded.model, [search.settings for search in searches]
        longest = max(all_settings, key=lambda settings: settings.max_tokens)
        arguments = self._arguments(longest)
        sources = [search.source for search in searches if search.source is not None]
        lengths = OwnLengths(
            # Counted as everywhere in this field: besides the summary's tokens start and end token.
            most=[settings.max_tokens + _FRAME for settings in all_settings],
            least=[0 if sources else settings.min_tokens + 1 for settings in all_settings],
            end_token_ids=self._end_token_ids,
            forced_last_ids=self._forced_last_ids,
        )
        processors = [_watch(_stage(searches), arguments["max_new_tokens"], self.progress), lengths.limit]
        if sources:
            arguments["no_repeat_ngram_size"] = 0
            processors.append(self._restriction(sources, all_settings, arguments))
        generate: Any = model.generate
        rows = generate(
            # Generation repeats it for the beams in place.
            encoder_outputs=BaseModelOutput(last_hidden_state=encoded.states),
            attention_mask=encoded.attention_mask,
            logits_processor=processors,
            stopping_criteria=[lengths.are_reached],
            past_key_values=make_cache(longest.beams),
            **arguments,
        )
        written = [self._whole(ids[:most]) for ids, most in zip(rows, lengths.most, strict=True)]
        outcomes = []
        for search, ids, scores in zip(searches, written, _score(model, encoded, written), strict=True):
            # Ids without the start token.
            hypothesis: Hypothesis[NDArray[np.float32]] = Hypothesis(
                token_ids=tuple(ids[1:].tolist()), log_probs=scores, trace=None, score=sum(scores)
            )
            outcomes.append(Outcome(pages=search.pages, hypothesis=hypothesis, settings=search.settings))
        return outcomes

    def _whole(self, ids: Tensor) -> Tensor:
        """What was generated, without what fills it up to the longest after its end."""
        # The first may be the end token too, as BART's start token is.
        for place, token_id in enumerate(ids.tolist()):
            if place and token_id in self._end_token_ids:
                return ids[: place + 1]
        return ids

    def _arguments(self, settings: SearchSettings) -> dict[str, Any]:
        """What ``generate`` is given for parts, the longest of which has these settings."""
        stated, has_beams = self.loaded.model.generation_config, settings.beams > 1
        first = self._form.first_token_id
        return {
            "do_sample": False,
            "num_beams": settings.beams,
            "max_length": None,
            "min_length": 0,
            # Besides the start token.
            "max_new_tokens": settings.max_tokens + _FRAME - 1,
            # See :class:`~lsum_cli.models.blocks.generate_steps.OwnLengths`.
            "min_new_tokens": 0,
            "no_repeat_ngram_size": settings.no_repeat_ngram,
            "forced_bos_token_id": stated.forced_bos_token_id if first is None else first,
            "length_penalty": settings.length_penalty if has_beams else 1.0,
            "early_stopping": has_beams and settings.early_stopping,
        }

    def _page_ids(self, part: Sequence[Page]) -> Sequence[Sequence[int]]:
        most = self.options.page_tokens or self.page_len
        return [encode_page(self.tokenizer, page, max(most, page.num_tokens)).token_ids for page in part]

    def _restriction(
        self,
        sources: Sequence[VerbatimSource],
        all_settings: Sequence[SearchSettings],
        arguments: Mapping[str, Any],
    ) -> Any:
        """A step of ``generate`` that lets only sentences of the source be written."""
        from lsum_cli.generation.options import GenerationOptions
        from lsum_cli.generation.verbatim import DocumentOffers, VerbatimSentences, restrict_generate

        options = [
            GenerationOptions.for_summary(
                min_tokens=settings.min_tokens,
                max_tokens=settings.max_tokens,
                beams=settings.beams,
                end_token_id=self._end_token_ids[0],
                forced_first_token_id=arguments["forced_bos_token_id"],
            )
            for settings in all_settings
        ]
        offers = DocumentOffers([source.index for source in sources], options)
        return restrict_generate(VerbatimSentences(offers, options), options[0].beams)

    @cached_property
    def _forced_last_ids(self) -> list[int]:
        """The tokens that may stand at the last place of the maximum length; any, if there are none."""
        stated = self.loaded.model.generation_config.forced_eos_token_id
        return list(stated) if isinstance(stated, list) else [] if stated is None else [int(stated)]

    @cached_property
    def _end_token_ids(self) -> list[int]:
        """The tokens that end a summary."""
        stated = self.loaded.model.generation_config.eos_token_id
        found = self.config["eos_token_id"] if stated is None else stated
        return [int(each) for each in (found if isinstance(found, list) else [found])]

    def _attribute(self, sentences: Sequence[TokenSentence], outcome: Outcome) -> Sequence[Attribution]:
        return align([sentence.text for sentence in sentences], outcome.pages)


def _groups_of_similar_length(lengths: Sequence[int]) -> list[list[int]]:
    """Group items so that in no group the shortest is much shorter; ``generate`` goes on with all of them."""
    groups: list[list[int]] = []
    for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        if not groups or lengths[place] < SIMILAR_SHARE * lengths[groups[-1][0]]:
            groups.append([])
        groups[-1].append(place)
    return groups


def _score(
    model: PreTrainedModel, encoded: EncodedParts, written: Sequence[Tensor]
) -> list[tuple[float, ...]]:
    """Log probability of every generated token, in one pass over what was generated for each part."""
    from torch.nn.utils.rnn import pad_sequence
    from transformers.modeling_outputs import BaseModelOutput

    output = model(
        encoder_outputs=BaseModelOutput(last_hidden_state=encoded.states),
        attention_mask=encoded.attention_mask,
        decoder_input_ids=pad_sequence([ids[:-1] for ids in written], batch_first=True),
        use_cache=False,
    )
    scores = []
    for logits, ids in zip(output.logits, written, strict=True):
        log_probs = logits[: len(ids) - 1].float().log_softmax(dim=-1)  # (target_len, vocab)
        scores.append(tuple(log_probs.gather(1, ids[1:, None])[:, 0].tolist()))
    return scores


def _stage(searches: Sequence[Search]) -> str:
    """What is being written, where it is not the whole."""
    first, total = searches[0], len(searches[0].plan.parts)
    if len(searches) == total or any(search.plan is not first.plan for search in searches):
        return "writing"
    if len(searches) == 1:
        return f"writing part {first.number + 1} of {total}"
    return f"writing {len(searches)} of {total} parts"


def _watch(stage: str, total: int, progress: ProgressListener) -> Any:
    """A step of ``generate`` that reports progress and refuses scores that are NaN."""
    from lsum_cli.generation.beam import scores_are_nan

    steps = 0

    def watch(_: Tensor, scores: Tensor) -> Tensor:
        nonlocal steps
        steps += 1
        if scores.isnan().any():
            raise scores_are_nan()
        progress(ProgressEvent(stage=stage, done=steps, total=total, unit="tokens"))
        return scores

    return watch
