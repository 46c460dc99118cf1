"""Weights of the tiers: weeks resolve, two operators decide, versions are kept and return."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from apps.insight.stability.models import StabilityRun, TierChange, TierOutcome, TierRecord
from apps.insight.stability.oracle.rules import series_names
from apps.insight.stability.oracle.rules.layers import LAYERS, SHARES, initial_weights
from apps.insight.stability.oracle.selectors import latest_run, tier_weights
from apps.insight.stability.oracle.selectors.tier_weights import TierWeightsIntegrityError
from apps.insight.stability.oracle.services import outcomes, tier_changes
from apps.insight.stability.oracle.services.oracle_runs import record_run
from apps.insight.stability.oracle.services.tier_changes import TierChangeRefused
from apps.platform.desk.previews import SEEN
from apps.platform.ledger import sealer
from apps.platform.ledger.models import Seal
from tests.conftest import NOON
from tests.platform.tampering import sql, without_triggers
from tests.review.people import NOTE, at_desk, check_page, person
from tests.stability.oracle.conftest import observe

pytestmark = pytest.mark.django_db
OPERATOR = "Operator"
DAY = timedelta(days=1)
CALM = {layer.id: 100 * SHARES for layer in LAYERS}


def weeks(bad: int, good: int, *, of_bad: str, of_good: str) -> None:
    """Make resolved weeks; one tier had warned before the bad ones, another before the good."""
    for number in range(bad + good):
        is_bad = number < bad
        values = CALM | {of_bad if is_bad else of_good: 50 * SHARES}
        TierOutcome.write(
            payload={"runId": "x", "values": values, "deviation": "0", "moved": "0"},
            now=NOON,
            day=date(2026, 1, 1) + number * DAY,
            bad=is_bad,
        )


@pytest.fixture
def week(monkeypatch: Any) -> Callable[..., TierOutcome | None]:
    """Make a week of runs from NOON, each hour, and resolve its first day."""

    def make(
        *, rate: str = "1.15", off: int = 0, hours: int = 168, sample: bool = False
    ) -> TierOutcome | None:
        layers = [{"id": layer.id, "value": "60" if layer.id == "fx" else None} for layer in LAYERS]
        for hour in range(hours):
            at = NOON + timedelta(hours=hour)
            StabilityRun.write(
                payload={"layers": layers}, now=at, run_id=f"{hour:032x}", slot=hour + 1,
                score=10**9, deviation=off if hour == 5 else 0, coverage=10_000, quality="LIVE",
                sample=sample, due=1, good=1, weights=0, method="1",
            )  # fmt: skip
        end = NOON + timedelta(days=7)
        observe(series_names.EUR_USD, "1.15", at=NOON)
        observe(series_names.EUR_USD, rate, at=end)
        outcomes.resolve_due_days("", end)  # the day that a week later is: it may have later runs
        assert not TierOutcome.objects.exists()
        outcomes.resolve_due_days("", end + DAY)
        outcomes.resolve_due_days("", end + DAY)  # running it twice adds nothing
        return TierOutcome.objects.filter(day=NOON.date()).first()

    return make


@pytest.mark.parametrize(
    ("rate", "off", "bad"),
    [("1.15", 0, False), ("1.15", 49_999_999, False), ("1.15", 50_000_000, True),
     ("1.1961", 0, True), ("1.195", 0, False), ("1.10", 0, True)],
)  # fmt: skip
def test_a_week_resolves_by_the_peg_and_the_euro(week: Any, rate: str, off: int, bad: bool) -> None:
    found = week(rate=rate, off=off)
    assert found.bad is bad and TierOutcome.objects.count() == 1
    assert found.data["values"] == {"fx": 60 * SHARES}
    assert Decimal(found.data["deviation"]) == Decimal(off) / 10**6


@pytest.mark.parametrize(
    ("hours", "sample", "resolves"), [(73, False, True), (72, False, False), (168, True, False)]
)
def test_a_week_that_nobody_saw_does_not_resolve(
    week: Any, hours: int, sample: bool, resolves: bool
) -> None:
    assert (week(hours=hours, sample=sample) is not None) is resolves


@pytest.mark.parametrize(
    "change",
    [
        "deviation = 0",
        "sample = true",
        "score = NULL, deviation = NULL, coverage = NULL, quality = ''",
    ],
)
def test_a_week_of_which_a_run_was_altered_does_not_resolve(
    week: Any, monkeypatch: Any, change: str
) -> None:
    """The run in which the peg was off may not be hidden, by whichever column."""
    resolve = outcomes.resolve_due_days

    def altered(key: str, now: datetime) -> None:
        if StabilityRun.objects.filter(slot=6, deviation=60_000_000, sample=False).exists():
            with without_triggers():
                sql(f"UPDATE stability_stabilityrun SET {change} WHERE slot = 6")
        resolve(key, now)

    monkeypatch.setattr(outcomes, "resolve_due_days", altered)
    assert week(off=60_000_000) is None


def test_nothing_is_proposed_from_too_few_weeks() -> None:
    weeks(10, 39, of_bad="fx", of_good="climate")
    with pytest.raises(TierChangeRefused, match="49 outcomes of 50"):
        tier_changes.propose_tier_change(by=person("otto", OPERATOR), reason=NOTE, now=NOON)


def test_two_operators_put_weights_into_force_and_runs_are_weighed_by_them(ran: Any) -> None:
    weeks(30, 40, of_bad="fx", of_good="climate")
    otto, olga = person("otto", OPERATOR), person("olga", OPERATOR)
    change = tier_changes.propose_tier_change(by=otto, reason=NOTE, now=NOON)
    assert tier_weights.load_weights_in_force().version == 0
    with pytest.raises(TierChangeRefused, match="Another operator"):
        tier_changes.approve_tier_change(change=change, by=otto, now=NOON)
    record = tier_changes.approve_tier_change(change=change, by=olga, now=NOON)
    weights = tier_weights.load_weights_in_force()
    assert (weights.version, record.version) == (1, 1)
    assert (
        weights.weights["fx"] > initial_weights()["fx"]
        and weights.weights["climate"] < initial_weights()["climate"]
    )
    assert sum(weights.weights.values()) == 1000
    run = ran()
    weight_by_id = {layer["id"]: layer["weight"] for layer in run.data["layers"]}
    assert run.weights == 1 and Decimal(weight_by_id["fx"]) == Decimal(weights.weights["fx"]) / 1000
    data = record.data
    assert (data["proposedBy"], data["approvedBy"], data["reason"]) == ("otto", "olga", NOTE)


def test_a_return_is_decided_by_two_as_well() -> None:
    weeks(30, 40, of_bad="fx", of_good="climate")
    otto, olga = person("otto", OPERATOR), person("olga", OPERATOR)
    first = tier_changes.propose_tier_change(by=otto, reason=NOTE, now=NOON)
    tier_changes.approve_tier_change(change=first, by=olga, now=NOON)
    back = tier_changes.propose_tier_change(by=otto, reason=NOTE, now=NOON, returns_to=0)
    tier_changes.approve_tier_change(change=back, by=olga, now=NOON)
    weights = tier_weights.load_weights_in_force()
    assert (weights.version, weights.weights) == (
        2,
        initial_weights(),
    ) and TierRecord.objects.count() == 2
    with pytest.raises(TierChangeRefused, match="no version 9 of the weights"):
        tier_changes.propose_tier_change(by=otto, reason=NOTE, now=NOON, returns_to=9)


def test_what_was_computed_from_older_weights_is_not_approved() -> None:
    weeks(30, 40, of_bad="fx", of_good="climate")
    otto, olga = person("otto", OPERATOR), person("olga", OPERATOR)
    one, other = (
        tier_changes.propose_tier_change(by=otto, reason=NOTE, now=NOON) for _ in range(2)
    )
    tier_changes.approve_tier_change(change=one, by=olga, now=NOON)
    with pytest.raises(TierChangeRefused, match="propose again"):
        tier_changes.approve_tier_change(change=other, by=olga, now=NOON)


def test_a_change_that_tells_bad_weeks_worse_is_refused(monkeypatch: Any) -> None:
    weeks(30, 40, of_bad="fx", of_good="climate")
    ranks = iter([(100, 100), (97, 100)])
    monkeypatch.setattr(
        "apps.insight.stability.oracle.rules.weight_comparison.count_ordered_pairs",
        lambda *_: next(ranks),
    )
    with pytest.raises(TierChangeRefused, match="separated less well"):
        tier_changes.propose_tier_change(by=person("otto", OPERATOR), reason=NOTE, now=NOON)
    assert not TierChange.objects.exists()


def test_outcomes_that_were_altered_teach_nothing() -> None:
    weeks(30, 40, of_bad="fx", of_good="climate")
    with without_triggers():
        sql("UPDATE stability_tieroutcome SET bad = true")
    assert (
        sum(resolved_week.bad for resolved_week in tier_changes.load_resolved_weeks()) == 30
        and len(tier_changes.load_resolved_weeks()) == 30
    )


def test_weights_that_were_altered_or_are_gone_are_not_relied_on(client: Client) -> None:
    weeks(30, 40, of_bad="fx", of_good="climate")
    change = tier_changes.propose_tier_change(by=person("otto", OPERATOR), reason=NOTE, now=NOON)
    tier_changes.approve_tier_change(change=change, by=person("olga", OPERATOR), now=NOON)
    with without_triggers():
        sql("UPDATE stability_tierrecord SET version = 7")
    with pytest.raises(TierWeightsIntegrityError):
        record_run(now=NOON)
    body = client.get("/stability/api/adaptive/status").json()
    assert (body["status"], body["weights"]["fx"]) == ("DISABLED", initial_weights()["fx"] / 1000)
    with without_triggers():
        sql("DELETE FROM stability_tierrecord")
    with pytest.raises(TierWeightsIntegrityError, match="missing"):
        tier_weights.load_weights_in_force()


def test_an_operator_proposes_and_another_approves_at_the_desk() -> None:
    weeks(30, 40, of_bad="fx", of_good="climate")
    otto, olga = at_desk(person("otto", OPERATOR)), at_desk(person("olga", OPERATOR))
    address = "/admin/stability/tierchange/add/"
    shown = otto.post(address, {"returns_to": "", "reason": NOTE})
    assert (
        "Exchange rates" in check_page(shown) and not TierChange.objects.exists()
    )  # a preview first
    otto.post(address, {"returns_to": "", "reason": NOTE, SEEN: shown.context["preview"]})
    change = TierChange.objects.get()
    page = f"/admin/stability/tierchange/{change.pk}/"
    html = check_page(olga.get(f"{page}change/"))
    assert "13 %" in html and "AUC" in html and "Later runs use these weights" in html
    olga.post(f"{page}decide/", {"decision": "approve", "note": ""})
    record = TierRecord.objects.get()
    html = check_page(olga.get(f"/admin/stability/tierrecord/{record.pk}/change/"))
    assert "Proposed by otto, approved by olga" in html and "Exchange rates 1" in html


def test_the_desk_refuses_a_proposal_that_nothing_bears(db: Any) -> None:
    otto = at_desk(person("otto", OPERATOR))
    html = check_page(
        otto.post("/admin/stability/tierchange/add/", {"returns_to": "", "reason": NOTE})
    )
    assert "No weight would move" in html


def test_a_day_is_resolved_from_its_first_run(week: Any) -> None:
    week()
    first = StabilityRun.objects.order_by("slot").first()
    assert first is not None
    assert TierOutcome.objects.get().data["runId"] == str(first.run_id)
    sealer.seal_all_ledgers(now=NOON + 9 * DAY)
    assert Seal.objects.filter(ledger="stability_outcomes").count() == 1
    assert latest_run.slot_of_moment(datetime.fromtimestamp(600, NOON.tzinfo)) == 1
