"""GET /compliance/usage: an account's own month, and nobody else's."""

from typing import Any

import pytest

from apps.access.keys import metering
from apps.access.keys.models import UsageCount

pytestmark = pytest.mark.django_db
PATH = "/compliance/compliance/usage"


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: Any, noon: Any) -> None:
    monkeypatch.setattr("apps.platform.api.viewsets.present", lambda: noon)


def use(caller: Any, unit: str, calls: int, month: str = "2026-11") -> None:
    UsageCount.objects.create(
        account=caller.account, month=month, unit=unit, shard=calls % 16, calls=calls
    )


def test_calls_and_costs_by_tier(caller: Any) -> None:
    alice = caller("Alice Ltd")
    use(alice, "screen", 10_000)
    use(alice, "screen", 1)
    use(alice, "pep_screen", 3)
    body = alice.get(PATH).json()
    assert (body["month"], body["account"]) == ("2026-11", "Alice Ltd")
    units = {unit["unit"]: unit for unit in body["units"]}
    assert units["screen"] == {
        "unit": "screen",
        "calls": 10_001,
        "costUsd": 100.008,
        "tiers": [
            {"upto": 10_000, "priceUsd": 0.01, "calls": 10_000, "costUsd": 100},
            {"upto": 100_000, "priceUsd": 0.008, "calls": 1, "costUsd": 0.008},
            {"upto": None, "priceUsd": 0.005, "calls": 0, "costUsd": 0},
        ],
    }
    assert units["pep_screen"]["calls"] == 3 and units["ubo_chain"]["calls"] == 0
    assert body["totalUsd"] == pytest.approx(sum(u["costUsd"] for u in body["units"]), abs=1e-9)


def test_two_tenants_never_see_each_other(caller: Any) -> None:
    alice, bob = caller("Alice Ltd"), caller("Bob SA")
    use(alice, "screen", 7)
    use(bob, "screen", 9)
    calls_by_account = {
        c.get(PATH).json()["account"]: c.get(PATH).json()["units"][0]["calls"] for c in (alice, bob)
    }
    assert calls_by_account == {"Alice Ltd": 7, "Bob SA": 9}
    for attempt in ("account=Bob SA", f"accountId={bob.account.pk}", "owner=Bob"):
        assert alice.get(f"{PATH}?{attempt}").status_code == 400


def test_two_keys_of_one_account_see_the_same(caller: Any) -> None:
    one, two = caller("Alice Ltd"), caller("Alice Ltd")
    use(one, "screen", 7)
    assert one.get(PATH).json() == two.get(PATH).json()


def test_a_month_can_be_asked_for(caller: Any) -> None:
    alice = caller("Alice Ltd")
    use(alice, "screen", 5, month="2026-10")
    body = alice.get(f"{PATH}?month=2026-10").json()
    assert body["month"] == "2026-10" and body["units"][0]["calls"] == 5
    assert alice.get(PATH).json()["units"][0]["calls"] == 0


@pytest.mark.parametrize(
    "month", ["", "2026", "2026-13", "2026-00", "2026-1", "26-01", "2026-01-01", "２０２６-01", "x"]
)
def test_what_is_no_month_is_400(caller: Any, month: str) -> None:
    answer = caller().get(PATH, {"month": month})
    assert answer.status_code == 400 and answer.json()["errors"][0]["field"] == "month"


@pytest.mark.parametrize("kind", ["DATA", "INTERNAL", "MASTER"])
def test_only_subscription_keys_have_usage(caller: Any, kind: str) -> None:
    assert caller("Alice Ltd", kind).get(PATH).status_code == 403


def test_without_a_key_there_is_none(api: Any) -> None:
    assert api.get(PATH).status_code == 401


def test_looking_is_not_billed(caller: Any, noon: Any) -> None:
    alice = caller("Alice Ltd")
    alice.get(PATH)
    used = metering.count_calls_by_unit(account_id=alice.account.pk, month=metering.get_month(noon))
    assert set(used.values()) == {0}
