"""A check that could not run is not a passed check (D §4, Fail closed)."""

from datetime import timedelta

import pytest
from django.core.management import call_command

from apps.compliance.screening.combined.replay import replay_screen
from apps.compliance.screening.models import Screen
from apps.platform.common.clock import now
from apps.reference.lei.models import LeiRecord
from apps.reference.watchlists import engine
from apps.reference.watchlists.models import Source, SourceKind
from tests.lei.changed_entities import restate
from tests.screening.conftest import CLEAN, PATH

BODY = {"name": CLEAN, "country": "DE"}
MICROSOFT = {"name": "Microsoft Corporation", "lei": "INR2EJN1ERAN0W5ZP974"}
UBO = "/compliance/compliance/ubo-chain"
UNKNOWN_LEI = "529900T8BM49AURSDO55"


def post(client, **fields):
    engine.reset_engine()
    return client.post(PATH, BODY | fields, format="json")


def test_without_any_list_it_is_a_503_and_nothing_is_recorded(db, caller) -> None:
    engine.reset_engine()
    response = post(caller())
    assert (response.status_code, response.json()["code"]) == (503, "lists_unavailable")
    assert int(response["Retry-After"]) > 0
    assert not Screen.objects.exists()


def test_lists_whose_index_is_not_built_here_are_a_503(db, caller, settings, tmp_path) -> None:
    settings.VAR_DIR = tmp_path
    call_command("load_sample_lists", verbosity=0)
    response = post(caller())
    assert (response.status_code, response.json()["code"]) == (503, "lists_unavailable")


@pytest.mark.parametrize(("hours", "status"), [(47, 200), (49, 503)])
def test_an_official_sanctions_list_may_be_48_hours_old_in_production(
    alice, settings, hours, status
) -> None:
    settings.LISTS_MAX_AGE_HOURS = 48
    checked = now() - timedelta(hours=hours)
    Source.objects.update(kind=SourceKind.OFFICIAL, last_checked_at=checked)
    response = post(alice)
    assert response.status_code == status
    if status == 503:
        assert response.json()["code"] == "lists_stale"


def test_production_refuses_sample_lists(caller, settings) -> None:
    settings.PRODUCTION, settings.LEDGER_KEYS = True, f"a:{'22' * 32}"
    response = post(caller("Alice Ltd"))
    assert (response.status_code, response.json()["code"]) == (503, "lists_unavailable")


def test_what_was_judged_on_sample_data_says_so(alice) -> None:
    assert post(alice).json()["dataQuality"] == "SAMPLE"
    Source.objects.update(kind=SourceKind.OFFICIAL)
    assert post(alice).json()["dataQuality"] == "LIVE"


def test_the_quality_is_that_of_the_worst_input(alice) -> None:
    Source.objects.update(kind=SourceKind.OFFICIAL)
    assert post(alice, amount=100).json()["dataQuality"] == "LIVE"
    assert post(alice, amount=100, currency="EUR").json()["dataQuality"] == "SAMPLE"
    assert post(alice, **MICROSOFT).json()["dataQuality"] == "SAMPLE"
    assert [screen.sample for screen in Screen.objects.order_by("pk")] == [False, True, True]


def test_an_enabled_list_that_is_not_held_flags_every_screen(alice) -> None:
    Source.objects.update(kind=SourceKind.OFFICIAL)
    whole = alice.post(UBO, {"lei": MICROSOFT["lei"]}, format="json").json()
    assert whole["fatfAttestation"]["sanctionsStatus"] == "CLEAR"
    Source.objects.create(
        slug="more", title="More", topic="sanction", kind="official", format="csv"
    )
    answer = post(alice).json()
    assert (answer["decision"], answer["riskScore"]) == ("FLAGGED", 50)
    assert answer["reasons"] == ["Lists not checked: The list more is enabled and not loaded."]
    assert answer["dataQuality"] == "PARTIAL"
    record = Screen.objects.get()
    assert record.data["evidence"]["sourcesMissing"] == ["The list more is enabled and not loaded."]
    assert replay_screen(record=record).agrees
    owners = alice.post(UBO, {"lei": MICROSOFT["lei"]}, format="json").json()
    assert owners["result"] == "REVIEW_REQUIRED"
    assert "more is enabled and not loaded" in " ".join(owners["reasons"])
    assert owners["fatfAttestation"]["sanctionsStatus"] == "NOT_CHECKED"
    Source.objects.filter(slug="more").update(enabled=False)
    assert post(alice).json()["decision"] == "APPROVED"
    owners = alice.post(UBO, {"lei": MICROSOFT["lei"]}, format="json").json()
    assert "not loaded" not in " ".join(owners["reasons"])


