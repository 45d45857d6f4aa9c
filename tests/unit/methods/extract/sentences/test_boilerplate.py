"""Sentences that say nothing of the matter are known: of rights, of publication, of other places."""

from __future__ import annotations

import pytest

from lsum_cli.methods.extract.sentences import boilerplate
from lsum_cli.methods.extract.sentences.boilerplate import (
    instructs_author,
    is_about_publication_or_other_places,
)
from lsum_cli.methods.extract.sentences.presentability import is_presentable


def test_what_is_looked_for_first_is_in_all_notices_of_rights() -> None:
    """Most sentences are settled by a quick test, which must let through all that the slow one finds."""
    for phrase in boilerplate._RIGHTS:
        assert any(part in phrase for part in boilerplate._OF_RIGHTS), phrase
        assert boilerplate.grants_rights(f"Note: {phrase}, as said.")


@pytest.mark.parametrize(
    ("text", "is_of_rights"),
    [
        ("Weirbook is released under the MIT license, and its code is kept by the county.", True),
        ("The gates are made available under the terms of the Apache 2.0 License.", True),
        ("This project includes code under the MIT License and code of the county.", True),
        ("Weirbook 2 is licensed in its entirety under the terms of the GNU General Public License.", True),
        ("THE SOFTWARE IS PROVIDED ”AS IS”, AND THE COUNTY OWES NOTHING.", True),
        ("Fish are released under the gate of a weir that has a license of the county.", False),
        ("Boats are provided under the rules of the county, which gives each a license.", False),
    ],
)
def test_what_says_under_which_licence_a_thing_is_had_is_of_rights(text: str, is_of_rights: bool) -> None:
    assert boilerplate.grants_rights(text) is is_of_rights


@pytest.mark.parametrize(
    ("text", "is_of_thanks"),
    [
        ("Weirbook was written with the guidance and encouragement of Ada Weir.", True),
        ("The maps were prepared with the kind help of Ada Weir and her sons.", True),
        ("This book would not have been possible without the help of the wardens.", True),
        ("The survey could never have been completed without the patience and support of my family.", True),
        ("I also thank Ada Weir, Bo Orchard and Carl Meadow for many useful suggestions.", True),
        ("In particular, I thank the county of Weir for its boats.", True),
        ("Special thanks to Bo Orchard, who drew the maps.", True),
        ("The idea of the gate was first suggested to me by Bo Orchard.", True),
        ("Thanks to the many wardens who sent in reports of the lake.", True),
        ("The county owes a debt of gratitude to the wardens of the lake.", True),
        ("The gates were made with the help of a crane.", False),
        ("The lake would not be possible without the weir.", False),
        ("The dam was completed under the supervision of the county.", False),
        ("Thanks to the weir, the village has water in the summer.", False),
        ("I thank you for the gates.", False),
        ("I thank God for the rain.", False),
    ],
)
def test_with_whose_help_a_thing_came_about_is_of_thanks(text: str, is_of_thanks: bool) -> None:
    assert boilerplate.grants_rights(text) is is_of_thanks


@pytest.mark.parametrize(
    ("text", "is_of_authors"),
    [
        ("All authors read and approved the final manuscript.", True),
        ("all the authors have read and approved the final version of the manuscript.", True),
        ("All authors except RB participated in the keeping of the gates.", True),
        ("The authors declare that they have no competing interests.", True),
        ("Authors have no conflicts of interest in this work.", True),
        ("RB and M.K.W. conceived of the study, and took part in its coordination.", True),
        ("aw drew the maps, and drafted the manuscript with rb.", True),
        ("GW participated in the design of the gates and in their testing.", True),
        ("RB carried out most of the statistical analyses.", True),
        ("We gratefully acknowledge the county of Weir for its help with the boats.", True),
        ("We acknowledge financial support by the county of Weir and its council.", True),
        ("Two anonymous reviewers made comments that improved the text.", True),
        ("Three anonymous referees read an earlier version of the text.", True),
        ("The financial support by the county of Weir is gratefully acknowledged.", True),
        ("The authors are grateful to Ada Weir for her maps of the lake.", True),
        ("This work was supported by a grant of the county of Weir.", True),
        ("We conceived the study of the weir as a trial of two years.", False),
        ("The authors report that the level of the lake fell by a tenth.", False),
        ("Both authors found that the lake was full, and the paper says why.", False),
        ("Mice carried out the search for the food in the dark.", False),
        ("We acknowledge that the level of the lake was measured once.", False),
        ("The pier was supported by grants of the county for ten years.", False),
        ("Two men wrote a paper on the canal, which was read by nobody.", False),
        ("US scientists carried out the experiments on forty gates.", False),
        ("DNA was found in the lake when we performed an analysis.", False),
        ("The authors reported conflicting findings on salt.", False),
        ("The authors wrote in a paper of May that the lake is dry.", False),
        ("We acknowledge several limitations of the trial for the lake.", False),
    ],
)
def test_who_did_what_of_a_paper_is_not_its_matter(text: str, is_of_authors: bool) -> None:
    assert boilerplate.tells_of_authors(text) is is_of_authors


@pytest.mark.parametrize(
    "text",
    [
        "This project was funded by the county of Weir, which paid for two gates.",
        "Research was financed by the makers of the gates for ten years.",
        "RB carried out the testing of the gates at night.",
    ],
)
def test_who_paid_and_did_what_is_told_of_anything_but_a_paper(text: str) -> None:
    assert not is_about_publication_or_other_places(text)


