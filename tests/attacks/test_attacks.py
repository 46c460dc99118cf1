"""The attacks can be run, and those that need no server are."""

from collections import Counter
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from apps.access.keys.metering import count_billed_call
from apps.access.keys.models import Account, UsageRecord
from apps.access.keys.usage_integrity import record_usage
from apps.entry.sandbox.seed import seed_desk
from apps.platform.common.clock import now
from apps.platform.jobs.job_queue import sync_schedules
from apps.platform.ledger.models import Seal
from apps.platform.ledger.table_proofs import PROVED
from apps.reference.watchlists.listed_entity import ListedName
from config.prices import UNITS
from tests import desk_table
from tests.api.endpoint_walk import key_client
from tests.attacks import hostile_http, ledgers, rows, self_match, tables
from tests.attacks.__main__ import attacks, first_line, main
from tests.attacks.client import Answer
from tests.attacks.rare_rows import MADE
from tests.payees.registration.conftest import register, rita  # noqa: F401
from tests.payments.conftest import INITIATE, instruction, work
from tests.sandbox.test_seed_desk import staff  # noqa: F401
from tests.screening.conftest import sample  # noqa: F401
from tests.settlement.test_agent_settlements import Agents

COMPLIANCE = "/compliance/compliance"
SECURITY = Path(__file__).resolve().parents[2] / "docs" / "security.md"


def test_every_attack_says_what_it_tries(capsys: Any) -> None:
    assert {"rows", "same-key", "slow-clients"} <= set(attacks())
    assert main([]) == 0
    listed = capsys.readouterr().out
    for name, module in attacks().items():
        assert name in listed and first_line(module) in listed
        assert f"./run attack {name}" in (module.__doc__ or "")
        assert f"| `{name}` |" in SECURITY.read_text(encoding="utf-8")


def test_an_attack_that_is_none_is_refused(capsys: Any) -> None:
    assert main(["nothing"]) == 2 and "nothing is no attack" in capsys.readouterr().err
    assert main(["rows", "--help"]) == 0 and "UNDETECTED" in capsys.readouterr().out


def test_an_answer_that_is_not_as_expected_is_a_fault() -> None:
    policy = {"content-security-policy": "x"}
    problem = policy | {"content-type": "application/problem+json"}
    request = hostile_http.Request("document: null", b"", (400,))

    def fault(status: int, headers: dict[str, str], body: bytes = b"") -> str:
        return hostile_http.find_fault(request, Answer(status, headers, body))

    assert fault(400, problem) == ""
    assert fault(500, problem) == "answered 500, expected (400,)"
    assert fault(400, {}) == "it carries no page policy"
    assert fault(400, policy | {"content-type": "text/html"}) == "it is refused as text/html"
    assert fault(400, problem, b"Traceback (most recent call last)") == "it tells a traceback"


@pytest.mark.django_db
def test_every_listed_name_of_the_sample_finds_itself(
    sample: None,  # noqa: F811
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["self-match", "2"]) == 0
    assert "primary" in capsys.readouterr().out


def test_a_name_that_does_not_find_itself_is_a_fault() -> None:
    names = ["Blocked", "Flagged", "Approved"]
    listed = [ListedName(name, "primary") for name in names]
    party = SimpleNamespace(names=[*listed, ListedName("Approved", weak=True)], schema="Person")

    class Index:
        """Finds one name well, one badly and one not at all."""

        def __len__(self) -> int:
            return 1

        def entity(self, position: int) -> Any:
            return party

        def search(self, query: Any, **_: Any) -> list[Any]:
            scores = {"Blocked": 0.9, "Flagged": 0.5}
            return [SimpleNamespace(score=scores[query.name])] if query.name in scores else []

    found = self_match.look(Index())
    assert [fault.partition(":")[0] for fault in found.faults] == ["FLAGGED at 50", "APPROVED at 0"]


