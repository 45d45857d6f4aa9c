"""Sentences: where they end, that nothing of the text is lost, and that offsets are exact."""

from __future__ import annotations

import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli.documents import Paragraph, Passage, Piece, compose_document
from lsum_cli.text.continuations import is_broken
from lsum_cli.text.sentences import (
    ends_with_stop,
    is_complete,
    normalise,
    part_sentences,
    sentence_spans,
    split_sentences,
    without_typographic_marks,
)

# " | " marks where a sentence ends; scripts without spaces are joined without one.
SPACED = [
    "Smith et al. found this. | It was new.",
    "See Fig. 3 for details. | The rest follows.",
    "Dr. Jones met Mr. Brown at 5 p.m. on Monday. | They left.",
    "The U.S. Supreme Court ruled in No. 07–1529. | It was final.",
    "It is cf. section 3 vs. section 4. | Next.",
    "It weighs approx. 3.5 kg. | Next one.",
    "Congress may do so under Art. I, §8, cls. 1 and 18, and amdts. 5 and 14. | We agree.",
    "Some 4.9 million bbl. of oil leaked. | The rest burned.",
    "Acme Inc. was sold to Beta Ltd. in 2010. | The price was low.",
    "J. K. Rowling wrote it. | She is rich.",
    "It was shown before (Smith et al., 2010). | We disagree.",
    "As seen in [12]. | The next.",
    "This was shown before.12 | The mice died.",
    "This was seen before.3,4 | The rest is new.",
    "This was shown.[12] | The mice died.",
    "The value is 3.14 and p < 0.05. | We stop.",
    "He waited... and then left. | She stayed.",
    "The Iran-U. S. Claims Tribunal sat. | It was final.",
    "Es begann am 3. März in Wien. | Im 19. Jahrhundert war es anders.",
    "We chose the number 3. | May was late.",
    "It moves to the 24th of May. | Tell the others.",
    "He gave it to me. | She said no. | They fell ill. | That is all.",
    "It reads at 2 GB/s. | The older one went at 80 km/h. | It took 5 kg/d. | That is all.",
    "It waits for I/O. | A thread does not, but for I/O. | Another may.",
    "See no. 12 and report no. A4. | Go on.",
    "Messages go with put! and get! as they are. | The rest is quiet.",
    "It was, alas! too late. | Stop! | They stopped.",
    "The weir -- or any other weir! -- holds it. | The ford (who would have thought?) — does not.",
    "The pump — who would have guessed? — was off. | Is it late? | — It is.",
    'He said "Stop." | Then left.',
    "“Where are you going?” she asked. | He did not answer.",
    "(This is a sentence.) | This is another.",
    "There are two: (1) one; (2) two. | Done.",
    "1. First we go. | 2. Then we stop.",
    "(a) First we go. | (b) Then we stop.",
    "See 475 U. S. 625 (1986). | The rule holds.",
    "Id., at 5. | The Court agreed.",
    "See Adams v. United States ex rel. Dale, 317 U. S. 269. | The rule holds.",
    "App. to Pet. for Cert. 55a. | We granted review.",
    "See 961 So. 2d 211, 218 (Fla. 2007). | We affirm.",
    "No. | It is not. | I know.",
    "See https://example.com/a.b?c=d. | Then go.",
    "Use v1.2.3 of the tool. | It works.",
    "Let asyncio.Task run. | It ends.",
    "See Sec. 3.1 and Eq. (2). | Then stop.",
    "The cells, E. coli and Ocimum spp. alike, grew. | They were many.",
    "the cells were lysed. | the dna was cut.",
    "huang et al. reported it. | it was true.",
    "What? | No! | Yes.",
    "The Iran-U. S. Claims Tribunal was set up in 1981. | It sits in The Hague.",
    "See Iran-U. S. Cl. Trib. Rep. 3. | It ruled.",
    "It was made in the U. S. | It was sold abroad.",
    "See Fed. Rule Civ. Proc. 60. | See 17 Op. Atty. Gen. 211, 212 (1881). | We affirm.",
    "The Act passed Cong. Globe and 83 J. Pub. Econ. 10. | The Court agreed.",
    "We follow the Act. | Ante, at 25. | Ibid. | So it is.",
    "It took 5 ms. | The rest took longer. | See example.gov. | Then go.",
    "Mme. Durand and Dr. Kowalski met Gen. Lee. | They left.",
    "A script begins with #! /bin/sh as its first line. | Without #! It fails. | I like C#! | It is quick.",
    "Den 3. marts kom han. | Han gik igen.",
    "Am Mittwoch, dem 3. März, kam er an. | Er blieb bis zum 5. April. | Dann ging er.",
    "Он жил на ул. Ленина, т. е. в центре. | Потом уехал.",
    "See Deposit Nat. Bank v. Roper, Ames v. Farm Mut. Automobile Ins. Co., and 66 Ford. L. Rev. 1895. | We agree.",
    "See Clay Inst. v. Ames, Public Serv. Comm’n of Ohio, 7 Pet. 469 and Okla. Stat., Tit. II, §3. | We agree.",
    "See N. Y. Educ. Law Ann. §6 and Md. Cts. & Jud. Proc. Code Ann. §3. | We chose plan B. | It failed.",
    "See Bell v. Board of Ed. of Ewing, 330 U. S. 1. | It is the end of the App. | This holds in Mich. | The rest is new.",
    "Tests of the Safety Admin. (NSA) are in 40 CFR pts. 160 and 164, App. A83 and http://www. bop.gov. | See them.",
    "It held so (“none is due.”). | They went on (see id. [so it was.]). | See §16 et seq. (West 2006). | So it is.",
    "(It held so (see §16(b)(1)).) | The keeper paid. | (See also App. 134.) | That is all.",
    "It held so (“none is due.” ). | We agree. | The “ ‘ rule is old.’ ” Ibid. | It holds.",
    "They sued him (in 2007).1 | To gain payment they went on.8 | Second, they won (“as ever”).12 | They tick it off.3 | So it is.",
    "He said “It was his.”4 | The rest is known under §1331.9 | That is all. | See fig.3 The end is near.",
    "The point is made.* | More is said below.",
    "The telephone hung on the wall. . . . . | “The bill is new.” | It bars whoever . . . [t]akes it.",
    "A range such as ..< or a name such as mtrand._rand and type.__name__ is code.",
    "The crates use #![no_std] and #! [no_main] now. | Others do not.",
    "I came late. | 'Cause it rained. | 'Kay, so it is.",
    "We saw O. sanctum var. Rama and Apanteles sp. (Braconidae), Ae. markgrafii and cv. Kronos. | They grew.",
    "We saw Tinospora cordifolia (Willd.) Miers and Aloe elgonica Haw. is one. | We saw Ocimum spp. | Then we left.",
    "It ran for 90 min. | Blood was drawn. | It took 5 sec. | The rest took 3 hr. | Then it was over.",
    "This is the error (S.E.) | The values are new. | (They are good.) | The end.",
    "It names the property: (1) “the boat”; (2) “the mast”; or (3) “the oar.” | So it is.",
    "There are two groups: i) the boats and ii) the masts. | So it is.",
    "The keys are U_A = (SK A P) SK U_A = SK A (SK U_A P) = SK A.",
    "In 2010 (slip op., at 1) (opinion of AMES, J.) (“Generally speaking, it is so”) it held so. | We agree.",
    "He said so before (slip op., at 5) (Ames, J., dissenting). | We agree.",
    "यह एक वाक्य है। | यह दूसरा है।",
    "هذه جملة. | هل هذه جملة؟ | نعم.",
]
UNSPACED = ["这是第一句。 | 这是第二句！ | 第三句？", "「はい。」と言った。 | 次の文です。"]

