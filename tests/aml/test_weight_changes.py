"""Weights change by two senior officers, after the backtest, and can be taken back."""

import json
import uuid
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.compliance.aml import active_weights
from apps.compliance.aml.models import AmlScreen, Label, LabelCount, WeightChange, WeightRecord
from apps.compliance.aml.rules.scorecard import prior_weights
from apps.compliance.aml.services import weight_changes
from apps.compliance.aml.services.weight_changes import WeightChangeRefused
from apps.platform.desk.previews import SEEN
from tests.conftest import NOON
from tests.review.people import OFFICER, at_desk, check_page, person

pytestmark = pytest.mark.django_db
SENIOR, NOTE = "Senior officer", "As the officers' decisions of this quarter show."


@pytest.fixture(autouse=True)
def fresh() -> Any:
    active_weights.forget_weights()
    yield
    active_weights.forget_weights()


def decisions(bad: int, good: int, *, of_bad: str, of_good: str, cohort: str = "NEW") -> None:
    """Put decisions on record: what was bad had one signal, what was good another."""
    olivia = person("olivia", OFFICER)
    for flag, many, name in ((True, bad, of_bad), (False, good, of_good)):
        signal = {"id": name, "value": "x", "strength": 100, "sentence": "It held."}
        for _ in range(many):
            screen = AmlScreen.write(
                payload={"response": {"signals": [signal]}}, now=NOON, screen_id=uuid.uuid4(),
                owner="account:1", wallet=uuid.uuid4().hex, counterparty="0x2",
                payment_key=uuid.uuid4().hex,
                counted=True, action="FLAG", risk_score=60, rule="AML-2", cohort=cohort,
                level="WARNING", sampled=False, weights=0, rules_version="1", sample=True,
            )  # fmt: skip
            outcome = "REJECT" if flag else "APPROVE"
            Case.objects.create(
                kind="aml", ref=str(screen.screen_id), owner="account:1", title="Payment",
                risk="MEDIUM", opened_at=NOON, due_at=NOON, status="DECIDED", decided_at=NOON,
                first_by=olivia, first_at=NOON, first_outcome=outcome, outcome=outcome,
                reason_code="OTHER",
            )  # fmt: skip
            Label.objects.create(
                screen_id=screen.screen_id, cohort=cohort, bad=flag, sampled=False, signals=name,
                decided_at=NOON,
            )  # fmt: skip
        column = "bad" if flag else "good"
        for name_ in ("", name):
            row, _ = LabelCount.objects.get_or_create(cohort=cohort, signal=name_)
            LabelCount.objects.filter(pk=row.pk).update(**{column: many})


def test_without_decisions_nothing_is_proposed() -> None:
    with pytest.raises(WeightChangeRefused, match="No weight would change"):
        weight_changes.propose_weight_change(by=person("sybil", SENIOR), reason=NOTE, now=NOON)


def test_a_cohort_without_fifty_of_each_class_proves_nothing() -> None:
    decisions(49, 60, of_bad="velocity", of_good="round_amount")
    with pytest.raises(WeightChangeRefused, match="No weight would change"):
        weight_changes.propose_weight_change(by=person("sybil", SENIOR), reason=NOTE, now=NOON)


def test_two_senior_officers_put_weights_into_force() -> None:
    decisions(50, 60, of_bad="velocity", of_good="odd_hour")
    sybil, samir = person("sybil", SENIOR), person("samir", SENIOR)
    change = weight_changes.propose_weight_change(by=sybil, reason=NOTE, now=NOON)
    assert active_weights.load_active_weights(NOON).version == 0
    with pytest.raises(WeightChangeRefused, match="Another senior officer"):
        weight_changes.approve_weight_change(change=change, by=sybil, now=NOON)
    record = weight_changes.approve_weight_change(change=change, by=samir, now=NOON)
    active_weights.forget_weights()
    held = active_weights.load_active_weights(NOON)
    assert (held.version, record.version) == (1, 1)
    assert held.weights["NEW"]["odd_hour"] < prior_weights()["NEW"]["odd_hour"]
    assert held.weights["DEVELOPING"] == prior_weights()["DEVELOPING"]
    data = record.data
    assert (data["proposedBy"], data["approvedBy"], data["reason"]) == ("sybil", "samir", NOTE)
    assert {ground["cohort"] for ground in data["grounds"]} == {"NEW"} and data["measured"]


