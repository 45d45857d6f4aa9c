"""Which sentences need the one before them: by a connective, a pronoun or a word that refers back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.extract.sentences import english_anaphora
from lsum_cli.methods.extract.sentences.anaphora import anaphora_rules


def needs_antecedent(text: str, kind: DocumentKind = DocumentKind.OTHER, language: str = "en") -> bool:
    rules = anaphora_rules(language, kind)
    assert rules is not None
    return rules.needs_antecedent(text)


@pytest.mark.parametrize(
    "text",
    [
        "However, this is only one part of a much longer story.",
        "These results agree with what was found before.",
        "They were sold to the owner of the mill in the spring.",
        "They work on many papers and ask many keepers.",
        "It lists each change of the level.",
        "Rather, the court looks at the whole of the record.",
        "Two things: the dam holds the water, and the gate lets it out.",
        "In the film, the keepers of the dam are brothers.",
        "It is hard to recognise it from the northern shore.",
        "It's easy to miss them from the northern shore.",
        "Additionally, the server now closes idle connections.",
        "Since then the colonies have lost half of their nests.",
        "The second reason is that the dam lowers the water.",
        "The first two cut in favour of a higher dam.",
        "In 2009, he moved to the northern lakes with his family.",
        "After working for the Lake Society and for the Northern Harbour Company, she moved to the coast.",
        "Going far beyond the closing of the northern lake to boats and rafts, he sold the dam.",
        "Once seen as the model of a quiet harbour for small boats, it has grown to a town.",
        "Asked about the leak in the lower gate of the northern dam, she declined to answer.",
        "That leaves 90 per cent of the oil in the water of the lake.",
        "That changes when the keepers of the dam open the gates.",
        "That led to a new dam at the northern lake.",
        "Something similar happens in the northern lake in years of little rain.",
        "The only change since then is that the dam has a gate.",
        "The northern lake has since become a harbour for small boats.",
        "Ada Marsh, the head of the harbour office, sees it differently.",
        "The owners of the boats are not so sure.",
        "Some keepers disagreed.",
        "Something like that could be built at the dam as well.",
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
        "Bear in mind this is measured in every spring by the keepers.",
        "Note that it is measured in every spring by the keepers.",
        "Only few of them have come back to the lake.",
        "Install it in the wall of the dam before the spring.",
        "It must be lowered to a new level before the spring.",
        "A keeper of a lake can open them with a rod.",
        "The drawback is a loss of water in the summer.",
        "The keepers measure the level with these NFTs in spring.",
        "Set either of the values before the spring.",
        "Items in the list should be the names of gates.",
        "With the latter, the keepers may open the gate by hand.",
        "The oldest of the three is Amble, by the northern lake.",
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
        "That avoids building a second gate for the ferry.",
        "That gives the keepers a second gate for the ferry.",
        "It is because the keepers want to see the herons.",
        "The county of the lake uses it as a channel for boats.",
        "What’s more, the keepers have sold the boats of the county.",
        "Apart from that, the keepers have sold the boats of the county.",
        "A year earlier, the keepers had sold the boats of the county.",
        "The move follows a trial of two years on the lakes of the county.",
        "Now both boats belong to the keepers of the dam.",
        "For situations such as this, the keepers have a second gate.",
        "Doing so lowers the water of the canal of the county.",
        "The council of the county is giving it a gate of oak.",
        "We still need it to open the gates of the dam in spring.",
        "Therein lies the use of the canal for the boats of the county.",
        "The underlying fault was a gate that no keeper had opened in spring.",
        "The keepers achieved this in part by lowering the gates in spring.",
        "Ice kills the herons of a lake, as it will at this one, and ends the spring.",
        "The wind could lower the lake of the county thereafter.",
        "There were other gates in the dam as well: one was of oak.",
        "Ada Marsh stayed on the lakes after that series, and counted the herons.",
        "Both keepers open the gates in spring and close them in autumn.",
        "Both gates were slow and heavy in the spring of the year.",
        "Not just for the boats of the keepers, but also for the rafts of pine.",
        "When used it opens the gates of the dam for the boats.",
        "The keepers, like the council of the county, were therefore against the gate.",
        "Setting this to the level of the lake opens all gates of the dam.",
        "The idea is to open the gates of the dam before the lake rises.",
        "The rods of the gates must be kept dry in the boat, though.",
        "Use the rods of the northern gates instead.",
        "Where a gate is hung from a beam as above, the keepers oil it.",
        "The rod in the table above opens each of the gates.",
        "Lowering the gates of the dam in spring does the opposite.",
        "For the boats, if anything, it works the other way round.",
        "In dry years the reverse is true of the herons.",
        "Boats that only carry the rods of the keepers are not.",
        "The boats of the northern lake usually don't.",
        "Weirbook puts them together as the keepers would.",
    ],
)
def test_these_need_the_sentence_before(text: str) -> None:
    assert needs_antecedent(text)


@pytest.mark.parametrize(
    "text",
    [
        "Two things hold the water: the dam and the gate.",
        "In the film industry, dams are rare.",
        "It is hard to make it clear to boats that the gate is open.",
        "It is hard to recognise the dam, and to pass it, from the northern shore.",
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
        "Opening the gates of the dam in spring means that when the lake of the county is low, it is filled.",
        "Italy agreed to open the gates of the northern lakes and of all its dams, they were told.",
        "Boeing asked to close the northern lake and all harbours of the county, they were told.",
        "Running this analysis on the nests of a lake takes two hours.",
        "The rain brought the figure above ten million for the first time.",
        "The rain raised the output above the level of the spring before.",
        "The keepers make it possible to see the herons.",
        "That the lake is low is known to the keepers.",
        "That boats sail on the lake is known to the keepers.",
        "The decision of the county came after a trial of two years.",
        "The year before the war was the driest of the century.",
        "The gate makes it possible to lower the lake.",
        "It is clear that the keepers want to see the herons.",
        "That herons are shy is known to the keepers.",
        "If you see that the lake is low, open the gate.",
        "The keeper has a rod, and you can use that rod in spring.",
        "The county needs a gate to use that works in winter.",
        "The trip to Amble is long, and only one keeper makes that trip.",
        "The point is made that herons come back.",
        "The keepers of the lake can open the gates when they wish.",
        "A rule of registration applies where this federal registration rule does.",
        "Once the gate is opened, the water leaves the lake.",
        "Each gate of the dam is opened in the spring.",
        "Before a gate is opened, it must be measured with a rod.",
        "If you open a gate of the dam, it stays open until the spring.",
        "In addition to the dam, the plan changes the canal of the county.",
        "The second largest lake of the county is in the north.",
        "The first two lakes cut the county in half.",
        "Any keeper can open the gates, and all are asked to do so.",
        "In order to feed themselves, herons leave the lake in spring.",
        "The county has no dam on the river at this time, but needs one.",
        "It is not necessary for the keepers of a lake to count the nests.",
        "It is now a breaking change to lower the water in spring.",
        "“There is much talk of leaks,” said Ryan, adding that he would stay.",
        "Ryan met the captains on Monday and said: “Nobody,” he said, “has left.”",
        "The council of the county is making it possible to see the herons.",
        "We now know it is the dam that lowers the water of the lake.",
        "The gate was closed in May and remained so thereafter.",
        "There is a gate of oak in the dam, and a gate of pine as well.",
        "Ada Marsh counts the herons of this series with a rod.",
        "The former captain of the ferry was arrested on Monday.",
        "A former Northern Lakes captain told the county about the fog.",
        "The county asked for the removal of such information as dates of birth.",
        "Talks between Norway and Sweden ended after the two countries signed a treaty.",
        "The captain left the county in 2014 and bought a boat the following year.",
        "Items in the list of gates should be names.",
        "Amble, which has its dam by the northern lake, is the oldest of the towns.",
        "The county has a dam, a lock and a ferry, and the oldest of the three is Amble Dam.",
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
        "Both boats of the keepers and rafts of pine pass the gates in spring.",
        "Both keepers and boatmen pass the gates of the dam in spring.",
        "Both access control lists and roles are kept by the county.",
        "Both the gates of oak and the gates of pine are opened in spring.",
        "When used in spring, boats of oak pass the gates of the dam.",
        "Because the lake, like the sea, is deep, boats are therefore kept there.",
        "The old rods are no longer sold, and keepers use the new ones instead.",
        "If the keepers need no more than one gate use the lock of the dam instead.",
        "The keepers have a boat, though the lake is low in the spring.",
        "The idea of a gate is older than the dam of the county.",
        "Looking at the lake, it is hard to say why the herons left.",
        "Speaking at the dam, Marsh said that, if elected, he would sell the boats.",
        "That leaves fall into the lake in autumn is known to the keepers.",
        "The dam was built in 1990 and the lake has grown since then.",
        "The dam was built in 1990 and has since become a harbour for small boats.",
        "The keepers have since the spring opened the gates of the dam twice.",
        "The council looked at the plan of the dam and found it differently drawn.",
        "Herons follow boats, and not the other way round.",
        "The keepers opened the gates, but the effect was the opposite.",
        "The keepers live on the opposite shore of the lake.",
        "The opposite of a weir is a sluice that is always open.",
        "Some boats are made of oak, others are not.",
        "The herons decide which lakes are full and which are not.",
        "Weirbook makes it possible to count the herons of a lake.",
        "Weirbook says it opens the gates of the dam in spring.",
        "Weirbook builds boats and sells them to the keepers.",
    ],
)
def test_these_need_no_antecedent(text: str) -> None:
    assert not needs_antecedent(text)


@pytest.mark.parametrize(
    "text",
    [
        "That runner is designed for boats of the county.",
        "That water gate can be opened in the spring.",
        "If you see that heron, tell the keeper of the lake.",
        "If you see that heron when the gate is open, tell the keeper.",
        "The keepers should not use that gate in the winter.",
        "Only one keeper makes that trip: Ida Marsh, who has the key.",
        "That trend continued through the winter at the lakes of the north.",
        "That kind of boat is known at the lakes of the north.",
        "That rule states how many boats the county may keep.",
        "The keepers made good use of that implied power in the spring.",
    ],
)
def test_that_before_a_noun_refers_back(text: str) -> None:
    assert needs_antecedent(text)


def test_what_is_done_by_a_rule_told_before_refers_back() -> None:
    assert needs_antecedent("Pursuant to those rules, the keepers counted the boats of the county.")
    assert needs_antecedent("After all, the keepers had counted the boats of the county.")


def test_what_a_document_calls_itself_depends_on_its_kind() -> None:
    assert not needs_antecedent(
        "In this case, petitioner asks for the water of the lake.", DocumentKind.DECISION
    )
    assert not needs_antecedent("This Court granted certiorari to settle the dispute.", DocumentKind.DECISION)
    assert needs_antecedent("In this case, the water of the lake is too low.", DocumentKind.PROPOSAL)
    assert not needs_antecedent("This feature adds a gate to every dam of the lake.", DocumentKind.PROPOSAL)
    assert needs_antecedent("This feature adds a gate to every dam of the lake.", DocumentKind.NOTES)


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("Herons: a detailed roadmap", "The rest of this roadmap tells what comes next.", False),
        ("A record of the herons", "The rest of this roadmap tells what comes next.", True),
        ("Lake Terms of Use", "These Terms apply to the keepers of the dam.", False),
        ("The lakes", "These lakes are fished by the keepers of the dam.", True),
        ("Handling a case", "In this case the keepers of the dam call the county.", True),
        ("The virtual environment", "This environment variable is set by the keepers.", True),
    ],
)
def test_a_document_calls_itself_what_its_title_does(title: str, text: str, expected: bool) -> None:
    rules = anaphora_rules("en", DocumentKind.OTHER)
    assert rules is not None
    assert rules.of_title(title).needs_antecedent(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This is a list of the lakes that may be lowered in spring.", True),
        ("These gates are opened by the keepers in the spring.", True),
        ("These herons are counted by the keepers in the spring.", False),
        ("This prints the level of the lake on every day.", False),
        ("This is a gate, and they open it with the rod of that keeper.", False),
        ("However, this is a list of the lakes.", False),
        ("The idea is to open the gates before the lake rises.", True),
        ("Setting this to five opens the gates of the dam.", True),
        ("The idea is to open that gate for them.", False),
    ],
)
def test_a_sentence_may_speak_of_what_its_heading_names(text: str, expected: bool) -> None:
    rules = anaphora_rules("en", DocumentKind.OTHER)
    assert rules is not None
    assert rules.needs_only_heading(text, "Gates of the dam") is expected


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
        ("fr", "La première, qui débute en mai, prévoit le comptage des nids."),
        ("es", "La primera empieza en mayo con el recuento de los nidos."),
        ("de", "Im ersten, der im Mai beginnt, werden die Nester gezählt."),
        ("fr", "Elle a compté les nids au mois de mai."),
        ("fr", "Dans ce cas, les nids sont vides."),
        ("es", "Sin embargo, los nidos están vacíos en mayo."),
        ("es", "Estos nidos están vacíos en mayo."),
        ("es", "Él contó los nidos en mayo."),
    ],
)
def test_other_languages_go_on_with_words_of_their_own(language: str, text: str) -> None:
    assert needs_antecedent(text, language=language)


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
        ("fr", "La première phase débute en mai et prévoit le comptage des nids."),
        ("es", "La primera fase empieza en mayo con el recuento de los nidos."),
        ("de", "Im ersten Halbjahr werden die Nester gezählt."),
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
def test_other_languages_have_openings_that_need_no_antecedent(language: str, text: str) -> None:
    assert not needs_antecedent(text, language=language)


@given(st.text(max_size=80))
def test_any_text_needs_an_antecedent_after_a_connective(text: str) -> None:
    assert needs_antecedent(f"However, {text}")


def test_what_is_looked_for_first_is_in_all_that_refers_back() -> None:
    """Most sentences are settled by a quick test, which must let through all that the slow one finds."""
    rules = anaphora_rules("en", DocumentKind.OTHER)
    assert rules is not None
    numbers = ("two", "three", "four", "five", "six", "seven", "latter", "former", "other two")
    others = ("above", "aforementioned", "foregoing", "following", "corresponding")
    pointing = [f"{the} {word} sample" for the in ("The", "the") for word in (*numbers, *others)]
    pointing += [f"{word} sample" for word in ("these", "Those", "this", "Such a", "such", "under that")]
    for phrase in pointing:
        assert rules.refers_back(f"The keepers looked for {phrase[0].lower()}{phrase[1:]}."), phrase
        assert english_anaphora._MAY_REFER.search(phrase), phrase
    for before in ("within", "into", "during", "between", "over", "until", "without"):
        assert rules.refers_back(f"The keepers looked {before} that narrow pass."), before


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sie führte über den Höhenkamm der Hügel und mied das Tal.", True),
        ("Da kommt der neue Hafen der Stadt gerade recht.", True),
        ("Sie räumen dem Hafen das Recht ein, die Boote zu verkaufen.", False),
        ("Da die Boote der Stadt im Winter leck waren, blieb der Hafen leer.", False),
    ],
)
def test_german_pronouns_refer_back_where_they_are_no_address(text: str, expected: bool) -> None:
    assert needs_antecedent(text, language="de") is expected


def test_a_contract_calls_itself_by_a_capital() -> None:
    assert not needs_antecedent("The keeper of the dam is bound by this Agreement until the spring.")
    assert needs_antecedent("The keepers of the dam are bound by this agreement of both towns.")


@pytest.mark.parametrize(
    ("text", "connective"),
    [
        ("Thus, the boat of the ferry is faster than the barge.", "Thus, "),
        ("But the boat of the ferry is faster than the barge.", "But "),
        ("What’s more, the boat of the ferry is faster than the barge.", "What’s more, "),
        ("And, of course, the boat of the ferry is faster than the barge.", "And, of course, "),
        ("Second, the boat of the ferry is faster than the barge.", "Second, "),
        ("So the boat of the ferry is faster than the barge.", "So "),
        ("Thus Brill has a boat that is faster than the barge.", "Thus "),
        ("To solve this problem, Brill has a boat that is faster than the barge.", "To solve this problem, "),
        ("To move this boat, Brill has a tug that is faster than the barge.", ""),
        ("Meanwhile Brill has a boat that is faster than the barge.", "Meanwhile "),
        ("Meanwhile he has a boat that is faster than the barge.", ""),
        # What is no sentence without it.
        ("Hence the need for a boat that is faster than the barge.", ""),
        ("So began the race of the ferry against the barge.", ""),
        ("So fast was the boat of the ferry that the barge gave up.", ""),
        ("Thus was built the boat that is faster than the barge.", ""),
        ("So, too, the boat of the ferry is faster than the barge.", ""),
        ("But only after the race was the boat of the ferry sold.", ""),
        ("As mentioned previously, the boat is faster than the barge.", "As mentioned previously, "),
        ("As already said, the boat is faster than the barge.", "As already said, "),
        ("Thus, it is faster than the barge.", ""),
        ("However, this boat is faster than the barge.", ""),
        # What it is compared with is not said.
        ("By comparison, the barge of the county has a slow pump.", ""),
        ("But for the lock, the boat of the ferry would be faster than the barge.", ""),
        ("So far the boat of the ferry is faster than the barge.", ""),
        ("So great is the boat of the ferry that the county bought a barge.", ""),
        ("So would the boat of the ferry that the county bought.", ""),
        ("So, too, would the boat of the ferry that the county bought.", ""),
        ("Thus ended the days of the ferry that the county bought.", ""),
        ("Hence the name of the ferry that the county bought.", ""),
        ("Thus, the boat of the ferry must also be faster than the barge.", ""),
        ("Otherwise, the boat of the ferry is faster than the barge.", ""),
        ("For example, the boat of the ferry is faster than the barge.", ""),
        ("The boat of the ferry is faster than the barge.", ""),
    ],
)
def test_some_need_no_antecedent_without_their_connective(text: str, connective: str) -> None:
    rules = anaphora_rules("en", DocumentKind.OTHER)
    assert rules is not None
    assert text[: rules.connective_length(text)] == connective


def test_an_antecedent_may_stand_before_in_the_sentence() -> None:
    assert not needs_antecedent("The county bought a new boat and with that comes a new captain.")
    assert needs_antecedent("The county bought a new boat with that money.")
    assert needs_antecedent("The skipper of the boat was told, and can still use all those in the spring.")


def test_no_subject_is_its_own_object() -> None:
    assert needs_antecedent("The skipper must test it once a month and write the result into the log.")
    assert needs_antecedent("The county had planned to pull it down in the spring of the year.")
    assert needs_antecedent("Users can not open them in the spring of the year.")
    assert not needs_antecedent("The skipper may find it hard to write the result into the log.")
    assert not needs_antecedent("The skipper of the boat must test it once a month.")


def test_what_is_quoted_refers_back_too() -> None:
    assert needs_antecedent("“That should not have happened,” the engineer of the county said.")
    assert needs_antecedent("That should not have happened, the engineer of the county said.")
    assert not needs_antecedent("“The ferry should not have sailed,” the engineer of the county said.")
    assert not needs_antecedent("“That boat of the county should not have sailed,” the engineer said.")
    assert needs_antecedent("Marsh smiles and says, “They're still getting used to the idea of a dam.”")
    assert not needs_antecedent("Marsh said of the keepers, “They're still getting used to the dam.”")
    assert not needs_antecedent("Marsh smiles and says, “It is hard to sail in the fog of the lake.”")


@pytest.mark.parametrize(
    "said", ["says it will close the dock", "believes it can pay", "denies it knew of the leak"]
)
def test_who_says_something_of_itself_is_named(said: str) -> None:
    assert not needs_antecedent(f"The company of the county {said} in the spring of the year.")
    assert needs_antecedent("The company of the county uses it as a dock in the spring of the year.")


def test_what_comes_into_force_is_no_news_of_the_sentence_before() -> None:
    assert not needs_antecedent("The decision comes into force in the spring of the year.")
    assert needs_antecedent("The decision comes after a trial of the ferry in the spring.")


@pytest.mark.parametrize(
    "who", ["The gunman", "The policewoman", "The spokesperson", "A 23-year-old", "The pilot"]
)
def test_somebody_is_named_by_a_word_for_one(who: str) -> None:
    assert not needs_antecedent(f"{who} was found after he had opened the gate of the dam.")
    assert needs_antecedent("The gate of the dam was found after he had opened it.")
    for kind in ("human", "German", "Roman"):
        assert needs_antecedent(f"The {kind} cost of the dam was known before he opened it.")


def test_what_is_thought_or_reported_needs_no_that() -> None:
    assert not needs_antecedent("It has been confirmed two keepers of the dam were hurt in the storm.")
    assert not needs_antecedent("It is thought the gates of the dam will be opened in the spring.")
    assert needs_antecedent("It has been confirmed by the county and the keepers of the dam.")
    assert needs_antecedent("It is expected in the spring of the year.")
    assert not needs_antecedent("It is now more than ten years since the dam of the county was built.")
    assert not needs_antecedent("Most of the work was done in the spring by the keepers of the dam.")
    assert needs_antecedent("Most of it was done in the spring by the keepers of the dam.")


def test_what_somebody_goes_on_to_say_follows_what_was_said() -> None:
    assert needs_antecedent("Mr Weir went on to outline the plans of the county for the dam.")
    assert not needs_antecedent("Mr Weir went on to become the keeper of the dam in the spring.")


@pytest.mark.parametrize(
    "text",
    [
        "It's possible to lower the lake of the county in the spring.",
        "It’s as easy to open the gate of the dam as to close the gate of the weir.",
        "It is wise for you as the keeper of the dam to know how the gates are opened.",
        "Currently it can take a long time for the gates of the dam to open.",
        "In contrast to the dam of the county, the weir has no gate of oak.",
        "The next(gate) requirement abstracts over the gates of the dam.",
        "Weir differs from Dam in that every gate of the lake has a keeper.",
        "The county counts birds, especially those as shy as herons, in the spring.",
        "The aim of Weir is not to do it all, but to count the herons of a lake.",
        "The design of Weir allows it to count the herons of a large lake.",
        "Because Weir stores herons in files, it can count the herons of every lake.",
        "If weir doesn't find a gate to open, it will open the gates of the dam.",
        "Leaks have long been one of the two main faults of the dam.",
        "The dam needs the following parts: gates, pumps and a keeper.",
        "As described in RFC 5895, the names of lakes are written in capitals.",
        "The 37-year-old son of the keeper had no degree in the spring.",
        "The 400-year-old oak had lost its leaves in the spring.",
        "The 12-year-old plan for a tunnel was dropped in the spring.",
        "The 39-year-old keeper Weir had no degree in the spring.",
        "The police said that Weir was hurt and the 29-year-old was taken away.",
    ],
)
def test_what_a_sentence_says_itself_needs_no_antecedent(text: str) -> None:
    assert not needs_antecedent(text)


@pytest.mark.parametrize(
    "text",
    [
        "It's a gate of oak that the keepers of the dam opened.",
        "In contrast to this, the weir of the county has no gate of oak.",
        "Of the boats, the keepers treat those as lost in the spring.",
        "The keepers of the dam had been asked to do it in the spring.",
        "The county of the lake uses it as a channel for boats.",
        "If it doesn't find a gate, it will open the gates of the dam.",
        "The keepers opened one of the two gates: the two gates of oak.",
        "The dam of the county needs the following parts.",
        "As described above, the names of lakes are written in capitals.",
        "The keepers open the previously mentioned gate in the spring of the year.",
        "The 37-year-old had no degree in the spring of the year.",
        "The 37-year-old was in the town for all of the year.",
        "The 65-year-old nationalist, whose gate it was, sold the lake.",
        "Tipped for victory, polls show the 48-year-old struggling to win in the spring.",
    ],
)
def test_what_it_does_not_say_needs_one(text: str) -> None:
    assert needs_antecedent(text)


def test_a_proposal_is_an_enhancement_and_may_be_a_protocol() -> None:
    for text in (
        "For this enhancement, the keepers will open the gates of the dam.",
        "The keepers use any version of this protocol that the county has written.",
    ):
        assert not needs_antecedent(text, DocumentKind.PROPOSAL)
        assert needs_antecedent(text)


@pytest.mark.parametrize(
    ("texts", "text", "expected"),
    [
        (["Weir is a small, fast library for lakes."], "This library counts the herons of a lake.", False),
        (["This package counts the herons of a lake."], "In this package, the gates are named.", False),
        (["This package counts the herons of a lake."], "This package manager opens the gates.", True),
        (["The gates are of oak."], "This library counts the herons of a lake.", True),
        (["Gates of oak."] * 10 + ["Of this library, we say all."], "This library counts herons.", True),
        (["Gates of oak."] * 10 + ["See this library."] * 2, "This library counts the herons.", False),
    ],
)
def test_a_document_calls_itself_what_it_says_that_it_is(texts: list[str], text: str, expected: bool) -> None:
    rules = anaphora_rules("en", DocumentKind.OTHER)
    assert rules is not None
    assert rules.of_things(texts, range(len(texts))).needs_antecedent(text) is expected


@pytest.mark.parametrize(
    ("heading", "text", "expected"),
    [
        ("Gate rod", "This gate rod is made of oak by the keepers of the dam.", True),
        ("Lakes", "This gate rod is made of oak by the keepers of the dam.", False),
        ("Oak", "These are the gates that the keepers of the dam open.", True),
        ("Opening", "First the keepers open the gates of the dam.", True),
        ("Opening", "You can also open the gates of the dam with a rod.", True),
        ("Opening", "You can also open them with a rod.", False),
        ("Opening", "In this example we open the gates of the dam with a rod.", True),
        ("Opening", "The following gates may be opened to lower the lake of the county.", True),
        ("Opening", "The following gates are of oak.", False),
        ("Oak and ash", "Both woods are used for the gates of the dam.", True),
        ("Oak", "Both woods are used for the gates of the dam.", False),
        ("Can the lake be lowered?", "Yes, the keepers open the gates of the dam in spring.", True),
        ("The lake", "Yes, the keepers open the gates of the dam in spring.", False),
        ("Oak", "Gates of the dam are dear to the county, so the keepers count these gates.", True),
        ("Oak", "Gates of oak are dear to the county, so the keepers oil these rods.", True),
        ("Oak", "In order to open these rods, the keepers of the dam need oil.", False),
        ("Oak", "The county says in the spring what is due, and it asks for the following rods.", False),
        ("Oak", "It is rejected by the keepers of the dam.", False),
    ],
)
def test_what_opens_a_part_may_need_only_its_heading(heading: str, text: str, expected: bool) -> None:
    rules = anaphora_rules("en", DocumentKind.OTHER)
    assert rules is not None
    assert rules.needs_only_heading(text, heading) is expected


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("The gates are opened by hand.", "This opens the third gate of the lock.", True),
        ("The gates are opened by hand.", "These options close them again at night.", True),
        ("The gates are opened by hand.", "In this example, the third gate is opened.", True),
        ("The gates are opened by hand.", "Note that the first line opens the third gate.", True),
        ("Use the following command:", "That command opens the third gate of the lock.", True),
        ("", "The output shows the level of the river.", True),
        ("", "As you can see, the third gate is open.", True),
        ("", "Now the third gate opens with the others.", True),
        ("The gates are opened by hand.", "You should see the level of the river.", True),
        # The sentence before it, or the heading, says of what.
        ("The weir has many gates.", "These gates are opened by hand.", False),
        ("", "This opens the third gate of the lock.", False),
        ("The gates are opened by hand.", "It is possible to open them by a command.", False),
        ("The gates are opened by hand.", "This guide is for wardens and their guests.", False),
        ("The gates are opened by hand.", "The first gate of the lock is opened at dawn.", False),
        ("The gates are opened by hand.", "The prune command removes what is old.", False),
        ("The gates are opened by hand.", "Note that you can open all of them at once.", False),
    ],
)
def test_what_is_said_of_code_above_is_known(before: str, text: str, expected: bool) -> None:
    rules = anaphora_rules("en", DocumentKind.OTHER)
    assert rules is not None
    assert rules.says_of_code(text, before) is expected


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("", "The first command installs the gate; the second opens it.", True),
        ("The weir has gates.", "In the second example, the third gate is opened.", True),
        ("The weir has gates.", "Here the last two shell commands close the gates.", True),
        # The sentence before it tells of them.
        ("The weir has two commands.", "The first command opens the gate.", False),
        ("", "The first example of a weir was built by monks.", False),
        ("", "The first command-line option opens the gate.", False),
        ("", "The first gate of the lock is opened by a command.", False),
    ],
)
def test_what_counts_pieces_of_code_is_known(before: str, text: str, expected: bool) -> None:
    rules = anaphora_rules("en", DocumentKind.OTHER)
    assert rules is not None
    assert rules.counts_code(text, before) is expected
