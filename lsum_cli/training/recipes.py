"""Reading recipes: packaged ones by name, YAML files, and ``key=value`` overrides."""

from __future__ import annotations

import copy
import dataclasses
import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from lsum_cli.checkpoints.manifest import describe_folder, read_config
from lsum_cli.checkpoints.store import resolve_checkpoint
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.records import RecordError, decode, encode
from lsum_cli.training.objectives import find_model_settings
from lsum_cli.training.settings import Recipe

SUFFIXES = (".yaml", ".yml")
MAX_BYTES = 1 << 20
_PACKAGE = "lsum_cli.training"
_FOLDER = "recipes"


def list_recipes() -> list[str]:
    """The names of the packaged recipes."""
    folder = resources.files(_PACKAGE) / _FOLDER
    return sorted(file.name.removesuffix(".yaml") for file in folder.iterdir() if file.name.endswith(".yaml"))


def read_recipe_text(name_or_path: str) -> str:
    """The text of a packaged recipe, or of a file.

    Raises:
        OptionError: There is no such recipe, or it cannot be read.
    """
    if name_or_path in list_recipes():
        return (resources.files(_PACKAGE) / _FOLDER / f"{name_or_path}.yaml").read_text(encoding="utf-8")
    path = Path(name_or_path)
    if not path.is_file():
        if path.suffix in SUFFIXES or path.exists():
            raise OptionError(
                f"there is no recipe file {path}", "give an existing YAML file, or see lsum train --list"
            )
        nearest = difflib.get_close_matches(name_or_path, list_recipes(), n=1)
        hint = f"did you mean {nearest[0]}? " if nearest else ""
        raise OptionError(f"there is no recipe '{name_or_path}'", f"{hint}see lsum train --list")
    try:
        if path.stat().st_size > MAX_BYTES:
            raise OptionError(
                f"{path} is too large to be a recipe", "give a YAML file, or see lsum train --list"
            )
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"{path} cannot be read: {error}", "give a YAML file in UTF-8") from error


def describe_recipes() -> dict[str, str]:
    """Description of each packaged recipe, by name."""
    return {
        name: str(parse_yaml(read_recipe_text(name), name).get("description", "")) for name in list_recipes()
    }


def load_recipe(
    name_or_path: str, assignments: Sequence[str] = (), values: Mapping[str, object] | None = None
) -> Recipe:
    """Read a recipe and apply overrides.

    Args:
        assignments: ``"training.learning_rate=1e-4"``, each value read as YAML.
        values: Overrides by key, taken as they are; they take precedence over ``assignments``.

    Raises:
        OptionError: There is no such recipe, it is not valid YAML, or a key or value is wrong.
    """
    raw = parse_yaml(read_recipe_text(name_or_path), name_or_path)
    return _decode_over(raw, name_or_path, assignments, values or {})


def override(recipe: Recipe, assignments: Sequence[str], values: Mapping[str, object]) -> Recipe:
    """The recipe with overrides applied; see :func:`load_recipe`."""
    return _decode_over(encode_recipe(recipe), "the recipe", assignments, values)


def _decode_over(
    raw: dict[str, Any], where: str, assignments: Sequence[str], values: Mapping[str, object]
) -> Recipe:
    raw = copy.deepcopy(raw)
    for assignment in assignments:
        key, value = _parse_assignment(assignment)
        _set_key(raw, key, value)
    for key, value in values.items():
        _set_key(raw, key, value)
    return decode_recipe(_with_base(raw), where)


def _with_base(raw: dict[str, Any]) -> dict[str, Any]:
    """The recipe with the base's own settings where it states none; without its base here, unchanged."""
    training = raw.get("training")
    if isinstance(training, dict) and "learning_rate" in training and training["learning_rate"] is None:
        raw = raw | {"training": training | {"learning_rate": _rate_for(raw.get("base"))}}
    base, method, stated = raw.get("base"), raw.get("method"), raw.get("model") or {}
    if not isinstance(base, str) or not isinstance(method, str) or not isinstance(stated, dict):
        return raw
    try:
        folder = resolve_checkpoint(base)
        brought = find_model_settings(method).of_base(read_config(folder), describe_folder(folder))
    except CheckpointError:
        return raw  # said when the run is planned
    return raw | {"model": brought | stated}


# Fine-tuning a BART of 768 dimensions at 5e-5, a narrower model faster in proportion.
_RATE_BY_WIDTH, _USUAL_RATE = 0.04, 5e-5


def _rate_for(base: object) -> float:
    """A learning rate for fine-tuning a base, by the width of it; usual where it is unknown."""
    try:
        width = read_config(resolve_checkpoint(base)).get("d_model") if isinstance(base, str) else None
    except CheckpointError:
        width = None
    return round(_RATE_BY_WIDTH / width, 6) if isinstance(width, int) and width > 0 else _USUAL_RATE


