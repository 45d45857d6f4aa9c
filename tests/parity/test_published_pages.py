"""Pages as the published code makes them: all cases of the reference data, and what is said of the cuts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pagesum_goldens import GOLDEN, load_json, needs_goldens
from tiny_models import make_tokenizer, save_pagesum

from lsum_cli.checkpoints.manifest import describe_folder
from lsum_cli.documents import Document, Paragraph, Passage, compose_document
from lsum_cli.errors import OptionError
from lsum_cli.locality import Locality
from lsum_cli.methods.model_inputs import PageForm, SequenceFrame
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.paging import Paging, divide_by_unit, divide_evenly, page_text, published_pages

CASES = load_json("pages.json") if (GOLDEN / "pages.json").exists() else {"cases": [], "inputs": {}}
# A value that is no text makes the published code lose the whole record, and lsum refuse or read it.
TEXTS = [case for case in CASES["cases"] if case["input"] != "nonstring"]
FULL_STOP = "."


def case_id(case: dict) -> str:
    return f"{case['input']}-{case['num_pages']}-{case['page_type'] or 'spatial'}"


def count(text: str) -> int:
    return len(text.split())


def documents_of(units: list[str], locality: Locality) -> list[Document]:
    """One document of these sentences, or a document for each unit."""
    groups = [units] if locality is Locality.SPATIAL else [[unit] for unit in units]
    return [
        compose_document(
            [Passage(paragraphs=(Paragraph.of(" ".join(group)),))], id=f"d{i}", source=f"{i}.txt"
        )
        for i, group in enumerate(groups)
    ]


@needs_goldens
def test_all_kinds_of_cases_are_there():
    kinds = [case["page_type"] for case in TEXTS]
    assert (kinds.count(None), kinds.count("multi_doc")) == (11, 11)


@needs_goldens
@pytest.mark.parametrize("case", TEXTS, ids=case_id)
def test_units_are_divided_as_in_the_published_code(case):
    divide = divide_by_unit if case["page_type"] == "multi_doc" else divide_evenly
    groups = divide(CASES["inputs"][case["input"]], case["num_pages"])
    assert [" ".join(group) if group else FULL_STOP for group in groups] == case["pages"]


@needs_goldens
@pytest.mark.parametrize("case", [c for c in TEXTS if "empty" not in c["input"]], ids=case_id)
def test_documents_become_the_pages_of_the_published_code(case):
    """Through documents and pages to what the model reads; pages without text stand behind the others."""
    locality = Locality.DOCUMENT if case["page_type"] == "multi_doc" else Locality.SPATIAL
    tokenizer = make_tokenizer()
    frame = SequenceFrame.of(tokenizer)
    form = PageForm(
        tokenizer=tokenizer,
        frame=frame,
        page_ids=10_000,
        reads_headings=False,
        pages=case["num_pages"],
        filler_text=FULL_STOP,
        paging=Paging.PUBLISHED,
    )
    documents = documents_of(CASES["inputs"][case["input"]], locality)
    encoded = form.encode(form.paginate(documents, locality).pages, documents)
    texts = [text for text in case["pages"] if text != FULL_STOP]
    expected = [*texts, *[FULL_STOP] * (len(case["pages"]) - len(texts))]
    assert encoded.token_ids == [
        frame.around(tokenizer(t, add_special_tokens=False).input_ids) for t in expected
    ]


@pytest.mark.parametrize("pages", [1, 2, 3])
@pytest.mark.parametrize("page_ids", [3, 7, 20])
def test_a_page_is_cut_at_the_very_token_and_the_rest_is_counted(page_ids, pages):
    text = "The marsh rise slowly here. The dam cost the river its sea. " * 4
    (document,) = documents_of([text], Locality.SPATIAL)
    tokenizer = make_tokenizer()
    form = PageForm(
        tokenizer=tokenizer,
        frame=SequenceFrame.of(tokenizer),
        page_ids=page_ids,
        reads_headings=False,
        pages=pages,
        paging=Paging.PUBLISHED,
    )
    made = form.paginate([document], Locality.SPATIAL)
    groups = divide_evenly([sentence.text for sentence in document.sentences], pages)
    for page, group, ids in zip(
        made.pages, groups, form.encode(made.pages, [document]).token_ids, strict=True
    ):
        whole = tokenizer(" ".join(group), add_special_tokens=False).input_ids
        assert ids[1:-1] == whole[:page_ids]
        assert page.num_tokens == page_ids
        assert document.text[page.sentences[-1].start : page.sentences[-1].end] == page.sentences[-1].text
    assert made.num_cut == pages


def test_a_page_of_two_documents_is_a_page_of_each_and_read_as_one():
    one = ["The dam broke.", "The sea rose.", "The marsh grew."]
    two = ["The birds came.", "The grass died.", "The wall stood."]
    documents = documents_of([" ".join(one), " ".join(two)], Locality.DOCUMENT)
    made = published_pages(documents, Locality.SPATIAL, 100, 4, count)
    assert [(page.document_id, page.text, page.continues) for page in made.pages] == [
        *(("d0", sentence, False) for sentence in one),
        ("d1", " ".join(two), False),
    ]
    made = published_pages(documents, Locality.SPATIAL, 100, 1, count)
    assert [page.continues for page in made.pages] == [False, True]
    assert page_text(made.pages) == " ".join(one + two)


def test_a_main_section_is_a_page_with_its_heading_and_what_is_below():
    passages = [
        Passage(heading=heading, level=level, paragraphs=(Paragraph.of(text),))
        for heading, level, text in (
            ("Title", 1, "Zero."),
            ("Aims", 2, "One."),
            ("Details", 3, "Two."),
            ("Means", 2, "Three."),
            ("Ends", 2, "Four."),
        )
    ]
    document = compose_document(passages, id="d0", source="a.md")
    made = published_pages([document], Locality.DISCOURSE, 100, 3, count)
    assert [page_text([page]) for page in made.pages] == ["Title Zero.", "Aims One. Two.", "Means Three."]
    assert (made.num_dropped, made.num_cut) == (1, 0)
    assert "1 section beyond the first 3 was not read" in made.losses("it")[0]


@pytest.fixture
def document() -> Document:
    text = " ".join(f"The marsh {word} the river." for word in ("slow", "cost", "rise", "dam", "wall"))
    return documents_of([text], Locality.SPATIAL)[0]


def published(folder, **settings):
    own = {"mask_absent_pages": False, "paging": "published"}
    return save_pagesum(folder, **(own | settings))


def test_a_published_checkpoint_is_given_its_pages(document, tmp_path):
    folder = published(tmp_path / "seven", page_len=8)
    manifest = replace(describe_folder(folder), pages=7)
    (folder / "manifest.json").write_text(manifest.to_json(), encoding="utf-8")
    options = SummaryOptions(model=str(folder), dtype="float32", max_tokens=8)
    plan = Summarizer(options).plan([document])
    # Five sentences on seven pages: six full stops, then all five, cut.
    assert len(plan.pages) == 1
    coverage = plan.coverage
    assert coverage.tokens_read == 6
    assert coverage.tokens_dropped > 0
    assert coverage.tokens_read + coverage.tokens_dropped == coverage.tokens_total
    said = " ".join(plan.warnings)
    assert "1 of 1 parts was cut at 6 tokens, as in the training of seven" in said
    assert f"{coverage.tokens_dropped} of {coverage.tokens_total} tokens were dropped" in said
    summary = Summarizer(options).summarize([document])
    assert [weight.page for s in summary.sentences for weight in s.attribution.pages] == [0] * len(
        summary.sentences
    )
    whole = Summarizer(replace(options, paging=Paging.WHOLE)).plan([document])
    assert whole.coverage.tokens_dropped == 0


@pytest.mark.parametrize(
    ("settings", "options", "flags"),
    [
        ({"locality": None}, {}, "--locality and --pages"),
        ({"locality": None}, {"pages": 7}, "--locality"),
        ({}, {}, "--pages"),
    ],
)
def test_pages_that_nobody_tells_are_asked_for(document, tmp_path, settings, options, flags):
    folder = published(tmp_path / "some", **settings)
    with pytest.raises(OptionError) as caught:
        Summarizer(SummaryOptions(model=str(folder), **options)).plan([document])
    assert caught.value.next_step.startswith(f"give {flags} as in its training")
    told = {"pages": 3, "locality": Locality.SPATIAL}
    assert len(Summarizer(SummaryOptions(model=str(folder), **told)).plan([document]).pages) == 3
