"""PageSum and Top-Down under the suites with which ``transformers`` tests its own models.

The suites are no part of the installed package; they are read from the folder with corpora and real
files (its ``transformers_tests``), and belong to one release. What is said here of our models:

- A summary has several pages: what a decoder returns and caches has a row for every page of a document,
  so that where the suites expect ``batch`` rows there are ``batch × pages``.
- PageSum's output has three fields more (confidences, page scores, states of every page). One test counts
  the fields; it is given a model that returns only those of BART.
- Top-Down's encoder attends to a window: its attentions are (batch, heads, source_len, window + 1). The
  window of the model tested is as wide as its documents are long.
- Tests of ``inputs_embeds`` do not apply: pages and documents are encoded from token ids only. Nor do those of
  hardware and libraries that are not there; those are skipped by the suites themselves, for both.
- The tests of ``torch.export`` are marked slow by the suites; here they run, for one page only that of a forward
  pass of fixed sizes: the graph for three pages contains that for one, and a further export takes 5 seconds.
- Compiled graphs run as they were captured: whether one can be captured in full depends on the model; to
  translate it into machine code takes minutes and tests the compiler (70 seconds for Top-Down alone).
"""

from __future__ import annotations

import os
import unittest
import warnings
from pathlib import Path
from typing import Any, ClassVar

import pytest
import torch
import transformers
from transformers.generation import CompileConfig
from transformers.modeling_outputs import Seq2SeqLMOutput

import lsum_cli.models.auto  # noqa: F401 - registers our models
from lsum_cli.models.pagesum.configuration import PageSumConfig
from lsum_cli.models.pagesum.modeling import PageSumForConditionalGeneration
from lsum_cli.models.topdown.configuration import TopDownConfig
from lsum_cli.models.topdown.modeling import TopDownForConditionalGeneration

RELEASE = "5.23"
SHARED = Path(os.environ.get("LSUM_SHARED", Path(__file__).resolve().parents[3] / "shared"))


def load_suites() -> tuple[Any, Any, Any, Any, Any]:
    """Import the suites, which call themselves ``tests``, and what they export."""
    suites = SHARED / "transformers_tests"
    if not (suites / "tests").is_dir():
        pytest.skip("the suites of transformers are not here", allow_module_level=True)
    if not transformers.__version__.startswith(f"{RELEASE}."):
        # They call what other releases do not have.
        pytest.skip(f"the suites are those of transformers {RELEASE}", allow_module_level=True)
    pytest.importorskip("parameterized", reason="the suites of transformers need parameterized")
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as environment:
        warnings.simplefilter("ignore")
        environment.syspath_prepend(str(suites))
        environment.setenv("RUN_SLOW", "yes")  # read when the tests are defined
        from tests.generation.test_utils import GenerationTesterMixin
        from tests.test_configuration_common import ConfigTester
        from tests.test_modeling_common import ModelTesterMixin, ids_tensor
        from transformers.exporters.base import ExportedModel

    return ModelTesterMixin, GenerationTesterMixin, ConfigTester, ids_tensor, ExportedModel


ModelTesterMixin, GenerationTesterMixin, ConfigTester, ids_tensor, ExportedModel = load_suites()

# The suites warn of what they test.
pytestmark = pytest.mark.filterwarnings("ignore")

BATCH, LENGTH, VOCAB, HIDDEN, LAYERS, HEADS = 13, 7, 99, 16, 2, 4
SIZES: dict[str, Any] = {
    "vocab_size": VOCAB,
    "d_model": HIDDEN,
    "decoder_layers": LAYERS,
    "encoder_attention_heads": HEADS,
    "decoder_attention_heads": HEADS,
    "encoder_ffn_dim": 4,
    "decoder_ffn_dim": 4,
    "attention_dropout": 0.1,
    "max_position_embeddings": 50,
}


class Inputs:
    """What the suites ask for a model and its inputs, by their names."""

    is_training = True
    use_cache = False
    batch_size, hidden_size, num_hidden_layers, num_attention_heads = BATCH, HIDDEN, LAYERS, HEADS
    seq_length = encoder_seq_length = decoder_seq_length = key_length = LENGTH
    vocab_size = VOCAB

    def __init__(self, test: Suites) -> None:
        self.parent = test
        self.pages = test.pages

    def get_config(self) -> Any:
        return self.parent.configuration()

    def prepare_config_and_inputs(self) -> tuple[Any, dict[str, torch.Tensor]]:
        page = ids_tensor([BATCH, LENGTH], VOCAB).clamp(3)
        page[:, -1] = 2
        ids = torch.stack([page.roll(turn, 1) for turn in range(self.pages)], 1) if self.pages > 1 else page
        mask = torch.ones_like(ids)
        if "eager_matches_sdpa_inference" in self.parent._testMethodName:
            # There the decoder is given this mask too; it takes one of two dimensions.
            mask = mask.flatten(1)
        written = ids_tensor([BATCH, LENGTH], VOCAB).clamp(3)
        return self.get_config(), {
            "input_ids": ids,
            "attention_mask": mask,
            "decoder_input_ids": written,
            "decoder_attention_mask": torch.ones_like(written),
        }

    prepare_config_and_inputs_for_common = prepare_config_and_inputs


