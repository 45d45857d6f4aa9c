"""What a summary leaves off a sentence: marks and labels before it, references to figures in it."""

from __future__ import annotations

import numpy as np
import pytest

from lsum_cli.methods.extract.sentences.presentability import judge
from lsum_cli.methods.extract.sentences.trimming import opening_length, without_figures


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("- The herons have lost half of their nests.", "The herons have lost half of their nests."),
        ("6. The herons have lost half of their nests.", "The herons have lost half of their nests."),
        ("(a) The herons have lost half of their nests.", "The herons have lost half of their nests."),
        ("Fix: Fixes the loss of half of the nests.", "Fixes the loss of half of the nests."),
        ("Results: Half of the nests were lost.", "Half of the nests were lost."),
        # A name of an item, as "Alerts: nests that were lost" beside it is.
        ("Overview: nests and eggs of the year.", "Overview: nests and eggs of the year."),
        ("Fix: the loss of half of the nests.", "the loss of half of the nests."),
        ("Rationale All keepers count the nests.", "All keepers count the nests."),
        ("Rationale behind it was the loss of nests.", "Rationale behind it was the loss of nests."),
        ("* * * The judgment is affirmed.", "The judgment is affirmed."),
        ("** The gates are opened in spring.", "The gates are opened in spring."),
        ("D. There are many who use the network.", "There are many who use the network."),
        ("D. Brown was the keeper of the lakes.", "D. Brown was the keeper of the lakes."),
        ("In 1990 half of the nests were lost.", "In 1990 half of the nests were lost."),
        ("Pet. for Cert. i. We hold that it may.", "We hold that it may."),
        ("[Reed, The Heron, p. 26] It nests in reeds.", "It nests in reeds."),
        ('[Op. Cit., pp. 26-7] "It nests in reeds," he said.', '"It nests in reeds," he said.'),
        ("[Reed, p. 26] is where it is told.", "[Reed, p. 26] is where it is told."),
        ("- Feature: [blueprint tags] Projects have tags.", "Projects have tags."),
        ("Summary — The herons have lost half of their nests.", "The herons have lost half of their nests."),
        ("notes.md holds the rules of the house.", "notes.md holds the rules of the house."),
        ("Results.csv has the figures.", "Results.csv has the figures."),
        ("Methods—such as these—are old.", "Methods—such as these—are old."),
        ("ENGINE — The driver of the store to use.", "ENGINE — The driver of the store to use."),
        ("HTTP — A form of talk between hosts.", "HTTP — A form of talk between hosts."),
    ],
)
def test_marker_and_label_stay_behind(text: str, shown: str) -> None:
    assert text[opening_length(text) :] == shown


@pytest.mark.parametrize(
    "where",
    [
        "(CNN) -- ",
        "(ABC) - ",
        "SEOUL, Aug. 20 (Yonhap) -- ",
        "KABUL, Afghanistan (AP) — ",
        "Frankfurt/Main (dpa) - ",
        "LONDON — ",
        "NEW YORK -- ",
        "MONTGOMERY, Ala. -- ",
        "SAN JUAN, P.R. — ",
        "PARIS, May 3, 2011 — ",
        "EASTMOOR, 10 March - ",
        "New Haven, Conn., Sept. 4, 2019 – ",
    ],
)
def test_the_agency_of_a_report_stays_behind(where: str) -> None:
    line = "The harbour of the town was closed after the storm of last Monday."
    assert (where + line)[opening_length(where + line) :] == line
    assert judge([where + line], np.array([14])).is_presentable.all()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The lake fell (Fig. 6c).", "The lake fell."),
        ("As shown in Figure 1, well-fed herons nest here.", "Well-fed herons nest here."),
        ("As shown in Figure 1, heron.count falls.", "heron.count falls."),
        ("As shown in Figure 1, pre-Roman wells fell dry.", "Pre-Roman wells fell dry."),
        ("As shown in Figure 1, iPhone sales fell.", "iPhone sales fell."),
        ("The lake fell (see Figs. 1 and 2a, b; Table S3) in May.", "The lake fell in May."),
        ("The lake fell (p < 0.05; Fig. 3) in May.", "The lake fell (p < 0.05) in May."),
        ("The lake fell [Figure 1, left panel].", "The lake fell."),
        ("In spring (Table 2 and Additional file 1: Table S3), it fell.", "In spring, it fell."),
        ("It fell (Extended Data Fig. 1d,e; Supplementary Table 2).", "It fell."),
        ("It fell (Tables were counted).", "It fell (Tables were counted)."),
        ("It fell (Table 2 shows how far).", "It fell (Table 2 shows how far)."),
        ("It fell (see file 3 for details) (2 of 3).", "It fell (see file 3 for details) (2 of 3)."),
        ("(Fig. 2) It fell.", "(Fig. 2) It fell."),
        ("The lake fell (see below) in May.", "The lake fell in May."),
        ("The lake fell (as described above) in May.", "The lake fell in May."),
        ("The lake fell (explained in the previous section).", "The lake fell."),
        ("It fell (described above as low) in May.", "It fell (described above as low) in May."),
        ("The lake fell (See the documentation for details).", "The lake fell."),
        ("The lake fell (see also Section 4.2).", "The lake fell."),
        (
            "It is on (see docs, which say that it is off) by default.",
            "It is on (see docs, which say that it is off) by default.",
        ),
        ("It falls (see examples where it does not).", "It falls (see examples where it does not)."),
        ("It fell (see Smith 1999 for details).", "It fell (see Smith 1999 for details)."),
        ("It fell (see Roe v. Wade, page 3).", "It fell (see Roe v. Wade, page 3)."),
        ("Call fall(see above) in May.", "Call fall(see above) in May."),
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
