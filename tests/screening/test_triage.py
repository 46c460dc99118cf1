"""How grave a case of a flagged screen is, and how soon it is due."""

from datetime import timedelta

import pytest

from apps.backoffice.review.rules.risks import RISKS_HIGHEST_FIRST
from apps.compliance.screening.case_types.screens import COUNTRY, SANCTIONS, SCREEN
from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.findings import RULES
from apps.compliance.screening.rules.owners import COUNTRY_RISKS
from apps.compliance.screening.rules.screen import Finding, judge_screen
from apps.compliance.screening.rules.triage import SANCTIONS_HITS, case_risk
from tests.review.people import SENIOR, at_desk, person


def finding(code: str, risk: int) -> Finding:
    return Finding(code, code, "FLAGGED", risk, "")


@pytest.mark.parametrize(
    ("score", "risk"),
    [(0, "LOW"), (49, "LOW"), (50, "MEDIUM"), (69, "MEDIUM"), (70, "HIGH"), (100, "HIGH")],
)
def test_the_risk_class_of_a_case(score: int, risk: str) -> None:
    assert case_risk(risk_score=score, findings=[finding("pep.match", score)]) == risk


@pytest.mark.parametrize("code", sorted(SANCTIONS_HITS))
@pytest.mark.parametrize(
    ("score", "risk"), [(1, "MEDIUM"), (45, "MEDIUM"), (59, "MEDIUM"), (60, "HIGH"), (69, "HIGH")]
)
def test_a_sanctions_hit_is_never_green_and_high_from_sixty(
    code: str, score: int, risk: str
) -> None:
    assert case_risk(risk_score=score, findings=[finding(code, score)]) == risk


def test_another_rule_makes_no_sanctions_hit_high() -> None:
    both = [finding("sanctions.partial", 45), finding("country.increased_monitoring", 60)]
    assert case_risk(risk_score=60, findings=both) == "MEDIUM"
    assert case_risk(risk_score=70, findings=both) == "HIGH"


def test_every_rule_that_flags_for_a_sanctioned_party_counts_as_such() -> None:
    flagging = {
        rule.code: rule.ref
        for rule in RULES
        if rule.decision == "FLAGGED" and ("partial" in rule.code or "minority" in rule.code)
    }
    assert set(flagging) == SANCTIONS_HITS and set(flagging.values()) == SANCTIONS


@pytest.mark.parametrize("score", range(45, 70))
@pytest.mark.parametrize("label", ["INCREASED_MONITORING", "EU_HIGH_RISK"])
def test_a_sanctions_hit_never_waits_longer_than_a_country_rule(score: int, label: str) -> None:
    def due(facts: ScreenFacts) -> timedelta:
        judgement = judge_screen(facts)
        risk = case_risk(risk_score=judgement.risk_score, findings=judgement.findings)
        return SCREEN.within(risk=risk, refs=[one.ref for one in judgement.findings])

    plain = {"source": "US", "source_label": "STANDARD", "destination": "FR"}
    hit = ScreenFacts(**plain, destination_label="STANDARD", sanctions_score=score)
    country = ScreenFacts(**plain, destination_label=label, sanctions_score=0)
    assert due(hit) < due(country)


def test_no_country_rule_alone_is_high_so_that_none_is_due_sooner() -> None:
    assert all(risk < 70 for label, risk in COUNTRY_RISKS.items() if label != "CALL_FOR_ACTION")
    for risk in RISKS_HIGHEST_FIRST:
        sanctioned = SCREEN.within(risk=risk, refs=SANCTIONS)
        assert sanctioned <= min(SCREEN.within(risk=risk, refs=[ref]) for ref in COUNTRY)
        # of several rules that hold the least counts
        assert SCREEN.within(risk=risk, refs=[*SANCTIONS, *COUNTRY]) == sanctioned
    assert SCREEN.within(risk="LOW", refs=["a rule that left"]) == timedelta(hours=30)


@pytest.mark.django_db
def test_the_table_of_hours_has_none_for_a_risk_that_no_such_case_has() -> None:
    page = at_desk(person("samir", SENIOR)).get("/admin/review/triage/").content.decode()
    row = page[page.index("A sanctioned party may be meant") :].split("</tr>")[0]
    assert "8 h" in row and "–" in row
