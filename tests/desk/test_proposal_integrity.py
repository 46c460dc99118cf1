"""What takes two people is decided on as it was proposed: a row that SQL turned is not."""

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.access.keys import services
from apps.access.keys.models import Account, ApiKey, KeyRequest
from apps.platform.desk.integrity import verify_proposals
from apps.platform.desk.proposal_records import ProposalRecord, describe_alteration, load_steps
from apps.platform.ledger import sealer
from apps.platform.ledger.verification import verifier
from apps.reference.countries import services as listing
from apps.reference.countries.models import CountryChange, CountryListing
from apps.reference.watchlists.models import Source, SourceChange
from apps.reference.watchlists.services import source_changes
from tests.platform.tampering import copied, sql, without_triggers
from tests.review.people import NOON, at_desk, check_page, person

pytestmark = pytest.mark.django_db
KEYS, WHY = "access_keyrequest", "The bank goes live on Monday."
ASKED = "/admin/access/keyrequest/"
NOT_RECORDED = "Integrity check failed"


@pytest.fixture
def ada() -> User:
    return person("ada", "Operator")


@pytest.fixture
def ben() -> User:
    return person("ben", "Operator")


def ask(by: User, **given: Any) -> KeyRequest:
    account, _ = Account.objects.get_or_create(name="Alice Ltd", defaults={"created_at": NOON})
    Account.objects.get_or_create(name="Mallory Ltd", defaults={"created_at": NOON})
    key_specification = services.KeySpecification(account, "INSTITUTION", "ERP", 30)
    return services.request_key(wanted=key_specification, why=WHY, by=by, now=NOON)


def faults() -> list[str]:
    return list(verify_proposals(lambda done: None))


def drawn(request: KeyRequest, by: User) -> None:
    request.refresh_from_db()
    services.draw_key(request=request, by=by, now=NOON)


def test_who_did_each_step_and_how_it_stood_is_recorded(ada: User, ben: User) -> None:
    request = ask(ada)
    services.approve_key_request(request=request, by=ben, now=NOON, note="I called the bank.")
    drawn(request, ada)
    proposal_records = ProposalRecord.objects.order_by("pk")
    assert [
        (proposal_record.step, proposal_record.by, proposal_record.shell, proposal_record.words)
        for proposal_record in proposal_records
    ] == [
        ("PROPOSED", "ada", False, WHY),
        ("APPROVED", "ben", False, "I called the bank."),
        ("DRAWN", "ada", False, ""),
    ]
    assert faults() == []
    sealer.seal_all_ledgers(now=NOON, whole=True)
    assert verifier.verify_ledger(ledger="proposals").faults == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "state = 'APPROVED', decided_by_id = {ben}, decided_at = proposed_at",
            "state is APPROVED",
        ),
        ("kind = 'SIGNING'", "kind is SIGNING, recorded is INSTITUTION"),
        ("days = NULL", "days is nothing, recorded is 30"),
        ("account_id = account_id + 1", "account is"),
        ("proposed_by_id = {ben}", "proposed_by is"),
        ("reason = 'Another'", "reason is Another"),
    ],
)
def test_a_request_that_sql_turned_is_neither_approved_nor_drawn(
    ada: User, ben: User, change: str, said: str
) -> None:
    request = ask(ada)
    sql(f"UPDATE {KEYS} SET {change.format(ben=ben.pk)}")
    assert said in faults()[0] and len(verifier.verify_ledger(ledger="proposals").faults) > 0
    cleo = person("cleo", "Operator")
    html = check_page(at_desk(cleo).get(f"{ASKED}{request.pk}/change/"))
    assert NOT_RECORDED in html and said in html
    assert 'value="approve"' not in html and "Collect the secret" not in html
    for refused in (
        lambda: services.approve_key_request(request=request, by=cleo, now=NOON),
        lambda: services.reject_key_request(
            request=request, by=cleo, now=NOON, note="It is not ours."
        ),
        lambda: drawn(request, ada),
        lambda: drawn(request, ben),
    ):
        with pytest.raises(services.KeyRefused, match=NOT_RECORDED):
            refused()
    assert not ApiKey.objects.exists()