def test_weights_are_rolled_back_by_two_as_well() -> None:
    decisions(50, 60, of_bad="velocity", of_good="odd_hour")
    sybil, samir = person("sybil", SENIOR), person("samir", SENIOR)
    change = weight_changes.propose_weight_change(by=sybil, reason=NOTE, now=NOON)
    weight_changes.approve_weight_change(change=change, by=samir, now=NOON)
    active_weights.forget_weights()
    back = weight_changes.propose_weight_change(by=sybil, reason=NOTE, now=NOON, returns_to=0)
    record = weight_changes.approve_weight_change(change=back, by=samir, now=NOON)
    active_weights.forget_weights()
    held = active_weights.load_active_weights(NOON)
    assert (record.version, held.weights) == (2, prior_weights())
    assert WeightRecord.objects.count() == 2  # nothing is taken from the record


def test_what_was_computed_from_older_weights_is_not_approved() -> None:
    decisions(50, 60, of_bad="velocity", of_good="odd_hour")
    sybil, samir = person("sybil", SENIOR), person("samir", SENIOR)
    first, second = (
        weight_changes.propose_weight_change(by=sybil, reason=NOTE, now=NOON) for _ in range(2)
    )
    weight_changes.approve_weight_change(change=first, by=samir, now=NOON)
    with pytest.raises(WeightChangeRefused, match="propose again"):
        weight_changes.approve_weight_change(change=second, by=samir, now=NOON)


def test_a_change_that_ranks_a_cohort_worse_is_refused(monkeypatch: Any) -> None:
    decisions(50, 60, of_bad="velocity", of_good="odd_hour")
    ranks = iter([0.5, 0.5, 0.90, 0.87, 0.5, 0.5, 0.5, 0.5])  # of NEW, before and after
    monkeypatch.setattr(weight_changes, "compute_rank_auc", lambda points, bad: next(ranks))
    with pytest.raises(WeightChangeRefused, match="NEW would rank worse"):
        weight_changes.propose_weight_change(by=person("sybil", SENIOR), reason=NOTE, now=NOON)
    assert not WeightChange.objects.exists()


def test_weights_that_were_altered_are_not_relied_on(monkeypatch: Any) -> None:
    decisions(50, 60, of_bad="velocity", of_good="odd_hour")
    sybil, samir = person("sybil", SENIOR), person("samir", SENIOR)
    change = weight_changes.propose_weight_change(by=sybil, reason=NOTE, now=NOON)
    record = weight_changes.approve_weight_change(change=change, by=samir, now=NOON)
    monkeypatch.setattr(active_weights, "filter_verified_records", lambda rows: [])
    active_weights.forget_weights()
    with pytest.raises(active_weights.WeightsIntegrityError):
        active_weights.load_active_weights(NOON)
    assert json.loads(record.payload)["weights"] == change.weights


def test_a_senior_officer_proposes_and_another_approves_at_the_desk() -> None:
    decisions(50, 60, of_bad="velocity", of_good="odd_hour")
    sybil, samir = at_desk(person("sybil", SENIOR)), at_desk(person("samir", SENIOR))
    address = "/admin/aml/weightchange/add/"
    shown = sybil.post(address, {"returns_to": "", "reason": NOTE})
    assert "points" in check_page(shown) and not WeightChange.objects.exists()  # a preview first
    preview = shown.context["preview"]
    sybil.post(address, {"returns_to": "", "reason": NOTE, SEEN: preview})
    change = WeightChange.objects.get()
    page = f"/admin/aml/weightchange/{change.pk}/"
    html = check_page(samir.get(f"{page}change/"))
    assert "Unusual hour" in html and "AUC" in html
    samir.post(f"{page}decide/", {"decision": "approve", "note": ""})
    assert WeightRecord.objects.get().version == 1


def test_no_version_makes_a_sanctions_signal_weigh_less_than_at_first() -> None:
    decisions(50, 60, of_bad="velocity", of_good="odd_hour")
    change = weight_changes.propose_weight_change(by=person("sybil", SENIOR), reason=NOTE, now=NOON)
    change.weights["NEW"] |= {"near_listed": 10_000, "round_amount": 1}
    row = WeightRecord(payload=json.dumps({"weights": change.weights}), version=1)
    new = active_weights.weights_of_record(row)["NEW"]
    assert new["near_listed"] == prior_weights()["NEW"]["near_listed"] and new["round_amount"] == 1