def test_a_required_list_that_is_not_held_is_a_503(alice, settings) -> None:
    settings.REQUIRED_SOURCES = ["OFAC", "sample-sanctions"]
    response = post(alice)
    assert (response.status_code, response.json()["code"]) == (503, "lists_unavailable")
    assert "us-ofac-sdn is required and not loaded" in response.json()["detail"]
    response = alice.post(UBO, {"lei": MICROSOFT["lei"]}, format="json")
    assert response.status_code == 503


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"country": "CU"}, "destination country CU"),
        ({"sourceCountry": "CU"}, "source country CU"),
    ],
)
def test_an_embargoed_country_flags_and_bears_no_label(alice, fields, named) -> None:
    answer = post(alice, **fields).json()
    assert (answer["decision"], answer["riskScore"]) == ("FLAGGED", 60)
    assert answer["ruleReferences"] == ["D §4 countries, embargo"]
    assert named in answer["reasons"][0]
    assert set(answer["checks"]["fatfCountry"].values()) == {"STANDARD"}
    assert replay_screen(record=Screen.objects.get()).agrees


def test_without_a_pep_list_a_screen_that_needs_it_is_flagged(alice) -> None:
    Source.objects.filter(topic="pep").update(enabled=False)
    call_command("build_index", verbosity=0)
    body = post(alice, individual=True).json()
    assert body["decision"] == "FLAGGED"
    assert "not checked" in " ".join(body["reasons"])
    assert body["checks"]["pep"] == {"checked": False, "matched": None, "score": None}
    assert post(alice).json()["decision"] == "APPROVED"


@pytest.mark.parametrize(("hours", "checked"), [(23, True), (25, False)])
def test_a_pep_list_that_is_too_old_is_not_screened_against(alice, hours, checked) -> None:
    when = now() - timedelta(hours=hours)
    Source.objects.filter(topic="pep").update(max_age_hours=24, last_checked_at=when)
    answer = post(alice, individual=True).json()
    assert answer["checks"]["pep"]["checked"] is checked
    assert answer["decision"] == ("APPROVED" if checked else "FLAGGED")
    assert ("D §4 fail closed, PEP" in answer["ruleReferences"]) is not checked


def test_an_lei_that_nobody_could_check_is_flagged(alice) -> None:
    answer = post(alice, lei=UNKNOWN_LEI).json()
    assert answer["decision"] == "FLAGGED"
    assert answer["riskScore"] == 50
    assert any("Ownership not checked" in reason for reason in answer["reasons"])
    chain = answer["checks"]["uboChain"]
    assert (chain["checked"], chain["levels"], chain["sanctionsAtNode"]) == (False, 0, None)


def test_an_amount_without_a_rate_is_flagged(alice) -> None:
    answer = post(alice, amount=1, currency="KPW").json()
    assert answer["decision"] == "FLAGGED"
    assert any("Amount not checked" in reason for reason in answer["reasons"])
    r16 = answer["attestations"]["fatfR16"]
    assert (r16["satisfied"], r16["basis"]) == (False, "NAME_ONLY")


@pytest.mark.parametrize(
    ("fields", "counts"),
    [
        (MICROSOFT, True),
        (MICROSOFT | {"name": "MICROSOFT CORP."}, True),
        (MICROSOFT | {"name": CLEAN}, False),
        ({"name": "UK EQUITY FUND (OFFSHORE)", "lei": "549300LBI3LRIZ2V8V66"}, False),
        ({"lei": UNKNOWN_LEI}, False),
    ],
)
def test_an_lei_counts_only_when_known_issued_and_of_that_name(alice, fields, counts) -> None:
    answer = post(alice, amount=100000, **fields).json()
    basis = answer["attestations"]["fatfR16"]["basis"]
    assert basis == ("LEI_VERIFIED" if counts else "NAME_ONLY")
    assert ("LARGE_WITHOUT_LEI_100000" in answer["checks"]["amountFlags"]) is not counts
    if not counts:
        assert any("does not count" in reason for reason in answer["reasons"])


def test_an_lei_that_lapsed_since_no_longer_counts(alice) -> None:
    assert post(alice, **MICROSOFT).json()["attestations"]["fatfR16"]["satisfied"]
    restate(LeiRecord.objects.filter(lei=MICROSOFT["lei"]), registration_status="LAPSED")
    assert not post(alice, **MICROSOFT).json()["attestations"]["fatfR16"]["satisfied"]
