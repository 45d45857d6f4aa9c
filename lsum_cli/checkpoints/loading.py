"""Loading a checkpoint: checks, then model and tokenizer; no code of the checkpoint is ever run."""

from __future__ import annotations

import importlib
import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from lsum_cli.checkpoints.int8 import takes_int8
from lsum_cli.checkpoints.manifest import Manifest, describe_folder, is_tagger, read_config, verify_sizes
from lsum_cli.checkpoints.store import resolve_checkpoint
from lsum_cli.checkpoints.values import WEIGHT_FILES, WEIGHTS_NAME
from lsum_cli.errors import CheckpointError, DeviceError, LsumError, OptionError, first_line
from lsum_cli.machine.devices import AUTO, choose_device, choose_precision
from lsum_cli.machine.network import configure_network
from lsum_cli.machine.processor import processor_class
from lsum_cli.summaries import CheckpointReference
from lsum_cli.text.tokenizers import FileTokenizer, Tokenizer

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from lsum_cli.machine.devices import Precision

# Our own architectures by model_type, with the function that registers each with transformers.
REGISTRATIONS = {
    "pagesum": "lsum_cli.models.pagesum.modeling:register_pagesum",
    "topdown": "lsum_cli.models.topdown.modeling:register_topdown",
    "windowing": "lsum_cli.models.windowing.modeling:register_windowing",
}
# Modules that register only the tokenizer, where that needs less.
_CONFIGURATIONS = {
    name: f"lsum_cli.models.{name}.configuration:register_configuration" for name in REGISTRATIONS
}
# Functions that read their weights for an engine, without the classes of transformers.
_PARAMETERS = {
    "pagesum": "lsum_cli.models.pagesum.engine:load_parameters",
    "topdown": "lsum_cli.models.topdown.engine:load_parameters",
    "windowing": "lsum_cli.models.windowing.network:load_network",
}
# Their settings, which a configuration is checked against before anything is computed with it.
_SETTINGS = {
    "pagesum": "lsum_cli.models.pagesum.settings:PageSumSettings",
    "topdown": "lsum_cli.models.topdown.settings:TopDownSettings",
    "windowing": "lsum_cli.models.windowing.settings:WindowingSettings",
}
VOCABULARY_FILES = (
    "tokenizer.json",
    "vocab.json",
    "vocab.txt",
    "spiece.model",
    "sentencepiece.bpe.model",
    "tokenizer.model",
)
_CONFIG_NAME = "config.json"
_GENERATION_NAME = "generation_config.json"
_AGAIN = "pull or import the checkpoint again"
_SILENT = 60
# Precisions as safetensors files name them.
_STORED_AS = {"float32": "F32", "bfloat16": "BF16", "float16": "F16"}
_MAX_HEADER_BYTES = 100_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class LoadedCheckpoint:
    """A checkpoint in memory.

    Attributes:
        model: The model on the CPU, in the precision of its file, in evaluation mode, without gradients;
            only its weights if it was loaded for an engine.
        tokenizer: The checkpoint's tokenizer; that of ``transformers`` unless it was loaded for an engine.
        manifest: Its manifest, inferred if its folder has none.
        path: The folder it was loaded from.
        device: The device it is to run on.
        precision: The precision it is to run in.
    """

    model: PreTrainedModel
    tokenizer: Tokenizer
    manifest: Manifest
    path: Path
    device: torch.device
    precision: Precision

    @property
    def reference(self) -> CheckpointReference:
        """The reference to this checkpoint that a summary contains."""
        return CheckpointReference(
            name=self.manifest.name,
            path=str(self.path),
            sha256=self.manifest.weights_sha256,
            trained_confidence=self.manifest.trained_confidence,
        )

    def place_model(self) -> PreTrainedModel:
        """Move the model to its device, in its precision, for methods without an engine.

        Raises:
            OptionError: Precision int8, which needs an engine.
            DeviceError: The device has too little memory.
        """
        import torch

        from lsum_cli.machine.devices import Precision

        if self.precision is Precision.INT8:
            raise OptionError(
                f"--dtype int8 is not available for {self.manifest.name}", "choose --dtype auto instead"
            )
        dtype: torch.dtype = getattr(torch, self.precision.value)
        try:
            return cast("PreTrainedModel", self.model.to(self.device, dtype))
        except torch.OutOfMemoryError as error:
            raise DeviceError(
                f"{self.manifest.name} does not fit in the memory of {self.device}", "give --device cpu"
            ) from error


