"""BERT as the beginning of an encoder-decoder (Rothe et al. 2020, "Leveraging Pre-trained Checkpoints").

A layer of BERT is one of BART's encoder under other names, so that BART with these weights computes the
same hidden states: the embedding of the first type of token, which every token has, is added to those of
the positions, RoBERTa's positions begin after that of padding, and the norms keep their epsilon, which
is a setting of our models. The layers of the decoder begin as copies of the encoder's; their
cross-attention is new.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn
from transformers import BartConfig, BartForConditionalGeneration, PreTrainedModel

from lsum_cli.errors import CheckpointError
from lsum_cli.models.blocks.bart import POSITION_OFFSET

# Encoders with BERT's layers, and whether their positions begin after that of padding.
FAMILIES = {"bert": False, "roberta": True, "xlm-roberta": True, "camembert": True}
_NAMES = {
    "attention.self.query": "self_attn.q_proj",
    "attention.self.key": "self_attn.k_proj",
    "attention.self.value": "self_attn.v_proj",
    "attention.output.dense": "self_attn.out_proj",
    "attention.output.LayerNorm": "self_attn_layer_norm",
    "intermediate.dense": "fc1",
    "output.dense": "fc2",
    "output.LayerNorm": "final_layer_norm",
}
_EMBEDDINGS = "embeddings."
_NEXT = "give a BERT, MiniLM or RoBERTa, such as google-bert/bert-base-uncased"


def check_bert(config: Mapping[str, Any], name: str) -> None:
    """Check that a configuration is that of an encoder that :func:`bart_from_bert` takes.

    Raises:
        CheckpointError: It is not.
    """
    family = str(config.get("model_type"))
    if family not in FAMILIES:
        raise CheckpointError(f"model.encoder {name} is a model of the type {family}", _NEXT)
    positions = config.get("position_embedding_type", "absolute")
    if config.get("is_decoder") or config.get("add_cross_attention") or positions != "absolute":
        kind = "a decoder" if positions == "absolute" else f"a {family} with positions of type {positions}"
        raise CheckpointError(f"model.encoder {name} is {kind}", _NEXT)


def bart_from_bert(bert: PreTrainedModel, special_ids: Mapping[str, int]) -> BartForConditionalGeneration:
    """Make a BART of a BERT, for our models to begin with.

    BART itself has no setting for the epsilon of its norms, ``layer_norm_eps`` in its configuration: our
    models with these weights compute what BERT does, BART nearly so.

    Args:
        bert: A ``BertModel`` or ``RobertaModel``.
        special_ids: The special tokens as BART's configuration names them.
    """
    theirs, weights = bert.config, bert.state_dict()
    positions = weights[f"{_EMBEDDINGS}position_embeddings.weight"]
    positions = positions + weights[f"{_EMBEDDINGS}token_type_embeddings.weight"][0]
    if FAMILIES[theirs.model_type]:
        positions = positions[theirs.pad_token_id + 1 :]
    config = BartConfig(
        vocab_size=theirs.vocab_size,
        d_model=theirs.hidden_size,
        max_position_embeddings=len(positions),
        activation_function=theirs.hidden_act,
        dropout=theirs.hidden_dropout_prob,
        attention_dropout=theirs.attention_probs_dropout_prob,
        init_std=theirs.initializer_range,
        layer_norm_eps=theirs.layer_norm_eps,
        **{
            f"{side}_{name}": value
            for side in ("encoder", "decoder")
            for name, value in (
                ("layers", theirs.num_hidden_layers),
                ("attention_heads", theirs.num_attention_heads),
                ("ffn_dim", theirs.intermediate_size),
            )
        },
        **special_ids,
    )
    bart = BartForConditionalGeneration(config)
    bart.generation_config.forced_bos_token_id = special_ids["forced_bos_token_id"]
    state = {"model.shared.weight": weights[f"{_EMBEDDINGS}word_embeddings.weight"]}
    state["model.encoder.embed_positions.weight"] = torch.cat(
        [positions.new_zeros(POSITION_OFFSET, positions.shape[1]), positions]
    )
    for kind in ("weight", "bias"):
        state[f"model.encoder.layernorm_embedding.{kind}"] = weights[f"{_EMBEDDINGS}LayerNorm.{kind}"]
    for layer in range(theirs.num_hidden_layers):
        for name, ours in _NAMES.items():
            for kind in ("weight", "bias"):
                found = weights[f"encoder.layer.{layer}.{name}.{kind}"]
                state[f"model.encoder.layers.{layer}.{ours}.{kind}"] = found
    own = {name.replace("model.encoder.", "model.decoder."): each for name, each in state.items()}
    _begin(bart, state | own)
    return bart


def _begin(bart: BartForConditionalGeneration, state: Mapping[str, Tensor]) -> None:
    """Load the weights; those of the cross-attention are new."""
    for layer in bart.model.decoder.layers:
        for name, parameter in layer.encoder_attn.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
            else:
                nn.init.normal_(parameter, std=bart.config.init_std)
    report = bart.load_state_dict(state, strict=False)
    new = [name for name in report.missing_keys if ".encoder_attn" not in name]
    tied = ("embed_tokens.weight", "lm_head.weight", "final_logits_bias")
    assert all(name.endswith(tied) for name in new), new
    assert not report.unexpected_keys, report.unexpected_keys
