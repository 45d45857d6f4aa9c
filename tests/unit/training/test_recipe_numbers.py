"""The numbers of the packaged recipes, each against the place of the paper that states it.

A place is a section, table, equation or footnote: the pages of preprint and proceedings differ.
"""

from __future__ import annotations

import enum
from fnmatch import fnmatch
from functools import cache
from types import SimpleNamespace

import pytest
import yaml
from tiny_models import make_tokenizer

from lsum_cli.datasets.example import Example
from lsum_cli.datasets.statistics import TOKENS_DROPPED, TOKENS_TOTAL
from lsum_cli.documents import Paragraph, Passage, compose_document
from lsum_cli.training.folder import flatten
from lsum_cli.training.pagesum import PageSumObjective
from lsum_cli.training.recipes import encode_recipe, list_recipes, load_recipe, read_recipe_text


class Place(enum.StrEnum):
    """Where a paper, or the code that its authors published with it, states a number."""

    LOCALITIES = "Liu et al. 2022, section 3.2"
    FORMAT = "Liu et al. 2022, published code: division into pages, full stops for absent ones"
    TRAINING = "Liu et al. 2022, section 4, training"
    RATE = "Liu et al. 2022, Eq. 11"
    SETTINGS = "Liu et al. 2022, published settings for each corpus"
    SEARCH = "Liu et al. 2022, published search, settings of bart-large-cnn"
    PAGE_SIZES = "Liu et al. 2022, Table 6"
    GLOBAL = "Liu et al. 2022, Table 7"
    GLOBAL_PAGES = "Liu et al. 2022, Table 7, footnote 12"
    TOP_DOWN = "Pang et al. 2022, experiments"
    TOP_DOWN_ABLATIONS = "Pang et al. 2022, ablations on PubMed"
    MODEL = "Schüller et al. 2020, base model"
    WINDOWS = "Schüller et al. 2020, windows of WikiHow and CNN/DailyMail"
    WEIGHTS = "Schüller et al. 2020, static windowing"
    SHIFTS = "Schüller et al. 2020, dynamic windowing"
    LENGTHS = "Schüller et al. 2020, both tables, T_y"
    DECODING = "Schüller et al. 2020, decoding"
    OPTIMISER = "Schüller et al. 2020, training"