@pytest.mark.parametrize(
    "text",
    [
        "By using our pages you agree that we store cookies and similar files on your machine.",
        "Durch die weitere Nutzung der Seiten stimmen Sie der Verwendung von Cookies auf dem Gerät zu.",
        "En poursuivant votre visite vous acceptez que des cookies soient mis sur votre appareil.",
        "This story was first published in the Harbour Weekly, the paper of the town.",
        "Every Friday our weekly newsletter tells you what happens in the harbour of the town.",
        "Get the free newsletter of the harbour with all that happens in the town.",
        "You have 1 article left to read this month before you need to register with the harbour.",
        "You've read three of your five free articles this month, and we thank you for it.",
        "Receive weekly insights of the harbour to sail your boat as the captains do.",
        "Get the latest stories of the harbour in your inbox.",
        "Hier können Sie sich zum kostenlosen Newsletter des Hafens der Stadt anmelden.",
        "Dieser Beitrag erschien zuerst im Hafenblatt, der Zeitung unserer Stadt am Meer.",
        "Nous publions ci-dessous la lettre que les pêcheurs du port ont écrite au maire.",
        "The map of the harbour below makes clear how far the boats have to go.",
        "Below is a list of the boats that we have seen in the harbour this summer.",
        "Vielen Dank an den Verlag, der mir das Buch über die Boote geschickt hat.",
        "Thank you to all who have painted the boats and mended the nets in this long winter.",
        "The pictures of the boats are provided for information purposes only by the harbour.",
        "You should have received a copy of the General Harbour License along with this plan of the boats.",
        "Many thanks to all the people of the town who have painted the boats in the winter.",
        "14:00 Good afternoon, and welcome to our live coverage of the storm.",
        "The plan of the boats is handed out in the hope that it will be useful, but with no promise.",
        "Neither the county nor any of its captains makes any warranty, express or implied, for the plans of boats.",
        "Reference to a product by its trade name does not necessarily constitute or imply its endorsement by the county.",
        "The views of the captains do not necessarily state or reflect those of the county or of its harbours.",
    ],
)
def test_what_a_page_says_of_itself_is_never_shown(text: str) -> None:
    assert not is_presentable(text, is_english=False)


@pytest.mark.parametrize(
    "text",
    [
        "The bakery sold more cookies in May than in the whole year before the fire.",
        "You have two stories left to tell the captains of the boats in the harbour.",
        "Get the latest news of the harbour by calling the captain of the port in the morning.",
        "Get the latest headlines of the harbour in your terminal.",
        "Get daily updates of the level of the lake as a table.",
        "The harbour sends a newsletter of four pages to each of the captains in the spring.",
        "In our newsletter of May we told the members that the dues of the harbour will rise.",
        "Within a year the town lost half of the readers of its free newsletter.",
        "The article about the boats was read by more people than live in the town.",
        "The town says that everybody is welcome to the feast of the boats in June.",
        "Thanks to the new pier, the ferries now leave the harbour even when the sea is low.",
        "The picture that hung above the fireplace of the mayor was painted by her sister.",
        "A warranty, express or implied, covers each of the boats that the yard has built since May.",
        "The captains did not endorse the plan of the mayor, and it was necessarily given up.",
    ],
)
def test_what_only_sounds_like_it_is_shown(text: str) -> None:
    assert is_presentable(text)


def test_what_points_to_another_place_of_the_text_is_told_by_its_wording() -> None:
    assert is_about_publication_or_other_places("The duties of the keepers are covered in later chapters.")
    assert is_about_publication_or_other_places("The locks are treated in more detail in later sections.")
    assert not is_about_publication_or_other_places("The locks of all later sections are made of oak.")


def test_how_a_specification_uses_words_is_not_its_matter() -> None:
    assert is_about_publication_or_other_places(
        'The key words "MUST", "MUST NOT" and "MAY" in this document are to be interpreted as described in '
        "RFC 2119."
    )
    assert is_about_publication_or_other_places(
        '"SHOULD" and "SHOULD NOT" are appropriate when exceptions to a requirement are known to exist.'
    )
    assert not is_about_publication_or_other_places('A gate that sends "MUST" is shut by its keeper.')
    assert not is_about_publication_or_other_places("The key words of a lock MUST be read as they stand.")


def test_where_supplements_are_found_is_about_publication() -> None:
    assert is_about_publication_or_other_places(
        "The online version of this article (10.1000/1) contains supplementary material, which is available to "
        "authorized users."
    )
    assert not is_about_publication_or_other_places(
        "Supplementary water is let into the lake in every spring."
    )


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
    ("text", "is_sentence"),
    [
        ("For two years keepers see more boats in the harbour than nets.", True),
        ("For a long time the keepers see no boat at all in winter.", True),
        ("For the last ten years visitors see more herons than boats here.", True),
        ("For opening hours see the page of the office of the harbour.", False),
        # Beside what something is, brackets are no more than an aside.
        ("Keepers close it in the spring (see the list of dams).", False),
        ("The Aar is a dam for the mills of the county (see the list of dams).", True),
        ("For the years 1990 to 2000 see the tables of the office.", False),
        ("As this page is short, please proceed to the guide of the harbour for all the rest.", False),
        ("If you want to build a boat, please read the guide of the harbour before that.", False),
        ("If you want to build a boat, please ask the harbour for a place before that.", True),
        ("To report a leak in the dam, please visit the office of the harbour by day.", True),
        ("**kwargs are passed on to the gate when it is opened.", True),
        ("*args is handed to the function that opens the gate.", True),
        ("**old_options are passed on to the gate when it is opened.", True),
        ("**kwargs: what is passed on to the gate when it is opened.", False),
        ("*all values are the means of three measurements at the gate.", False),
    ],
)
def test_what_looks_like_a_reference_or_a_note_may_be_said(text: str, is_sentence: bool) -> None:
    assert is_presentable(text) is is_sentence
