"""The entry of a deposit that was blocked in the SAR log: whom it is about, and on which lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.banking.models import BankTransaction
from apps.banking.payers import Checked
from apps.sar.actions import Blocked, open_entry
from apps.sar.authorities import owes_ofac
from apps.sar.facts import Facts
from apps.sar.models import SarEntry
from apps.screening.rules import screen as rules
from apps.screening.rules.screen import ofac_concerned

KIND = "bank_payment"


@dataclass(frozen=True, slots=True)
class About:
    """Whom an entry is about: `lists` are short names, `sanctions` that OFAC may be owed one."""

    party: str
    lists: tuple[str, ...]
    sanctions: bool
    score: int = 100


def log(
    row: BankTransaction, one: Checked, *, reasons: Sequence[str], now: datetime, ref: str = ""
) -> None:
    """Enter a deposit that was blocked, once by a `ref`; in the transaction that halts it.

    What the AML engine blocks by its score has its entry from there.
    """
    about = _about(row, one)
    ref = ref or f"{row.pk}.{row.steps}"
    if about is None or SarEntry.objects.filter(kind=KIND, ref=ref).exists():
        return
    payer, shown = one.verdict.payer, [("Check", said) for said in reasons]
    shown += [("Who pays", name) for name in one.shown()["names"]]
    shown += [("Countries of who pays", payer.country)] if payer.country else []
    shown += [("Note", one.shown()["note"])] if payer.words else []
    blocked = Blocked(
        kind=KIND,
        ref=ref,
        owner=row.owner,
        party=about.party,
        reasons=list(reasons),
        rules=[said.partition(" ")[0] for said in reasons],
        sanctions=about.sanctions,
        lists=about.lists,
        risk_score=about.score,
        screened_at=now,
        facts=Facts(
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


def _about(row: BankTransaction, one: Checked) -> About | None:
    """Return the gravest of who was found: the wallet, who is registered for it, who pays."""
    found = one.flow.found.get("sanctions")
    if one.lists:
        return About(row.wallet, one.lists, owes_ofac(one.lists))
    if found is not None and found.facts["screen"] == "BLOCKED" and found.screen is not None:
        asked, gathered = found.screen
        lists = tuple(gathered.blocking_lists)
        judged = rules.judge(gathered.facts)
        codes = [item.code for item in judged.findings]
        owed = ofac_concerned(codes, owed=owes_ofac(lists))
        return About(asked.name, lists, owed, judged.risk_score)
    if (payer := one.payer) is not None and payer.blocked:
        owed = ofac_concerned(payer.rules, owed=owes_ofac(payer.datasets))
        return About(payer.party, payer.datasets, owed, payer.score)
    if one.flow.facts.aml == "BLOCK":
        score = one.flow.found["aml"].kept["riskScore"]
        return About(row.wallet, (), False, int(score))
    return None
