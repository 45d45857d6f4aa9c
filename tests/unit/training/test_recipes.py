from __future__ import annotations

import pytest
from tiny_models import save_family, save_pagesum

from lsum_cli.cli.train import RecipeOptions
from lsum_cli.datasets.options import DatasetOptions, Items
from lsum_cli.errors import OptionError
from lsum_cli.locality import Locality
from lsum_cli.training.folder import RunDescription, check_resumable, flatten
from lsum_cli.training.objectives import OBJECTIVES, find_builder
from lsum_cli.training.recipes import (
    decode_recipe,
    encode_recipe,
    list_recipes,
    load_recipe,
    override,
    parse_yaml,
    show_recipe,
)
from lsum_cli.training.settings import Schedule


@pytest.mark.parametrize(
    ("assignment", "part"),
    [
        (
            "model.bridge=no",
            "model.bridge: must be one of none, tanh, not false; no and off are false in YAML",
        ),
        ("model.bridge=yes", "not true; no and off are false in YAML"),
        ("base=off", "base: must be text, not false; no and off are false in YAML"),
        ("model.bridge=3", "not 3; see lsum train --show"),
    ],
)
def test_a_word_that_yaml_takes_for_true_or_false_is_explained(assignment, part):
    with pytest.raises(OptionError) as caught:
        load_recipe("windowing-stan-small", [assignment])
    assert part in str(caught.value)


@pytest.mark.parametrize("name", list_recipes())
def test_every_packaged_recipe_is_one(name):
    recipe = load_recipe(name)
    assert recipe.description
    assert recipe.method in OBJECTIVES
    assert callable(find_builder(recipe.method))
    assert decode_recipe(parse_yaml(show_recipe(recipe), name), name) == recipe
    assert decode_recipe(encode_recipe(recipe), name) == recipe


def test_keys_are_set_over_a_recipe():
    recipe = load_recipe(
        "pagesum-small",
        ["training.learning_rate=2e-4", "model.locality=spatial", "training.eval_steps=null", "base= x/y"],
        {"data.train_file": "1e3: no # YAML", "training.seed": 7},
    )
    assert recipe.training.learning_rate == 2e-4
    assert recipe.model.locality is Locality.SPATIAL
    assert recipe.training.eval_steps is None
    assert recipe.base == "x/y"
    assert recipe.data.train_file == "1e3: no # YAML"
    assert recipe.training.seed == 7
    assert override(recipe, ["training.seed=8"], {}).training.seed == 8


def test_files_may_be_several():
    recipe = load_recipe("pagesum-small", ["data.train_file=[a.jsonl, b/]", "data.items=documents"])
    assert recipe.data.train_file == ("a.jsonl", "b/")
    assert recipe.data.options(None).items is Items.DOCUMENTS
    assert decode_recipe(parse_yaml(show_recipe(recipe), "it"), "it") == recipe


@pytest.mark.parametrize(
    ("assignment", "said"),
    [
        ("training.learning_rat=1", "did you mean training.learning_rate?"),
        ("learning_rate=1", "did you mean training.learning_rate?"),
        ("model.page_lenght=9", "did you mean model.page_len?"),
        ("traning.seed=1", "did you mean training?"),
        ("training.seed=abc", 'training.seed: must be a whole number, not "abc"'),
        ("training.seed=1.5", "training.seed: must be a whole number, not 1.5"),
        ("training.group_by_length=3", "must be true or false, not 3"),
        ("training.optim=sgd", "must be one of adam, adamw, adafactor"),
        ("data.train_file=[3]", "data.train_file[0]: must be text, not 3"),
        ("data.validation_file=3", "data.validation_file: must be text or a list, not 3"),
        ("training.seed=-1", "training.seed -1 is too small"),
        ("training.learning_rate=.nan", "training.learning_rate is nan"),
        ("training.learning_rate=0", "give a number above 0"),
        ("training.label_smoothing_factor=1", "less than 1"),
        ("model.d_model=30", "cannot be split among 4 heads"),
        ("data.validation_share=1", "between 0 and 1"),
        ("generation.beams=many", 'generation.beams: must be a whole number, not "many"'),
        ("method=pagesun", "did you mean pagesum?"),
        ("method=3", "does not name a method"),
        ("method.x=3", "has no keys below it"),
        ("nothing", "has no value"),
        ("=3", "has no value"),
        ("training.seed=[", "not valid YAML"),
        ("training=3", "training: must be an object, not 3"),
    ],
)
def test_wrong_keys_and_values_are_refused(assignment, said):
    with pytest.raises(OptionError) as caught:
        load_recipe("pagesum-small", [assignment])
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it must hold keys"),
        ("- a", "it must hold keys"),
        ("method: pagesum\nmethod: seq2seq", "line 2 is not valid YAML: the key method appears twice"),
        ("method: [", "not valid YAML"),
        ("a: !!python/object/apply:os.system [ls]", "not valid YAML"),
        ("model: {}", "does not name a method"),
        ("1: 2", "the key 1 must be a string"),
    ],
)
def test_files_that_are_no_recipe_are_refused(tmp_path, text, said):
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(OptionError) as caught:
        load_recipe(str(path))
    assert said in str(caught.value)