def load_checkpoint(
    name_or_path: str | Path, *, device: str = AUTO, dtype: str = AUTO, offline: bool = False
) -> LoadedCheckpoint:
    """Load an installed checkpoint, a cached hub model, or a directory, without using the network.

    Args:
        name_or_path: Short name, ``OWNER/NAME[@REVISION]``, or a directory in the store's format or
            that of ``transformers``.
        device: ``auto``, ``cpu``, ``cuda[:N]`` or ``mps``.
        dtype: ``auto``, ``float32``, ``bfloat16``, ``float16`` or ``int8``.
        offline: Whether ``--offline`` was given.

    Raises:
        CheckpointError: It is missing, damaged, or of an architecture that cannot summarise.
        DeviceError: The device is not available.
        OptionError: The device or precision is not a valid name.
    """
    offline = configure_network(offline=offline)
    path = resolve_checkpoint(str(name_or_path), offline=offline)
    return load_folder(path, device=device, dtype=dtype)


def load_folder(
    path: Path, *, device: str = AUTO, dtype: str = AUTO, for_engine: bool = False
) -> LoadedCheckpoint:
    """Load the checkpoint in a folder; see :func:`load_checkpoint`.

    Args:
        for_engine: Whether only weights and tokenizer are needed, for an engine. Those of our own
            architectures are then loaded without ``transformers``, which takes a second to import.
    """
    manifest = describe_folder(path)
    verify_sizes(path, manifest)
    read_config(path)
    _check_weights_there(path)
    chosen = choose_device(device)
    precision = precision_of(manifest, dtype, chosen) if for_engine else choose_precision(dtype, chosen)
    model = _load_weights(path) if for_engine else None
    model = model or _load_model(path)
    if not manifest.files:  # other checkpoints were checked when they were installed
        _check_finite(model, path)
    tokenizer = read_tokenizer(path) if for_engine else load_tokenizer(path)
    _check_vocabulary(model, tokenizer, path)
    if not is_tagger(read_config(path)):
        _check_special_tokens(model, path)
    return LoadedCheckpoint(
        model=model, tokenizer=tokenizer, manifest=manifest, path=path, device=chosen, precision=precision
    )


def precision_of(manifest: Manifest, dtype: str, device: torch.device) -> Precision:
    """The precision of a checkpoint's engine: that of ``--dtype``; for ``auto`` also int8 where that is good.

    Raises:
        OptionError: The name is not one of ``--dtype``.
    """
    chosen = choose_precision(dtype, device)
    if dtype != AUTO or device.type != "cpu" or not takes_int8(manifest, processor_class()):
        return chosen
    from lsum_cli.machine.devices import Precision
    from lsum_cli.models.blocks.precision import computes_int8

    return Precision.INT8 if computes_int8() else chosen


def check_settings(config: Mapping[str, Any]) -> None:
    """Refuse a ``config.json`` of one of our own summarisers that holds what no model can have.

    Raises:
        CheckpointError: It does; the message names the setting.
    """
    target = _SETTINGS.get(config["model_type"])
    if target is not None and not is_tagger(config):
        settings: Any = _imported(target)
        settings.known(config)


def count_bytes(path: Path, precision: str) -> int:
    """Bytes of the weights in a folder that are stored in a precision, by the headers of their files.

    Args:
        precision: ``"float32"``, ``"bfloat16"`` or ``"float16"``; none are stored in another.
    """
    wanted = _STORED_AS.get(precision)
    found = 0
    for file in path.glob("*.safetensors"):
        try:
            with file.open("rb") as stream:
                length = int.from_bytes(stream.read(8), "little")
                header = json.loads(stream.read(min(length, _MAX_HEADER_BYTES)))
            tensors = [tensor for name, tensor in header.items() if name != "__metadata__"]
            for tensor in tensors:
                start, end = tensor["data_offsets"]
                found += (end - start) * (tensor["dtype"] == wanted)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue  # loading it will say what is wrong
    return found


