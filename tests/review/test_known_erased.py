"""A party that is erased leaves the register too, and what stays there is still proved."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from apps.backoffice.review.known_false_positive_integrity import verify_known_false_positives
from apps.backoffice.review.models import KnownEvent, KnownFalsePositive
from apps.backoffice.review.selectors.known_false_positives import load_known_of_case
from apps.backoffice.review.services import known_false_positive_decisions
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import PurgeReason
from apps.platform.ledger.verification import verifier
from tests.platform.tampering import sql
from tests.review.people import NOON, NOTE, at_desk, case, check_page
from tests.review.sample_known_false_positives import in_force, propose, steps

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("lists")]
REGISTER = "/admin/review/knownfalsepositive/"
LEI = "5493001KJTIIGC8Y1R12"
LEDGER = KnownEvent.LEDGER


def erase(known: KnownFalsePositive) -> KnownFalsePositive:
    """Carry out an erasure order on what its proposal says."""
    sealer.seal_all_ledgers(now=NOON)
    event = KnownEvent.objects.get(known=known, action="PROPOSED")
    told = {"reason": PurgeReason.ERASURE, "by": "dpo", "why": "Court order 7"}
    assert retention.purge_payload(ledger=LEDGER, record_id=event.pk, now=NOON, **told)
    known.refresh_from_db()
    return known


def faults() -> list[str]:
    sealer.seal_all_ledgers(now=NOON)
    report = verifier.verify_ledger(ledger=LEDGER)
    assert report.unsealed == 0
    return report.faults


def test_the_party_leaves_with_its_proposal_and_the_register_is_as_recorded(
    olivia: User, samir: User
) -> None:
    false_positive = in_force(olivia, samir, lei=LEI)
    pair = false_positive.pair
    erase(false_positive)
    assert (
        false_positive.party,
        false_positive.party_key,
        false_positive.lei,
    ) == ("", "", "") and false_positive.pair != pair
    assert (false_positive.state, steps(false_positive)) == (
        "EXPIRED",
        ["PROPOSED", "APPROVED", "EXPIRED"],
    )
    assert faults() == []
    desk = at_desk(samir)
    for html in (
        check_page(desk.get(REGISTER)),
        check_page(desk.get(f"{REGISTER}{false_positive.pk}/")),
    ):
        assert "A party that was erased" in html and "Integrity check failed" not in html
    html = check_page(desk.get(f"{REGISTER}{false_positive.pk}/"))
    assert "The party was erased under an order." in html
    assert f"{REGISTER}{false_positive.pk}/" not in check_page(desk.get(f"{REGISTER}?q=haddad"))


@pytest.mark.parametrize("lei", ["", LEI])
def test_no_case_is_told_of_it_any_more_and_its_place_is_free(
    olivia: User, samir: User, lei: str
) -> None:
    erase(in_force(olivia, samir, lei=lei))
    assert load_known_of_case(case("2", lei=lei), now=NOON) == []
    assert propose(olivia, "3", lei=lei).state == "PROPOSED"
    assert faults() == []


def test_one_that_only_waits_is_erased_too(olivia: User) -> None:
    false_positive = erase(propose(olivia))
    assert (
        false_positive.state,
        false_positive.decided_by,
        false_positive.party,
    ) == ("EXPIRED", None, "")
    assert faults() == []


def test_two_parties_of_a_client_that_are_erased_stand_beside_each_other(
    olivia: User, samir: User
) -> None:
    first, other = in_force(olivia, samir), in_force(olivia, samir, "2", party="Ada Noor")
    erase(first), erase(other)
    assert first.pair == other.pair and faults() == []


def test_one_that_ended_long_ago_loses_its_party_when_its_retention_ends(
    olivia: User, samir: User
) -> None:
    long_ago = NOON - timedelta(days=366 * KnownEvent.YEARS)
    false_positive = in_force(
        olivia, samir, now=long_ago, until=(long_ago + timedelta(days=300)).date()
    )
    known_false_positive_decisions.end_known(
        known=false_positive, by=olivia, note=NOTE, now=long_ago
    )
    still = in_force(olivia, samir, "2", owner="account:2", now=long_ago,
                     until=(long_ago + timedelta(days=300)).date())  # fmt: skip
    sealer.seal_all_ledgers(now=NOON)
    call_command("purge_expired", "--by", "cron", verbosity=0)
    false_positive.refresh_from_db(), still.refresh_from_db()
    assert (
        false_positive.party,
        false_positive.state,
        steps(false_positive)[-1],
    ) == ("", "ENDED", "ENDED")
    assert still.party == "Chen Haddad" and faults() == []


@pytest.mark.parametrize("change", ["party = 'Chen Haddad'", "party_key = 'x'", f"lei = '{LEI}'"])
def test_a_party_that_comes_back_by_hand_is_found(olivia: User, samir: User, change: str) -> None:
    false_positive = erase(in_force(olivia, samir))
    sql(f"UPDATE {KnownFalsePositive._meta.db_table} SET {change}")
    found = f"known false positive {false_positive.pk}: its party was not erased with its proposal"
    assert found in list(verify_known_false_positives(lambda done: None))
