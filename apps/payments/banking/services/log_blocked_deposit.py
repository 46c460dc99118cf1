"""The SAR log's entry of a blocked deposit: its party, and the lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.backoffice.sar.entry_facts import PaymentFacts
from apps.backoffice.sar.models import SarEntry
from apps.backoffice.sar.sanctions_authorities import is_ofac_report_owed
from apps.backoffice.sar.services.entries import BlockedOutcome, open_entry
from apps.compliance.screening.rules import screen
from apps.compliance.screening.rules.screen import is_ofac_concerned
from apps.payments.banking.models import BankTransaction
from apps.payments.banking.screening.deposits import DepositScreening

KIND = "bank_payment"


@dataclass(frozen=True, slots=True)
class BlockedParty:
    """The party of an entry: `lists` are short names, `sanctions` that OFAC may need a report."""

    party: str
    lists: tuple[str, ...]
    sanctions: bool
    score: int = 100


def log_blocked_deposit(
    row: BankTransaction,
    deposit_screening: DepositScreening,
    *,
    reasons: Sequence[str],
    now: datetime,
    ref: str = "",
) -> None:
    """Enter a blocked deposit, once per `ref`, in the transaction that stops it.

    A block by the AML engine's score has its entry from there.
    """
    about = _find_blocked_party(row, deposit_screening)
    ref = ref or f"{row.pk}.{row.steps}"
    # once per case: a deposit may be judged again in the same state
    if about is None or SarEntry.objects.filter(kind=KIND, ref=ref).exists():
        return
    payer, shown = deposit_screening.verdict.payer, [("Check", reason) for reason in reasons]
    shown += [("Who pays", name) for name in deposit_screening.shown()["names"]]
    shown += [("Payer's countries", payer.country)] if payer.country else []
    shown += [("Note", deposit_screening.shown()["note"])] if payer.words else []
    blocked = BlockedOutcome(
        kind=KIND,
        ref=ref,
        owner=row.owner,
        party=about.party,
        reasons=list(reasons),
        # descriptions begin with the code of their row (quote_deposit.describe_checks)
        rules=[reason.partition(" ")[0] for reason in reasons],
        sanctions=about.sanctions,
        lists=about.lists,
        risk_score=about.score,
        screened_at=now,
        facts=PaymentFacts(
            amount=row.amount,
            currency="USD",
            usd=row.amount,
            country=deposit_screening.payer.country if deposit_screening.payer else "",
            reference=row.resource_id,
            wallet=row.wallet,
            picture={"facts": [{"label": label, "value": value} for label, value in shown]},
        ),
    )
    open_entry(blocked=blocked, now=now)


def _find_blocked_party(
    row: BankTransaction, deposit_screening: DepositScreening
) -> BlockedParty | None:
    """Return the most severe of the parties found: the wallet, its registered party, the payer.

    None if no sanctions finding and no AML check of the flow blocks it.
    """
    sanctions = deposit_screening.flow.found.get("sanctions")
    if deposit_screening.lists:
        return BlockedParty(
            row.wallet, deposit_screening.lists, is_ofac_report_owed(deposit_screening.lists)
        )
    if (
        sanctions is not None
        and sanctions.facts["screen"] == "BLOCKED"
        and sanctions.screen is not None
    ):
        screen_request, gathered = sanctions.screen
        lists = tuple(gathered.blocking_lists)
        judged = screen.judge_screen(gathered.facts)
        codes = [item.code for item in judged.findings]
        owed = is_ofac_concerned(codes, owed=is_ofac_report_owed(lists))
        return BlockedParty(screen_request.name, lists, owed, judged.risk_score)
    if (payer := deposit_screening.payer) is not None and payer.blocked:
        owed = is_ofac_concerned(payer.rules, owed=is_ofac_report_owed(payer.datasets))
        return BlockedParty(payer.party, payer.datasets, owed, payer.score)
    if deposit_screening.flow.facts.aml == "BLOCK":
        score = deposit_screening.flow.found["aml"].kept["riskScore"]
        return BlockedParty(row.wallet, (), False, int(score))
    return None
