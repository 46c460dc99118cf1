"""A registration status of an LEI means the same to every service."""

import ast
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.esg.rules.lei_deductions import deduction_of_status
from apps.insight.esg.serializers import LEI_STATUSES
from apps.insight.intelligence.rules import entity_tiers as entities
from apps.insight.reports.rules.esg import RULES as ESG_RULES
from apps.reference.lei.models import LeiRecord
from apps.reference.lei.rules.registration import IN_FORCE, STATUSES, standing_of_status
from tests.agents.conftest import Acting
from tests.lei.changed_entities import restate
from tests.payees.registration.conftest import MICROSOFT, lookup, register, rita, wallet  # noqa: F401
from tests.payees.vop.conftest import verify  # noqa: F401
from tests.screening.conftest import alice, sample, screen  # noqa: F401

APPS = Path(__file__).parents[2] / "apps"
LEI, NAME = MICROSOFT["lei"], MICROSOFT["legalName"]
Call = Callable[..., Any]
# as GLEIF publishes them (LEI-CDF 3.1), with how the LEI stands; beside the table on purpose
MEANING = {
    "ISSUED": "ACTIVE",
    "PENDING_TRANSFER": "ACTIVE",
    "PENDING_ARCHIVAL": "ACTIVE",
    "LAPSED": "LAPSED",
    "RETIRED": "RETIRED",
    "MERGED": "RETIRED",
    "DUPLICATE": "RETIRED",
    "ANNULLED": "RETIRED",
    "CANCELLED": "RETIRED",
    "TRANSFERRED": "UNVERIFIED",
    "PUBLISHED": "UNVERIFIED",
    "PENDING_VALIDATION": "UNVERIFIED",
}
OTHER = "SOMETHING_NEW"


def test_the_table_has_each_status_once() -> None:
    assert {status.code: status.stands for status in STATUSES} == MEANING
    assert len(STATUSES) == len(MEANING) and standing_of_status(OTHER) == "UNVERIFIED"
    assert IN_FORCE == ("ISSUED", "PENDING_TRANSFER", "PENDING_ARCHIVAL")
    assert set(LEI_STATUSES) == {*MEANING, "UNVERIFIED"}


@pytest.mark.django_db
@pytest.mark.parametrize("status", [*MEANING, OTHER])
def test_every_service_takes_an_lei_of_a_status_alike(
    status: str,
    register: Call,  # noqa: F811
    lookup: Call,  # noqa: F811
    screen: Call,  # noqa: F811
    verify: Call,  # noqa: F811
) -> None:
    means = MEANING.get(status, "UNVERIFIED")
    counts = means == "ACTIVE"
    assert restate(LeiRecord.objects.filter(lei=LEI), registration_status=status) == 1

    assert register(1, **MICROSOFT)["type"] == "GLEIF_VERIFIED"  # the LEI was looked up
    found = lookup(1)
    assert (found["leiStatus"], found["lei"]) == (means, LEI)
    shown = APIClient().get(f"/compliance/lei/{LEI}").json()
    assert (shown["leiStatus"], shown["registrationStatus"]) == (means, status)

    checked = verify(1, NAME, LEI)
    assert (checked["result"] == "LEI_MATCH", checked["leiStatus"]) == (counts, means)

    screened = screen(name=NAME, lei=LEI, amount=Decimal(100_000))
    assert (screened["attestations"]["fatfR16"]["basis"] == "LEI_VERIFIED") is counts
    assert ("lei.does_not_count" in screened["rules"]) is not counts
    assert ("amount.large" in screened["rules"]) is not counts

    body = {"name": "Treasury agent", "ownerLei": LEI}
    agent = Acting(APIClient().post("/compliance/agent/register", body, format="json"))
    assert (agent.told["kyaLevel"] == "VERIFIED", agent.told["leiVerified"]) == (counts, counts)
    assert (f"({status})" in agent.told["tierNote"]) is (counts and status != "ISSUED")

    entity_facts = entities.EntityFacts(pillars={}, coverage="FULL", lei_status=status, figures={})
    warned = next(flag for flag in entities.FLAGS if flag.code == "LEI_NOT_IN_FORCE").raised(
        entity_facts
    )
    told = next(esg_rule for esg_rule in ESG_RULES if esg_rule.code == "ESG-LEI")
    data = {"entity": {"leiStatus": status, "leiPoints": -deduction_of_status(status).points}}
    assert (warned, bool(list(told.finds(data)))) == (not counts, not counts)
    assert (deduction_of_status(status).points <= 5) is counts


@pytest.mark.django_db
@pytest.mark.parametrize("status", IN_FORCE)
@pytest.mark.parametrize(("renewal", "means"), [("2999-01-01", "ACTIVE"), ("2020-01-01", "LAPSED")])
def test_what_is_pending_lapses_at_its_renewal_date_like_any_other(
    status: str,
    renewal: str,
    means: str,
    sample: Any,  # noqa: F811
) -> None:
    row = LeiRecord.objects.filter(lei=LEI)
    restate(row, registration_status=status, next_renewal=date.fromisoformat(renewal))
    assert APIClient().get(f"/compliance/lei/{LEI}").json()["leiStatus"] == means


def compared() -> Iterator[str]:
    """Yield each place that compares something with a status in force by its name."""
    for path in sorted(APPS.rglob("*.py")):
        if "migrations" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Compare):
                continue
            names = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant)]
            if any(name in IN_FORCE for name in names):
                yield f"{path.relative_to(APPS)}:{node.lineno}"


def test_nobody_compares_a_status_by_its_name_beside_the_table() -> None:
    assert list(compared()) == [], "ask apps.reference.lei.rules.registration.is_in_force"