def test_a_recipe_that_is_not_there_names_the_nearest(tmp_path):
    with pytest.raises(OptionError, match=r"did you mean pagesum-small\?"):
        load_recipe("pagesum-smal")
    with pytest.raises(OptionError, match="there is no recipe file"):
        load_recipe(str(tmp_path / "none.yaml"))


def description(*assignments: str, data: str = "a", processes: int = 1) -> RunDescription:
    recipe = load_recipe("pagesum-small", assignments)
    return RunDescription(recipe=recipe, data={"train": [data], "validation": ["v"]}, processes=processes)


def test_a_run_goes_on_with_its_own_settings_alone():
    begun = description()
    check_resumable(begun, description())
    check_resumable(begun, description("training.logging_steps=1", "training.max_steps=900"))
    check_resumable(begun, description("data.train_file=moved.jsonl"))
    for wished, said in (
        (description("training.seed=5"), "training.seed was 0, is 5"),
        (description("model.page_len=128"), "model.page_len was 256, is 128"),
        (description(data="b"), "the content of the train data has changed"),
        (description(processes=2), "1 processes before, 2 now"),
    ):
        with pytest.raises(OptionError) as caught:
            check_resumable(begun, wished)
        assert said in str(caught.value)


def test_the_length_of_a_run_may_not_change_where_the_rate_depends_on_it():
    linear = f"training.lr_scheduler_type={Schedule.LINEAR.value}"
    with pytest.raises(OptionError, match=r"training\.max_steps was 300, is 900"):
        check_resumable(description(linear), description(linear, "training.max_steps=900"))


def test_settings_are_flattened_for_the_manifest():
    flat = flatten(encode_recipe(load_recipe("pagesum-small")))
    assert flat["model.locality"] == "discourse"
    assert flat["training.group_by_length"] == "true"
    assert "base" not in flat


def test_a_base_brings_the_settings_that_the_recipe_does_not_state(tmp_path):
    base = save_pagesum(tmp_path / "base", locality=None, copy=True, copy_dim=8, copy_match=3)
    recipe = load_recipe("finetune", [], {"base": str(base)})
    model = recipe.model
    assert (model.copy, model.copy_dim, model.copy_match, model.locality) == (True, 8, 3, None)
    assert (model.page_len, model.d_model, model.encoder_layers, model.decoder_layers) == (64, 32, 1, 2)
    # What is stated holds, and a run keeps what it began with.
    stated = load_recipe("finetune", ["model.page_len=40", "model.locality=discourse"], {"base": str(base)})
    assert (stated.model.page_len, stated.model.locality) == (40, Locality.DISCOURSE)
    assert override(recipe, [], {"base": str(save_family(tmp_path / "bart", "bart"))}).model == model
    bart = load_recipe("finetune", [], {"base": str(tmp_path / "bart")})
    assert (bart.model.copy, bart.model.page_len) == (False, 64)
    other = load_recipe("finetune", ["method=seq2seq"], {"base": str(save_family(tmp_path / "t5", "t5"))})
    assert other.method == "seq2seq"
    assert load_recipe("finetune", [], {"base": "not/here"}).base == "not/here"


@pytest.mark.parametrize(
    ("assignments", "flags", "is_new", "held"),
    [
        ((), {"train_file": ("mine.jsonl",)}, True, None),
        ((), {"train_file": ("mine.jsonl",), "validation_file": ("v.jsonl",)}, True, "v.jsonl"),
        (("data.validation_file=w.jsonl",), {"train_file": ("mine.jsonl",)}, True, "w.jsonl"),
        ((), {}, True, "lsum-mini-data/valid"),
        ((), {"train_file": ("moved.jsonl",)}, False, "lsum-mini-data/valid"),
    ],
)
def test_own_training_data_are_not_validated_on_the_recipes(assignments, flags, is_new, held):
    chosen = RecipeOptions(assignments=assignments, **flags)
    values = chosen.values(DatasetOptions(), is_new=is_new)
    assert load_recipe("lsum-mini", assignments, values).data.validation_file == held
