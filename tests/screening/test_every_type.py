"""Every type of listed party is searched, whatever the caller says of the party (D §4)."""

import pytest

from apps.watchlists import engine as engines
from apps.watchlists import lookup
from apps.watchlists.matching.names import MAX_TOKENS
from apps.watchlists.subjects import Subject

LISTED = "Lazarus Group"


@pytest.mark.parametrize(
    "said",
    [{"individual": True}, {"paymentType": "payroll"}, {"paymentType": "contractor"}],
)
def test_saying_that_a_party_is_a_person_does_not_hide_a_listed_organization(screen, said) -> None:
    answer = screen(name=LISTED, **said)
    assert answer["decision"] != "APPROVED"
    assert answer["checks"]["sanctions"]["matches"][0]["score"] >= 45


def test_a_name_longer_than_what_is_compared_is_not_approved(screen) -> None:
    words = " ".join(f"harbour{number}" for number in range(MAX_TOKENS))
    whole, cut = screen(name=words), screen(name=f"{words} {LISTED}")
    assert whole["decision"] == "APPROVED"
    assert cut["decision"] == "FLAGGED"
    assert "D §4 fail closed, name" in cut["rules"]
    assert any("Name not fully checked" in reason for reason in cut["reasons"])


def test_an_alias_is_searched_like_the_name(sample, noon) -> None:
    engine = engines.current(noon)
    subject = Subject(name="Blue Heron Stationery", aliases=(LISTED,))
    assert not lookup.sanctions(engine=engine, subject=Subject(name=subject.name)).matches
    found = lookup.sanctions(engine=engine, subject=subject)
    assert (found.score, found.unread) == (100, ())