P, S, G = "pagesum-*", "windowing-*", Place
# Recipes, key, value, and the place that states it.
NUMBERS = (
    (P, "base", "bart-large-cnn", G.TRAINING),
    (P, "training.label_smoothing_factor", "0.1", G.TRAINING),
    (P, "training.num_train_epochs", "10.0", G.TRAINING),
    (P, "training.learning_rate", "0.002", G.RATE),
    (P, "training.lr_scheduler_type", "inverse_sqrt_scaled", G.RATE),
    (P, "training.warmup_steps", "10000", G.RATE),
    (P, "model.mask_absent_pages", "false", G.FORMAT),
    (P, "model.length_rule", "start_and_bos", G.SEARCH),
    (P, "generation.beams", "4", G.SEARCH),
    (P, "generation.length_penalty", "2.0", G.SEARCH),
    (P, "generation.no_repeat_ngram", "3", G.SEARCH),
    (P, "generation.early_stopping", "false", G.SEARCH),
    *((f"pagesum-{corpus}*", "training.per_device_train_batch_size", "1", G.SETTINGS) for corpus in "apm"),
    *((f"pagesum-{corpus}*", "training.gradient_accumulation_steps", "16", G.SETTINGS) for corpus in "apm"),
    *((f"pagesum-{corpus}*", "data.max_target_tokens", "400", G.SETTINGS) for corpus in "apm"),
    *((f"pagesum-{corpus}*", "training.optim", "adam", G.TRAINING) for corpus in "apm"),
    ("pagesum-govreport*", "training.per_device_train_batch_size", "2", G.SETTINGS),
    ("pagesum-govreport*", "training.gradient_accumulation_steps", "8", G.SETTINGS),
    ("pagesum-govreport*", "training.optim", "adafactor", G.SETTINGS),
    ("pagesum-govreport*", "training.gradient_checkpointing", "true", G.SETTINGS),
    ("pagesum-govreport*", "data.max_target_tokens", "1024", G.SETTINGS),
    ("pagesum-arxiv*", "generation.min_tokens", "100", G.SETTINGS),
    ("pagesum-arxiv*", "generation.max_tokens", "350", G.SETTINGS),
    ("pagesum-pubmed", "generation.min_tokens", "150", G.SETTINGS),
    ("pagesum-pubmed", "generation.max_tokens", "400", G.SETTINGS),
    ("pagesum-multinews*", "generation.min_tokens", "150", G.SETTINGS),
    ("pagesum-multinews*", "generation.max_tokens", "400", G.SETTINGS),
    ("pagesum-govreport*", "generation.min_tokens", "500", G.SETTINGS),
    ("pagesum-govreport*", "generation.max_tokens", "900", G.SETTINGS),
    *(
        (name, key, value, place)
        for name, locality, page_len, pages, place in (
            ("pagesum-arxiv-spatial", "spatial", "1024", "7", G.LOCALITIES),
            ("pagesum-pubmed", "spatial", "1024", "7", G.LOCALITIES),
            ("pagesum-govreport-7168", "spatial", "1024", "7", G.LOCALITIES),
            ("pagesum-govreport-20480", "spatial", "1024", "20", G.LOCALITIES),
            ("pagesum-multinews-spatial", "spatial", "1024", "7", G.LOCALITIES),
            ("pagesum-arxiv-discourse", "discourse", "1024", "8", G.LOCALITIES),
            ("pagesum-multinews-document", "document", "1024", "7", G.LOCALITIES),
            ("pagesum-multinews-global", "document", "1024", "7", G.GLOBAL),
            ("pagesum-arxiv-global", "spatial", "1024", "4", G.GLOBAL_PAGES),
            ("pagesum-arxiv-pages-128x32", "spatial", "128", "32", G.PAGE_SIZES),
            ("pagesum-arxiv-pages-256x16", "spatial", "256", "16", G.PAGE_SIZES),
            ("pagesum-arxiv-pages-512x8", "spatial", "512", "8", G.PAGE_SIZES),
            ("pagesum-arxiv-pages-1024x4", "spatial", "1024", "4", G.PAGE_SIZES),
        )
        for key, value in (("locality", locality), ("page_len", page_len), ("pages", pages))
        for key in [f"model.{key}"]
    ),
    ("pagesum-*-global", "model.decoding", "global", G.GLOBAL),
    ("pagesum-*-pages-*", "model.max_source_tokens", "4096", G.PAGE_SIZES),
    *(
        (pattern, "model.paging", "published", G.FORMAT)
        for pattern in ("pagesum-*-spatial", "pagesum-*-d*", "pagesum-pubmed", "pagesum-gov*", "pagesum-*-global")
    ),
    *(
        (f"{kind}-{corpus}*", "model.max_source_tokens", value, G.TOP_DOWN)
        for corpus, value in (
            ("pubmed", "8192"),
            ("arxiv", "16384"),
            ("cnndm", "1024"),
            ("tvmegasite", "12288"),
            ("foreverdreaming", "12288"),
            ("booksum", "12288"),
        )
        for kind in ("topdown", "tagger")
    ),
    ("t*-cnndm*", "model.attention_window", "256", G.TOP_DOWN),
    *(
        (pattern, "model.attention_window", "1024", G.TOP_DOWN)
        for pattern in ("t*-arxiv*", "t*-tvmegasite*", "t*-foreverdreaming*", "t*-booksum*", "tagger-pubmed")
    ),
    *(
        (f"topdown-pubmed-{kind}", "model.attention_window", "1024", G.TOP_DOWN)
        for kind in ("avg", "ada", "concat", "none")
    ),
    *((f"topdown-pubmed-window-{w}", "model.attention_window", str(w), G.TOP_DOWN_ABLATIONS)
      for w in (32, 64, 128, 256, 512)),
    ("topdown-pubmed-concat", "model.update", "concat", G.TOP_DOWN_ABLATIONS),
    ("topdown-pubmed-none", "model.update", "none", G.TOP_DOWN_ABLATIONS),
    ("topdown-*-avg", "model.pooling", "avg", G.TOP_DOWN),
    ("topdown-pubmed-[cnw]*", "model.pooling", "avg", G.TOP_DOWN_ABLATIONS),
    ("topdown-*-ada", "model.pooling", "ada", G.TOP_DOWN),
    ("topdown-booksum-*", "model.pooling", "ada", G.TOP_DOWN),
    (S, "model.embedding_size", "300", G.MODEL),
    (S, "model.hidden_size", "256", G.MODEL),
    (S, "model.vocabulary_size", "50000", G.MODEL),
    (S, "model.bridge", "none", G.LENGTHS),
    (S, "data.max_target_tokens", "125", G.LENGTHS),
    (S, "generation.max_tokens", "125", G.LENGTHS),
    (S, "generation.beams", "3", G.DECODING),
    (S, "generation.length_penalty", "1.0", G.DECODING),
    (S, "generation.slots", "shared", G.DECODING),
    (S, "training.optim", "adam", G.OPTIMISER),
    (S, "training.adam_beta1", "0.9", G.OPTIMISER),
    (S, "training.adam_beta2", "0.999", G.OPTIMISER),
    (S, "training.adam_epsilon", "1e-08", G.OPTIMISER),
    (S, "training.label_smoothing_factor", "0.0", G.OPTIMISER),
    (S, "training.metric_for_best_model", "rougeLsum", G.OPTIMISER),
    ("windowing-*-static", "model.weight_k", "0.8", G.WEIGHTS),
    ("windowing-cnndm-static", "model.weight_d", "1.2", G.WEIGHTS),
    ("windowing-wikihow-static", "model.weight_d", "0.0", G.WEIGHTS),
    ("windowing-*-static", "model.window_weights", "softmax", G.WEIGHTS),
    ("windowing-*-dynamic*", "model.similarity", "embedding", G.SHIFTS),
    ("windowing-*-dynamic*", "model.shifts", "between", G.SHIFTS),
    ("windowing-*-dynamic*", "model.paced", "false", G.SHIFTS),
    *(
        (name, f"model.{key}", value, G.WINDOWS)
        for name, windowing, window, stride, source in (
            ("windowing-cnndm-static", "static", "400", "380", "1160"),
            ("windowing-cnndm-dynamic", "dynamic", "400", "380", "1160"),
            ("windowing-cnndm-stan", "none", "400", None, None),
            ("windowing-wikihow-static", "static", "400", "380", "780"),
            ("windowing-wikihow-dynamic", "dynamic", "400", "380", "780"),
            ("windowing-wikihow-dynamic-200", "dynamic", "200", "180", "740"),
            ("windowing-wikihow-stan-400", "none", "400", None, None),
            ("windowing-wikihow-stan-200", "none", "200", None, None),
        )
        for key, value in (
            ("windowing", windowing),
            ("window_len", window),
            ("stride", stride),
            ("max_source_tokens", source),
        )
        if value is not None
    ),
)  # fmt: skip