any_text = st.text(alphabet=st.characters(), max_size=80)
PIECES = [
    *(
        "The",
        "et",
        "al.",
        "Fig.",
        "3",
        "U.S.",
        "No.",
        "7",
        "it.",
        "(so.)",
        "”Yes.”",
        "a.b",
        "x.12",
        "1.",
        "(2)",
    ),
    *("(2)", "…", "。", "「い。」", "と", "§", "\u0301", "\u200d", "😀", "\u00ad"),
]
sentence_like = st.lists(st.sampled_from(PIECES) | any_text, max_size=30).map(" ".join)


@pytest.mark.parametrize(
    ("marked", "joint"), [*((line, " ") for line in SPACED), *((line, "") for line in UNSPACED)]
)
def test_sentences_end_where_a_reader_ends_them(marked: str, joint: str) -> None:
    sentences = marked.split(" | ")
    assert split_sentences(joint.join(sentences)) == sentences


@pytest.mark.parametrize(
    ("language", "marked"),
    [
        ("de", "Der 2. Weltkrieg endete 1945. | Die 3. Auflage erschien am 4. Juli. | Sie war gut."),
        ("de", "Er hat alle Boote verkaufen lassen. | 142 Boote sanken, vgl. 12 Bilder. | Sie schwiegen."),
        ("de", "Nach Abschn. 3 des Plans, Randnr. 12 und S. 142 des Buches kam er am 3. Juli."),
        ("de", "Im Jahr 1990. | Danach waren es 30. | Sie gingen. | Ludwig XIV. regierte."),
        ("fr", "Il vint le 1. mars. | Voir p. 12 et art. 3. | C’est tout."),
        ("it", "Il sig. Rossi vide il dott. Bianchi. | Pag. 5. | Fine."),
        ("pl", "Dr. Kowalski przyszedł. | Por. rys. 3. | Koniec."),
    ],
)
def test_abbreviations_and_ordinals_of_other_languages(language: str, marked: str) -> None:
    sentences = marked.split(" | ")
    assert split_sentences(" ".join(sentences), language) == sentences


