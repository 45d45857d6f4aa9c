"""Names of the published PageSum weights, and ours."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor

from lsum_cli.errors import CheckpointError
from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration

RENAMED = {"lin.weight": "confidence_layer.weight", "lin.bias": "confidence_layer.bias"}
TIED_COPIES = frozenset(
    {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"}
)
VOCABULARY = "model.shared.weight"


def from_published_state_dict(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Give the published weights the names they have here.

    ``lin`` becomes ``confidence_layer``; the tied copies of ``model.shared.weight`` are left out;
    everything else keeps its name, which is BART's.

    Raises:
        CheckpointError: The embeddings are missing, or a copy of them differs.
    """
    if VOCABULARY not in state:
        raise CheckpointError(f"the checkpoint lacks {VOCABULARY}", "check that it is a PageSum model")
    for name in sorted(TIED_COPIES & state.keys()):
        if not state[name].equal(state[VOCABULARY]):
            raise CheckpointError(
                f"{name} differs from {VOCABULARY}, with which it should be one",
                "download the checkpoint again",
            )
    return {RENAMED.get(name, name): tensor for name, tensor in state.items() if name not in TIED_COPIES}


def load_published_weights(model: PageSumForConditionalGeneration, state: Mapping[str, Tensor]) -> None:
    """Load published weights into a model of the right sizes.

    Raises:
        CheckpointError: Weights are missing, unknown, or of other sizes.
    """
    weights = from_published_state_dict(state)
    expected = {name: tensor.shape for name, tensor in model.state_dict().items() if name not in TIED_COPIES}
    missing = sorted(expected.keys() - weights.keys())
    unknown = sorted(weights.keys() - expected.keys())
    if missing or unknown:
        kind, names = ("lacks", missing) if missing else ("holds unknown", unknown)
        raise CheckpointError(
            f"the checkpoint {kind} {len(names)} weights, such as {names[0]}",
            "check that it is a PageSum model",
        )
    for name, shape in expected.items():
        if weights[name].shape != shape:
            raise CheckpointError(
                f"{name} has the shape {tuple(weights[name].shape)}, the configuration says {tuple(shape)}",
                "use the configuration that belongs to these weights",
            )
    model.load_state_dict(weights, strict=False)
    model.tie_weights()