def read_tokenizer(path: Path) -> Tokenizer:
    """Read the tokenizer of a folder; without ``transformers`` where that makes the same of its files.

    Raises:
        CheckpointError: The folder has no tokenizer, or a damaged one.
    """
    plain = FileTokenizer.read(path) if read_config(path)["model_type"] in REGISTRATIONS else None
    return load_tokenizer(path) if plain is None else plain


def load_tokenizer(path: Path) -> PreTrainedTokenizerBase:
    """Load the tokenizer of a folder as ``transformers`` does.

    Raises:
        CheckpointError: The folder has no tokenizer, or a damaged one.
    """
    # Without a vocabulary, transformers creates an empty tokenizer.
    if not any((path / name).is_file() for name in VOCABULARY_FILES):
        raise CheckpointError(f"{path} contains no tokenizer", "give a folder with tokenizer.json")
    from transformers import AutoTokenizer

    try:
        with quiet_transformers():
            _register_architectures(path, _CONFIGURATIONS)
            tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(
                path, local_files_only=True, trust_remote_code=False
            )
    except LsumError:
        raise
    except Exception as error:  # the parsers of transformers raise many types of exception
        raise CheckpointError(
            f"the tokenizer of {path} cannot be loaded: {_shortened(error)}", _AGAIN
        ) from error
    return tokenizer


def _load_weights(path: Path) -> PreTrainedModel | None:
    """The weights of one of our own summarisers if they are in one file, else ``None``."""
    config = read_config(path)
    target = _PARAMETERS.get(config["model_type"])
    # In a windowing model only the embeddings depend on the size of the vocabulary.
    is_tied = config["model_type"] == "windowing" or config.get("tie_word_embeddings", True)
    if target is None or not is_tied or is_tagger(config) or not (path / WEIGHTS_NAME).is_file():
        return None
    try:
        return cast("PreTrainedModel", _imported(target)(path, WEIGHTS_NAME))
    except (LsumError, MemoryError):
        raise
    except Exception as error:  # as below
        raise CheckpointError(f"{path} cannot be loaded: {_shortened(error)}", _AGAIN) from error


def _load_model(path: Path) -> PreTrainedModel:
    from transformers import AutoModelForSeq2SeqLM, AutoModelForTokenClassification

    _register_architectures(path)
    auto_class = AutoModelForTokenClassification if is_tagger(read_config(path)) else AutoModelForSeq2SeqLM
    model = _from_pretrained(auto_class, path, _AGAIN, dtype="auto")
    return model.eval().requires_grad_(False)


