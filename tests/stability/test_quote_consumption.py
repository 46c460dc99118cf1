"""A settlement takes a quote once, in time, and for the payment it was given for."""

import threading
import uuid
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from apps.insight.stability.fees.rules.fees import PricedPayment, compute_fees
from apps.insight.stability.fees.services import quotes
from apps.insight.stability.fees.services.quotes import (
    QuoteExpired,
    QuoteOfAnother,
    QuoteRequest,
    QuoteUnknown,
    QuoteUsed,
    consume_quote,
    create_quote,
)
from apps.insight.stability.models import Quote

USD = 1_000_000
ASKED = QuoteRequest(PricedPayment(10_000 * USD, True, 80 * USD, 250_000 * USD))


def quote(now: datetime, asked: QuoteRequest = ASKED) -> Quote:
    return create_quote(asked=asked, priced=compute_fees(asked.payment), now=now)


@pytest.mark.django_db
def test_a_quote_is_taken_once(noon: datetime) -> None:
    new_quote = quote(noon)
    consume_quote(quote_id=new_quote.quote_id, asked=ASKED, by="settlement-1", now=noon)
    taken = Quote.objects.get()
    assert (taken.pk, taken.used_by, taken.used_at) == (new_quote.pk, "settlement-1", noon)
    for by in ("settlement-1", "settlement-2"):
        with pytest.raises(QuoteUsed):
            consume_quote(quote_id=new_quote.quote_id, asked=ASKED, by=by, now=noon)
    assert Quote.objects.get(pk=new_quote.pk).used_by == "settlement-1"


@pytest.mark.django_db
@pytest.mark.parametrize(("later", "binds"), [(0, True), (299.999999, True), (300, False)])
def test_a_quote_binds_for_300_seconds(noon: datetime, later: float, binds: bool) -> None:
    given, then = quote(noon), noon + timedelta(seconds=later)
    if binds:
        consume_quote(quote_id=given.quote_id, asked=ASKED, by="x", now=then)
        assert Quote.objects.get(pk=given.pk).used_at == then
        return
    with pytest.raises(QuoteExpired):
        consume_quote(quote_id=given.quote_id, asked=ASKED, by="x", now=then)
    assert Quote.objects.get(pk=given.pk).used_at is None


@pytest.mark.django_db
def test_a_quote_of_a_clock_that_was_set_back_binds_no_longer(noon: datetime) -> None:
    new_quote = quote(noon + timedelta(hours=2))
    with pytest.raises(QuoteExpired):
        consume_quote(quote_id=new_quote.quote_id, asked=ASKED, by="x", now=noon)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "other",
    [
        {"amount": 10_000 * USD + 1},
        {"fx": False},
        {"score": 80 * USD + 1},
        {"monthly_volume": 250_000 * USD - 1},
    ],
)
def test_a_quote_is_for_its_payment_alone(noon: datetime, other: dict[str, Any]) -> None:
    new_quote = quote(noon)
    asked = replace(ASKED, payment=replace(ASKED.payment, **other))
    with pytest.raises(QuoteOfAnother):
        consume_quote(quote_id=new_quote.quote_id, asked=asked, by="x", now=noon)
    consume_quote(quote_id=new_quote.quote_id, asked=ASKED, by="x", now=noon)  # it is still there


@pytest.mark.django_db
@pytest.mark.parametrize("sandbox", [True, False])
def test_a_sandbox_quote_settles_nothing_real_nor_the_other_way(
    noon: datetime, sandbox: bool
) -> None:
    new_quote = quote(noon, replace(ASKED, sandbox=sandbox))
    with pytest.raises(QuoteOfAnother):
        consume_quote(
            quote_id=new_quote.quote_id, asked=replace(ASKED, sandbox=not sandbox), by="x", now=noon
        )


@pytest.mark.django_db
def test_what_is_no_quote_is_told_so(noon: datetime) -> None:
    with pytest.raises(QuoteUnknown):
        consume_quote(quote_id=uuid.uuid4(), asked=ASKED, by="x", now=noon)


@pytest.mark.django_db
def test_a_settlement_that_rolls_back_frees_the_quote(noon: datetime) -> None:
    new_quote = quote(noon)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        consume_quote(quote_id=new_quote.quote_id, asked=ASKED, by="x", now=noon)
        raise ZeroDivisionError
    consume_quote(quote_id=new_quote.quote_id, asked=ASKED, by="y", now=noon)


@pytest.mark.django_db(transaction=True)
def test_of_settlements_at_once_one_takes_it(noon: datetime) -> None:
    given, ready, said = quote(noon), threading.Barrier(8), []

    def settle(number: int) -> None:
        try:
            ready.wait(10)
            consume_quote(quote_id=given.quote_id, asked=ASKED, by=f"settlement-{number}", now=noon)
            said.append(f"settlement-{number}")
        except QuoteUsed:
            said.append("used")
        finally:
            connection.close()

    threads = [threading.Thread(target=settle, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    winners = [one for one in said if one != "used"]
    assert len(said) == 8 and len(winners) == 1
    assert Quote.objects.get(pk=given.pk).used_by == winners[0]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "change",
    [
        {"amount": 0},
        {"used_by": "somebody"},
        {"used_at": "now", "used_by": ""},
        {"used_at": "end", "used_by": "somebody"},
    ],
)
def test_the_database_holds_no_quote_that_cannot_be(noon: datetime, change: Any) -> None:
    new_quote = quote(noon)
    moments = {"now": noon, "end": new_quote.expires_at}
    written = {name: moments.get(value, value) for name, value in change.items()}
    with pytest.raises(IntegrityError), transaction.atomic():
        Quote.objects.filter(pk=new_quote.pk).update(**written)


@pytest.mark.django_db
def test_quotes_leave_when_nobody_asks_about_them_any_more(
    noon: datetime, monkeypatch: Any
) -> None:
    monkeypatch.setattr(quotes, "BATCH", 2)
    unused, used = [quote(noon) for _ in range(3)], quote(noon)
    consume_quote(quote_id=used.quote_id, asked=ASKED, by="x", now=noon)
    last = unused[0].expires_at + quotes.KEPT_UNUSED
    quotes.delete_old_quotes("", last)
    assert Quote.objects.count() == 4
    quotes.delete_old_quotes("", last + timedelta(microseconds=1))
    assert list(Quote.objects.values_list("pk", flat=True)) == [used.pk]
    quotes.delete_old_quotes("", noon + quotes.KEPT_USED)
    assert Quote.objects.count() == 1
    quotes.delete_old_quotes("", noon + quotes.KEPT_USED + timedelta(microseconds=1))
    assert not Quote.objects.exists()
