"""Pre-trained encoders for metrics and analyses.

Nothing is downloaded here: a model is a folder, or is in the hub library's cache.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lsum_cli.checkpoints.loading import load_tokenizer, quiet_transformers
from lsum_cli.checkpoints.store import find_encoder
from lsum_cli.errors import CheckpointError
from lsum_cli.machine.devices import AUTO, choose_device
from lsum_cli.machine.network import configure_network

if TYPE_CHECKING:
    import torch

_BATCH = 32
# Tokenizers without a limit state a huge one.
_NO_LIMIT = 1 << 20


class Encoder:
    """A pre-trained encoder and its tokenizer.

    Args:
        name: ``OWNER/NAME[@REVISION]`` of a model in the hub library's cache, or a folder.
        architecture: The class of ``transformers`` that loads it.
        device: ``auto``, ``cpu``, ``cuda[:N]`` or ``mps``.
        offline: Whether network connections are forbidden; none is made in any case.
        safetensors_only: Whether pickled weights are refused.

    Raises:
        CheckpointError: It is not on this machine, damaged, or lacks weights that the architecture needs.
        DeviceError: There is no such device.
    """

    def __init__(
        self,
        name: str,
        *,
        architecture: str = "AutoModel",
        device: str = AUTO,
        offline: bool = False,
        safetensors_only: bool = False,
    ) -> None:
        configure_network(offline=offline)
        folder = find_encoder(name)
        if safetensors_only and not any(folder.glob("*.safetensors")):
            raise CheckpointError(f"{name} has no weights as safetensors", "give another model")
        self.folder = folder
        self.name = name
        self.device = choose_device(device)
        self.tokenizer = load_tokenizer(folder)
        self.model = _load(folder, name, architecture, self.device)
        self.max_tokens = self._max_tokens()
        self.dim = int(self.model.config.hidden_size)
        self.num_truncated = 0

    def encode(self, texts: Sequence[str], pairs: Sequence[str] | None = None) -> dict[str, torch.Tensor]:
        """Texts, or pairs of texts, as padded model inputs on the device.

        Inputs that are too long are cut and counted; of a pair the longer text is cut first.
        """
        lengths = self.tokenizer(list(texts), list(pairs) if pairs else None, verbose=False)["input_ids"]
        self.num_truncated += sum(len(ids) > self.max_tokens for ids in lengths)
        inputs = self.tokenizer(
            list(texts),
            list(pairs) if pairs else None,
            padding=True,
            truncation="longest_first",
            max_length=self.max_tokens,
            return_tensors="pt",
            # Which text of a pair a token belongs to; not every tokenizer file asks for it.
            return_token_type_ids=True if pairs and self._tells_texts_apart else None,
            verbose=False,
        )
        return {key: value.to(self.device) for key, value in inputs.items()}

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text, special tokens left out."""
        if not texts:
            return []
        encoded = self.tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        return [len(ids) for ids in encoded]

    @cached_property
    def _tells_texts_apart(self) -> bool:
        return "token_type_ids" in inspect.signature(self.model.forward).parameters

    def _max_tokens(self) -> int:
        positions = getattr(self.model.config, "max_position_embeddings", None) or _NO_LIMIT
        # RoBERTa's positions start after that of padding.
        if self.model.config.model_type in ("roberta", "xlm-roberta", "camembert"):
            positions -= self.model.config.pad_token_id + 1
        stated = self.tokenizer.model_max_length
        return int(min(positions, stated if stated < _NO_LIMIT else _NO_LIMIT))


class SentenceEncoder(Encoder):
    """Sentence embeddings: the mean of the last layer's token states, normalised to length 1."""

    def embed(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        """Embed sentences: vectors of length 1, (sentences, dim); of length 0 for blank sentences."""
        import torch

        vectors = np.zeros((len(sentences), self.dim), np.float32)
        # Sentences of similar length share a batch, which saves padding.
        order = sorted(range(len(sentences)), key=lambda place: len(sentences[place]))
        order = [place for place in order if sentences[place].strip()]
        for start in range(0, len(order), _BATCH):
            places = order[start : start + _BATCH]
            inputs = self.encode([sentences[place] for place in places])
            with torch.inference_mode():
                states = self.model(**inputs).last_hidden_state.float()  # (batch, tokens, dim)
            mask = inputs["attention_mask"].unsqueeze(-1)
            mean = (states * mask).sum(dim=1) / mask.sum(dim=1)
            vectors[places] = torch.nn.functional.normalize(mean, dim=-1).cpu().numpy()
        return vectors


def _load(folder: Path, name: str, architecture: str, device: torch.device) -> Any:
    import transformers

    try:
        with quiet_transformers():
            model, report = getattr(transformers, architecture).from_pretrained(
                folder,
                local_files_only=True,
                trust_remote_code=False,
                # Whatever the file holds: scores must not depend on how weights were rounded.
                dtype="float32",
                weights_only=True,
                output_loading_info=True,
            )
    except Exception as error:  # unpickling, parsing and building raise anything
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise CheckpointError(
            f"the encoder {name} cannot be loaded: {reason}", "download it again"
        ) from error
    # The pooler is not used here, and many encoders come without one.
    is_plain = architecture == "AutoModel"
    missing = sorted(key for key in report["missing_keys"] if not (is_plain and "pooler" in key))
    if missing:
        raise CheckpointError(
            f"{name} lacks what {architecture} needs: {', '.join(missing[:3])}", "give another model"
        )
    return model.eval().requires_grad_(False).to(device)
