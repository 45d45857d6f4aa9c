"""Settings of models as plain values: the parts of a ``config.json`` that determine what a model computes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Self

from lsum_cli.errors import CheckpointError

LENGTH_RULES = ("current", "start_and_bos")
_SIDES = ("encoder", "decoder")


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """Settings of any model of ours.

    Raises:
        CheckpointError: Sizes that no model can have, or an unknown setting.
    """

    model_type: ClassVar[str]

    def __post_init__(self) -> None:
        for problem in self._problems():
            raise CheckpointError(
                f"the model's configuration is damaged: {problem}", "import or download the checkpoint again"
            )

    @classmethod
    def of(cls, config: object) -> Self:
        """Take the settings over from the attributes of a ``transformers`` configuration.

        Raises:
            CheckpointError: As above.
        """
        return cls.known(vars(config))

    @classmethod
    def known(cls, values: Mapping[str, Any]) -> Self:
        """Take those that are settings out of a checkpoint's ``config.json``.

        Raises:
            CheckpointError: As above.
        """
        return cls(**{each.name: values[each.name] for each in fields(cls) if each.name in values})

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read them from the files of a checkpoint.

        Raises:
            CheckpointError: As above.
            OSError: There is no ``config.json``.
            ValueError: It is not valid JSON.
        """
        return cls.known(json.loads((folder / "config.json").read_bytes()))

    def _problems(self) -> list[str]:
        raise NotImplementedError

    def _bad_sizes(self, least: Mapping[str, int]) -> list[str]:
        """Name the settings that are not integers of at least this value."""
        values = {name: getattr(self, name) for name in least}
        return [
            f"{name} is {value!r}"
            for name, value in values.items()
            if not (isinstance(value, int) and value >= least[name])
        ]

    def _bad_numbers(self, names: Sequence[str]) -> list[str]:
        """Name the settings that are no finite numbers."""
        return [
            f"{name} is {getattr(self, name)!r}"
            for name in names
            if not isinstance(getattr(self, name), int | float) or not math.isfinite(getattr(self, name))
        ]

    def _unknown_choices(self, choices: Mapping[str, tuple[object, ...]]) -> list[str]:
        """Say which settings are not one of their choices."""
        return [
            f"{name} '{getattr(self, name)}' is none of {', '.join(map(str, known))}"
            for name, known in choices.items()
            if getattr(self, name) not in known
        ]


@dataclass(frozen=True, kw_only=True)
class BartSettings(ModelSettings):
    """BART's settings that matter for inference, under BART's names.

    Attributes:
        layer_norm_eps: The epsilon of all norms; BERT's, where a model began with one.
        length_rule: How beam scores count a hypothesis' length; see
            :class:`lsum_cli.generation.options.LengthRule`.
    """

    vocab_size: int = 50265
    max_position_embeddings: int = 1024
    d_model: int = 1024
    encoder_layers: int = 12
    encoder_ffn_dim: int = 4096
    encoder_attention_heads: int = 16
    decoder_layers: int = 12
    decoder_ffn_dim: int = 4096
    decoder_attention_heads: int = 16
    activation_function: str = "gelu"
    scale_embedding: bool = False
    bos_token_id: int | None = 0
    pad_token_id: int | None = 1
    eos_token_id: int | None = 2
    decoder_start_token_id: int | None = 2
    forced_bos_token_id: int | None = None
    forced_eos_token_id: int | None = 2
    layer_norm_eps: float = 1e-5
    length_rule: str = "current"

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read them from the files of a checkpoint; see :meth:`ModelSettings.read`.

        The forced tokens come from ``generation_config.json``; old checkpoints without it have them in
        ``config.json``.
        """
        values = json.loads((folder / "config.json").read_bytes())
        file = folder / "generation_config.json"
        if file.is_file():
            generation = json.loads(file.read_bytes())
            for name in ("forced_bos_token_id", "forced_eos_token_id"):
                values[name] = generation.get(name)
        return cls.known(values)

    def _problems(self) -> list[str]:
        """Say what no BART can have; a subclass adds to it."""
        sizes = ["vocab_size", "d_model", "max_position_embeddings"]
        sizes += [f"{side}_{size}" for side in _SIDES for size in ("layers", "ffn_dim", "attention_heads")]
        if problems := self._bad_sizes(dict.fromkeys(sizes, 1)):
            return problems
        for side in _SIDES:
            heads = getattr(self, f"{side}_attention_heads")
            if self.d_model % heads:
                problems.append(f"d_model {self.d_model} cannot be split among {heads} {side} heads")
        # A configuration can hold anything.
        pad: object = self.pad_token_id
        if pad is not None and not (isinstance(pad, int) and 0 <= pad < self.vocab_size):
            problems.append(f"pad_token_id is {pad!r}")
        activation: object = self.activation_function
        if not isinstance(activation, str):
            problems.append(f"activation_function is {activation!r}")
        if not isinstance(self.layer_norm_eps, float) or not 0 < self.layer_norm_eps <= 1:
            problems.append(f"layer_norm_eps is {self.layer_norm_eps!r}")
        return problems + self._unknown_choices({"length_rule": LENGTH_RULES})