# Keys of these recipes that the papers leave open: our choices, which docs/training.md calls so.
OURS = {
    "pagesum-*": {"training.eval_steps"},
    "t*-*": {
        "base", "data.max_target_tokens", "model.tagger", "model.update", "training.num_train_epochs",
        "training.per_device_train_batch_size", "training.gradient_accumulation_steps", "training.optim",
        "training.learning_rate", "training.lr_scheduler_type", "training.warmup_steps",
        "training.label_smoothing_factor", "training.max_grad_norm", "training.dtype",
        "training.gradient_checkpointing", "training.early_stopping_patience", "training.eval_steps",
        "generation.min_tokens", "generation.max_tokens", "generation.beams",
        "generation.length_penalty", "generation.no_repeat_ngram", "model.max_segments",
    },
    "windowing-*": {
        "model.stride", "training.num_train_epochs", "training.per_device_train_batch_size",
        "training.gradient_accumulation_steps", "training.learning_rate", "training.lr_scheduler_type",
        "training.warmup_steps", "training.max_grad_norm", "training.group_by_length",
        "training.eval_generate_samples", "training.early_stopping_patience",
    },
}  # fmt: skip
RECIPES = [
    name
    for name in list_recipes()
    if not name.endswith("small") and not name.startswith("lsum-mini") and "-" in name
]


@cache
def settings_of(name: str) -> dict[str, str]:
    return flatten(encode_recipe(load_recipe(name)))


@pytest.mark.parametrize(
    ("pattern", "key", "value", "place"), NUMBERS, ids=[f"{row[0]}-{row[1]}" for row in NUMBERS]
)
def test_recipes_hold_the_numbers_of_the_papers(pattern, key, value, place):
    matching = [name for name in RECIPES if fnmatch(name, pattern)]
    assert matching, pattern
    for name in matching:
        assert settings_of(name)[key] == value, f"{name}: {place}"


@pytest.mark.parametrize("name", RECIPES)
def test_every_number_is_the_papers_or_named_as_ours(name):
    raw = yaml.load(read_recipe_text(name), yaml.CSafeLoader)
    stated = {key for pattern, key, _, _ in NUMBERS if fnmatch(name, pattern)}
    ours = set().union(*(keys for pattern, keys in OURS.items() if fnmatch(name, pattern)))
    assert set(flatten(raw)) <= stated | ours | {"description", "method"}


def test_the_rows_of_the_table_of_page_sizes_read_the_same_tokens():
    text = " ".join(f"The marsh {'rise ' * (number % 37)}the river." for number in range(400))
    document = compose_document([Passage(paragraphs=(Paragraph.of(text),))], id="d0", source="long.txt")
    example = Example(id="0", documents=(document,), reference="The sea rise.", where="here")
    tokenizer = make_tokenizer()
    read = {}
    for name in [name for name in RECIPES if "-pages-" in name]:
        recipe = load_recipe(name)
        model = SimpleNamespace(config=SimpleNamespace(pad_token_id=1))
        features = PageSumObjective(model=model, tokenizer=tokenizer, recipe=recipe).encode(example)
        rows = [row for row in _rows(features) if row != [0, *tokenizer(".")["input_ids"][1:-1], 2]]
        read[name] = [token for row in rows for token in row[1:-1]]
        assert all(len(row) <= recipe.model.page_len for row in rows)
        assert int(features[TOKENS_TOTAL] - features[TOKENS_DROPPED]) == 4096
    assert len(read) == 4
    texts = {tokenizer.decode(ids).replace(" ", "") for ids in read.values()}
    assert len(texts) == 1


def _rows(features) -> list[list[int]]:
    ids, rows = features["input_ids"].tolist(), []
    for length in features["page_lengths"].tolist():
        rows.append(ids[:length])
        ids = ids[length:]
    return rows