@given(sentence_like)
@settings(max_examples=300, deadline=None)
def test_spans_and_gaps_cover_the_text(text: str) -> None:
    text = normalise(text)
    position = 0
    for start, end in sentence_spans(text):
        assert start - position in (0, 1)
        assert text[position:start] in ("", " ")
        assert end > start
        assert text[start:end] == text[start:end].strip()
        position = end
    assert position == len(text)


@given(st.lists(st.tuples(st.none() | any_text, st.lists(sentence_like, max_size=3)), max_size=4))
@settings(max_examples=100, deadline=None)
def test_offsets_of_a_document_are_exact(sections: list[tuple[str | None, list[str]]]) -> None:
    passages = [
        Passage(heading=heading, level=1, paragraphs=tuple(map(Paragraph.of, texts)))
        for heading, texts in sections
    ]
    document = compose_document(passages, id="d0", source="-")
    assert all(document.text[s.start : s.end] == s.text for s in document.sentences)
    assert [s.index for s in document.sentences] == list(range(len(document.sentences)))
    wanted = "".join(normalise(text) for _, texts in sections for text in texts)
    assert "".join(s.text for s in document.sentences).replace(" ", "") == wanted.replace(" ", "")


def test_a_sentence_belongs_to_the_pdf_page_it_begins_on() -> None:
    paragraph = Paragraph(
        pieces=(Piece(text="It begins here and", pdf_page=1), Piece(text="ends there. Next.", pdf_page=2))
    )
    document = compose_document([Passage(paragraphs=(paragraph,))], id="d0", source="-")
    assert [(s.text, s.pdf_page) for s in document.sentences] == [
        ("It begins here and ends there.", 1),
        ("Next.", 2),
    ]


def test_white_space_and_invisible_characters_are_normalised() -> None:
    assert normalise("\ufeff a\u00a0\n b\u00ad c\u200b\t\u2028d ") == "a b c d"
    assert normalise("  a b  c ") == normalise(" a b c  ") == normalise("a b c") == "a b c"


@pytest.mark.parametrize("mark", ["", "• ", "▪ ", "● ", "(a) ", "(1) ", "(iv) ", "1. ", "a) "])
def test_the_sentences_of_an_item_of_a_list_are_split(mark: str) -> None:
    text = f"{mark}The tide rises twice a day. It carries mud into the marsh (see below). Nobody knows why."
    assert split_sentences(text) == [
        f"{mark}The tide rises twice a day.",
        "It carries mud into the marsh (see below).",
        "Nobody knows why.",
    ]


def test_an_unknown_language_is_split_by_the_english_rules() -> None:
    assert split_sentences("One is here. Two is there.", "qqq") == ["One is here.", "Two is there."]


@pytest.mark.parametrize(
    "text",
    ["word " * 60_000, "x" * 300_000, "Abc. " * 40_000, '"a. ' * 40_000, "(a.) " * 40_000, "1. " * 60_000],
    ids=["no stop", "no space", "many", "open quotes", "brackets", "numbers"],
)
def test_splitting_takes_time_in_proportion_to_the_text(text: str) -> None:
    text = normalise(text)
    began = time.process_time()
    spans = sentence_spans(text)
    assert time.process_time() - began < 5
    assert spans[-1][1] == len(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("The race begins at 9 a.m. ET on Monday. Then it ends.", 2),
        ("The doors open at 10:30 p.m. Pacific time on Friday.", 1),
        ("She came at 9 p.m. Etta was late.", 2),
        ("They met at 9 p.m. Pacific Mills was closed.", 2),
    ],
)
def test_the_zone_of_a_time_of_day_belongs_to_it(text, number):
    assert len(split_sentences(text, "en")) == number


def test_a_stop_behind_thai_letters_ends_an_abbreviation():
    text = "พบกับนาย ก. (นามสมมติ) ที่ จ. เชียงใหม่"
    assert split_sentences(text, "th") == [text]