@pytest.mark.django_db
def test_no_tampering_with_a_ledger_goes_undetected(noon: datetime) -> None:
    counts = ({"account": 1, "month": "2026-11", "unit": "screen", "calls": n} for n in range(6))
    UsageRecord.write_each(now=noon, rows=(({}, count) for count in counts))
    results = ledgers.run(["usage"])
    assert len(results) == len(ledgers.tamperings())
    assert not [title for title, verdict, _ in results if verdict == "UNDETECTED"]
    verdicts = Counter(verdict for _, verdict, _ in results)
    # what triggers refuse, what is found, and ends that were cut off without a trace
    assert min(verdicts["REFUSED"], verdicts["FOUND"], verdicts["WITH HEADS"]) > 0, verdicts
    assert UsageRecord.objects.count() == 6 and not Seal.objects.filter(ledger="usage").exists()


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.django_db
def test_no_change_of_a_row_goes_undetected(
    staff: None,  # noqa: F811
    sample: None,  # noqa: F811
    register: Any,  # noqa: F811
) -> None:
    moment = now()
    sync_schedules(now=moment)
    seed_desk(now=moment, cases=6, seed=1)
    bank = key_client("Alder Bank", "INSTITUTION")
    bank.post(INITIATE, instruction(), format="json")
    work()
    register(43)
    Agents()
    account = Account.objects.earliest("pk")
    count_billed_call(account_id=account.pk, unit=next(iter(UNITS.values())), now=moment)
    record_usage("", moment)
    results = rows.run(rows.CHANGES)
    assert not [one.title for one, verdict, _ in results if verdict == "UNDETECTED"]
    verdicts = Counter(verdict for _, verdict, _ in results)
    # what is not there is not tried: most is
    assert verdicts["FOUND"] + verdicts["REFUSED"] > 20, verdicts
    tried = {one.title for one, verdict, _ in results if verdict != "NOTHING"}
    assert {
        "an officer is made a superuser",
        "the volume of a month is raised",
        "calls of a month are set back",
        "a payment is gone",
        "an entity of the register gets another name",
        "the daily verification is switched off",
    } <= tried
    # parties of reports are not proved to be kept: what is screened is changed before
    alice = key_client("Alice Ltd", "SUBSCRIPTION")
    asked = {"name": "Keir Starmer", "country": "GB"}
    alice.post(f"{COMPLIANCE}/pep-screen", asked, format="json", headers={"Idempotency-Key": "K"})
    alice.post(f"{COMPLIANCE}/ubo-chain", {"lei": "INR2EJN1ERAN0W5ZP974"}, format="json")
    record_usage("", now())
    walked = rows.walk()
    assert not [title for title, verdict in walked if verdict == "UNDETECTED"]
    assert {title.partition(":")[0] for title, _ in walked} >= EVERYDAY


# proved tables of which the everyday world above has a row
EVERYDAY = {
    *("access.ApiKey", "access.UsageCount", "agents.Agent", "agents.Mandate", "aml.WalletProfile"),
    *("auth.Group", "auth.Group_permissions", "auth.User", "auth.User_groups", "callbacks.Event"),
    *("core.Periodic", "countries.CountryListing", "esg.Evidence", "lei.LeiRecord"),
    *("lei.Relationship", "lei.ReportingException", "payments.HandOver", "payments.MonthVolume"),
    *("payments.Payment", "registry.Registration", "review.Case", "sar.SarMatter", "sar.SarParty"),
    *(
        "screening.FindKey",
        "signals.Observation",
        "watchlists.EntityState",
        "watchlists.ListVersion",
    ),
    *("screening.PepReport", "screening.UboReport"),
    *("watchlists.Party", "watchlists.Source", "stability.Quote", "core.IdempotentCall"),
}
# and those of which the desk's pages have one, as the platform itself makes it
AT_DESK = {
    *("access.KeyRequest", "agents.Spend", "aml.ActivityChange", "aml.WeightChange"),
    *("banking.BankTransaction", "banking.Recipient", "banking.Send", "banking.Wire"),
    *("chain.Order", "core.LegalHold", "countries.CountryChange", "registry.EntityChange"),
    *("settlement.AccessChange", "stability.TierChange", "travelrule.Engagement"),
    *("travelrule.RecordKey", "travelrule.TravelRecord", "travelrule.VaspChange"),
    *("watchlists.SourceChange",),
}


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.django_db
def test_no_change_of_what_pages_of_the_desk_show_goes_undetected(
    sample: None,  # noqa: F811
) -> None:
    desk_table.make_things()
    assert not [label for label in AT_DESK if tables.find_faults(label)]
    walked = rows.walk(sorted(AT_DESK))
    assert not [title for title, verdict in walked if verdict == "UNDETECTED"]
    assert {title.partition(":")[0] for title, _ in walked} == AT_DESK


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.django_db
def test_no_change_of_a_row_that_the_attack_makes_goes_undetected(
    sample: None,  # noqa: F811
) -> None:
    walked = rows.walk(sorted(MADE))
    assert not [title for title, verdict in walked if verdict == "UNDETECTED"]
    assert {title.partition(":")[0] for title, _ in walked} == MADE
    assert not any(tables.has_row(label) for label in MADE)  # all of it was taken back


# those that tests of their own app walk, which have rows of them
ELSEWHERE = {
    "tests/agents/test_agent_integrity.py": {"agents.Revocation"},
    "tests/paywall/test_money_row_integrity.py": {
        "paywall.PaymentClaim", "paywall.StreamSession", "paywall.Tick"
    },
    "tests/settlement/test_altered_settlements.py": {
        "settlement.Settlement", "settlement.SettlementAccess"
    },
    "tests/staff/test_staff_integrity.py": {"staff.Factor"},
    "tests/travelrule/test_tampering.py": {
        "travelrule.Tally", "travelrule.TallyHead", "travelrule.Transmission"
    },
}  # fmt: skip


def test_every_proved_table_is_walked() -> None:
    parts = [EVERYDAY, AT_DESK, MADE, *ELSEWHERE.values()]
    assert set().union(*parts) == set(PROVED)
