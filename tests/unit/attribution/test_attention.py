"""Attribution by attention, and how far it agrees with what the words say."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tiny_models import make_tokenizer
from tiny_topdown import SIZES

from lsum_cli.attribution.alignment import align
from lsum_cli.attribution.confidence import attribute_by_attention
from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.locality import Locality, Page, paginate
from lsum_cli.methods.model_inputs import SequenceFrame, count_text_tokens, encode_source
from lsum_cli.summaries import AttributionKind

TEXTS = [
    "The dam cost the mud.",
    "A bird slow the grass.",
    "The river rise.",
    "The wall cost more, the sea rise.",
]


def pages(*texts: str) -> tuple[Page, ...]:
    passages = [Passage(heading=f"{n}", level=1, paragraphs=(Paragraph.of(t),)) for n, t in enumerate(texts)]
    return paginate([compose_document(passages, id="d0", source="x")], Locality.DISCOURSE, 1000)


def test_weights_are_shares_of_attention_by_page() -> None:
    attention = np.array([[0.1, 0.2, 0.1], [0.0, 0.0, 0.5]], np.float32)  # rows need not sum to 1
    document = pages("Mud rose. Mud fell.", "The sea rose.")
    assert [len(page.sentences) for page in document] == [2, 1]
    attribution = attribute_by_attention("Nothing alike.", attention, document)
    assert attribution.kind is AttributionKind.ATTENTION
    assert [(w.page, round(w.weight, 4)) for w in attribution.pages] == [(1, 0.625), (0, 0.375)]
    assert attribution.evidence == ()


def test_no_attention_at_all_is_shared_by_sentence() -> None:
    attribution = attribute_by_attention(
        "x", np.zeros((2, 3), np.float32), pages("Mud rose. Mud fell.", "The sea rose.")
    )
    assert sum(weight.weight for weight in attribution.pages) == pytest.approx(1)


def test_evidence_is_attended_to_and_says_the_same() -> None:
    texts = [f"Filler number {n} tells nothing." for n in range(30)]
    document = pages(*texts, "The dam cost the mud.", "The dam costs the mud.")
    attention = np.full((1, 32), 0.01, np.float32)
    attention[0, 31] = 0.5  # the other one, as like, is not among the foremost
    attention[0, :25] = 0.02
    (evidence,) = attribute_by_attention("A dam cost mud.", attention, document).evidence
    assert evidence.text == "The dam costs the mud."
    assert evidence.page == 31


def test_attention_of_a_model_that_looks_words_up_agrees_with_alignment() -> None:
    """A model constructed to attend to equal words: origins by attention are those that alignment finds."""
    from lsum_cli.machine.devices import Precision
    from lsum_cli.models.topdown.configuration import TopDownConfig
    from lsum_cli.models.topdown.engine import TopDownEngine
    from lsum_cli.models.topdown.modeling import TopDownForConditionalGeneration

    tokenizer = make_tokenizer()
    frame = SequenceFrame.of(tokenizer)
    torch.manual_seed(0)
    model = TopDownForConditionalGeneration(
        TopDownConfig(**SIZES | {"vocab_size": len(tokenizer), "d_model": 256})
    )
    _look_words_up(model)
    engine = TopDownEngine.prepare(model, Precision.FLOAT32)
    document: tuple[Page, ...] = pages(*TEXTS)
    source = encode_source(tokenizer, frame, [s.text for page in document for s in page.sentences])
    agreed = 0
    for text in TEXTS:
        said = " ".join(text.strip(".").split()[1:])  # a paraphrase: the first word and the stop are gone
        decoder = engine.encode(
            [torch.from_numpy(source.token_ids)], groups=[torch.from_numpy(source.sentences)]
        )
        ids = frame.around(tokenizer(f" {said}", add_special_tokens=False)["input_ids"])
        decoder.start(1, len(ids) + 1)
        rows = []
        for token_id in ids[1:-1]:
            _, (traces,) = decoder.step(torch.tensor([token_id]), torch.tensor([0]))
            rows.append(traces[0])
        by_attention = attribute_by_attention(said, np.stack(rows), document)
        (by_words,) = align([said], document)
        agreed += by_attention.top_page == by_words.top_page
        assert by_attention.evidence[0].text == by_words.evidence[0].text
    assert agreed == len(TEXTS)


@torch.no_grad()
def _look_words_up(model) -> None:
    """Leave embeddings as they are everywhere, and let cross-attention look for equal ones."""
    for name, weight in model.named_parameters():
        if "out_proj" in name or "fc2" in name or "positions" in name:
            weight.zero_()
        if "encoder_attn" in name and name.endswith(("q_proj.weight", "k_proj.weight")):
            weight.copy_(torch.eye(len(weight)) * 3)
        if "encoder_attn" in name and name.endswith(("q_proj.bias", "k_proj.bias")):
            weight.zero_()


def test_documents_are_counted_as_encoded() -> None:
    tokenizer = make_tokenizer()
    document: Document = compose_document([Passage(paragraphs=(Paragraph.of(TEXTS[0]),))], id="d", source="x")
    source = encode_source(tokenizer, SequenceFrame.of(tokenizer), [s.text for s in document.sentences])
    assert len(source) == count_text_tokens(tokenizer, TEXTS[0]) + 2
