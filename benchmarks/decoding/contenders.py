"""The contenders: each builds its model and returns the function that does the work.

Every contender reads the same token ids and writes the same number of tokens with the same beam width; no
text can end earlier, and no trigram is repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.decoding.measuring import Stopwatch
from benchmarks.decoding.setting import END, PAD, PAGESUM, START, Setting, load_bart, load_pagesum, make_led


@dataclass(frozen=True, kw_only=True)
class Written:
    """The token ids of each text, without the start token, and mean log probabilities where known."""

    token_ids: list[list[int]]
    scores: list[float] | None = None


Work = Callable[[Stopwatch], Written]
CONVERTED = "ctranslate2"
"""Subfolder with the weights as CTranslate2 reads them."""


@dataclass(frozen=True, kw_only=True)
class Contender:
    """One way to do it.

    Attributes:
        title: For the table.
        build: Makes it ready to work.
        is_pagesum: Whether it computes PageSum, so that its text can be compared.
        package: What must be installed.
    """

    title: str
    build: Callable[[Setting, Path], Work]
    is_pagesum: bool = False
    package: str = "torch"


def build_engine(dtype: str) -> Callable[[Setting, Path], Work]:
    """Our engine, loaded and prepared as ``lsum summarize --dtype`` does it."""

    def build(setting: Setting, folder: Path) -> Work:
        import torch

        from lsum_cli.generation.beam import beam_search
        from lsum_cli.generation.options import GenerationOptions
        from lsum_cli.machine.devices import choose_precision
        from lsum_cli.models.pagesum.engine import PageSumEngine, load_parameters

        torch.set_num_threads(setting.threads)
        device = torch.device("cpu")
        model = load_parameters(folder / PAGESUM, "model.safetensors")
        engine = PageSumEngine.prepare(model, choose_precision(dtype, device), device=device, release=True)
        pages = [torch.tensor(page) for page in setting.page_ids()]
        options = GenerationOptions(
            beams=setting.beams,
            max_length=setting.max_length,
            min_length=setting.max_length,
            no_repeat_ngram=setting.no_repeat_ngram,
            start_token_id=START,
            end_token_id=END,
        )

        def work(watch: Stopwatch) -> Written:
            decoder = engine.encode([pages])
            watch.end_encoding()
            ((best,),) = beam_search(decoder, options, progress=lambda _: watch.end_step())
            return Written(token_ids=[list(best.token_ids)], scores=[best.score])

        return work

    return build


def build_naive(setting: Setting, folder: Path) -> Work:
    """PageSum through ``generate``: pages × beams are the batch, everything is copied for each beam."""
    import torch

    torch.set_num_threads(setting.threads)
    return _generate(load_pagesum(setting, folder), torch.tensor([setting.page_ids()]), setting)


def build_chunks(dtype: str) -> Callable[[Setting, Path], Work]:
    """BART through ``generate``, every page on its own, all in one batch: a summary of each."""

    def build(setting: Setting, folder: Path) -> Work:
        import torch

        torch.set_num_threads(setting.threads)
        model = load_bart(setting, folder).to(getattr(torch, dtype))
        return _generate(model, torch.tensor(setting.page_ids()), setting)

    return build


def build_led(dtype: str) -> Callable[[Setting, Path], Work]:
    """LED through ``generate`` on all pages as one text, the first token seeing and seen by all."""

    def build(setting: Setting, folder: Path) -> Work:  # noqa: ARG001 - its weights are its own
        import torch

        torch.set_num_threads(setting.threads)
        input_ids = torch.tensor([[token for page in setting.page_ids() for token in page]])
        sees_all = torch.zeros_like(input_ids)
        sees_all[:, 0] = 1
        model = make_led(setting).to(getattr(torch, dtype))
        return _generate(model, input_ids, setting, global_attention_mask=sees_all)

    return build


def _generate(model: Any, input_ids: Any, setting: Setting, **inputs: Any) -> Work:
    import torch
    from transformers import LogitsProcessor, LogitsProcessorList

    class Marking(LogitsProcessor):
        """Called once a step."""

        def __init__(self, watch: Stopwatch) -> None:
            self._watch = watch

        def __call__(self, input_ids: Any, scores: Any) -> Any:  # noqa: ARG002
            self._watch.end_step()
            return scores

    def work(watch: Stopwatch) -> Written:
        hook = model.get_encoder().register_forward_hook(lambda *_: watch.end_encoding())
        with torch.inference_mode():
            output = model.generate(
                input_ids,
                attention_mask=torch.ones_like(input_ids).flatten(1),
                num_beams=setting.beams,
                min_length=setting.max_length,
                max_length=setting.max_length,
                no_repeat_ngram_size=setting.no_repeat_ngram,
                decoder_start_token_id=START,
                eos_token_id=END,
                pad_token_id=PAD,
                do_sample=False,
                return_dict_in_generate=True,
                output_scores=True,
                logits_processor=LogitsProcessorList([Marking(watch)]),
                **inputs,
            )
        hook.remove()
        return Written(
            token_ids=[ids[1:] for ids in output.sequences.tolist()],
            scores=output.sequences_scores.tolist(),
        )

    return work


def build_ctranslate2(compute_type: str) -> Callable[[Setting, Path], Work]:
    """BART through CTranslate2, every page on its own, all in one batch: a summary of each."""

    def build(setting: Setting, folder: Path) -> Work:
        import ctranslate2

        translator = ctranslate2.Translator(
            str(folder / CONVERTED), compute_type=compute_type, intra_threads=setting.threads, inter_threads=1
        )
        chunks = [[_word(token_id) for token_id in page] for page in setting.page_ids()]

        def work(_: Stopwatch) -> Written:
            results = translator.translate_batch(
                chunks,
                beam_size=setting.beams,
                max_decoding_length=setting.tokens,
                min_decoding_length=setting.tokens,
                no_repeat_ngram_size=setting.no_repeat_ngram,
                return_scores=True,
            )
            return Written(
                token_ids=[[_token_id(word) for word in result.hypotheses[0]] for result in results],
                scores=[result.scores[0] for result in results],
            )

        return work

    return build


def convert_for_ctranslate2(setting: Setting, folder: Path) -> None:
    """Write the saved weights as CTranslate2 reads them; each contender quantises them as it loads."""
    from ctranslate2.converters.transformers import BartLoader

    spec = BartLoader().get_model_spec(load_bart(setting, folder))
    spec.config.bos_token, spec.config.eos_token, spec.config.unk_token = _word(0), _word(END), _word(3)
    spec.config.decoder_start_token = _word(START)
    words = [_word(token_id) for token_id in range(setting.vocab)]
    spec.register_source_vocabulary(words)
    spec.register_target_vocabulary(words)
    spec.validate()
    spec.optimize()
    (folder / CONVERTED).mkdir()
    spec.save(str(folder / CONVERTED))


def _word(token_id: int) -> str:
    return f"w{token_id}"


def _token_id(word: str) -> int:
    return int(word[1:])


CONTENDERS = {
    "auto": Contender(title="lsum, `--dtype auto`", build=build_engine("auto"), is_pagesum=True),
    "float32": Contender(title="lsum, float32", build=build_engine("float32"), is_pagesum=True),
    "bfloat16": Contender(title="lsum, bfloat16", build=build_engine("bfloat16"), is_pagesum=True),
    "int8": Contender(title="lsum, int8", build=build_engine("int8"), is_pagesum=True),
    "naive": Contender(title="naive: PageSum by `generate`", build=build_naive, is_pagesum=True),
    "chunks": Contender(title="BART on the chunks, float32", build=build_chunks("float32")),
    "chunks-bfloat16": Contender(title="BART on the chunks, bfloat16", build=build_chunks("bfloat16")),
    "led": Contender(title="LED on the whole, float32", build=build_led("float32")),
    "led-bfloat16": Contender(title="LED on the whole, bfloat16", build=build_led("bfloat16")),
    "ctranslate2-float32": Contender(
        title="CTranslate2 on the chunks, float32", build=build_ctranslate2("float32"), package="ctranslate2"
    ),
    "ctranslate2-int8": Contender(
        title="CTranslate2 on the chunks, int8", build=build_ctranslate2("int8"), package="ctranslate2"
    ),
}
"""By the name that ``--contenders`` takes."""