def test_what_was_approved_is_not_enlarged_nor_drawn_twice(ada: User, ben: User) -> None:
    request = ask(ada)
    services.approve_key_request(request=request, by=ben, now=NOON)
    sql(f"UPDATE {KEYS} SET days = 3650")
    with pytest.raises(services.KeyRefused, match="days is 3650, recorded is 30"):
        drawn(request, ada)
    sql(f"UPDATE {KEYS} SET days = 30")
    drawn(request, ada)
    sql(f"UPDATE {KEYS} SET drawn_at = NULL, key_id = NULL")
    with pytest.raises(services.KeyRefused, match=NOT_RECORDED):
        drawn(request, ada)
    assert ApiKey.objects.count() == 1


def test_a_record_that_was_forged_or_copied_proves_nothing(ada: User, ben: User) -> None:
    request = ask(ada)
    approval = "state = 'APPROVED', decided_by_id = %s, decided_at = proposed_at"
    sql(f"UPDATE {KEYS} SET {approval}", ben.pk)
    proposal_record = ProposalRecord.objects.get()
    forged = proposal_record.payload.replace('"PROPOSED"', '"APPROVED"')
    copied(proposal_record, step="APPROVED", by="ben", payload=forged)
    with pytest.raises(services.KeyRefused, match=NOT_RECORDED):
        drawn(request, ada)
    with without_triggers():
        sql("DELETE FROM desk_proposalrecord")
    assert "its proposal is not recorded" in faults()[0]
    with pytest.raises(services.KeyRefused, match="its proposal is not recorded"):
        drawn(request, ada)


def test_a_copied_record_makes_no_second_key(ada: User, ben: User) -> None:
    request = ask(ada)
    services.approve_key_request(request=request, by=ben, now=NOON)
    approved = ProposalRecord.objects.get(step="APPROVED")
    drawn(request, ada)
    sql(f"UPDATE {KEYS} SET drawn_at = NULL, key_id = NULL")
    request.refresh_from_db()
    assert "a step is recorded twice" in describe_alteration(
        request, [*load_steps(request), approved]
    )


def test_a_row_that_is_gone_is_found(ada: User) -> None:
    request = ask(ada)
    with without_triggers():
        sql("DELETE FROM access_keyevent")
        sql(f"DELETE FROM {KEYS}")
    assert faults() == [f"key request {request.pk}: it is recorded, but its row is missing"]


def test_nobody_approves_their_own_country_by_turning_the_proposer() -> None:
    samir, sofia = person("samir", "Senior officer"), person("sofia", "Senior officer")
    change = listing.propose_change(
        by=samir, kind="ADD", list="EMBARGO", country="NG", effective=date(2026, 12, 1),
        source="A statement", now=NOON,
    )  # fmt: skip
    sql("UPDATE countries_countrychange SET proposed_by_id = %s", sofia.pk)
    address = f"/admin/countries/countrychange/{change.pk}/"
    html = check_page(at_desk(samir).post(f"{address}decide/", {"decision": "approve"}), 409)
    assert NOT_RECORDED in html and CountryChange.objects.get().state == "PROPOSED"
    assert not CountryListing.objects.filter(country="NG", list="EMBARGO").exists()
    assert "country change" in faults()[0]


def test_nobody_approves_their_own_source_by_turning_the_proposer(ada: User, ben: User) -> None:
    house = Source.objects.first() or Source.objects.create(slug="house", title="House")
    change = source_changes.propose_source_change(
        source=house, field="enabled", after=not house.enabled, reason=WHY, by=ada, now=NOON
    )
    sql("UPDATE watchlists_sourcechange SET proposed_by_id = %s", ben.pk)
    with pytest.raises(source_changes.SourceChangeConflict, match=NOT_RECORDED):
        source_changes.approve_source_change(
            change=SourceChange.objects.get(pk=change.pk), by=ada, now=NOON
        )
    assert Source.objects.get(pk=house.pk).enabled == house.enabled
    assert "source change" in faults()[0]
