"""The entry of a deposit that was blocked in the SAR log: whom it is about, and on which lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.backoffice.sar.entry_facts import PaymentFacts
from apps.backoffice.sar.models import SarEntry
from apps.backoffice.sar.sanctions_authorities import is_ofac_report_owed
from apps.backoffice.sar.services.entries import BlockedOutcome, open_entry
from apps.compliance.screening.rules import screen as rules
from apps.compliance.screening.rules.screen import is_ofac_concerned
from apps.payments.banking.models import BankTransaction
from apps.payments.banking.screening.payers import DepositScreening

KIND = "bank_payment"


@dataclass(frozen=True, slots=True)
class BlockedParty:
    """Whom an entry is about: `lists` are short names, `sanctions` that OFAC may be owed one."""

    party: str
    lists: tuple[str, ...]
    sanctions: bool
    score: int = 100


def log_blocked_deposit(
    row: BankTransaction,
    one: DepositScreening,
    *,
    reasons: Sequence[str],
    now: datetime,
    ref: str = "",
) -> None:
    """Enter a deposit that was blocked, once by a `ref`; in the transaction that halts it.

    What the AML engine blocks by its score has its entry from there.
    """
    about = _find_blocked_party(row, one)
    ref = ref or f"{row.pk}.{row.steps}"
    if about is None or SarEntry.objects.filter(kind=KIND, ref=ref).exists():
        return
    payer, shown = one.verdict.payer, [("Check", reason) for reason in reasons]
    shown += [("Who pays", name) for name in one.shown()["names"]]
    shown += [("Countries of who pays", payer.country)] if payer.country else []
    shown += [("Note", one.shown()["note"])] if payer.words else []
    blocked = BlockedOutcome(
        kind=KIND,
        ref=ref,
        owner=row.owner,
        party=about.party,
        reasons=list(reasons),
        rules=[reason.partition(" ")[0] for reason in reasons],
        sanctions=about.sanctions,
        lists=about.lists,
        risk_score=about.score,
        screened_at=now,
        facts=PaymentFacts(
            amount=row.amount,
            currency="USD",
            usd=row.amount,
            country=one.payer.country if one.payer else "",
            reference=row.resource_id,
            wallet=row.wallet,
            picture={"facts": [{"label": label, "value": value} for label, value in shown]},
        ),
    )
    open_entry(blocked=blocked, now=now)


def _find_blocked_party(
    row: BankTransaction, deposit_screening: DepositScreening
) -> BlockedParty | None:
    """Return the gravest of who was found: the wallet, who is registered for it, who pays."""
    found = deposit_screening.flow.found.get("sanctions")
    if deposit_screening.lists:
        return BlockedParty(
            row.wallet, deposit_screening.lists, is_ofac_report_owed(deposit_screening.lists)
        )
    if found is not None and found.facts["screen"] == "BLOCKED" and found.screen is not None:
        asked, gathered = found.screen
        lists = tuple(gathered.blocking_lists)
        judged = rules.judge_screen(gathered.facts)
        codes = [item.code for item in judged.findings]
        owed = is_ofac_concerned(codes, owed=is_ofac_report_owed(lists))
        return BlockedParty(asked.name, lists, owed, judged.risk_score)
    if (payer := deposit_screening.payer) is not None and payer.blocked:
        owed = is_ofac_concerned(payer.rules, owed=is_ofac_report_owed(payer.datasets))
        return BlockedParty(payer.party, payer.datasets, owed, payer.score)
    if deposit_screening.flow.facts.aml == "BLOCK":
        score = deposit_screening.flow.found["aml"].kept["riskScore"]
        return BlockedParty(row.wallet, (), False, int(score))
    return None
