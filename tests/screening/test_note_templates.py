"""Templates of notes say what a screen's case shows, and leave off where that is not enough."""

import pytest

from apps.backoffice.review.rules.note_templates import GAP, ComparedField, ListedMatch, NoteFacts
from apps.compliance.screening.case_types.screens import SCREEN
from apps.compliance.screening.rules import notes

BORN = ComparedField("Birth date", "1980", "1961")
NATION = ComparedField("Nationality", "AE", "AE")
PLACE = ComparedField("Country", "MX", "ES")
NEAR = ComparedField("Name only similar", "chen", "chan")


def known(*listed: ListedMatch, **given: object) -> NoteFacts:
    return NoteFacts(**{"party": "Chen Haddad", "rules": {}, "listed": listed} | given)  # type: ignore[arg-type]


def hadad(**given: object) -> ListedMatch:
    values = {"name": "HADAD, Chen Ali", "list": "OFAC SDN", "entity": "7", "score": "61"}
    return ListedMatch(**values | given)  # type: ignore[arg-type]


def test_another_party_is_told_by_what_differs() -> None:
    said = notes.different_party(known(hadad(differs=(BORN,))))
    assert said == (
        "Chen Haddad is not HADAD, Chen Ali (OFAC SDN 7); the match scores 61 %: "
        "birth date 1980, listed 1961."
    )


def test_what_agrees_all_the_same_is_not_left_out() -> None:
    said = notes.different_party(known(hadad(differs=(BORN,), agrees=(NATION,))))
    assert said.endswith("although this matches: nationality.")


@pytest.mark.parametrize(
    "listed", [hadad(), hadad(agrees=(NATION,)), hadad(differs=(NEAR,)), hadad(differs=(PLACE,))]
)
def test_where_nothing_recorded_differs_the_officer_says_what_does(listed: ListedMatch) -> None:
    said = notes.different_party(known(listed))
    assert said.endswith(f"dates that differ: {GAP}") and "OFAC SDN 7" in said


def test_only_the_name_agrees_where_words_of_it_differ_and_nothing_beside_it_agrees() -> None:
    words = {"same": ("chen",), "unlike": ("haddad/hadad", "ali")}
    said = notes.name_only(known(hadad(**words, differs=(BORN,))))
    assert "words: “chen”. Not matching: “haddad/hadad”, “ali”. Nothing but" in said
    assert said.endswith("birth date 1980, listed 1961.")
    for listed in (hadad(), hadad(same=("chen", "haddad")), hadad(agrees=(NATION,)),
                   hadad(**words), hadad(**words, differs=(NEAR,)),
                   hadad(**words, differs=(PLACE,)),
                   hadad(**words, differs=(BORN,), resembles=(NATION,))):  # fmt: skip
        assert notes.name_only(known(listed)).endswith(GAP)


def test_each_listed_party_is_spoken_of_and_what_is_open_comes_last() -> None:
    clear = hadad(name="A", differs=(BORN,))
    said = notes.different_party(known(hadad(name="B"), clear))
    assert said.index("A (") < said.index("B (") and said.endswith(GAP) and said.count(GAP) == 1
    many = notes.different_party(known(*[clear] * 5))
    assert many.endswith(f"none of the 2 other listed parties either, because {GAP}")


def test_the_listed_party_is_told_by_what_agrees_beside_the_name() -> None:
    said = notes.listed_party(known(hadad(agrees=(NATION,))))
    assert said.endswith("Also matching: nationality AE.")
    for told in (known(), known(hadad()), known(hadad(agrees=(NATION,), differs=(BORN,))),
                 known(hadad(agrees=(NATION,)), hadad(agrees=(NATION,)))):  # fmt: skip
        assert notes.listed_party(told).endswith(GAP)


def test_owners_are_named_and_the_rest_is_the_officers() -> None:
    note_facts = known(owners=("Holding AG", ""), hits=("Holding AG: X at 61%",))
    assert notes.ownership_clear(note_facts).startswith(
        "Owners on record of Chen Haddad: Holding AG."
    )
    assert "Holding AG: X at 61%" in notes.listed_owner(note_facts)


def test_a_rule_is_repeated_where_the_reason_answers_it() -> None:
    note_facts = known(rules={"r1": "FATF increased monitoring: HT.", "r2": "Another."})
    said = notes.build_reason_template("Enhanced due diligence done", {"r1"})(note_facts)
    assert said == f"FATF increased monitoring: HT. Enhanced due diligence done: {GAP}"


@pytest.mark.parametrize("outcome", ["APPROVE", "REJECT"])
def test_a_template_without_anything_of_the_case_is_never_whole(outcome: str) -> None:
    for reason in SCREEN.reasons[outcome]:
        if reason.note:
            assert reason.note(known()).endswith(GAP), reason.code
        else:
            assert reason.code == "OTHER"
