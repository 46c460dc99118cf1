"""What a seeded desk shows of wallets: each state, by the actions that people and clients use."""

import io
from collections import Counter

import pytest
from django.core.management import call_command

from apps.compliance.payees.integrity import verify_all_registrations
from apps.compliance.payees.models import EntityChange, ImportLine, Registration, WalletImport
from apps.compliance.payees.models.payee_checks import VopCheck
from apps.entry.sandbox import wallets
from apps.entry.sandbox.seed import seed_desk
from tests.conftest import NOON
from tests.review.people import OFFICER, SENIOR, person
from tests.screening.conftest import sample  # noqa: F401

pytestmark = pytest.mark.django_db


@pytest.fixture
def told(sample: None) -> Counter[str]:  # noqa: F811
    person("olivia", OFFICER)
    person("rita", "Registrar")
    for name in ("samir", "sofia"):
        person(name, SENIOR)
    call_command("load_sample_lei", stdout=io.StringIO())
    return seed_desk(now=NOON, cases=1, seed=5, stories=wallets.plan_wallets)


def test_there_are_wallets_checks_and_imports_in_each_state(told: Counter[str]) -> None:
    rows = Registration.objects.all()
    assert rows.filter(active=False).exists() and rows.filter(under_review=True).count() >= 3
    assert rows.filter(proved_at__isnull=False).exists()
    assert set(rows.values_list("kind", flat=True)) == {"SELF_DECLARED", "GLEIF_VERIFIED"}
    assert rows.filter(lei_status="LAPSED").exists()
    assert rows.filter(legal_name="Haverlund Marine Group AB", active=True).exists()
    states = EntityChange.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["APPROVED", "APPROVED", "PROPOSED"]
    assert list(verify_all_registrations(lambda done: None)) == []
    results = set(VopCheck.objects.values_list("result", flat=True))
    assert results >= {"LEI_MATCH", "LEI_INACTIVE", "VERIFIED", "BLOCKED", "NOT_REGISTERED"}
    assert set(WalletImport.objects.values_list("stage", flat=True)) == {"CHECKED", "DONE"}
    came = set(ImportLine.objects.exclude(outcome="").values_list("outcome", flat=True))
    assert came == {"REGISTER", "SAME", "CONFLICT", "TWICE", "FAULTY"}
