"""Which sentences a summary can show, by their form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.extract.sentences.anaphora import anaphora_rules
from lsum_cli.methods.extract.sentences.presentability import Presentability, is_presentable, judge
from lsum_cli.methods.extract.sentences.trimming import opening_length


def test_a_verb_in_brackets_makes_no_sentence() -> None:
    assert is_presentable("The keeper (who must count the nests of the herons) lowers the water.")
    assert is_presentable("Open the gates of the dam (they are of oak) before the boats arrive.")
    assert not is_presentable("Best view of the lake (boats can be hired), a long walk, few visitors.")


def test_what_names_a_field_is_no_sentence() -> None:
    assert not is_presentable("gate_height the height of the gate which is opened, this can be zero.")
    assert is_presentable("gate_height is the height of the gate which is opened in the spring.")


def test_what_explains_a_formula_does_not_begin_with_a_name() -> None:
    filler = [
        f"The keeper counts the nests of the {nth} lake in spring." for nth in ("first", "next", "last")
    ]
    texts = [*filler, "where GATE is the number of the gate and how it is opened in the spring."]
    judged = judge(texts, np.array([len(text.split()) for text in texts]))
    assert judged.is_presentable.tolist() == [True, True, True, False]


@pytest.mark.parametrize(
    "text",
    [
        "By counting the nests, a keeper is told how many herons there are.",
        "It is true that the water fell, but the herons stayed by the lakes.",
        "The truth is the opposite of what the county says of the lakes.",
        "There is a point on the lake worth a visit by boat in the spring.",
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
        "We will introduce a second gate for the boats of the county.",
        "The keepers said that we will see the herons in the spring.",
        "Consult a keeper of the lake before you rely on a guide.",
        "If the dam is lower than the lake, see Lake v. Dam, 4 F. 2d 5, the keepers must raise it.",
        "*The Heron* is the oldest of the boats of the county.",
        "In the spring they open the gates, and in the spring they count the herons.",
        "There are two main lakes in the county, Amble and Blyth, which have gates of oak.",
        "There are two different gates that lower the water of the lake.",
        "The county issued a statement denying the loss of the gates of the dam.",
        "There were five separate attacks on the gates of the dam on Monday.",
        "There are four major hospitals in the county of the lake.",
        "The library of the county supports four types of charts.",
        "The council of the island has two classes of members.",
        "The keeper said that the county has several options to lower the lake.",
        "We will remember her for the example that she set.",
        "The ferry of the county is running again since Monday.*",
        "We will exempt small boats in this exercise of our powers.",
        "The county released a statement about the recall of 400 boats with faulty gates.",
        "Particularly important is the gate in the spring of the year.",
        "Regardless of the rain the gates are opened at noon.",
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
        "When raising the water of a lake, there are two things you should measure.",
        "There are a bunch of basic patterns that the water of the lakes follows.",
        "There are certain requirements imposed on what each of the keepers does.",
        "It is true that the county has raised the water of the lakes before.",
        "But the truth, if anything, is the other way round.",
        "In fact, the opposite is usually true.",
        "There is a final point worth addressing.",
        "There are two more questions to be discussed here.",
        "To be sure, the herons have left the northern lakes before.",
        "The gate is moved by means of the subset specified in.",
        "The gate is given as the name of a lake (e.g., ) and a level.",
        "Must be one of the gates of the northern lakes.",
        "There are a great number of herons near the lakes.",
        "Before we raise the water, we will consider the motivation of this dam.",
        "To understand the herons, we must first formally define the space of the lakes.",
        "We’ll demonstrate the first of the gates in the chapter on lakes.",
        "The keepers of the lakes are named by the county for one year; 6.",
        "The judgment of the Court of * * Appeals for the county is affirmed.",
        "For more information about the herons of the lakes, see the report.",
        "If you keep herons, more information is available in Keeping birds.",
        "A list of all the lakes of the county can be found in the appendix.",
        "You can read more about the loss of the nests in our last report.",
        "The rule for the water of the lakes mostly consists of two parts.",
        "So, let's give the keeper of the lakes a nicer house by the dam.",
        "We will use the herons of the lake for this example of a count.",
        "The office of the county provides access to three kinds of nests.",
        "To keep herons on the lakes of the county, you have two ways to go about it.",
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
        "Only supported by the gates and the locks of the northern lakes.",
        "Disabled by default for all gates, but can be enabled by the keeper of the lakes.",
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
        "∗The gates of the northern dam are opened in the spring.",
        "*The gates of the northern dam are opened in the spring.",
        "In reality there are four distinct phases during the building of a dam.",
        "The county and the council released a statement mourning the keeper on Tuesday.",
        "Ida Marsh, once of “Gates of Oak”, took to Instagram to mourn the keeper of the dam.",
        "Notice how we gave both a gate and the rod of a gate to the keeper.",
        "Except for some of the gates that the keepers opened in the spring.",
        # What a page sets beside one another.
        "Gates, locks and services of the dam We open the gates of the dam in spring.",
        "The keepers buy oak for the gates of the dam oak for the gates of the dam in spring.",
    ],
)
def test_these_are_never_shown(text: str) -> None:
    assert not is_presentable(text)


def test_points_of_a_list_in_lower_case_do_not_let_a_torn_sentence_stand() -> None:
    points = ("easy to open for the keepers of the lake", "hard to close when the water is high") * 6
    texts = ("The keepers lower the water of the lake in every spring.",) * 9
    torn = "with the gate open will lower the water of the lake in a day."
    assert not judged(*points, *texts, torn).is_presentable[-1]


def test_an_entry_of_a_list_that_begins_with_a_compound_is_torn() -> None:
    texts = ["The keepers lower the water of the lake in every spring."] * 9
    entry = "lake-specific gates (one lowered for herons and one raised for terns)."
    library = "lake-learn is a library that predicts the water of the lakes."
    assert judge([*texts, entry], np.array([10] * 10)).is_presentable.tolist() == [True] * 9 + [False]
    assert judge([*texts, library], np.array([10] * 10)).is_presentable.all()


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


@pytest.mark.parametrize(
    "ending", ["and so on...", "for it e.g.", 'he said (".', "taller than.", "taken by the.", "as a."]
)
def test_what_ends_in_the_middle_is_not_shown(ending: str) -> None:
    assert not is_presentable(f"The committee has found a way to do this {ending}")


def test_a_subject_with_its_initials_stays() -> None:
    text = "The Harbour Authority of Norwick (HAN) - The oldest of its kind - was closed last Monday."
    assert opening_length(text) == 0


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


def judged(*texts: str, **how: bool) -> Presentability:
    return judge(
        texts,
        np.array([len(text.split()) for text in texts]),
        anaphora=anaphora_rules("en", DocumentKind.OTHER),
        **how,
    )


def test_a_sentence_may_begin_with_a_name_in_lower_case() -> None:
    texts = (
        *("The keepers lower the water of the lake in every spring.",) * 9,
        "libdam delegates all gates of the lake to the keepers of the river.",
        "libdam exports gates of the lake to the keepers of the river.",
        "lakes.Heron and lakes.Tern are counted at the water of the northern dam.",
        "errors in the level of the lake are counted by the keepers.",
    )
    assert judged(*texts).is_presentable[-4:].tolist() == [True, True, True, False]


def test_what_a_licence_says_of_rights_is_what_it_says() -> None:
    granted = "You may not impose further duties on those who lower the lake under this License."
    other = "The water of the lake is lowered by the keepers in every spring."
    assert judged(*(granted,) * 6, *(other,) * 6).is_presentable.all()
    assert judged(granted, *(other,) * 11).is_presentable.tolist() == [False, *(True,) * 11]


def test_a_sentence_may_name_a_figure_in_parentheses_and_may_refer_back() -> None:
    standing = judged(
        "The herons of the lakes left all of their nests in spring (Fig. 2).",
        "However, this was not seen at the lakes of the north (Fig. 2).",
        "The herons of Fig. 2 left all of their nests at the lakes in spring.",
    )
    assert standing.is_presentable.tolist() == [True, True, False]
    assert standing.continues.tolist() == [False, True, False]


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


def test_a_recommendation_is_shown_without_its_number() -> None:
    text = "Recommendation 3: The office should count the herons of the lake twice a year."
    assert text[opening_length(text) :].startswith("The office should")


@pytest.mark.parametrize(
    "text",
    [
        "More generally, a keeper who is heard first seldom appeals to the county.",
        "That person is told by the county when the water of the lake will fall.",
    ],
)
def test_what_continues_is_shown_with_the_sentence_before(text: str) -> None:
    assert judged(text).continues.all()


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [
        ("In this chapter, we will discuss the causes of the flood.", False),
        ("We will discuss the price of the boat with the board on Monday.", True),
        ("If the county agrees, we will consider closing the bridge for boats.", True),
        ("Next year, we will explore the use of solar panels on the ferry.", True),
        ("Thanks to all the volunteers for their help with the boats of the lake.", False),
        ("Ann Weir's open source work is supported by the community of the lake.", False),
        ("Knowing the depth of the lake matters for a number of reasons.", False),
        ("The gate of the lake is very important for several reasons.", False),
        ("The bridge over the lake was closed for two reasons.", True),
        ("Her open ledger of the lake is supported by the community of the county.", True),
        ("Thanks to our new pump, the cost of water in the county fell by half.", True),
    ],
)
def test_plans_and_causes_are_no_announcements_and_thanks(text: str, is_shown: bool) -> None:
    assert judged(text).is_presentable.all() == is_shown


def test_words_of_sponsors_are_not_presentable() -> None:
    words = "Fast boats and good gates for all the rivers that your county has."
    assert judged("Special thanks to:", words, words).is_presentable.tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [
        (r"The command \gate connects the upper lock with the lower one.", True),
        (r"The main command of the package is \opengate{⟨name⟩}{⟨level⟩}.", True),
        (r"Here the level \alpha of the river is that of the lower lock.", False),
        (r"The command \gate opens $\alpha$ of the gates of the river.", False),
        ("Selects all <input> elements whose values are out of range.", True),
        ("The gate is opened by <b>two wardens of the river every day.", False),
        ("Gates are declared in sections named gate.{groupname} of the ledger.", True),
        ("The sum is that of P_{fix} and of all levels of the river.", False),
        (":host selects the element that holds the tree of the shadows.", True),
        (": the element that holds the tree of the shadows is selected.", False),
        ("Levels of the gates are only available at runtime with the new bell.", True),
        ("The levels of the gates are available at the house of the wardens.", False),
        ("The mailing list gates@weir.example is for wardens who seek help.", True),
        ("Ada Brook, gates@weir.example, is the keeper of the upper lock.", False),
        ('Gates and bells are told apart by an unescaped "[" in a name.', True),
        ("Gates are opened in the range [first, last), which is that of a week.", True),
        ("Gates are opened in the range [first of all, and the bell is rung.", False),
        ("The rules of the wardens on the gates are listed in.", False),
    ],
)
def test_names_of_code_are_no_debris(text: str, is_shown: bool) -> None:
    assert is_presentable(text) == is_shown


def test_a_name_in_lower_case_may_give_the_reader_something() -> None:
    filler = [
        f"The keeper counts the nests of the {nth} lake in spring." for nth in ("first", "next", "last")
    ]
    texts = [*filler, "weirbell gives you some control over the gates that it opens."]
    judged = judge(texts, np.array([len(text.split()) for text in texts]))
    assert judged.is_presentable.all()


@pytest.mark.parametrize("text", ["Checkout the docs for more!", "Check out the docs for more!"])
def test_request_to_read_elsewhere_may_be_one_word(text):
    assert not is_presentable(text)


def test_a_quotation_that_closes_before_it_opens_is_a_piece():
    assert not is_presentable("More boats mean less water,” says Weir, “as all the keepers of the dam know.")
    assert is_presentable("“More boats mean less water,” says Weir, “as all the keepers of the dam know.”")
