"""The Top-Down Transformer and its importance tagger for ``transformers``: training, ``generate``, files.

BART whose encoder is :class:`~lsum_cli.models.topdown.encoder.TopDownEncoder`; its decoder attends to
all tokens as they are after the top-down layers. The importance tagger is the encoder with AvgPool and
one linear layer: a token's importance, how likely its word occurs in the summary, is the sigmoid of its
logit (AdaPool, Pang et al. 2022). Inference with both is in :mod:`lsum_cli.models.topdown.engine`.

Dimensions: ``batch, source_len, target_len, hidden, vocab``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, cast

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import (
    AutoModelForSeq2SeqLM,
    AutoModelForTokenClassification,
    BartConfig,
    BartForConditionalGeneration,
    GenerationMixin,
)
from transformers.cache_utils import Cache
from transformers.modeling_outputs import BaseModelOutput, Seq2SeqLMOutput, TokenClassifierOutput
from transformers.models.bart.modeling_bart import BartPreTrainedModel

from lsum_cli.errors import OptionError
from lsum_cli.models.blocks.bart import POSITION_OFFSET
from lsum_cli.models.blocks.pretrained_bart import (
    IGNORED_LABEL,
    ConditionalGeneration,
    EncoderDecoder,
    cross_entropy,
    settings_of,
)
from lsum_cli.models.topdown.configuration import TopDownConfig, register_configuration
from lsum_cli.models.topdown.encoder import TopDownEncoder
from lsum_cli.models.topdown.settings import TopDownSettings

_POSITIONS = "model.encoder.embed_positions.weight"
_LAYERS = "model.encoder.layers."
_SHARED, _EMBEDDING = "model.shared.weight", "encoder.embed_tokens.weight"
# Of twelve layers the paper makes eight bottom-up.
_BOTTOM_UP_SHARE = 2 / 3


class TopDownEncoderModel(TopDownEncoder, BartPreTrainedModel):
    """The encoder with the interface of ``transformers``, for training and ``generate``."""

    config: TopDownConfig
    config_class = TopDownConfig
    _no_split_modules = ["EncoderLayer", "TopDownLayer"]  # noqa: RUF012 - read by transformers

    def __init__(self, config: TopDownConfig) -> None:
        BartPreTrainedModel.__init__(self, config)
        self._build(TopDownSettings.of(config))
        BartPreTrainedModel.post_init(self)

    def get_input_embeddings(self) -> nn.Module:
        """Return the embeddings of the tokens."""
        return self.embed_tokens

    def set_input_embeddings(self, value: nn.Module) -> None:
        """Replace them."""
        assert isinstance(value, nn.Embedding)
        self.embed_tokens = value

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        importance: Tensor | None = None,
        inputs_embeds: Tensor | None = None,
        output_hidden_states: bool | None = None,
        output_attentions: bool | None = None,
        **_: Any,
    ) -> BaseModelOutput:
        """Encode documents.

        Args:
            input_ids: (batch, source_len).
            attention_mask: Same shape, 1 at tokens; by default at all positions except padding.
            importance: Same shape, of each token; ``None`` for AvgPool.
            inputs_embeds: Not supported.
            output_hidden_states: Whether to return the tokens' states before and after every layer; by
                default what the configuration says.
            output_attentions: Whether to return the weights of self-attention, likewise.

        Returns:
            Its ``last_hidden_state`` is (batch, source_len, hidden), its ``attentions`` are
            (batch, heads, source_len, attention_window + 1) for each layer over tokens: a token's
            neighbours from the farthest before it to the farthest behind it.

        Raises:
            OptionError: Documents that cannot be encoded.
        """
        if input_ids is None or inputs_embeds is not None:
            raise OptionError("documents are encoded from token ids only", "give input_ids")
        mask = input_ids != self.config.pad_token_id if attention_mask is None else attention_mask.bool()
        self._check(input_ids, mask, importance)
        if output_hidden_states is None:
            output_hidden_states = self.config.output_hidden_states
        if output_attentions is None:
            output_attentions = self.config.output_attentions
        # A compiled graph cannot depend on the values of a mask.
        has_padding = torch.compiler.is_compiling() or not mask.all()
        weights: list[Tensor] | None = [] if output_attentions else None
        seen: list[Tensor] = []
        for states in self.run(input_ids, mask if has_padding else None, importance, weights=weights):
            seen = [*seen, states] if output_hidden_states else [states]
        return BaseModelOutput(
            last_hidden_state=seen[-1],
            hidden_states=tuple(seen) if output_hidden_states else None,
            attentions=None if weights is None else tuple(weights),
        )

    def _check(self, input_ids: Tensor, mask: Tensor, importance: Tensor | None) -> None:
        batch, source_len = input_ids.shape
        is_empty = not batch or not source_len
        # A compiled graph cannot depend on the values of a mask.
        if is_empty or not (torch.compiler.is_compiling() or mask.any(dim=1).all()):
            raise OptionError("a document has no tokens", "give at least one token")
        if source_len > self.config.max_source_positions:
            raise OptionError(
                f"{source_len} tokens exceed the {self.config.max_source_positions} that the model reads",
                "give a shorter document, or --method book",
            )
        for name, tensor in (("attention_mask", mask), ("importance", importance)):
            if tensor is not None and tensor.shape != input_ids.shape:
                raise OptionError(
                    f"{name} is {tuple(tensor.shape)} but input_ids are {tuple(input_ids.shape)}",
                    "give both the shape (batch, source_len)",
                )


class TopDownModel(EncoderDecoder):
    """Encoder and decoder with one vocabulary, as in BART."""

    config: TopDownConfig
    config_class = TopDownConfig
    encoder_class = TopDownEncoderModel


class TopDownForTokenClassification(BartPreTrainedModel):
    """A Top-Down encoder that gives every token one logit."""

    config: TopDownConfig
    config_class = TopDownConfig
    base_model_prefix = "encoder"

    def __init__(self, config: TopDownConfig) -> None:
        super().__init__(config)
        self.encoder = TopDownEncoderModel(config)
        self.dropout = nn.Dropout(config.classifier_dropout)
        self.classifier = nn.Linear(config.d_model, 1)
        self.post_init()

    @classmethod
    def from_bart(
        cls,
        bart: BartForConditionalGeneration,
        *,
        generator: torch.Generator | None = None,
        **settings: Any,
    ) -> Self:
        """Initialise the encoder from a BART model; see ``TopDownForConditionalGeneration.from_bart``."""
        model = cls(config_from_bart(bart.config, settings)).to(bart.dtype)
        weights = weights_from_bart(bart, model.config)
        weights = {name.removeprefix("model."): tensor for name, tensor in weights.items()}
        weights[_EMBEDDING] = bart.state_dict()[_SHARED]
        _initialise(model, weights, generator)
        return cast(Self, model.to(bart.device))

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        labels: Tensor | None = None,
        num_items_in_batch: Tensor | int | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> TokenClassifierOutput | tuple[Any, ...]:
        """Score every token.

        Args:
            input_ids: (batch, source_len).
            attention_mask: Same shape, 1 at tokens; by default at all positions except padding.
            labels: Same shape, 1 where a token is important and 0 where not, anything between where
                that is not certain; -100 where it does not count.
            num_items_in_batch: Tokens the loss is divided by; by default the labels that count.
            return_dict: ``False`` for a plain tuple.
            **kwargs: ``output_hidden_states``, ``output_attentions``.

        Returns:
            Its ``logits`` are (batch, source_len); their sigmoid is the importance.

        Raises:
            OptionError: Documents that cannot be encoded.
        """
        encoded = self.encoder(input_ids, attention_mask, **kwargs)
        logits = self.classifier(self.dropout(encoded.last_hidden_state)).squeeze(-1)
        output = TokenClassifierOutput(
            loss=None if labels is None else _binary_cross_entropy(logits, labels, num_items_in_batch),
            logits=logits,
            hidden_states=encoded.hidden_states,
            attentions=encoded.attentions,
        )
        return output.to_tuple() if return_dict is False else output


class TopDownForConditionalGeneration(ConditionalGeneration, GenerationMixin):
    """The Top-Down Transformer with its vocabulary projection."""

    config: TopDownConfig
    config_class = TopDownConfig
    model_tags = ["lsum", "topdown", "summarization"]  # noqa: RUF012 - of a repository on the hub

    def __init__(self, config: TopDownConfig) -> None:
        super().__init__(config, TopDownModel(config))
        self.tagger: TopDownForTokenClassification | None = None
        if config.tagger is not None:
            self.tagger = TopDownForTokenClassification(TopDownConfig(**config.tagger)).requires_grad_(False)
        self.post_init()

    def attach_tagger(self, tagger: TopDownForTokenClassification) -> None:
        """Add a trained importance tagger, so that a checkpoint contains both; it is not trained further.

        Raises:
            OptionError: It reads less than the model, or has another vocabulary.
        """
        own, other = self.config, tagger.config
        if other.vocab_size != own.vocab_size or other.max_source_positions < own.max_source_positions:
            raise OptionError(
                f"the tagger reads {other.max_source_positions} tokens of a vocabulary of {other.vocab_size},"
                f" the summariser {own.max_source_positions} of {own.vocab_size}",
                "train both with one tokenizer and the same max_source_positions",
            )
        self.tagger = tagger.requires_grad_(False)
        self.config.tagger = other.to_dict()

    def resize_token_embeddings(self, *args: Any, **kwargs: Any) -> nn.Module:
        """Resize the embeddings, those of the tagger too."""
        resized = super().resize_token_embeddings(*args, **kwargs)
        if self.tagger is not None:
            self.tagger.resize_token_embeddings(*args, **kwargs).requires_grad_(False)
            self.config.tagger = self.tagger.config.to_dict()
        return resized

    @classmethod
    def from_bart(
        cls,
        bart: BartForConditionalGeneration,
        *,
        generator: torch.Generator | None = None,
        **settings: Any,
    ) -> Self:
        """Initialise from a BART model; the weights that concern segments are new.

        Args:
            bart: Its weights are copied.
            generator: Source of the new weights.
            **settings: Settings of :class:`TopDownConfig`; by default two thirds of the encoder layers are
                bottom-up and the rest top-down, as in the paper.

        Raises:
            OptionError: More layers than BART has.
        """
        model = cls(config_from_bart(bart.config, settings)).to(bart.dtype)
        _initialise(model, weights_from_bart(bart, model.config), generator)
        return cast(Self, model.to(bart.device))

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        importance: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        encoder_outputs: BaseModelOutput | tuple[Tensor, ...] | None = None,
        past_key_values: Cache | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        num_items_in_batch: Tensor | int | None = None,
        return_dict: bool | None = None,
        **kwargs: Any,
    ) -> Seq2SeqLMOutput | tuple[Any, ...]:
        """Encode documents and score the tokens of their summaries.

        Args:
            input_ids: (batch, source_len).
            attention_mask: Same shape, 1 at tokens; by default at all positions except padding.
            importance: Same shape, of each token, for AdaPool; ``None`` for AvgPool.
            decoder_input_ids: (batch, target_len); by default the labels shifted right.
            decoder_attention_mask: (batch, target_len).
            encoder_outputs: Instead of ``input_ids``.
            past_key_values: The cache returned by the previous steps.
            labels: (batch, target_len), -100 where they do not count.
            use_cache: Whether to return the cache.
            num_items_in_batch: Tokens the loss is divided by; by default the labels that count.
            return_dict: ``False`` for a plain tuple.
            **kwargs: ``output_hidden_states``, ``output_attentions``.

        Raises:
            OptionError: Documents that cannot be encoded, or nothing to decode.
        """
        if labels is not None:
            use_cache = False
            if decoder_input_ids is None:
                decoder_input_ids = self.prepare_decoder_input_ids_from_labels(labels)
        if decoder_input_ids is None:
            raise OptionError("there is nothing to decode", "give decoder_input_ids or labels")
        if encoder_outputs is None:
            encoder_outputs = self.model.encoder(input_ids, attention_mask, importance, **kwargs)
            if attention_mask is None and input_ids is not None:
                attention_mask = (input_ids != self.config.pad_token_id).long()
        elif not isinstance(encoder_outputs, BaseModelOutput):
            encoder_outputs = BaseModelOutput(*encoder_outputs)
        encoded: Any = encoder_outputs
        decoded = self.model.decoder(
            input_ids=decoder_input_ids,
            attention_mask=decoder_attention_mask,
            encoder_hidden_states=encoded.last_hidden_state,
            encoder_attention_mask=attention_mask,
            past_key_values=past_key_values,
            use_cache=use_cache,
            return_dict=True,
            **kwargs,
        )
        logits = self.lm_head(decoded.last_hidden_state) + self.final_logits_bias
        output = Seq2SeqLMOutput(
            loss=None if labels is None else cross_entropy(logits, labels, num_items_in_batch),
            logits=logits,
            past_key_values=decoded.past_key_values,
            decoder_hidden_states=decoded.hidden_states,
            decoder_attentions=decoded.attentions,
            cross_attentions=decoded.cross_attentions,
            encoder_last_hidden_state=encoded.last_hidden_state,
            encoder_hidden_states=encoded.hidden_states,
            encoder_attentions=encoded.attentions,
        )
        return output.to_tuple() if return_dict is False else output


def config_from_bart(bart: BartConfig, settings: Mapping[str, Any]) -> TopDownConfig:
    """Return BART's settings, its encoder layers split as in the paper or as ``settings`` say.

    Raises:
        OptionError: Both kinds of layers together are more than BART has.
    """
    inherited = settings_of(bart)
    # Here it is the sum of bottom-up and top-down layers.
    del inherited["encoder_layers"]
    layers = bart.encoder_layers
    split = dict(settings)
    if "top_down_layers" in split:
        split.setdefault("bottom_up_layers", layers - split["top_down_layers"])
    split.setdefault("bottom_up_layers", max(1, round(layers * _BOTTOM_UP_SHARE)))
    split.setdefault("top_down_layers", layers - split["bottom_up_layers"])
    config = TopDownConfig(**(inherited | split))
    if config.encoder_layers > layers:
        raise OptionError(
            f"{config.encoder_layers} bottom-up and top-down layers cannot come from {layers} layers of BART",
            "lower bottom_up_layers or top_down_layers, or use a larger BART",
        )
    return config


def weights_from_bart(bart: BartForConditionalGeneration, config: TopDownConfig) -> dict[str, Tensor]:
    """Return BART's weights under the names they have here.

    The first layers become bottom-up, the last ones top-down; where there are fewer than BART has,
    those in between are left out. Positions beyond BART's repeat its own.
    """
    layers = bart.config.encoder_layers
    skipped = layers - config.top_down_layers
    weights = {}
    for name, tensor in bart.state_dict().items():
        if name.startswith(_LAYERS):
            number, _, rest = name.removeprefix(_LAYERS).partition(".")
            if int(number) < config.bottom_up_layers:
                weights[f"model.encoder.bottom_up.{number}.{rest}"] = tensor
            elif int(number) >= skipped:
                weights[f"model.encoder.top_down.{int(number) - skipped}.{rest}"] = tensor
        elif name == _POSITIONS:
            weights[name] = tile_positions(tensor, config.max_source_positions)
        else:
            weights[name] = tensor
    return weights


def tile_positions(weight: Tensor, positions: int) -> Tensor:
    """Repeat the positions of an embedding until there are enough: (2 + positions, hidden)."""
    reserved, own = weight[:POSITION_OFFSET], weight[POSITION_OFFSET:]
    repeats = -(-positions // own.shape[0])
    return torch.cat([reserved, own.repeat(repeats, 1)[:positions]])


def _initialise(
    model: BartPreTrainedModel, weights: dict[str, Tensor], generator: torch.Generator | None
) -> None:
    """Load weights, and draw all others at random."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name in weights:
                continue
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
            elif parameter.dim() == 1:  # the weight of a norm
                nn.init.ones_(parameter)
            else:
                nn.init.normal_(parameter, std=model.config.init_std, generator=generator)
    # A tagger has no decoder, and a model without top-down layers has none of their weights.
    model.load_state_dict(weights, strict=False)


_SHARED, _EMBEDDING = "model.shared.weight", "encoder.embed_tokens.weight"


def _binary_cross_entropy(logits: Tensor, labels: Tensor, num_items: Tensor | int | None) -> Tensor:
    """Σ over the labels that count, divided by their number or by ``num_items``."""
    counted = labels.to(logits.device) != IGNORED_LABEL
    precise = logits.to(torch.promote_types(logits.dtype, torch.float32))
    targets = labels.to(precise.device, precise.dtype)
    loss = functional.binary_cross_entropy_with_logits(precise[counted], targets[counted], reduction="sum")
    return loss / (counted.sum().clamp_min(1) if num_items is None else num_items)


def register_topdown() -> None:
    """Let the Auto classes load Top-Down summarisers and taggers; may be called twice."""
    register_configuration()
    AutoModelForSeq2SeqLM.register(TopDownConfig, TopDownForConditionalGeneration, exist_ok=True)
    AutoModelForTokenClassification.register(TopDownConfig, TopDownForTokenClassification, exist_ok=True)
