"""Abbreviations: long forms are found where a text gives them, and only where their letters agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsum_cli.text.abbreviations import definitions, key_of, used_short_forms


class Everything:
    """Holds every short form."""

    def __contains__(self, key: object) -> bool:
        return True

    def __iter__(self):
        return iter(())

    def __len__(self) -> int:
        return 0


def found_in(text: str, wanted=None) -> dict[str, str]:
    return {each.short: each.long for each in definitions(text, wanted or Everything())}


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We kept 40 slowly drying ponds (SDPs) open.", "SDPs", "slowly drying ponds"),
        ("SDPs (slowly drying ponds) stay open.", "SDPs", "slowly drying ponds"),
        ("Drain it ASAP (as soon as possible).", "ASAP", "as soon as possible"),
        ("Levels of tetracycline (TET) rose.", "TET", "tetracycline"),
        ("an enzyme-linked pond-sorbent assay (ELPSA; Sigma)", "ELPSA", "enzyme-linked pond-sorbent assay"),
        (
            "the Pond Influenced and Corrupt Owners Act (PICO)",
            "PICO",
            "Pond Influenced and Corrupt Owners Act",
        ),
        ("the Fair Pond Practices Act (FPPA or Act)", "Act", "Fair Pond Practices Act"),
        (
            "the Pond Convention on the Aspects of Mud (Convention)",
            "Convention",
            "Pond Convention on the Aspects of Mud",
        ),
        ("with N, N-dimethylpondamide (DMP).", "DMP", "N, N-dimethylpondamide"),
        ("the Murdoch and Skipper, 1962 (MS) pond", "MS", "Murdoch and Skipper"),
        ("in general preparation- (GP) of ponds", "GP", "general preparation"),
        ("Under the Mill Owners’ Relief Act (MORA), mills", "MORA", "Mill Owners’ Relief Act"),
        ("the Harbour and Fisheries Act of 1952 (HFA)", "HFA", "Harbour and Fisheries Act of 1952"),
        ("the Clean Ponds Act, 42 U. S. C. §7401 et seq. (CPA)", "CPA", "Clean Ponds Act"),
        ("the Drainage Authorization Act for Fiscal Year 2008 (DAA)", "DAA", "Drainage Authorization Act"),
        ("The Department of Harbour Affairs (HA) denied it.", "HA", "Department of Harbour Affairs"),
        ("the Harbour Patrol’s (HP) boats", "HP", "Harbour Patrol"),
        ("pond necrosis factor-α (PNF-α) level", "PNF-α", "pond necrosis factor-α"),
        ("pond necrosis factor alpha (PNF-α) level", "PNF-α", "pond necrosis factor alpha"),
        ("2,4-dipondophenol (DPP) was added", "DPP", "2,4-dipondophenol"),
        ("(quick trait ponds (QTP)-based) methods", "QTP", "quick trait ponds"),
        ("the Pond Model version 2 (PM2) runs", "PM2", "Pond Model version 2"),
        ("the forward log, or FL, is read", "FL", "forward log"),
        ("A “best pond product,” or “BPP,” is sold.", "BPP", "best pond product"),
        ("cross-pond forgery (XPF or CPF)", "CPF", "cross-pond forgery"),
        ("FL: forward log; PSN: pond sequence number", "PSN", "pond sequence number"),
        ("PSN stands for pond sequence number.", "PSN", "pond sequence number"),
        ("PonPy (Pond Python) is a package", "PonPy", "Pond Python"),
        ("El Pondo Southern Wave (EPSW) years", "EPSW", "El Pondo Southern Wave"),
        ("„künstliche Teiche“ (KT) sind", "KT", "künstliche Teiche"),
        ("“slow ponds” (“SPs”)", "SPs", "slow ponds"),
        ("SPs („slow ponds“) dry", "SPs", "slow ponds"),
        ("the Pond Registration and Notice Act (Act)", "Act", "Pond Registration and Notice Act"),
        ("of the lender Pond Holdings, Inc. (the “Company”)", "Company", "Pond Holdings, Inc."),
        ("in the Old Quarter of Pond Grove City (or City)", "City", "Pond Grove City"),
        (
            "the Court of Appeals for Pond Claims (Pond Court)",
            "Pond Court",
            "Court of Appeals for Pond Claims",
        ),
    ],
)
def test_long_forms_are_found_word_for_word(text: str, short: str, long: str) -> None:
    assert found_in(text)[short] == long


@pytest.mark.parametrize(
    "text",
    [
        "the main finding (Fig) and (2004) and (see Fig)",
        "the ponds (PX) were drained",
        "carbon dioxide (CO2) rises",
        "King Henry (II) was drowned",
        "the ponds (all of them, USA) and (e.g., ABC)",
        "ponds ( ) (((( PD )",
        "the FL buffer (FL)",
        "the SSP5-overshoot (SSP5)",
        "of all authentication (OAA)",
        "“best practicable,” or “BPT,” standard",
        "IBM (a machine maker) and TCP (in use)",
        "filed a complaint in the Pond Court (the “Complaint”)",
        "the City of Ponds and Acme Company (Company)",
        "see Pond v. Mill, 30 U. S. 1 (MILL, J., dissenting)",
        "FL: see the manual",
        "1-amino-cyclopropane-1-carboxylic acid synthase 6 (ACS6)",
        "pond based salt—pH 7 (PBS)",
        "said Mr. Flake (FL) and Ms. Mill (MI)",
        "extend the APM (as a plain mill)",
    ],
)
def test_what_only_looks_like_a_definition_is_none(text: str) -> None:
    assert found_in(text) == {}


def test_only_what_is_wanted_is_found() -> None:
    text = "slow ponds (SPs) and fast rivers (FRs)"
    assert found_in(text, {"FR"}) == {"FRs": "fast rivers"}


def test_initials_are_preferred_to_letters_within_words() -> None:
    assert found_in("the social services (SS)") == {"SS": "social services"}
    assert found_in("a clean concise reserve (CCR)") == {"CCR": "clean concise reserve"}
    assert found_in("cold air rises early, cold and rainy evenings (CARE)") == {
        "CARE": "cold and rainy evenings"
    }


def test_compounds_give_their_parts_and_names_of_kinds_do_not() -> None:
    used = used_short_forms("SDP-based counts of MCF-7 in SSP5-8.5, the DEGs, Phase IV of the Act.")
    assert used == {
        "SDP-based": "SDP-based",
        "SDP": "SDP-based",
        "MCF-7": "MCF-7",
        "MCF": "MCF-7",
        "SSP5-8.5": "SSP5-8.5",
        "SSP5": "SSP5-8.5",
        "SSP": "SSP5-8.5",
        "DEG": "DEG",
        "Act": "Act",
    }
    assert used_short_forms("the Clean Ponds Act of 1952, the Court’s view") == {"Court": "Court"}


@pytest.mark.parametrize(("short", "key"), [("DEGs", "DEG"), ("PM2", "PM2"), ("GPS", "GPS"), ("U.S.", "U.S")])
def test_a_plural_has_the_key_of_its_singular(short: str, key: str) -> None:
    assert key_of(short) == key


_words = st.sampled_from(
    [
        "slow",
        "Ponds",
        "of",
        "the",
        "and",
        "β-ponds",
        "“quick",
        "run”",
        "2",
        "Act",
        "IV",
        "FL",
        "SDPs",
        "e.g.",
        "—",
        "ßß",
        "İx",
    ]
)
_brackets = st.sampled_from(
    ["(SP)", "(FL", ")", "(the “Act”)", "(SPs (slow ponds))", "()", "(Q2; x)", ", or FL,", "FL:"]
)


@given(st.lists(st.one_of(_words, _brackets, st.text(max_size=6)), max_size=25).map(" ".join))
def test_every_long_form_is_part_of_the_text(text: str) -> None:
    for each in definitions(text, Everything()):
        assert text[each.start : each.start + len(each.long)] == each.long
        assert each.long.strip() == each.long != ""
        assert each.short in text
        assert each.key == key_of(each.short)
        assert each.long.count("(") == 0


@given(st.lists(st.sampled_from("ABCDEF"), min_size=3, max_size=6), st.booleans())
def test_initials_of_all_words_are_believed(letters: list[str], is_plural: bool) -> None:
    long = " ".join(letter.lower() + "xxxx" for letter in letters)
    short = "".join(letters) + "s" * is_plural
    assert found_in(f"With {long} ({short}) it rains.") == {short: long}
