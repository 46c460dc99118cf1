"""Rules of registrations: every row is reached, at its boundary, and the gravest counts."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from apps.compliance.payees.case_types import APPROVE, REJECT, SEVERITY_ORDER
from apps.compliance.payees.rules.lei_states import lei_status
from apps.compliance.payees.rules.registration_findings import (
    RULES,
    RegistrationFacts,
    judge_registration,
)
from apps.compliance.payees.rules.submission_steps import (
    STEPS,
    RegisteredEntity,
    SubmittedEntity,
    classify_submission,
)
from apps.reference.lei.rules.registration import STATUSES
from apps.reference.lei.values import Entity
from tests.conftest import NOON

CLEAN = RegistrationFacts("Northwind")
LEI = "INR2EJN1ERAN0W5ZP974"
CASES = [
    ("sanctions.match", replace(CLEAN, score=70, matched="X"), "HIGH"),
    ("sanctions.partial", replace(CLEAN, score=69, matched="X"), "HIGH"),
    ("sanctions.partial", replace(CLEAN, score=60, matched="X"), "HIGH"),
    ("sanctions.partial", replace(CLEAN, score=59, matched="X"), "MEDIUM"),
    ("sanctions.partial", replace(CLEAN, score=45, matched="X"), "MEDIUM"),
    ("name.not_checked", replace(CLEAN, unread=("It is long.",)), "MEDIUM"),
    ("lists.lacking", replace(CLEAN, lacking=("EU is old.",)), "MEDIUM"),
    ("lei.other_name", replace(CLEAN, lei=LEI, lei_status="ACTIVE", gleif_agrees=False), "MEDIUM"),
    (
        "lei.elsewhere",
        replace(CLEAN, lei=LEI, lei_status="ACTIVE", elsewhere=(("0x1", "Y"),)),
        "MEDIUM",
    ),
    ("wallet.contested", replace(CLEAN, contested="Y"), "MEDIUM"),
    ("wallet.earlier_entity", replace(CLEAN, earlier="Y"), "HIGH"),
    ("names.added", replace(CLEAN, added=("Y",)), "MEDIUM"),
    ("names.borrowed", replace(CLEAN, borrowed=(("Y", "Y Ltd"),)), "HIGH"),
    ("country.call_for_action", replace(CLEAN, countries=(("KP", "CALL_FOR_ACTION"),)), "HIGH"),
    ("country.embargo", replace(CLEAN, countries=(("CU", "EMBARGO"),)), "HIGH"),
    ("country.high_risk", replace(CLEAN, countries=(("NP", "INCREASED_MONITORING"),)), "MEDIUM"),
    ("country.high_risk", replace(CLEAN, countries=(("MC", "EU_HIGH_RISK"),)), "MEDIUM"),
    ("country.differs", replace(CLEAN, country="FR", at_gleif=("DE", "CH")), "MEDIUM"),
    ("country.changed", replace(CLEAN, country="FR", before="DE"), "MEDIUM"),
    ("lei.not_active", replace(CLEAN, lei=LEI, lei_status="LAPSED"), "LOW"),
    ("lei.not_active", replace(CLEAN, lei=LEI, lei_status="UNVERIFIED"), "LOW"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "facts", "risk"), CASES)
def test_each_rule_holds_of_its_case_alone(code: str, facts: RegistrationFacts, risk: str) -> None:
    judgement = judge_registration(facts)
    assert [finding.code for finding in judgement.findings] == [code] and judgement.risk == risk
    refusing = ("sanctions.match", "country.call_for_action", "country.embargo")
    assert judgement.refused is (code in refusing)
    assert bool(judgement.by_country) is (code in refusing[1:])
    assert judgement.owes_ofac(listed=True) is (code in ("sanctions.match", "country.embargo"))
    assert judgement.owes_ofac(listed=False) is (code == "country.embargo")
    assert judgement.findings[0].reason.endswith(".")


def test_every_rule_is_reached_and_a_clean_party_by_none() -> None:
    assert {code for code, _, _ in CASES} == {rule.code for rule in RULES}
    assert (
        judge_registration(CLEAN).findings == ()
        and judge_registration(replace(CLEAN, score=44)).findings == ()
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"country": "CH", "at_gleif": ("DE", "CH")},  # any of GLEIF's will do
        {"country": "DE", "before": "DE"},
        {"country": "DE", "before": "FR", "at_gleif": ("DE",)},  # corrected to what GLEIF has
        {"country": "DE", "before": ""},
    ],
)
def test_a_country_that_is_borne_out_or_stood_before_is_in_no_doubt(fields: dict[str, Any]) -> None:
    assert judge_registration(replace(CLEAN, **fields)).findings == ()


def test_every_rule_that_brings_a_case_has_its_level_and_is_answered_both_ways() -> None:
    refs = {rule.ref for rule in RULES if rule.outcome == "REVIEW"}
    assert refs == frozenset().union(*SEVERITY_ORDER)
    for reasons in (APPROVE, REJECT):
        assert refs == frozenset().union(*(reason.rules for reason in reasons))


HELD = RegisteredEntity("Northwind GmbH", "", ("North",), "DE")
WITH_LEI = replace(HELD, lei=LEI)
STEP_CASES = [
    ("REGISTER", None, SubmittedEntity("Northwind GmbH", "DE")),
    ("SAME", HELD, SubmittedEntity("northwind  GMBH", "DE")),
    ("SAME", HELD, SubmittedEntity("Northwind GmbH", "DE", aliases=("North",))),
    ("SAME", HELD, SubmittedEntity("Northwind Gesellschaft mit beschränkter Haftung", "DE")),
    ("OTHER_ENTITY", HELD, SubmittedEntity("Northwind", "DE")),
    ("SAME", WITH_LEI, SubmittedEntity("Northwind GmbH", "DE")),
    ("SAME", WITH_LEI, SubmittedEntity("Northwind GmbH", "DE", LEI)),
    ("UPGRADE", HELD, SubmittedEntity("Northwind GmbH", "FR", LEI, ("South",))),
    ("CHANGE", HELD, SubmittedEntity("Northwind GmbH", "FR")),
    ("CHANGE", HELD, SubmittedEntity("Northwind GmbH", "DE", aliases=())),
    ("OTHER_ENTITY", HELD, SubmittedEntity("Northwind AG", "DE")),
    ("OTHER_ENTITY", HELD, SubmittedEntity("Northwind AG", "DE", LEI)),
    ("OTHER_ENTITY", WITH_LEI, SubmittedEntity("Northwind GmbH", "DE", "HWUPKR0MPOU8FGXBT394")),
]


@pytest.mark.parametrize(("step", "held", "given"), STEP_CASES)
def test_a_submission_is_the_step_that_the_table_says(
    step: str, held: RegisteredEntity | None, given: SubmittedEntity
) -> None:
    assert classify_submission(held, given).step == step


def test_every_step_is_reached() -> None:
    reached = {classify_submission(held, given).title for _, held, given in STEP_CASES}
    assert reached == {rule.title for rule in STEPS}


ENTITY = Entity(
    lei=LEI, legal_name="X", registration_status="ISSUED", next_renewal=date(2026, 11, 20)
)


@pytest.mark.parametrize(
    ("entity", "status"),
    [
        (None, "UNVERIFIED"),
        (ENTITY, "ACTIVE"),  # through the day of its renewal
        (replace(ENTITY, next_renewal=date(2026, 11, 19)), "LAPSED"),
        (replace(ENTITY, entity_status="ACTIVE"), "ACTIVE"),
        (replace(ENTITY, entity_status="INACTIVE"), "RETIRED"),
        (replace(ENTITY, registration_status="NEWLY_INVENTED"), "UNVERIFIED"),
        *((replace(ENTITY, registration_status=status.code, next_renewal=None), status.stands)
          for status in STATUSES),
    ],
)  # fmt: skip
def test_the_state_of_an_lei_is_gleifs_at_that_moment(entity: Entity | None, status: str) -> None:
    assert lei_status(entity, lei=LEI, now=NOON) == status


def test_without_an_lei_there_is_no_state() -> None:
    assert lei_status(None, lei="", now=NOON) == "NONE"


def test_a_reason_that_ends_with_a_name_ends_with_one_full_stop() -> None:
    judgement = judge_registration(replace(CLEAN, legal_name="Apple Inc.", contested="Y"))
    assert judgement.findings[0].reason.endswith("registered to Apple Inc.")