class Suites(ModelTesterMixin, GenerationTesterMixin):
    """Both suites, and that of configurations."""

    is_encoder_decoder = True
    pages = 1
    # Tests that are not run, by the beginnings of their names, and why.
    not_run: ClassVar[dict[str, str]] = {}

    @staticmethod
    def configuration() -> Any:
        raise NotImplementedError

    def setUp(self) -> None:
        for name, reason in self.not_run.items():
            if self._testMethodName.startswith(name):
                self.skipTest(reason)
        self.model_tester = Inputs(self)
        self.config_tester = ConfigTester(self, config_class=type(self.configuration()))
        patch = pytest.MonkeyPatch()
        self.addCleanup(patch.undo)
        # The suites take an exported program out of what 5.23 returns one level too high.
        patch.setattr(ExportedModel, "module", lambda exported: exported.program.module(), raising=False)
        patch.setattr(CompileConfig, "backend", "eager")

    def _prepare_for_class(self, inputs: Any, model_class: Any, return_labels: bool = False) -> Any:
        prepared = super()._prepare_for_class(inputs, model_class, return_labels=return_labels)
        if return_labels:
            prepared["labels"] = torch.zeros((BATCH, LENGTH), dtype=torch.long)
        return prepared

    def test_configuration(self) -> None:
        self.config_tester.run_common_tests()


class PageSumSuites(Suites):
    all_model_classes = (PageSumForConditionalGeneration,)

    @staticmethod
    def configuration() -> PageSumConfig:
        return PageSumConfig(page_len=7, encoder_layers=LAYERS, **SIZES)

    def test_attention_outputs(self) -> None:
        class BartOutputs(PageSumForConditionalGeneration):
            def forward(self, *args: Any, **kwargs: Any) -> Any:
                output = super().forward(*args, **kwargs)
                own = ("confidence", "page_scores", "decoder_last_hidden_state")
                return Seq2SeqLMOutput(**{name: each for name, each in output.items() if name not in own})

        self.all_model_classes = (BartOutputs,)
        super().test_attention_outputs()


class PageSumOfOnePageTest(PageSumSuites, unittest.TestCase):
    not_run: ClassVar[dict[str, str]] = dict.fromkeys(
        ("test_torch_export_dynamic", "test_torch_export_generate", "test_generate_compilation_all_outputs"),
        "the same graph as for three pages",
    )


class PageSumOfThreePagesTest(PageSumSuites, unittest.TestCase):
    pages = 3

    def _check_attentions_for_generate(self, batch_size: int, **rest: Any) -> None:
        super()._check_attentions_for_generate(batch_size=batch_size * self.pages, **rest)

    def _check_encoder_attention_for_generate(self, batch_size: int, **rest: Any) -> None:
        super()._check_encoder_attention_for_generate(batch_size=batch_size * self.pages, **rest)

    def _check_hidden_states_for_generate(self, batch_size: int, **rest: Any) -> None:
        super()._check_hidden_states_for_generate(batch_size=batch_size * self.pages, **rest)

    def _check_encoder_hidden_states_for_generate(self, batch_size: int, **rest: Any) -> None:
        super()._check_encoder_hidden_states_for_generate(batch_size=batch_size * self.pages, **rest)

    def _check_past_key_values_for_generate(self, batch_size: int, *args: Any, **rest: Any) -> None:
        cache = args[0] if args else rest["past_key_values"]
        # For an encoder and decoder the suite calls this once more with each half.
        rows = batch_size if hasattr(cache, "self_attention_cache") else batch_size * self.pages
        super()._check_past_key_values_for_generate(rows, *args, **rest)


class TopDownTest(Suites, unittest.TestCase):
    all_model_classes = (TopDownForConditionalGeneration,)

    @staticmethod
    def configuration() -> TopDownConfig:
        return TopDownConfig(
            bottom_up_layers=1,
            top_down_layers=1,
            segment_layers=1,
            attention_window=LENGTH - 1,
            kernel=4,
            stride=3,
            max_source_positions=64,
            **SIZES,
        )