@pytest.mark.parametrize(
    ("text", "parted"),
    [
        ("It has all parts.The rest is new.", "It has all parts. The rest is new."),
        ("Is it new?We do not know!But it is here.", "Is it new? We do not know! But it is here."),
        ("They use runtime.Scheme and file.Name as well, e.g.The one.", None),
        ("See example.org/parts.The and no.In of v2.The one.", None),
        ("It has all parts.Harbours are new.", None),
    ],
)
def test_two_sentences_without_a_space_are_parted_before_a_word_that_is_no_name(text, parted):
    assert part_sentences(text, "en") == (parted or text)
    assert part_sentences(text, "de") == text
    passages = [Passage(paragraphs=(Paragraph.of(text),))]
    document = compose_document(passages, id="d0", source="a", language="en")
    assert " ".join(sentence.text for sentence in document.sentences) == (parted or text)
    assert all(document.text[each.start : each.end] == each.text for each in document.sentences)


def test_in_burmese_a_comma_ends_no_sentence() -> None:
    first, second = "မိုးရွာတယ်၊ လေတိုက်တယ်၊နေပူတယ်။", "ကျွန်တော် အိမ်ပြန်တယ်။"
    assert split_sentences(f"{first} {second}", "my") == [first, second]


def test_without_typographic_marks_no_long_text_is_kept_in_memory() -> None:
    sentence = "".join(("The keeper’s boat", " — “red” — sank."))
    assert without_typographic_marks(sentence) == "The keepers boat  red  sank."
    document = " ".join([sentence] * 1000)
    references = sys.getrefcount(document)
    assert without_typographic_marks(document).isascii()
    assert sys.getrefcount(document) == references


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("The file is not there yet; run ./autogen.sh to make it. Then go on.", 2),
        ("It supports the gnu.* namespace, which imports the gnu.translator attributes. It is new.", 2),
        ("Run ../configure now. It was seen by all.", 2),
        ("It takes 0.4 s, where the other takes 6.1 s. The difference comes from skipping files.", 2),
        ("The plank is 5 m. Then comes the bridge, which has 12 t. It holds.", 3),
        ("In 5 v. Smith the court affirmed. It is settled.", 2),
    ],
)
def test_paths_patterns_and_units(text, sentences):
    found = split_sentences(text, "en")
    assert len(found) == sentences
    assert " ".join(found) == text


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("They sued him in 2007 (and won).1", True),
        ("He said “it was so.”4", True),
        ("They ticked all off.1,2", True),
        ("The height is 3.14", False),
        ("See the next figure (fig. 3)", False),
    ],
)
def test_a_sentence_is_complete_with_the_mark_of_a_note(text, complete):
    assert is_complete(text) is complete


def test_a_text_is_broken_where_its_last_sentence_goes_on() -> None:
    assert is_broken("It was so in Ames v. Boyd, 501 U. S.", "1083, 1102 (1991).")
    assert is_broken("Others require it. See N. Y.", "Educ. Law Ann. §6816.")
    assert is_broken("It is open. App.", "62. The keeper asked.")
    assert is_broken("It was so.", ".")
    assert not is_broken("It was so.", "The keeper asked.")
    assert not is_broken("It was so in 1991.", "62 keepers asked.")


def test_a_full_width_stop_ends_a_sentence_as_the_usual_one_does():
    text = "潮位は一日に二回上がる．表には時刻と高さが載る．"
    assert split_sentences(text, "ja") == ["潮位は一日に二回上がる．", "表には時刻と高さが載る．"]
    assert all(is_complete(sentence) and ends_with_stop(sentence) for sentence in split_sentences(text, "ja"))


def test_a_quotation_of_several_paragraphs_opens_again_before_it_closes():
    sentences = [
        '"The old lock is a great one," he said.',
        '"The keepers of the valley grease it.',
        '"We mend it in the spring and paint it in the autumn."',
        "The county will pay for the timber of the gates.",
        'It said the price was "a matter for the towns".',
    ]
    for start in range(len(sentences)):
        assert split_sentences(" ".join(sentences[start:]), "en") == sentences[start:]


@pytest.mark.parametrize("before", ["e.g.", "i.e.", "Mr.", "St."])
def test_a_mark_for_inches_makes_no_end_of_what_is_abbreviated(before: str) -> None:
    text = f'The keeper must never fit 3" pipes of {before} "Blue" to the gate of the mill without a permit.'
    assert split_sentences(text, "en") == [text]
