"""The language of a text: right where it is certain, silent where it is not."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lsum_cli.documents import Document, Paragraph, Passage, SectionRole, compose_document
from lsum_cli.text.languages import CERTAIN, detect, is_plainly_english, language_of

TEXTS = {
    "en": "The committee that met in the spring decided to leave the matter to the courts.",
    "de": "Der Ausschuss, der im Frühjahr tagte, beschloss, die Sache den Gerichten zu überlassen.",
    "fr": "Le comité, qui s’est réuni au printemps, a décidé de laisser l’affaire aux tribunaux.",
    "es": "El comité que se reunió en la primavera decidió dejar el asunto en manos de los tribunales.",
    "it": "Il comitato che si è riunito in primavera ha deciso di lasciare la questione ai tribunali.",
    "nl": "De commissie die in het voorjaar bijeenkwam, besloot de zaak aan de rechter over te laten.",
    "pt": "A comissão que se reuniu na primavera decidiu deixar o assunto para os tribunais.",
    "ru": "Комитет, собравшийся весной, решил передать дело в суд.",
    "zh": "春天召开会议的委员会决定将此事交由法院处理。",
    "ja": "春に開かれた委員会は、この問題を裁判所に委ねることにした。",
    "ko": "봄에 열린 위원회는 이 문제를 법원에 맡기기로 결정했다.",
    "ar": "قررت اللجنة التي اجتمعت في الربيع ترك الأمر للمحاكم.",
}


def document_of(*texts: str, language: str | None = None, role: SectionRole = SectionRole.BODY) -> Document:
    passage = Passage(role=role, paragraphs=tuple(Paragraph.of(text) for text in texts))
    return compose_document([passage], id="d0", source="a.txt", language=language)


@pytest.mark.parametrize("language", TEXTS)
def test_a_sentence_tells_its_language(language: str) -> None:
    found = detect(TEXTS[language])
    assert found.certain == found.language == language
    assert CERTAIN <= found.certainty <= 1


@pytest.mark.parametrize(
    "text", ["", "12 345 67.8 % 2019-2020", "Yes.", "Lima Oslo Praga", "x = f(y); z = g(x)"]
)
def test_too_little_to_tell_is_not_guessed(text: str) -> None:
    assert detect(text).certain is None
    assert document_of(text).language is None


@pytest.mark.parametrize("language", TEXTS)
def test_a_document_that_does_not_say_is_told_by_its_words(language: str) -> None:
    assert document_of(TEXTS[language], TEXTS[language]).language == language


def test_what_the_source_declares_holds_unless_the_text_plainly_differs() -> None:
    assert document_of("Hei, hei.", language="fi").language == "fi"
    assert document_of("1, 2, 3.", language="en").language == "en"
    assert document_of(TEXTS["pt"], language="gl").language == "gl"
    # Word and page templates declare English whatever is written.
    assert document_of(TEXTS["de"], language="en").language == "de"


def test_the_middle_of_a_long_text_counts_and_its_references_do_not() -> None:
    long = [TEXTS["en"], *[TEXTS["de"]] * 800, TEXTS["en"]]
    assert language_of(long, None) == "de"
    references = Passage(role=SectionRole.REFERENCES, paragraphs=(Paragraph.of(TEXTS["en"] * 9),))
    body = Passage(paragraphs=(Paragraph.of(TEXTS["nl"]),))
    assert compose_document([body, references], id="d0", source="a").language == "nl"


def test_the_language_decides_where_sentences_end() -> None:
    document = document_of(
        "M. Dupont est arrivé hier avec sa femme et leurs enfants. Il repart demain matin."
    )
    assert [sentence.text for sentence in document.sentences] == [
        "M. Dupont est arrivé hier avec sa femme et leurs enfants.",
        "Il repart demain matin.",
    ]


def test_english_text_costs_no_model() -> None:
    program = (
        "import sys; from lsum_cli.text.languages import detect;"
        f"assert detect({TEXTS['en'] * 2!r}).certain == 'en'; assert 'py3langid' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


SHORT_ENGLISH = (
    "They could not say why it was there.",
    "We will meet on Friday. Each of you should bring one of them.",
    "What does this do, and when is it done?",
)
# With words that English has too.
NEARLY_ENGLISH = (
    "Het is in de winter dat we over de dijk gaan, en dat was er toen al.",
    "Was war das in der Stadt, in die er man sah?",
    "Vi har her en bog for at se den by, og der er to for os.",
    "Ek is by die huis en dit was in my hand.",
    "Las on me or as is no do in sin son pan.",
    "한국어 문장 the one that is here to be or not 입니다 그것은 사실입니다",
)


@pytest.mark.parametrize("text", SHORT_ENGLISH)
def test_a_short_english_sentence_is_told_by_its_function_words(text: str) -> None:
    assert is_plainly_english(text)
    assert detect(text).certain == "en"


@pytest.mark.parametrize("text", [*NEARLY_ENGLISH, *(TEXTS[each] for each in TEXTS if each != "en")])
def test_no_other_language_passes_for_english(text: str) -> None:
    assert not is_plainly_english(text)