def load_encoder(path: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Load an encoder, such as BERT, in float32 with its tokenizer; one that cannot summarise by itself.

    Raises:
        CheckpointError: It is damaged, or has no weights or tokenizer.
    """
    from transformers import AutoModel

    _check_weights_there(path)
    tokenizer = load_tokenizer(path)
    model = _from_pretrained(AutoModel, path, "download it again", dtype="float32", add_pooling_layer=False)
    _check_finite(model, path)
    _check_vocabulary(model, tokenizer, path)
    return model, tokenizer


def _from_pretrained(auto_class: Any, path: Path, advice: str, **settings: Any) -> PreTrainedModel:
    """Load a model as weights only, all of which must be there."""
    try:
        with quiet_transformers():
            model, report = auto_class.from_pretrained(
                path,
                local_files_only=True,
                trust_remote_code=False,
                weights_only=True,
                output_loading_info=True,
                **settings,
            )
    except (LsumError, MemoryError):
        raise
    except Exception as error:  # unpickling, parsing and building raise many types of exception
        raise CheckpointError(f"{path} cannot be loaded: {_shortened(error)}", advice) from error
    _check_report(report, path)
    loaded: PreTrainedModel = model
    return loaded


def _check_report(report: dict[str, Any], path: Path) -> None:
    from lsum_cli.models.blocks.weights import refuse_weights

    for key, complaint in (("missing_keys", "lacks"), ("mismatched_keys", "has the wrong sizes for")):
        names = sorted(str(entry[0] if isinstance(entry, tuple) else entry) for entry in report.get(key, ()))
        refuse_weights(names, f"{path} {complaint}", _AGAIN)


def _check_finite(model: PreTrainedModel, path: Path) -> None:
    """Refuse weights that are NaN or infinite; one sum per tensor, as fast as memory allows."""
    import torch

    for name, weight in model.named_parameters():
        if not torch.isfinite(weight.detach().sum(dtype=torch.float32)):
            raise CheckpointError(
                f"{path} is damaged: {name} contains values that are NaN or infinite", _AGAIN
            )


def _check_vocabulary(model: PreTrainedModel, tokenizer: Tokenizer, path: Path) -> None:
    rows = cast("torch.Tensor", model.get_input_embeddings().weight).shape[0]
    if len(tokenizer) > rows:
        raise CheckpointError(
            f"the tokenizer of {path} has {len(tokenizer):,} tokens, its model only {rows:,}",
            "use the tokenizer that belongs to these weights",
        )


def _check_special_tokens(model: PreTrainedModel, path: Path) -> None:
    """Refuse a checkpoint that does not say which tokens it begins, ends and shifts windows with."""
    rows = cast("torch.Tensor", model.get_input_embeddings().weight).shape[0]
    # The bare network of windowing has settings in place of a configuration.
    config: Any = getattr(model, "config", None) or cast("Any", model).settings
    ours = config.model_type in REGISTRATIONS
    sources = [config] if ours else [model.generation_config, config]
    roles: list[tuple[str, Sequence[str], bool]] = [
        ("a summary begins", ("decoder_start_token_id", "bos_token_id")[: 1 if ours else 2], True),
        ("a summary ends", ("eos_token_id",), ours),
        ("a summary is made to begin", ("forced_bos_token_id",), False),
        ("a summary is made to end", ("forced_eos_token_id",), False),
    ]
    if hasattr(config, "shift_token_id"):
        roles.append(("a window ends", ("shift_token_id",), True))
    for what, names, is_needed in roles:
        is_forced = names[0].startswith("forced_")  # by what is written with, whatever the configuration says
        where = [getattr(model, "generation_config", config)] if is_forced else sources
        found = [getattr(source, name, None) for name in names for source in where]
        value = next((each for each in found if each is not None), None)
        if value is None and not is_needed:
            continue
        may_be_several = names[0].endswith("eos_token_id") and not ours
        listed = value if isinstance(value, list) and may_be_several else [value]
        if not all(type(each) is int and 0 <= each < rows for each in listed):
            said = "none" if value is None else repr(value)
            raise CheckpointError(
                f"{path} does not say which token {what} with: {names[0]} is {said}",
                f"set it in {_CONFIG_NAME if ours else _GENERATION_NAME}, or pull the checkpoint again",
            )


def _check_weights_there(path: Path) -> None:
    if not any((path / name).is_file() for name in WEIGHT_FILES):
        raise CheckpointError(f"{path} contains no weights: no model.safetensors", _AGAIN)


def _register_architectures(path: Path, quicker: Mapping[str, str] = MappingProxyType({})) -> None:
    model_type = read_config(path)["model_type"]
    target = quicker.get(model_type) or REGISTRATIONS.get(model_type)
    if target is not None:
        _imported(target)()


def _imported(target: str) -> Callable[..., Any]:
    module, _, function = target.partition(":")
    imported: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return imported


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Silence the progress bars and warnings of transformers; what they report is checked here."""
    from transformers.utils import logging

    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity(_SILENT)
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()


def _shortened(error: Exception) -> str:
    text = first_line(error)
    if "ignore_mismatched_sizes" in text:  # an option of transformers, whose report nobody sees
        text = "its weights are of other sizes than config.json says"
    return text if len(text) <= 200 else text[:199] + "…"
