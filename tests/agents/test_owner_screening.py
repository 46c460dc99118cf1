"""The owner of an agent is held against the lists as it registers."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.agents import owner_screening
from apps.compliance.agents.models import Agent, Credential
from apps.compliance.agents.rules.levels import AgentOwner
from apps.reference.watchlists import engine
from apps.reference.watchlists.models import Source
from tests.agents.conftest import ALICE_LEI, OWNED, Acting
from tests.conftest import NOON
from tests.lei import fake_gleif
from tests.lei.fake_gleif import FakeGleif
from tests.review.people import OFFICER, at_desk, check_page, person

Register = Callable[..., Acting]
LISTED = OWNED | {"ownerEntity": "Lazarus Group"}
PARTIAL = OWNED | {"ownerEntity": "Lazarus Funeral Group"}
NOTE = "The register extract of this week names the entity."


def test_a_listed_owner_is_refused_neutrally_and_logged_once(register: Register) -> None:
    for _ in range(2):
        refused = register(**LISTED)
        assert (refused.status, refused.told["code"]) == (422, "agent_refused")
        assert "Lazarus" not in str(refused.told) and "sanction" not in str(refused.told).lower()
    assert not Agent.objects.exists()
    entry = SarEntry.objects.get()
    assert entry.kind == "agent" and entry.data["sanctions"]


def test_whoever_gleif_names_for_the_lei_is_held_against_the_lists(
    register: Register, gleif: FakeGleif
) -> None:
    gleif.add(fake_gleif.record(ALICE_LEI, "Lazarus Group"))
    assert register(ownerLei=ALICE_LEI).status == 422


def test_a_partial_hit_stands_with_a_case_that_shows_both_parties(register: Register) -> None:
    made = register(**PARTIAL)
    assert made.status == 201 and made.verify().status_code == 200
    page = check_page(
        at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{Case.objects.get().pk}/")
    )
    assert "Lazarus Funeral Group" in page and "Lazarus Group" in page
    assert "Revoke agent" in page
    agent = f"/admin/agents/agent/{Agent.objects.get().pk}/change/"
    assert f'<a href="{agent}">Its agent</a>' in page


@pytest.mark.parametrize(("outcome", "code"), [("APPROVE", "DIFFERENT_PARTY"), ("REJECT", "OTHER")])
def test_a_decision_lets_the_agent_stand_or_revokes_it(
    register: Register, outcome: str, code: str
) -> None:
    made = register(**PARTIAL)
    case, told = Case.objects.get(), {"reason_code": code, "note": NOTE, "now": NOON}
    services.decide_case(case=case, by=person("olivia", OFFICER), outcome=outcome, **told)
    case.refresh_from_db()
    if case.status != "DECIDED":
        services.confirm_decision(case=case, by=person("sofia", "Senior officer"), **told)
    status = "ACTIVE" if outcome == "APPROVE" else "REVOKED"
    assert made.record()["status"] == status


@pytest.mark.parametrize("stated", [OWNED, {}])
def test_an_owner_like_nobody_on_the_lists_and_none_at_all_bring_no_case(
    register: Register, stated: dict[str, str]
) -> None:
    assert register(**stated).status == 201
    assert not Case.objects.exists() and not SarEntry.objects.exists()


def test_an_officer_reads_agents_and_revokes_none(register: Register) -> None:
    register(**OWNED)
    desk, pk = at_desk(person("olivia", OFFICER)), Agent.objects.get().pk
    assert desk.get(f"/admin/agents/agent/{pk}/change/").status_code == 200
    assert desk.get(f"/admin/agents/agent/{pk}/revoke/").status_code == 403


@pytest.mark.parametrize(("cap", "clamped"), [(25_000, False), (25_001, True)])
def test_a_mandate_at_registration_says_whether_the_level_clamped_it(
    register: Register, cap: int, clamped: bool
) -> None:
    made = register(**OWNED, mandate={"dailyCapUsd": cap})
    assert made.told["clamped"] is clamped
    assert "clamped" not in register(**OWNED).told and "clamped" not in made.record()


def test_nothing_is_attested_of_an_owner_who_is_on_a_list_by_now(
    register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = register(**OWNED)
    assert made.verify().status_code == 200
    monkeypatch.setattr(owner_screening, "screen_owner", _of("Lazarus Group"))
    for _ in range(2):
        refused = made.verify()
        assert (refused.status_code, refused.json()["code"]) == (422, "agent_refused")
        assert "Lazarus" not in refused.content.decode()
    entry = SarEntry.objects.get()
    assert (entry.kind, entry.ref) == ("agent", made.id)
    assert Credential.objects.count() == 1
    made.revoke()
    assert made.verify().json()["verified"] is False


def _of(name: str) -> Callable[..., owner_screening.ScreenedOwner | None]:
    """Screen as ever, as if the owner had the name of somebody who is listed."""
    real = owner_screening.screen_owner

    def screened(*, owner: AgentOwner, now: datetime) -> owner_screening.ScreenedOwner | None:
        return real(owner=replace(owner, entity=name), now=now)

    return screened


def test_what_an_agent_attests_waits_for_the_decision_on_its_owner(
    register: Register, gleif: FakeGleif
) -> None:
    gleif.add(fake_gleif.record(ALICE_LEI, "Lazarus Funeral Group"))
    made = register(ownerLei=ALICE_LEI, mandate={})
    body = made.verify().json()
    assert body["kyaLevel"] == "VERIFIED"
    assert body["credential"]["attestation"]["mandateActive"] is True
    assert body["credential"]["attestation"]["fatfCompliant"] is False
    told = {"reason_code": "DIFFERENT_PARTY", "note": NOTE, "now": NOON}
    case = Case.objects.get()
    services.decide_case(case=case, by=person("olivia", OFFICER), outcome="APPROVE", **told)
    case.refresh_from_db()
    if case.status != "DECIDED":
        services.confirm_decision(case=case, by=person("sofia", "Senior officer"), **told)
    assert made.verify().json()["credential"]["attestation"]["fatfCompliant"] is True


def test_without_lists_nothing_is_attested_of_an_owner(register: Register) -> None:
    made, nobody = register(**OWNED), register()
    Source.objects.update(live=None)
    engine.reset_engine()
    assert made.verify().json()["code"] in ("lists_unavailable", "lists_stale")
    assert nobody.verify().status_code == 200
