"""Who pays a tagged deposit, held against the lists and the AML engine before it is quoted."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from apps.access.models import Kind
from apps.aml.screening import asked as aml_asked
from apps.aml.screening import conclude as aml_conclude
from apps.aml.screening.gather import Gathered, payment_of
from apps.aml.screening.parties import listed_address, parties
from apps.aml.weighing import in_force
from apps.banking import screens
from apps.banking.models import BankEvent, BankTransaction
from apps.banking.noted import named
from apps.banking.rules.payers import (
    LONGEST_ADDRESS,
    LONGEST_NAME,
    LONGEST_READ,
    Payer,
    Place,
    Seen,
    Stand,
    pieces_of,
    standing,
)
from apps.banking.rules.routing import Verdict
from apps.banking.screens import Looked
from apps.core import macs
from apps.core.callers import Caller
from apps.screening.combined.asked import Asked
from apps.settlement.flow import Looked as Flow
from apps.watchlists import engine as engines
from apps.watchlists.engine import Engine

UNNAMED = "Payer"  # whom the bank does not name, and says where
PAYMENT = "vendor_payment"  # who pays a deposit may be a firm as well: no office holder is meant


@dataclass(frozen=True, slots=True)
class Checked:
    """A deposit as it was looked up before its transaction: what routes it, and who pays.

    `payer` is what the screens of its names came to, None where nobody is named or an institution
    of ours sent it. `named` are listed parties that its note names. `lists` are those on which the
    wallet itself stands.
    """

    verdict: Verdict
    flow: Flow
    payer: Looked | None
    named: tuple[str, ...]
    aml: tuple[aml_asked.Asked, Gathered]
    lists: tuple[str, ...]

    def seen(self, *, aml: str = "") -> Seen:
        """Return what the table judges by."""
        one = self.payer
        return Seen(
            amount=self.flow.asked.amount,
            blocked=one is not None and one.blocked,
            flagged=one is not None and one.flagged,
            known=bool(self.verdict.payer.names),
            ours=self.verdict.ours,
            named=self.named,
            aml=aml,
            overlong=self.verdict.payer.overlong,
        )

    def shown(self) -> dict[str, Any]:
        """Return who pays and what was found of them, as an officer's case has it."""
        one = self.verdict.payer
        found = self.payer.shown() if self.payer else {}
        told = {"names": [_shown(name) for name in one.names], "country": one.country}
        told |= {"address": _shown(one.address), "note": _shown(one.words)}
        return told | {"found": found, "named": list(self.named)}


def _shown(text: str) -> str:
    return text if len(text) <= LONGEST_READ else f"{text[:LONGEST_READ]}…"


def look(verdict: Verdict, flow: Flow, *, resource_id: str, now: datetime) -> Checked:
    """Screen who pays, and look up what the AML engine judges by; reads alone.

    ListsUnavailable, ListsStale and WeightsUnproved (503).
    """
    engine, payer = engines.current(now), verdict.payer
    asked = [] if verdict.ours else list(_asked(payer))
    return Checked(
        verdict,
        flow,
        screens.look(asked, now=now) if asked else None,
        named(engine, payer.words),
        _aml(engine, verdict, flow, resource_id, now),
        listed_address(engine, verdict.wallet).lists,
    )


def _asked(payer: Payer) -> Iterator[Asked]:
    """Yield who pays, by every place that is named of it, and what of its name is beyond a name."""
    places = payer.places or (Place(),)
    names = payer.names or ((UNNAMED,) if payer.places else ())
    for name in (*names, *payer.banks):
        yield from (_one(name[:LONGEST_NAME], place) for place in places)
        if len(name) > LONGEST_NAME:
            yield from (_one(one[:LONGEST_NAME], Place()) for one in pieces_of(name))


def _one(name: str, place: Place) -> Asked:
    return Asked(
        name=name,
        country=place.country,
        address=place.address[:LONGEST_ADDRESS],
        source_given=False,
        payment_type=PAYMENT,
    )


def _aml(
    engine: Engine, verdict: Verdict, flow: Flow, resource_id: str, now: datetime
) -> tuple[aml_asked.Asked, Gathered]:
    """Return what the AML engine is asked of payer -> wallet; an account is a keyed digest to it.

    Who is not told has no history: each such payment is of another. Of one that an institution sent
    through us the bank tells whom it pays, which is not who pays the wallet.
    """
    known = () if verdict.ours else verdict.payer.key
    told = known or ("transaction", resource_id)
    payer = macs.keyed(what="bank depositor", of=list(told))
    amount = flow.asked.amount
    asked = aml_asked.Asked(
        wallet=f"bank-account:{payer[:40]}",
        counterparty=verdict.wallet,
        amount=amount,
        currency="USD",
        payment_id=f"{resource_id}/{amount:f}",
        direction="SEND",
    )
    found = parties(engine=engine, wallets=(asked.wallet, asked.counterparty))
    payment = payment_of(asked, flow.converted, now)
    return asked, Gathered(payment, flow.converted, engine, found, in_force(now), None)


def against(row: BankTransaction, one: Checked, *, now: datetime) -> tuple[Stand, ...]:
    """Return what stands against a deposit whose other checks pass, and count it where it goes.

    Call it inside the transaction that notes the outcome: the AML engine locks both profiles.
    What an officer saw and released holds it no more, as long as it is the same.
    """
    cleared = released(row, of=digest_of(one))
    found = standing(one.seen(), cleared=cleared)
    if found:
        return found
    asked, gathered = one.aml
    said: Mapping[str, Any] = aml_conclude.conclude(
        asked=asked,
        gathered=gathered,
        caller=Caller(ref=row.owner, kind=Kind.INSTITUTION),
        now=now,
        opens=_none,
        holds="BO-6" not in cleared,
        named="" if one.verdict.ours else " / ".join(one.verdict.payer.names),
    )
    return standing(one.seen(aml=said["action"]), cleared=cleared)


def _none(*, opening: Any, now: datetime) -> None:
    """Open no case of its own: the deposit has one for all that was found."""


def digest_of(one: Checked) -> str:
    """Return a keyed digest of what an officer sees of a deposit: another needs another look."""
    shown, who = json.dumps(one.shown(), sort_keys=True), payer_digest(one.verdict.payer)
    said = [one.verdict.wallet, str(one.verdict.amount), shown, who]
    return macs.keyed(what="bank deposit", of=said)[:40]


def payer_digest(payer: Payer) -> str:
    """Return a keyed digest of who pays as the bank tells it, whole: another is screened anew."""
    said = json.dumps(asdict(payer), sort_keys=True)
    return macs.keyed(what="bank payer as told", of=[said])[:40]


def released(row: BankTransaction, *, of: str) -> frozenset[str]:
    """Return the codes that held a deposit as an officer released it, where it is the same."""
    steps = BankEvent.objects.filter(subject=row.subject).order_by("-number")
    found = list(steps.filter(event__in=("HALTED", "RELEASED")))
    codes: set[str] = set()
    for later, earlier in pairwise(found):
        said = earlier.data
        if (later.event, earlier.event) == ("RELEASED", "HALTED") and said.get("of") == of:
            codes.update(said.get("codes", ()))
    return frozenset(codes)
