"""Every citation of the specification and of the design leads somewhere."""

import re

import pytest

from tests.docs.citations import dead, found_in, texts, unwrapped


def test_every_citation_leads_somewhere() -> None:
    cited = [citation for where, text in texts() for citation in found_in(where, text)]
    assert [fault for citation in cited for fault in dead(citation)] == []
    assert len(cited) > 150  # as many as there are; fewer, and the reader of them is broken


def test_no_mention_of_the_design_escapes() -> None:
    for where, text in texts():
        named = len(re.findall(r"\bDESIGN\b|\bD §", unwrapped(text)))
        read = [c for c in found_in(where, text) if c.text.startswith(("DESIGN", "D §"))]
        assert named == len(read), where


@pytest.mark.parametrize(
    "text",
    [
        "1 §2.7 rule 3 partial, owner",
        "document 1 sections 2.6, 2.7, 2.9 and 4",
        "document 3 section 4",
        "D §4 countries, EU",
        "D §4 fail closed, amount",
        "D §4 2.6 not checked",
        "D §4, 2.7",
        "DESIGN section 4 (2.7)",
        "DESIGN.md section 4, Fail closed: an LEI counts only",
        "DESIGN.md section 4,\n    # Fail closed.",
        "DESIGN.md §3",
        "D4.lei.6",
        "features 18 and 24",
    ],
)
def test_what_is_there_is_found(text: str) -> None:
    [citation] = found_in("here", text)
    assert dead(citation) == []


@pytest.mark.parametrize(
    "text",
    [
        "1 §2.12",
        "1 §2.7 rule 7",
        "2 §2.7",
        "document 1 sections 2.6, 2.70",
        "document 3 section 10",
        "D §9",
        "D §4 counties",
        "D §4 2.10 tiers",
        "DESIGN section 4, 3.1",
        "DESIGN.md section 5, Countries",
        "D4.lei.7",
        "D4.countries.1",
        "features 18 and 26",
    ],
)
def test_what_is_not_there_is_told(text: str) -> None:
    [citation] = found_in("here", text)
    assert dead(citation) != []