_KEYS_HINT = "see lsum train --show for a recipe with all its keys"
_TRUTH_HINT = (
    "no and off are false in YAML, yes and on are true: give one of the values, or put a text in quotes"
)


def decode_recipe(raw: Mapping[str, Any], where: str) -> Recipe:
    """Build a recipe from parsed YAML or JSON.

    Raises:
        OptionError: An unknown key (the nearest known one is suggested), or a value of the wrong type.
    """
    method = raw.get("method")
    if not isinstance(method, str):
        raise OptionError(f"{where} does not name a method", "add a line such as method: pagesum")
    settings = find_model_settings(method)
    _check_keys(raw, settings, where)
    try:
        shell = decode(Recipe, {key: value for key, value in raw.items() if key != "model"})
        return dataclasses.replace(shell, model=decode(settings, raw.get("model") or {}, "model"))
    except RecordError as error:
        is_truth = str(error).endswith((", not false", ", not true"))
        raise OptionError(f"{where}: {error}", _TRUTH_HINT if is_truth else _KEYS_HINT) from error


def encode_recipe(recipe: Recipe) -> dict[str, Any]:
    """The recipe as plain values for a YAML or JSON writer."""
    encoded: dict[str, Any] = encode(recipe)
    return encoded


def show_recipe(recipe: Recipe) -> str:
    """The recipe as YAML, with every key."""
    shown: str = yaml.safe_dump(encode_recipe(recipe), sort_keys=False, allow_unicode=True, width=100)
    return shown


def parse_yaml(text: str, where: str) -> dict[str, Any]:
    """Parse YAML that holds one mapping; duplicate keys are refused, and ``2e-3`` is a number.

    Raises:
        OptionError: It is not valid YAML, or not a mapping.
    """
    try:
        raw = yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, RecursionError) as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        place = f", line {line + 1}" if line is not None else ""
        problem = getattr(error, "problem", None) or "it cannot be parsed"
        raise OptionError(f"{where}{place} is not valid YAML: {problem}", "correct it") from error
    if not isinstance(raw, dict) or not all(isinstance(key, str) for key in raw):
        raise OptionError(f"{where} is not a recipe: it must hold keys with values", "see lsum train --show")
    return raw


def _parse_assignment(assignment: str) -> tuple[str, Any]:
    key, equals, text = assignment.partition("=")
    key = key.strip()
    if not equals or not key:
        raise OptionError(f"--set {assignment} has no value", "write it as --set training.seed=1")
    return key, parse_yaml(f"value: {text}", f"--set {assignment}")["value"]


def _set_key(raw: dict[str, Any], key: str, value: object) -> None:
    *sections, name = key.split(".")
    table = raw
    for section in sections:
        inner = table.setdefault(section, {})
        if not isinstance(inner, dict):
            raise OptionError(f"--set {key}: {section} has no keys below it", "see lsum train --show")
        table = inner
    table[name] = value


def _check_keys(raw: Mapping[str, Any], model_settings: type[Any], where: str) -> None:
    """Refuse unknown keys, suggesting the nearest known one."""
    known = set(_known_keys(Recipe, model_settings))
    for key in _keys_of(raw):
        if key in known:
            continue
        last = {each.rpartition(".")[2]: each for each in sorted(known)}
        nearest = difflib.get_close_matches(key, known, n=1, cutoff=0.75)
        nearest = nearest or [
            last[each] for each in difflib.get_close_matches(key.rpartition(".")[2], last, n=1)
        ]
        hint = f"did you mean {nearest[0]}?" if nearest else "see lsum train --show for all keys"
        raise OptionError(f"{where}: there is no key {key}", hint)


def _known_keys(kind: type[Any], model_settings: type[Any], prefix: str = "") -> Iterator[str]:
    for field in dataclasses.fields(kind):
        yield prefix + field.name
        inner = model_settings if not prefix and field.name == "model" else field.default_factory
        if isinstance(inner, type) and dataclasses.is_dataclass(inner):
            yield from _known_keys(inner, model_settings, f"{prefix}{field.name}.")


def _keys_of(raw: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in raw.items():
        yield f"{prefix}{key}"
        if isinstance(value, dict):
            yield from _keys_of(value, f"{prefix}{key}.")


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """A safe loader that refuses duplicate keys and reads numbers such as ``2e-3``."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key} must be a string", key_node.start_mark
                )
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key} appears twice", key_node.start_mark
                )
            seen.add(key)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


# YAML 1.1 wants a point and a sign in 2e-3; without them it would be a text.
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"[-+]?[0-9][0-9_]*(\.[0-9_]*)?[eE][-+]?[0-9]+$"),
    list("-+0123456789"),
)
