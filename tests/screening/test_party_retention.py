"""Whoever was screened is held against every later list: no party is taken away unseen."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.compliance.screening.combined.party_encounters import verify_screened_parties
from apps.compliance.screening.models import Screen
from apps.platform.common.clock import now
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import PurgeReason
from apps.platform.ledger.verification import verifier
from apps.reference.watchlists.models import Party

pytestmark = pytest.mark.django_db


@pytest.fixture
def screened(sample: None, caller: Callable[..., APIClient]) -> Callable[..., Any]:
    client = caller("Alice Ltd")

    def call(name: str = "Kestrel Harbour Trading", **more: Any) -> Any:
        body = {"name": name, "country": "DE", "amount": 100} | more
        answer = client.post("/compliance/compliance/screen", body, format="json")
        assert answer.status_code == 200, answer.content
        return answer.json()

    return call


def faults() -> list[str]:
    return list(verify_screened_parties(lambda _: None))


def test_who_was_screened_is_remembered(screened: Callable[..., Any]) -> None:
    screened(aliases=["Kestrel Shipping", "ケストレル"], birthDate="1980-01-02")
    screened("A" * 300, walletAddress="0x52908400098527886E0F7030069857D2E4169EE7")
    assert Party.objects.count() >= 4 and not faults()


def test_a_party_that_is_gone_is_missed(screened: Callable[..., Any]) -> None:
    screened()
    Party.objects.all().delete()
    told = f"screen {Screen.objects.get().pk}: its party is not screened against later lists"
    assert faults() == [told]
    assert told in verifier.verify_ledger(ledger="screens").faults


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Nobody"},
        {"keys": "nobody"},
        {"schema": "Vessel"},
        {"country": "US"},
        {"birth_date": "1990"},
        {"owner": "account:99"},
        {"known": {"lei": "X"}},
        {"kind": "owner"},
    ],
)
def test_a_party_that_was_altered_is_found(
    screened: Callable[..., Any], change: dict[str, Any]
) -> None:
    screened()
    Party.objects.update(**change)
    party = Party.objects.get()
    assert faults() == [f"party {party.pk}: it is not the one that came up"]
    Party.objects.update(digest=party.digest_of_columns(), keys=party.keys)
    assert faults(), "whoever makes the digest anew has another party"


def test_who_was_erased_is_not_missed(screened: Callable[..., Any]) -> None:
    screened()
    screened()
    first, last = Screen.objects.order_by("pk")
    sealer.seal_ledger(ledger="screens", now=now())
    retention.purge_payload(
        ledger="screens",
        record_id=last.pk,
        reason=PurgeReason.ERASURE,
        why="An order of the court of 20 November.",
        by="samir",
        now=now(),
    )
    assert not Party.objects.exists() and first.payload and not faults()
