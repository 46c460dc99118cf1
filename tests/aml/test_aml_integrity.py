"""Profiles, labels and weights are what was recorded: whoever changes the rows alone is found."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from rest_framework.test import APIClient

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.compliance.aml import active_weights
from apps.compliance.aml.integrity import verify_profiles_and_labels
from apps.compliance.aml.models import AmlScreen, Label, LabelCount, WalletProfile, WeightRecord
from apps.compliance.aml.services import weight_changes
from apps.compliance.aml.services.weight_changes import WeightChangeRefused
from apps.platform.ledger import sealer
from apps.platform.ledger.verification import verifier
from tests.aml.conftest import PAYMENT, SPLIT
from tests.aml.test_weight_changes import SENIOR, decisions, fresh  # noqa: F401
from tests.conftest import NOON
from tests.payees.registration.conftest import wallet
from tests.platform.tampering import sql, without_triggers
from tests.review.people import OFFICER, person

pytestmark = pytest.mark.django_db
Screen = Callable[..., dict[str, Any]]
PROFILES, LABELS, COUNTS = (one._meta.db_table for one in (WalletProfile, Label, LabelCount))


def faults() -> list[str]:
    return list(verify_profiles_and_labels(lambda _: None))


@pytest.fixture
def decided(screen: Screen) -> Case:
    """A flagged payment that an officer refused, and the wallets around it."""
    for amount in (*SPLIT, 8200):
        screen(amount=amount)
    screen(2, 3, direction="RECEIVE")
    case = Case.objects.get(kind="aml")
    for who in ("olivia", "oscar")[: 2 if case.needs_second else 1]:
        case.refresh_from_db()
        services.decide_case(
            case=case, by=person(who, OFFICER), outcome="REJECT", reason_code="SUSPICION",
            note="It could not be explained at all.", now=NOON,
        )  # fmt: skip
    return case


def test_what_screens_and_officers_left_is_in_order(decided: Case) -> None:
    assert Label.objects.get().bad and faults() == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("payments = 1", "it counts 1 payments"),
        ("state = replace(state, '[', '[ ')", "it differs from the result of its last screen"),
        ("touched = touched + 1", "it differs from the result of its last screen"),
        ("standing = ''", "its status is none, recorded is CONFIRMED"),
        ("standing = 'LISTED'", "its status is LISTED, recorded is CONFIRMED"),
        ("last = NULL", "its last screen has no valid record"),
    ],
)
def test_a_profile_that_was_changed_by_hand_is_found(decided: Case, change: str, said: str) -> None:
    row = WalletProfile.objects.get(wallet=wallet(1))
    assert sql(f"UPDATE {PROFILES} SET {change} WHERE id = {row.pk}") == 1
    assert any(re.search(f"wallet profile {row.pk}: .*{said}", fault) for fault in faults()), (
        faults()
    )


def test_a_profile_put_back_to_an_earlier_state_is_found(decided: Case, screen: Screen) -> None:
    row = WalletProfile.objects.get(wallet=wallet(3))
    screen(2, 3, amount=9000)
    assert faults() == []
    WalletProfile.objects.filter(pk=row.pk).update(
        state=row.state, payments=row.payments, last=row.last, touched=row.touched
    )
    assert any(f"wallet profile {row.pk}: it was reverted" in fault for fault in faults())


def test_a_profile_that_is_gone_is_found_by_the_verification_of_the_ledger(decided: Case) -> None:
    sealer.seal_all_ledgers(now=NOON)
    assert verifier.verify_ledger(ledger="aml_screens").faults == []
    WalletProfile.objects.filter(wallet=wallet(3)).delete()
    assert any(
        "its profile is missing" in f for f in verifier.verify_ledger(ledger="aml_screens").faults
    )


def test_a_screen_of_both_sides_leaves_profiles_that_are_proved(screen: Screen) -> None:
    screen(paymentId="P")
    screen(2, 1, paymentId="P", direction="RECEIVE")
    screen(paymentId="P")
    assert faults() == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("bad = {no}", "it says good, the decision is REJECT"),
        ("cohort = 'ESTABLISHED'", "its cohort or slice"),
        ("sampled = {yes}", "its cohort or slice"),
        ("signals = 'velocity'", "its signals differ"),
        ("screen_id = '{other}'", "it has no decision of an officer"),
    ],
)
def test_a_label_that_was_changed_by_hand_is_found(decided: Case, change: str, said: str) -> None:
    other = AmlScreen.objects.exclude(screen_id=decided.ref).first()
    assert other is not None
    plain = connection.vendor == "sqlite"
    values = {
        "no": "false",
        "yes": "true",
        "other": other.screen_id.hex if plain else other.screen_id,
    }
    with without_triggers():
        assert sql(f"UPDATE {LABELS} SET {change.format(**values)}") == 1
    found = faults()
    assert any(said in one for one in found), found


def test_a_label_that_was_taken_away_is_found(decided: Case) -> None:
    with without_triggers():
        sql(f"DELETE FROM {LABELS}")
    found = faults()
    assert f"case {decided.pk}: its decision is not counted" in found
    assert any("1 bad and 0 good, decided are 0" in one for one in found)


def test_weights_are_not_learnt_from_counts_that_nobody_decided(decided: Case) -> None:
    LabelCount.objects.filter(signal="").update(good=500)
    assert any("bad and 500 good" in fault for fault in faults())
    with pytest.raises(WeightChangeRefused, match="Integrity check failed"):
        weight_changes.draft_weight_change(now=NOON)


@pytest.mark.parametrize("way", ["altered", "gone"])
def test_weights_that_were_altered_or_are_gone_weigh_nothing(ivan: APIClient, way: str) -> None:
    record = weights_in_force()
    with without_triggers():
        if way == "gone":
            sql(f"DELETE FROM {WeightRecord._meta.db_table}")
        else:
            document = json.loads(record.payload)
            document["weights"]["NEW"]["structuring"] = 0
            WeightRecord.objects.filter(pk=record.pk).update(payload=json.dumps(document))
    active_weights.forget_weights()
    body = {"wallet": wallet(1), "counterparty": wallet(2), "paymentId": "P"} | PAYMENT
    answer = ivan.post("/compliance/aml/screen", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (503, "weights_unproved")
    assert not AmlScreen.objects.filter(wallet=wallet(1)).exists()


def weights_in_force() -> WeightRecord:
    decisions(60, 60, of_bad="velocity", of_good="round_amount")
    weight_change = weight_changes.propose_weight_change(
        by=person("sybil", SENIOR), reason="As decisions show.", now=NOON
    )
    return weight_changes.approve_weight_change(
        change=weight_change, by=person("simon", SENIOR), now=NOON
    )
