"""Expected transfers on the desk: two lists, a page of each, and the search."""

from decimal import Decimal
from typing import Any

import pytest

from apps.payments.chain import expected_transfers, tasks
from apps.payments.chain.assets import CHAINS
from apps.payments.chain.models import Order, Transfer
from tests.chain.fake_chain import FakeChain
from tests.chain.sample_orders import BASE, PAYEE, PAYER, wanted
from tests.conftest import NOON
from tests.review.people import OFFICER, at_desk, check_page, person

pytestmark = pytest.mark.django_db
CHAIN = CHAINS[BASE]
TOKEN = CHAIN.assets["USDC"].lower()
ORDERS, TRANSFERS = "/admin/chain/order/", "/admin/chain/transfer/"


@pytest.fixture
def olivia() -> Any:
    return at_desk(person("olivia", OFFICER))


@pytest.fixture
def seen() -> FakeChain:
    """Two orders: one is settled, the other paid a little less."""
    chain = FakeChain(NOON)
    for amount in (250, 3):
        expected_transfer = wanted(now=NOON, amount=Decimal(amount))
        expected_transfers.expect_transfer(expected_transfer, now=NOON)
    chain.grow(
        chain.transaction(TOKEN, PAYER.lower(), PAYEE.lower(), 250_000_000, ""),
        chain.transaction(TOKEN, PAYER.lower(), PAYEE.lower(), 2_900_000, ""),
        blocks=14,
    )
    tasks.scan_chain(chain=CHAIN, reader=chain, now=chain.clock)
    return chain


def test_the_lists_and_pages_say_what_was_expected_and_what_came(
    seen: FakeChain, olivia: Any
) -> None:
    html = check_page(olivia.get(ORDERS))
    assert "250.00 USDC" in html and "Final" in html and "No transfer seen" in html
    assert "Integrity check failed" not in html
    first, second = Order.objects.order_by("pk")
    html = check_page(olivia.get(f"{ORDERS}{first.pk}/"))
    assert first.transfer is not None
    for words in (first.reference, first.transfer.tx_hash, "CH-4", PAYEE, str(first.order_id)):
        assert words in html
    html = check_page(olivia.get(f"{ORDERS}{second.pk}/"))
    assert "MATCH" not in html and "Transfer does not match" in html and "Case " in html
    html = check_page(olivia.get(TRANSFERS))
    assert "Settles an order" in html and "No settlement" in html and "2.900000 USDC" in html
    less = Transfer.objects.get(order=None)
    assert "does not fit" in check_page(olivia.get(f"{TRANSFERS}{less.pk}/"))
    assert f"{ORDERS}{first.pk}/" in check_page(olivia.get(f"{TRANSFERS}{first.transfer.pk}/"))


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", 2), ("text={id}", 1), ("text={reference}", 1), ("text={hash}", 1), ("text={to}", 2),
        ("text=nothing", 0), ("text={from}", 0), ("state=FINAL", 1), ("state=EXPIRED", 0),
        ("owner=account:1", 2), ("owner=account:2", 0), ("chain=eip155:8453", 2),
        ("chain=eip155:1", 0), ("state=none&after=x&chain=none", 2), ("after={second}", 1),
    ],
)  # fmt: skip
def test_orders_are_narrowed_and_found(
    seen: FakeChain, olivia: Any, query: str, shown: int
) -> None:
    first, second = Order.objects.order_by("pk")
    assert first.transfer is not None
    said = {
        "id": first.order_id, "reference": first.reference, "hash": first.transfer.tx_hash,
        "to": PAYEE, "from": PAYER, "second": second.pk,
    }  # fmt: skip
    html = check_page(olivia.get(f"{ORDERS}?{query.format(**said)}"))
    assert html.count("data-row") == shown


@pytest.mark.parametrize(
    ("query", "shown"),
    [("", 2), ("text={hash}", 1), ("text={to}", 2), ("text={id}", 1), ("text=x", 0),
     ("kind=settles", 1), ("kind=not", 1), ("kind=gone", 0), ("kind=none", 2)],
)  # fmt: skip
def test_transfers_are_narrowed_and_found(
    seen: FakeChain, olivia: Any, query: str, shown: int
) -> None:
    first = Order.objects.earliest("pk")
    assert first.transfer is not None
    said = {"id": first.order_id, "hash": first.transfer.tx_hash, "to": PAYEE}
    html = check_page(olivia.get(f"{TRANSFERS}?{query.format(**said)}"))
    assert html.count("data-row") == shown


def test_an_altered_order_shows(seen: FakeChain, olivia: Any) -> None:
    Order.objects.filter(state="OPEN").update(amount=1)
    assert "Integrity check failed" in check_page(olivia.get(ORDERS))
    row = Order.objects.get(state="OPEN")
    assert "Integrity check failed" in check_page(olivia.get(f"{ORDERS}{row.pk}/"))


def test_a_reference_leads_to_its_order_from_every_page(seen: FakeChain, olivia: Any) -> None:
    row = Order.objects.earliest("pk")
    assert row.transfer is not None
    for text in (row.transfer.tx_hash, PAYEE):
        assert f"{ORDERS}{row.pk}/" in check_page(olivia.get("/admin/search/", {"q": text}))
    response = olivia.get("/admin/search/", {"q": row.reference})
    assert (response.status_code, response.headers["Location"]) == (302, f"{ORDERS}{row.pk}/")


def test_the_lists_take_as_many_queries_for_many_as_for_few(
    seen: FakeChain, olivia: Any, django_assert_max_num_queries: Any
) -> None:
    check_page(olivia.get(ORDERS))
    for _ in range(60):
        expected_transfers.expect_transfer(wanted(now=NOON), now=NOON)
    with django_assert_max_num_queries(12):
        html = check_page(olivia.get(ORDERS))
    assert html.count("data-row") == 50 and "after=" in html
    with django_assert_max_num_queries(11):
        check_page(olivia.get(TRANSFERS))
