"""Sentences that stand alone: what can be shown, what leans on its neighbour, what is stripped."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsum_cli.methods.extract import leaning
from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.extract.leaning import leaning_of
from lsum_cli.methods.extract.standing import (
    Standing,
    is_about_publication_or_other_places,
    is_presentable,
    judge,
    opening_length,
    without_figures,
)
from lsum_cli.methods.extract.statements import instructs_author


def leans(text: str, kind: DocumentKind = DocumentKind.OTHER, language: str = "en") -> bool:
    rules = leaning_of(language, kind)
    assert rules is not None
    return rules.leans(text)


@pytest.mark.parametrize(
    "text",
    [
        "However, this is only one part of a much longer story.",
        "These results agree with what was found before.",
        "They were sold to the owner of the mill in the spring.",
        "Rather, the court looks at the whole of the record.",
        "Additionally, the server now closes idle connections.",
        "Since then the colonies have lost half of their nests.",
        "The second reason is that the dam lowers the water.",
        "In 2009, he moved to the northern lakes with his family.",
        "After working for the Lake Society and for the Northern Harbour Company, she moved to the coast.",
        "Some keepers disagreed.",
        "The owners of the dam would most certainly agree.",
        "In this context, the dam is a risk for the birds.",
        "Because of this, the nests are empty in May.",
        "Its author has written a comparison of the two.",
        "The dam, however, lowers the water in spring.",
        "We hold that it does not.",
        "As noted, the question is one of law.",
        "You can also measure the water with a rod.",
        "Once opened, the gate lets the water of the dam out.",
        "To remedy this, the keepers release the water more slowly.",
        "Now it is measured in every spring by the keepers.",
        "Only few of them have come back to the lake.",
        "Install it in the wall of the dam before the spring.",
        "It must be lowered to a new level before the spring.",
        "A keeper of a lake can open them with a rod.",
        "The drawback is a loss of water in the summer.",
        "The keepers measure the level with these NFTs in spring.",
        "Set either of the values before the spring.",
        "The server sends the same one that it has sent before.",
        "The keepers of the dam have answered the second question.",
        "This is a new cross-lake channel for the birds.",
        "In this case, the water of the lake is too low.",
        "The level of the lake is therefore measured in spring.",
        "Each has a gate of its own at the dam.",
        "When used, it lets the water of the dam out.",
        "If this is a lake, it is measured in spring.",
        "In addition to the dam, it lowers the canal of the county.",
        "The keepers of the dam will warn you if you do so.",
        "By that time, the keepers had lowered the gates to this level.",
        "“There is much talk of leaks from people like Ada Ryan,” he said.",
        "“We have a contract with the county,” she said in the advertisement.",
        "One said that a captain had asked for the key of the harbour.",
        "The former is faster than the ferry of the county.",
        "Any of the three dams can satisfy these - though none is cheap.",
        "The northern dam aims to do just that, by a gate of oak.",
        "Four months thereafter, his boat was brought to the county in the rain of June.",
        "Examples are boats of oak, rafts of pine and canoes of birch.",
        "In most years this will be done by the keepers of the dam.",
        "On many lakes they are counted by the keepers of the dam.",
        "The fix lowers the gates of the dam in the spring.",
        "One notable exception is the ferry of the county.",
    ],
)
def test_these_lean_on_the_sentence_before(text: str) -> None:
    assert leans(text)


@pytest.mark.parametrize(
    "text",
    [
        "This paper shows that dams empty the nests of herons.",
        "This proposal adds a field to the header of every message.",
        "This EIP introduces a new opcode for the length of data.",
        "In this study, we measured the water of twelve lakes.",
        "It is important to release the water more slowly.",
        "There are three kinds of lakes in the north.",
        "Those who live near the dam hear it at night.",
        "Both the herons and the terns nest near the water.",
        "For these reasons, we affirm the judgment of the Court of Appeals.",
        "We therefore hold that the notice was given in time.",
        "You can measure the water with a rod or a rope.",
        "Rather than the dam, the plan changes the lake.",
        "Further research is needed to understand the herons.",
        "Herons of different lakes use the same nests in turn.",
        "This was a retrospective case-control study of herons.",
        "It should be possible to lower the water in the spring.",
        "The keepers make it possible to see the herons.",
        "That the lake is low is known to the keepers.",
        "That herons are shy is known to the keepers.",
        "If you see that the lake is low, open the gate.",
        "The keeper has a rod, and you can use that rod in spring.",
        "The county needs a gate to use that works in winter.",
        "The keepers of the lake can open the gates when they wish.",
        "A rule of registration applies where this federal registration rule does.",
        "Once the gate is opened, the water leaves the lake.",
        "Each gate of the dam is opened in the spring.",
        "Before a gate is opened, it must be measured with a rod.",
        "If you open a gate of the dam, it stays open until the spring.",
        "In addition to the dam, the plan changes the canal of the county.",
        "The second largest lake of the county is in the north.",
        "Any keeper can open the gates, and all are asked to do so.",
        "In order to feed themselves, herons leave the lake in spring.",
        "The county has no dam on the river at this time, but needs one.",
        "It is not necessary for the keepers of a lake to count the nests.",
        "It is now a breaking change to lower the water in spring.",
        "“There is much talk of leaks,” said Ryan, adding that he would stay.",
        "Ryan met the captains on Monday and said: “Nobody,” he said, “has left.”",
        "The former captain of the ferry was arrested on Monday.",
        "A former Northern Lakes captain told the county about the fog.",
        "The county asked for the removal of such information as dates of birth.",
        "Talks between Norway and Sweden ended after the two countries signed a treaty.",
        "The captain left the county in 2014 and bought a boat the following year.",
        "UK HARBOURS have lent their weight to the rapid building of a bridge.",
        "Examples of boats include rafts of pine and canoes of birch.",
        "Exceptions are raised where the gate of the dam is stuck.",
        "In most years it is hard to lower the gates of the dam.",
        "The fix of the dam lowers the gates in the spring.",
        "If the keepers of the dam agree, the gates are opened in the spring.",
        "The keepers of the dam agreed to open the gates in the spring.",
        "After the keepers of the northern lakes and of the dam had met the council, Ryan left.",
        # "That" stands for what is set against another thing of the sentence.
        "The level of the lake is similar to that observed in the ponds.",
        "The water of the lake is colder by a degree compared with that from the hills.",
        "The depth of the lake is equal to that previously measured.",
        "The rule of the county is not different from that which the town has adopted.",
    ],
)
def test_these_lean_on_nothing(text: str) -> None:
    assert not leans(text)


@pytest.mark.parametrize(
    "text",
    [
        "That runner is designed for boats of the county.",
        "That water gate can be opened in the spring.",
        "If you see that heron, tell the keeper of the lake.",
        "If you see that heron when the gate is open, tell the keeper.",
        "The keepers should not use that gate in the winter.",
        "That trend continued through the winter at the lakes of the north.",
        "That kind of boat is known at the lakes of the north.",
        "That rule states how many boats the county may keep.",
        "The keepers made good use of that implied power in the spring.",
    ],
)
def test_that_before_a_noun_points_back(text: str) -> None:
    assert leans(text)


def test_what_is_done_by_a_rule_told_before_points_back() -> None:
    assert leans("Pursuant to those rules, the keepers counted the boats of the county.")
    assert leans("After all, the keepers had counted the boats of the county.")


def test_what_a_document_calls_itself_depends_on_its_kind() -> None:
    assert not leans("In this case, petitioner asks for the water of the lake.", DocumentKind.DECISION)
    assert not leans("This Court granted certiorari to settle the dispute.", DocumentKind.DECISION)
    assert leans("In this case, the water of the lake is too low.", DocumentKind.PROPOSAL)
    assert not leans("This feature adds a gate to every dam of the lake.", DocumentKind.PROPOSAL)
    assert leans("This feature adds a gate to every dam of the lake.", DocumentKind.NOTES)


@pytest.mark.parametrize(
    ("title", "text", "leaning"),
    [
        ("Herons: a detailed roadmap", "The rest of this roadmap tells what comes next.", False),
        ("A record of the herons", "The rest of this roadmap tells what comes next.", True),
        ("Lake Terms of Use", "These Terms apply to the keepers of the dam.", False),
        ("The lakes", "These lakes are fished by the keepers of the dam.", True),
        ("Handling a case", "In this case the keepers of the dam call the county.", True),
        ("The virtual environment", "This environment variable is set by the keepers.", True),
    ],
)
def test_a_document_calls_itself_what_its_title_does(title: str, text: str, leaning: bool) -> None:
    rules = leaning_of("en", DocumentKind.OTHER)
    assert rules is not None
    assert rules.of_title(title).leans(text) is leaning


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("This is a list of the lakes that may be lowered in spring.", True),
        ("These gates are opened by the keepers in the spring.", True),
        ("These herons are counted by the keepers in the spring.", False),
        ("This prints the level of the lake on every day.", False),
        ("This is a gate, and they open it with the rod of that keeper.", False),
        ("However, this is a list of the lakes.", False),
    ],
)
def test_a_sentence_may_speak_of_what_its_heading_names(text: str, stands: bool) -> None:
    rules = leaning_of("en", DocumentKind.OTHER)
    assert rules is not None
    assert rules.stands_under_heading(text, "Gates of the dam") is stands


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Deshalb sind die Nester der Reiher im Mai leer."),
        ("de", "Seit dem Krieg zählt er die Nester der Reiher am See."),
        ("de", "Im Mai hatte sie die Nester der Reiher gezählt."),
        ("fr", "Car les hérons ont quitté les nids du lac."),
        ("fr", "Pleinement conscient du danger, il a compté les nids du lac."),
        ("de", "Über diese Nester reden wir mit dem Wärter der Insel."),
        ("de", "Das geht am besten im Mai mit einem kleinen Boot."),
        ("de", "Das ist die höchste Zahl der Nester seit dem Krieg."),
        ("de", "Das macht die Reiher am See unruhig."),
        ("de", "Weil die Reiher ihre Nester im Mai verlassen, wie der Wärter sagt."),
        ("de", "Wenn man die Nester der Reiher am See zählt und nicht im Büro."),
        ("de", "Er hat die Nester der Reiher im Mai gezählt."),
        ("de", "Diese Nester sind im Mai leer."),
        ("de", "Die Nester sind hingegen im Mai leer."),
        ("fr", "Cependant, les nids sont vides au mois de mai."),
        ("fr", "Elle a compté les nids au mois de mai."),
        ("fr", "Dans ce cas, les nids sont vides."),
        ("es", "Sin embargo, los nidos están vacíos en mayo."),
        ("es", "Estos nidos están vacíos en mayo."),
        ("es", "Él contó los nidos en mayo."),
    ],
)
def test_other_languages_go_on_with_words_of_their_own(language: str, text: str) -> None:
    assert leans(text, language=language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Diese Studie zählt die Nester der Reiher."),
        ("de", "Die Reiher haben im Mai ihre Nester verlassen."),
        ("de", "Sozialarbeit am See ist gut für die Reiher."),
        ("de", "Das selbst gebaute Nest der Reiher ist im Mai leer."),
        ("de", "Das rot lackierte Boot liegt im Mai am See."),
        ("de", "Das weit offene Meer lockt die Reiher an."),
        ("de", "Das Nest der Reiher ist im Mai leer."),
        ("de", "Weil die Reiher ihre Nester verlassen, zählt der Wärter sie im Mai."),
        ("de", "Wenn man die Nester zählt, die am See liegen, sind es zwölf."),
        ("fr", "Il est important de compter les nids."),
        ("fr", "Au bord du lac, il faut compter les nids en mai."),
        ("fr", "Pour Anne, il a compté les nids du lac en mai."),
        ("fr", "Quand le héron arrive, il compte ses nids au bord du lac."),
        ("de", "Seit dem Krieg zählt Anna die Nester der Reiher am See."),
        ("de", "Wenn der Reiher kommt, baut er ein Nest aus Holz."),
        ("fr", "Cet article présente les nids des hérons."),
        ("fr", "Etudes et rapports sur les hérons ont été publiés."),
        ("es", "En este trabajo presentamos los nidos de las garzas."),
        ("es", "Yuca y maíz crecen cerca del lago."),
        ("es", "El lago sube en mayo."),
    ],
)
def test_other_languages_have_openings_that_lean_on_nothing(language: str, text: str) -> None:
    assert not leans(text, language=language)


@pytest.mark.parametrize(
    "text",
    [
        "By counting the nests, a keeper is told how many herons there are.",
        "Compare the number of the nests with what you were told.",
        "With Lake<T>, the rules of the county are kept for every bird.",
        "For the full year, Lakes posted a profit of $3.36bn, up 27% from 2003, on sales of $42.09bn.",
        "And lowering the water, contrary to popular belief, causes the nests to fall.",
        "What you should know before you travel is told by the clinic.",
        "How to protect yourself against bites depends on the country.",
        "Sent by the keeper of the lakes, the letter arrived a year later in the valley.",
        "We invite any keeper to the meeting of the lakes.",
        "A keeper whose lake never rises now raises LakeError when the dam opens.",
        "A gate that is used in spring need not be counted by the keepers.",
        "A common gate when lowering a lake is the wooden one.",
        "A tide gauge and a rod for each of the lakes provide the level of the water.",
        "The number of the gates in a dam depends on the level of the lake.",
        "A majority of the keepers of the lakes use a rod in the spring.",
        "The list of gates MUST be kept by the keepers of the dam.",
        "The root of the lake is available at lake.water.level for every keeper of the dam.",
        "The library has a class, lake::gate, which opens the dam in the spring.",
        "For the first time, visitors of the dam see herons in the spring.",
        "For this visitors to the dam will see the herons.",
        "Details of the dam are what the keepers argue about in the spring.",
        "Consult a keeper of the lake before you feed the herons.",
        "Consult a keeper of the lake before you rely on a guide.",
        "If the dam is lower than the lake, see Lake v. Dam, 4 F. 2d 5, the keepers must raise it.",
        "*The Heron* is the oldest of the boats of the county.",
    ],
)
def test_these_are_sentences_that_a_summary_can_show(text: str) -> None:
    assert is_presentable(text)


def test_a_verb_of_irregular_form_makes_a_sentence() -> None:
    assert is_presentable("A ferry with sixty children sank in the harbour of Lindale.")
    assert not is_presentable("A ferry with sixty children in the harbour of Lindale.")
    # Of what is many: a noun, but for what an article follows.
    assert is_presentable("Many to many adds an annex between two houses of the harbour.")
    assert not is_presentable("Many annexes between two houses of the harbour of Lindale.")


@pytest.mark.parametrize(
    "text",
    [
        "Figure 3: The water of the lakes in each of the years of the study.",
        "The water falls in spring, as Figure 3 shows for each of the lakes.",
        "Why does the water of the lakes fall so early in the spring?",
        "There are several ways to raise the water of the lakes again.",
        "There are a great number of herons near the lakes.",
        "The keepers of the lakes are named by the county for one year; 6.",
        "The judgment of the Court of * * Appeals for the county is affirmed.",
        "For more information about the herons of the lakes, see the report.",
        "If you keep herons, more information is available in Keeping birds.",
        "A list of all the lakes of the county can be found in the appendix.",
        "You can read more about the loss of the nests in our last report.",
        "The rule for the water of the lakes mostly consists of two parts.",
        "Which not only lowers the water but also empties the nests.",
        ", and the nests of the lakes are empty in May of every year.",
        "The herons of the lakes need the following of their keepers:",
        "By Ann Brown, our correspondent at the northern lakes.",
        "JUSTICE BREYER delivered the opinion of the Court in this matter.",
        "Id., at 14 (the lower court had jurisdiction over the lakes).",
        "The keepers of the lakes (who are few in number were not asked.",
        "“The herons of the northern lakes were here before the dam was built.”",
        "The words of this p\ufffdge of the book could not be read in full.",
        "Magnesium borohydride as solid-state electrolyte for magnesium batteries.",
        "The keeper of the lakes wrote of herons in the spring that …",
        "Result: Three of the twelve lakes no longer had nests | 4 | 5 | 6.",
        "We would like to thank the keepers of the lakes for their patience.",
        "THE HERONS OF THE NORTHERN LAKES HAVE LOST THEIR NESTS AGAIN.",
        "Herons are an order of birds of , which is the subject of this book.",
        "The keepers of the lakes are of the , a body of herons.",
        "where I is the level of the water and M the number of nests in spring.",
        "For more details on the water, the documentation of the dam is at hand.",
        "Let's look at how the water of the lakes falls in the spring.",
        "What you should know before you travel to the coast.",
        "How to protect yourself against the bites of mosquitoes.",
        "How to repair the nests of a lake, and when to leave them alone.",
        "Sent every minute while the gate of the lake is open.",
        "param float level: The level of the water of the lake is measured in May.",
        "return float: The level to which the water of the lake falls is negative.",
        "For the gates and the other doors of the dam see gates.open.",
        "For a list of lakes, please see Keeping birds.",
        "Details of the counting of herons are in the rules of the lake.",
        "Refer to the guide of the lake for the counting of herons.",
        "The reader should consult the guide of the lake for what comes next.",
        "If the gate of the dam is stuck, see Keeping gates.",
        "The northern dam has a gate of its own: see ‘Gates’ in the list.",
        "† The gates of the northern dam are opened in the spring.",
        "*The gates of the northern dam are opened in the spring.",
    ],
)
def test_these_are_never_shown(text: str) -> None:
    assert not is_presentable(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("- The herons have lost half of their nests.", "The herons have lost half of their nests."),
        ("6. The herons have lost half of their nests.", "The herons have lost half of their nests."),
        ("(a) The herons have lost half of their nests.", "The herons have lost half of their nests."),
        ("Fix: Fixes the loss of half of the nests.", "Fixes the loss of half of the nests."),
        ("Results: Half of the nests were lost.", "Half of the nests were lost."),
        ("* * * The judgment is affirmed.", "The judgment is affirmed."),
        ("** The gates are opened in spring.", "The gates are opened in spring."),
        ("D. There are many who use the network.", "There are many who use the network."),
        ("D. Brown was the keeper of the lakes.", "D. Brown was the keeper of the lakes."),
        ("In 1990 half of the nests were lost.", "In 1990 half of the nests were lost."),
        ("Pet. for Cert. i. We hold that it may.", "We hold that it may."),
        ("- Feature: [blueprint tags] Projects have tags.", "Projects have tags."),
    ],
)
def test_marker_and_label_stay_behind(text: str, shown: str) -> None:
    assert text[opening_length(text) :] == shown


def test_points_of_a_list_in_lower_case_do_not_let_a_torn_sentence_stand() -> None:
    points = ("easy to open for the keepers of the lake", "hard to close when the water is high") * 6
    texts = ("The keepers lower the water of the lake in every spring.",) * 9
    torn = "with the gate open will lower the water of the lake in a day."
    assert not judged(*points, *texts, torn).is_presentable[-1]


def test_a_text_all_in_lower_case_has_sentences() -> None:
    texts = ["the herons of the northern lakes have lost half of their nests."] * 4
    assert judge(texts, np.array([12] * 4)).is_presentable.all()
    mixed = [*texts[:1], *["The herons of the northern lakes have lost half of their nests."] * 9]
    assert judge(mixed, np.array([12] * 10)).is_presentable.tolist() == [False] + [True] * 9


@pytest.mark.parametrize(
    ("text", "is_sentence"),
    [
        ("A key of the register that has more than one column.", False),
        ("The name of the cookie to use for the harbour's pages.", False),
        ("Number of gauges that are read before the tide turns.", False),
        ("A boolean indicating whether the gauge is read again.", False),
        ("Free to sail or row as they see fit.", False),
        ("Free in the sense that the harbour would no longer be owned by one man.", False),
        ("Whether to close the harbour of the county in the winter.", False),
        ("Path to a file with the tables of the harbour.", False),
        ("Unable to close the harbour, the keeper called the mayor.", True),
        ("Able to sail at night, these boats leave late.", True),
        ("Whether to close the harbour is for the keeper to decide.", True),
        ("A hive of polystyrene weighs half as much as one of wood.", True),
        ("A keeper of gauges keeps his tables for thirty years.", True),
        ("The name of the cookie depends on the harbour's pages.", True),
        ("Set the gauge of the harbour to zero before the tide turns.", True),
    ],
)
def test_a_phrase_without_a_verb_of_its_own_is_no_sentence(text: str, is_sentence: bool) -> None:
    assert is_presentable(text) == is_sentence


def test_a_note_with_its_number_is_no_sentence_of_the_text() -> None:
    texts = [
        "The IMO counts the herons of the lakes.",
        "1IMO, Herons: The lakes are counted in the spring (London: Sept. 2, 2020).",
        "2The herons of the lakes were counted before that by the keepers.",
        "3“The herons of the lakes were counted by the keepers,” the mayor said.",
        "3Lakes is the name of the harbour at the northern dam.",
        "The keepers of the harbour at 3Lakes counted the herons.",
        "3GPP is the name of a group that counts telephones and no herons.",
        "3 keepers of the lakes counted all the herons in the spring.",
    ]
    shown = judged(*texts).is_presentable.tolist()
    assert shown == [True, False, False, False, True, True, True, True]


@given(st.text(max_size=80))
def test_any_text_is_judged(text: str) -> None:
    assert 0 <= opening_length(text) <= len(text)
    is_presentable(text)
    leans(text)


def test_what_is_looked_for_first_is_in_all_that_is_looked_for():
    """Most sentences are settled by a quick test, which must let through all that the slow one finds."""
    from lsum_cli.methods.extract import standing

    rules = leaning_of("en", DocumentKind.OTHER)
    assert rules is not None
    for phrase in standing._RIGHTS:
        assert any(part in phrase for part in standing._OF_RIGHTS), phrase
        assert standing.grants_rights(f"Note: {phrase}, as said.")
    numbers = ("two", "three", "four", "five", "six", "seven", "latter", "former", "other two")
    others = ("above", "aforementioned", "foregoing", "following", "corresponding")
    pointing = [f"{the} {word} sample" for the in ("The", "the") for word in (*numbers, *others)]
    pointing += [f"{word} sample" for word in ("these", "Those", "this", "Such a", "such", "under that")]
    for phrase in pointing:
        assert rules.points(f"The keepers looked for {phrase[0].lower()}{phrase[1:]}."), phrase
        assert leaning._MAY_POINT.search(phrase), phrase
    for before in ("within", "into", "during", "between", "over", "until", "without"):
        assert rules.points(f"The keepers looked {before} that narrow pass."), before
    for ending in ("and so on...", "for it e.g.", 'he said (".', "taller than.", "taken by the.", "as a."):
        assert not standing.is_presentable(f"The committee has found a way to do this {ending}")


@pytest.mark.parametrize(
    "text",
    [
        "By using our pages you agree that we store cookies and similar files on your machine.",
        "Durch die weitere Nutzung der Seiten stimmen Sie der Verwendung von Cookies auf dem Gerät zu.",
        "En poursuivant votre visite vous acceptez que des cookies soient mis sur votre appareil.",
        "This story was first published in the Harbour Weekly, the paper of the town.",
        "Every Friday our weekly newsletter tells you what happens in the harbour of the town.",
        "Hier können Sie sich zum kostenlosen Newsletter des Hafens der Stadt anmelden.",
        "Dieser Beitrag erschien zuerst im Hafenblatt, der Zeitung unserer Stadt am Meer.",
        "Nous publions ci-dessous la lettre que les pêcheurs du port ont écrite au maire.",
        "The map of the harbour below makes clear how far the boats have to go.",
        "Below is a list of the boats that we have seen in the harbour this summer.",
        "Vielen Dank an den Verlag, der mir das Buch über die Boote geschickt hat.",
        "Thank you to all who have painted the boats and mended the nets in this long winter.",
        "The pictures of the boats are provided for information purposes only by the harbour.",
    ],
)
def test_what_a_page_says_of_itself_is_never_shown(text: str) -> None:
    assert not is_presentable(text, is_english=False)


@pytest.mark.parametrize(
    "text",
    [
        "The bakery sold more cookies in May than in the whole year before the fire.",
        "The harbour sends a newsletter of four pages to each of the captains in the spring.",
        "The article about the boats was read by more people than live in the town.",
        "Thanks to the new pier, the ferries now leave the harbour even when the sea is low.",
        "The picture that hung above the fireplace of the mayor was painted by her sister.",
    ],
)
def test_what_only_sounds_like_it_is_shown(text: str) -> None:
    assert is_presentable(text)


@pytest.mark.parametrize(
    "where",
    [
        "(CNN) -- ",
        "(ABC) - ",
        "SEOUL, Aug. 20 (Yonhap) -- ",
        "KABUL, Afghanistan (AP) — ",
        "Frankfurt/Main (dpa) - ",
    ],
)
def test_the_agency_of_a_report_stays_behind(where: str) -> None:
    line = "The harbour of the town was closed after the storm of last Monday."
    assert (where + line)[opening_length(where + line) :] == line
    assert judge([where + line], np.array([14])).is_presentable.all()


def test_a_subject_with_its_initials_stays() -> None:
    text = "The Harbour Authority of Norwick (HAN) - The oldest of its kind - was closed last Monday."
    assert opening_length(text) == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sie führte über den Höhenkamm der Hügel und mied das Tal.", True),
        ("Da kommt der neue Hafen der Stadt gerade recht.", True),
        ("Sie räumen dem Hafen das Recht ein, die Boote zu verkaufen.", False),
        ("Da die Boote der Stadt im Winter leck waren, blieb der Hafen leer.", False),
    ],
)
def test_german_pronouns_lean_where_they_are_no_address(text: str, expected: bool) -> None:
    assert leans(text, language="de") is expected


@pytest.mark.parametrize(
    ("text", "is_instruction"),
    [
        ("This section must be completed when targeting beta graduation to a release.", True),
        ("I/we understand the owners of the parts may require updates to existing tests.", True),
        ("Major milestones of a proposal should be tracked in Implementation History.", True),
        ("Describe manual testing that was done and the outcomes.", True),
        ("Make sure this is in the test plan.", True),
        ("This section describes how the gates of the sluice are opened.", False),
        ("The gates should be opened before the water rises.", False),
        ("Define a standard interface for the gates of all sluices.", False),
        ("The code section must be present in every container.", False),
    ],
)
def test_what_a_template_tells_its_author(text: str, is_instruction: bool) -> None:
    assert instructs_author(text) == is_instruction


@pytest.mark.parametrize(
    "text",
    [
        "A gate that can be opened in the spring and must be closed in the summer.",
        "A lake whose water is lowered in every spring by its keepers.",
        "The name of the gate to use for the lakes of the county.",
        "A list of lakes to lower when the water of the river is high.",
        "An order used by the keepers of the dam to tell that the lake must be lowered.",
        "Number of gates that are opened at once.",
        "The example above keeps all gates of the dam within one lake.",
        "The first gate is the wooden one, as already seen in the dam of the north.",
    ],
)
def test_what_has_no_verb_of_its_own_or_needs_what_is_not_shown_is_no_sentence(text: str) -> None:
    assert not is_presentable(text)


def judged(*texts: str, **how: bool) -> Standing:
    return judge(
        texts,
        np.array([len(text.split()) for text in texts]),
        leaning=leaning_of("en", DocumentKind.OTHER),
        **how,
    )


def test_a_sentence_may_begin_with_a_name_in_lower_case() -> None:
    texts = (
        *("The keepers lower the water of the lake in every spring.",) * 9,
        "libdam delegates all gates of the lake to the keepers of the river.",
        "lakes.Heron and lakes.Tern are counted at the water of the northern dam.",
        "errors in the level of the lake are counted by the keepers.",
    )
    assert judged(*texts).is_presentable[-3:].tolist() == [True, True, False]


def test_what_a_licence_says_of_rights_is_what_it_says() -> None:
    granted = "You may not impose further duties on those who lower the lake under this License."
    other = "The water of the lake is lowered by the keepers in every spring."
    assert judged(*(granted,) * 6, *(other,) * 6).is_presentable.all()
    assert judged(granted, *(other,) * 11).is_presentable.tolist() == [False, *(True,) * 11]


def test_a_sentence_may_name_a_figure_in_parentheses_and_may_lean() -> None:
    standing = judged(
        "The herons of the lakes left all of their nests in spring (Fig. 2).",
        "However, this was not seen at the lakes of the north (Fig. 2).",
        "The herons of Fig. 2 left all of their nests at the lakes in spring.",
    )
    assert standing.is_presentable.tolist() == [True, True, False]
    assert standing.leans.tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The lake fell (Fig. 6c).", "The lake fell."),
        ("As shown in Figure 1, well-fed herons nest here.", "Well-fed herons nest here."),
        ("As shown in Figure 1, heron.count falls.", "heron.count falls."),
        ("The lake fell (see Figs. 1 and 2a, b; Table S3) in May.", "The lake fell in May."),
        ("The lake fell (p < 0.05; Fig. 3) in May.", "The lake fell (p < 0.05) in May."),
        ("The lake fell [Figure 1, left panel].", "The lake fell."),
        ("In spring (Table 2 and Additional file 1: Table S3), it fell.", "In spring, it fell."),
        ("It fell (Extended Data Fig. 1d,e; Supplementary Table 2).", "It fell."),
        ("It fell (Tables were counted).", "It fell (Tables were counted)."),
        ("It fell (Table 2 shows how far).", "It fell (Table 2 shows how far)."),
        ("It fell (see file 3 for details) (2 of 3).", "It fell (see file 3 for details) (2 of 3)."),
        ("(Fig. 2) It fell.", "(Fig. 2) It fell."),
        ("As shown in Figure 3a, the lake fell (Fig. 4).", "The lake fell."),
        ("As can be seen from Fig. 2 and Table S1, it fell.", "It fell."),
        ("As seen in Table 2 lakes fell, and rose.", "As seen in Table 2 lakes fell, and rose."),
        ("As shown in Table 2.", "As shown in Table 2."),
        (
            "As shown in Fig. 1, which is in metres, it fell.",
            "As shown in Fig. 1, which is in metres, it fell.",
        ),
        ("As shown in Fig. 2, but not in May, it fell.", "As shown in Fig. 2, but not in May, it fell."),
        ("Fig. 2 shows that it fell.", "Fig. 2 shows that it fell."),
    ],
)
def test_references_to_figures_are_not_shown(text: str, shown: str) -> None:
    assert without_figures(text) == shown


def test_entries_of_a_glossary_are_told() -> None:
    entries = (
        "Weir: A low dam over which the water of a river flows.",
        "Sluice: A gate that is raised to let the water of the canal out.",
        "Lock: The part of a canal between two gates in which boats are raised.",
        "Towpath: A path along the water for the horses that draw the boats.",
    )
    other = "The water of the lake is lowered by the keepers in every spring."
    assert judged(*entries, other).is_presentable.all()
    # Of a few nothing says that they are entries, not headings.
    assert judged(*entries[:3], other).is_presentable.tolist() == [False, False, False, True]
    # What a parameter is needs the function that has it.
    field = "param float level: The level of the water that the keepers want."
    named = [entry[:1].lower() + entry[1:] for entry in entries]
    assert judged(*named, field).is_presentable.tolist() == [True] * 4 + [False]


@pytest.mark.parametrize(
    "text",
    [
        "More generally, a keeper who is heard first seldom appeals to the county.",
        "That person is told by the county when the water of the lake will fall.",
    ],
)
def test_what_goes_on_or_points_back_leans(text: str) -> None:
    assert judged(text).leans.all()


def test_what_points_to_another_place_of_the_text_is_told_by_its_wording() -> None:
    assert is_about_publication_or_other_places("The duties of the keepers are covered in later chapters.")
    assert is_about_publication_or_other_places("The locks are treated in more detail in later sections.")
    assert not is_about_publication_or_other_places("The locks of all later sections are made of oak.")


def test_where_supplements_are_found_is_about_publication() -> None:
    assert is_about_publication_or_other_places(
        "The online version of this article (10.1000/1) contains supplementary material, which is available to "
        "authorized users."
    )
    assert not is_about_publication_or_other_places(
        "Supplementary water is let into the lake in every spring."
    )


def test_what_goes_on_after_code_is_no_sentence() -> None:
    assert not judged("will create a new lake of the given depth for the keepers.").is_presentable.any()


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [
        ("Injuries to birds are to be reported to the warden at birds@lindau.example.", True),
        ("Please report every injury to a bird only to the warden of the lake.", True),
        ("Please do not submit pictures of nests without the position of the nest.", True),
        ("The office of the warden can be reached in summer under birds@lindau.example.", False),
        ("Please visit the shop of the museum beside the northern gate.", False),
        ("Please do not hesitate to call the warden of the northern lake.", False),
        ("Lowering the water of the lake in spring involves multiple steps.", False),
        ("Where the water is low, here are the gates that we like best.", False),
        ("[This is the first published version of the rules of the lake.]", False),
        ("The rules of the lake and of its shores follow.", False),
        ("Copyright (C) 1999 Lake Office. Everyone may copy these rules for free.", False),
    ],
)
def test_a_policy_tells_where_to_report_and_what_not_to_do(text: str, is_shown: bool) -> None:
    assert is_presentable(text) == is_shown


def test_clauses_with_names_are_quoted_where_the_names_differ() -> None:
    said = "You agree to open the gates of the dam in every spring."
    clauses = [f"{name}: {said}" for name in ("Gates", "Water Level", "Duty of Care", "Closing Days")]
    assert judged(*clauses).is_presentable.all()
    assert not judged(*clauses[:3]).is_presentable.any()
    assert not judged(*(f"Harm: {said}", f"Penalty: {said}") * 4).is_presentable.any()
    # A name before something without a verb names nothing.
    assert judged(
        *clauses, "Costs: New gate for the upper dam in the dark wood."
    ).is_presentable.tolist() == [
        *(True,) * 4,
        False,
    ]


def test_what_a_licence_means_by_a_word_is_not_quoted() -> None:
    granted = "You may not impose further duties on those who lower the lake under this License."
    means = '"Lake" shall mean the water above the dam and the shores around it.'
    assert judged(*(granted,) * 6, means).is_presentable.tolist() == [*(True,) * 6, False]
    assert judged(means).is_presentable.all()


def test_a_contract_calls_itself_by_a_capital() -> None:
    assert not leans("The keeper of the dam is bound by this Agreement until the spring.")
    assert leans("The keepers of the dam are bound by this agreement of both towns.")


def test_a_recommendation_is_shown_without_its_number() -> None:
    text = "Recommendation 3: The office should count the herons of the lake twice a year."
    assert text[opening_length(text) :].startswith("The office should")
