"""Quotes at the desk: found by id, amount and state, shown whole, changed by nobody."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from apps.insight.stability.fees.rules.fees import compute_fees
from apps.insight.stability.fees.services.quotes import (
    QUOTE_LIFETIME,
    consume_quote,
    create_quote,
    parse_quote_request,
)
from apps.insight.stability.models import Quote
from tests.conftest import NOON
from tests.review.people import at_desk, check_page, person

pytestmark = pytest.mark.django_db
LIST = "/admin/stability/quote/"


def quoted(amount: Any = 10_000, *, at: Any = NOON, used: bool = False, **other: Any) -> Quote:
    """Give a quote, and let a settlement take it."""
    quote_request = parse_quote_request(
        **{
            "amount_usd": amount, "has_fx": False, "esg_score": 50, "monthly_volume_usd": 0,
            "sandbox": False, **other,
        }
    )  # fmt: skip
    quote = create_quote(asked=quote_request, priced=compute_fees(quote_request.payment), now=at)
    if used:
        consume_quote(quote_id=quote.quote_id, asked=quote_request, by="settlement 7", now=at)
        quote.refresh_from_db()
    return quote


@pytest.fixture
def desk(monkeypatch: Any) -> Client:
    """An operator, just before a quote of noon ends."""
    monkeypatch.setattr(
        "apps.insight.stability.fees.admin.now",
        lambda: NOON + QUOTE_LIFETIME - timedelta(seconds=1),
    )
    return at_desk(person("otto", "Operator"))


def ids(html: str, *quotes: Quote) -> list[bool]:
    return [str(quote.quote_id) in html for quote in quotes]


def test_a_quote_is_shown_with_what_it_costs_and_what_became_of_it(desk: Client) -> None:
    quote = quoted(1_234_567, has_fx=True, esg_score=62, monthly_volume_usd=250_000, used=True)
    html = check_page(desk.get(f"{LIST}{quote.pk}/change/"))
    total = quote.core + quote.fx_fee + quote.esg + quote.license
    for part in (str(quote.quote_id), "Used", "settlement 7", "1,234,567.00 USD", "250,000.00 USD",
                 "two, with exchange", ">62<", f"{total:,.6f}".rstrip("0"),
                 f"{quote.amount - total:,.6f}".rstrip("0"), "20 Nov 2026"):  # fmt: skip
        assert part in html, part
    assert 'name="_save"' not in html


@pytest.mark.parametrize(
    ("state", "found"),
    [("", [True, True, True]), ("open", [True, False, False]), ("used", [False, True, False]),
     ("expired", [False, False, True]), ("else", [True, True, True])],
)  # fmt: skip
def test_quotes_are_listed_by_what_became_of_them(
    desk: Client, state: str, found: list[bool]
) -> None:
    rows = quoted(), quoted(used=True), quoted(at=NOON - timedelta(seconds=1))
    html = check_page(desk.get(LIST, {"state": state} if state else {}))
    assert ids(html, *rows) == found


@pytest.mark.parametrize(
    ("asked", "found"),
    [("{id}", [True, False]), (" {id} ", [True, False]), ("{short}", [True, False]),
     ("10000", [True, False]), ("10,000.00 USD", [True, False]), ("0.000001", [False, True]),
     ("1e-06", [False, True]), ("10000.0000001", [False, False]), ("-10000", [False, False]),
     ("1e40", [False, False]), ("anybody", [False, False]), ("{part}", [False, False])],
)  # fmt: skip
def test_quotes_are_found_by_id_or_amount(desk: Client, asked: str, found: list[bool]) -> None:
    one, other = quoted(10_000), quoted(Decimal("0.000001"))
    text = asked.format(id=one.quote_id, short=one.quote_id.hex, part=str(one.quote_id)[:12])
    html = check_page(desk.get(LIST, {"q": text})).partition('id="result_list"')[2]
    assert ids(html, one, other) == found


def test_a_list_has_fifty_to_a_page_and_the_newest_first(desk: Client) -> None:
    rows = [quoted(number) for number in range(1, 53)]
    html = check_page(desk.get(LIST))
    assert ids(html, rows[0], rows[1], rows[2], rows[51]) == [False, False, True, True]
    assert ids(check_page(desk.get(LIST, {"p": 2})), rows[0], rows[1], rows[2]) == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize("role", ["Operator", "Examiner"])
def test_nobody_changes_or_removes_a_quote(role: str) -> None:
    one, desk = quoted(), at_desk(person("somebody", role))
    for path in (f"{LIST}{one.pk}/change/", f"{LIST}{one.pk}/delete/", f"{LIST}add/"):
        assert desk.post(path, {"amount": "1"}).status_code in (403, 404, 405)
    assert Quote.objects.get() == one and Quote.objects.get().amount == one.amount


def test_officers_have_no_business_with_quotes() -> None:
    assert at_desk(person("olivia", "Compliance officer")).get(LIST).status_code == 403
