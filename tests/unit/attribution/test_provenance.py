from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lsum_cli.attribution.provenance import SourceIndex
from lsum_cli.attribution.splices import find_splices
from lsum_cli.documents import Sentence
from lsum_cli.locality import Locality, Page

SOURCE = (
    "A pod of porpoises was stranded on a beach in the far north of New Zealand.",
    "The indigenous people of the coast regard whales as their ancestors.",
    "Rescue workers kept the animals wet until the tide came in again.",
    "The cause of the stranding has not been established by the department.",
)


def page(*texts: str, index: int = 0, first: int = 0, document: str = "d0") -> Page:
    return Page(
        index=index,
        locality=Locality.SPATIAL,
        label="",
        document_id=document,
        num_tokens=1,
        sentences=tuple(
            Sentence(text=text, index=first + number, section_index=0, start=0, end=0, pdf_page=4)
            for number, text in enumerate(texts)
        ),
    )


def splices(text: str, *source: str) -> list[str]:
    index = SourceIndex([page(*(source or SOURCE))])
    return list(find_splices(index.trace(text), index))


def test_a_sentence_taken_over_is_one_run():
    index = SourceIndex([page(*SOURCE)])
    trace = index.trace(SOURCE[2])
    assert trace.copied_share == 1
    (span,) = index.copied_spans(trace)
    assert (span.sentence_index, span.page, span.pdf_page) == (2, 0, 4)
    assert SOURCE[2][span.source_start : span.source_end] == SOURCE[2].rstrip(".")


def test_words_of_ones_own_and_words_left_out_stay_in_the_sentence():
    index = SourceIndex([page(*SOURCE)])
    trace = index.trace("Rescue workers carefully kept the animals wet until the tide.")
    assert [run.source for run in trace.runs] == [2, 2]
    assert trace.copied_share == 9 / 10


def test_chance_matches_of_a_word_are_no_copies():
    index = SourceIndex([page(*SOURCE)])
    assert index.trace("Ministers debated taxation of imported whales yesterday.").copied_share < 0.2
    assert index.trace("").copied_share == 0
    assert SourceIndex([]).trace("No source at all.").runs == []


def test_of_two_equal_places_the_cited_one_is_meant():
    pages = [page(*SOURCE), page(*SOURCE, index=1, first=4)]
    index = SourceIndex(pages)
    for cited in (0, 1):
        (span,) = index.copied_spans(index.trace(SOURCE[1], [cited]), [cited])
        assert span.page == cited


def test_a_sentence_on_two_pages_is_traced_to_the_cited_one():
    index = SourceIndex([page(*SOURCE), page(*SOURCE, index=1)])
    (span,) = index.copied_spans(index.trace(SOURCE[1], [1]), [1])
    assert (span.page, span.sentence_index) == (1, 1)


@given(
    st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=8), min_size=1, max_size=5),
    st.lists(st.sampled_from("abcdef"), min_size=0, max_size=12),
)
def test_runs_are_in_order_and_stand_in_the_source_word_for_word(source, written):
    index = SourceIndex([page(*(" ".join(words) for words in source))])
    trace = index.trace(" ".join(written))
    end = 0
    for run in trace.runs:
        assert run.words[0] >= end
        end = run.words[1]
        first, last = run.source_words
        assert written[run.words[0] : end] == source[run.source][first:last] != []
    assert 0 <= trace.copied_share <= 1


@given(
    st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8), min_size=1, max_size=6), st.data()
)
def test_a_source_sentence_is_copied_whole_and_never_a_splice(source, data):
    texts = [" ".join(words) for words in source]
    index = SourceIndex([page(*texts)])
    trace = index.trace(data.draw(st.sampled_from(texts)))
    assert trace.copied_share == 1
    assert len(trace.runs) == 1
    assert list(find_splices(trace, index)) == []


def test_pieces_of_two_sentences_are_a_splice():
    found = splices("A pod of porpoises was stranded on a beach in the indigenous people of the coast.")
    assert found == ["a beach in the indigenous people of"]


def test_a_changed_subject_is_a_splice():
    source = (
        "Gatekeeper: a manifest with a policy needs a template.",
        "Kyverno: a manifest with a policy needs two.",
    )
    text = "Gatekeeper: a manifest with a policy needs two."
    assert splices(text, *source, *SOURCE) == splices(text, *source)
    assert len(splices(text, *source)) == 1


def test_what_is_joined_is_no_splice():
    first, second, _, fourth = SOURCE
    assert splices(first) == []
    assert splices(f"{first[:-1]}: {second}") == []  # neighbours in the source
    assert splices(f"{first[:-1]}, and {fourth}") == []
    assert splices(f"{first[:-1]}; {fourth}") == []
    assert len(splices(f"{first[:-1]} {fourth}")) == 1


def test_a_last_word_of_another_sentence_is_a_splice_where_the_one_before_breaks_off():
    source = (
        "There is one basis vector for each of the eigenvectors of A that span the space.",
        "Rotations keep the length of every vector.",
        "What does the determinant of a map mean?",
    )
    start = "There is one basis vector for each of the eigenvectors of A"
    assert splices(f"{start} mean?", *source) == ["eigenvectors of A mean"]
    # Shortened, ending in a form of the word that follows, or in a word of the model's own: rephrased.
    assert splices(f"{start}.", *source) == []
    assert splices(f"{start} that span the spaces.", *source) == []
    assert splices(f"{start} matter.", *source) == []
    # The word alone: nothing long breaks off before it.
    assert splices("Vectors of A mean?", *source) == []


def test_a_last_word_of_another_sentence_is_a_splice_after_a_whole_sentence_too():
    whole = "There is one basis vector for each of the eigenvectors of A."
    source = (whole, "Means are kept by rotations.", "What does the determinant of a map mean?")
    assert splices(f"{whole[:-1]} rotations.", *source) == ["eigenvectors of A rotations"]
    # It is what follows there, or a form of it.
    assert splices(f"{whole[:-1]} mean?", *source) == []
    assert len(splices(f"{whole[:-1]} mean?", source[0], source[2])) == 1


def test_a_rephrased_sentence_is_no_splice():
    text = "Nobody knows why porpoises were stranded in New Zealand, where workers kept them wet for hours."
    assert splices(text) == []


def test_scripts_without_spaces_have_splices_too():
    source = ("新西兰北部的海滩上搁浅了一群鼠海豚。", "沿海的原住民把鲸鱼看作他们的祖先。")
    assert splices(source[0], *source) == []
    assert len(splices("新西兰北部的海滩上搁浅了把鲸鱼看作他们的祖先。", *source)) == 1
