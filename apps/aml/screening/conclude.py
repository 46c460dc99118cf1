"""Concludes an AML screen: judged under the locks of both profiles, counted, recorded, answered."""

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from rest_framework.utils.encoders import JSONEncoder

from apps.aml.models import AmlScreen, Standing, WalletProfile
from apps.aml.models.screens import Level, around
from apps.aml.rules import scoring
from apps.aml.rules.engine import View, counted, near, neighbours, sampled
from apps.aml.rules.profile import Profile
from apps.aml.rules.scoring import LISTED, Judgement
from apps.aml.rules.stored import read, text_of
from apps.aml.screening import traces
from apps.aml.screening.answer import answer
from apps.aml.screening.asked import Asked
from apps.aml.screening.gather import Gathered
from apps.aml.screening.parties import listed_address
from apps.aml.serializers import AmlScreenOut
from apps.core.callers import Caller
from apps.core.chain import proven
from apps.core.prepared import upsert
from apps.core.problems import Conflict, Unavailable
from apps.core.rendering import Wire, render
from apps.review.actions.opening import Opens, open_case


class ScreenUnproved(Unavailable):
    """A record that is relied on was altered."""

    code, title = "record_unproved", "A stored screen cannot be relied on"


class PaymentDiffers(Conflict):
    """The payment was screened before with another amount or currency.

    It would be counted by its first amount, so that the rest of a larger one never enters a
    profile. Nothing is judged: whoever reuses an id is told.
    """

    code, title = "payment_differs", "Another payment bears this id"


LEVELS = {"PROCEED": Level.NONE, "FLAG": Level.WARNING, "BLOCK": Level.CRITICAL}


@dataclass(frozen=True, slots=True)
class Stood:
    """What a payment is judged by: the view of it, and whether it is to be counted and kept.

    `new`: no screen counted it yet. `first`: no screen of this wallet judged it yet. `assessed`: as
    a model assessed it before, so that asking again undoes no block.
    """

    view: View
    new: bool
    first: bool
    flagged_before: bool
    blocked_before: bool
    listed_before: bool
    assessed: dict[str, Any] | None


def conclude(
    *, asked: Asked, gathered: Gathered, caller: Caller, now: datetime, opens: Opens = open_case
) -> Wire:
    """Judge a payment, count it once, write its record and what hangs on it (document 1 §2.4).

    `opens` is given the case of a flagged payment, and opens it unless it does so otherwise.

    Both profiles are locked before they are read, in one order everywhere, so that payments at
    the same moment are judged one after the other. Call it inside a transaction.
    """
    rows = WalletProfile.objects.locked((asked.wallet, asked.counterparty), now=now)
    key = AmlScreen.key_of(
        owner=caller.ref,
        payment_id=asked.payment_id,
        sender=asked.sender,
        receiver=asked.receiver,
    )
    stood = _stood(asked, gathered, rows, key)
    judgement = stood.view.judged(weights=gathered.weights.weights, listed=gathered.listed)
    reasoning = (stood.assessed or gathered.reasoning) if judgement.action == "FLAG" else None
    if reasoning is not None:
        judgement = scoring.escalated(judgement, recommendation=reasoning["recommendation"])
    before = {name: row.state for name, row in rows.items()}
    own = _keep(asked, gathered, rows, stood, judgement, now)
    screen_id = uuid.uuid4()
    values = answer(screen_id, asked, gathered, judgement, own, reasoning, stood.new, now)
    body = render(AmlScreenOut, values)
    drawn = stood.first and judgement.action == "PROCEED" and sampled(str(screen_id))
    record = AmlScreen.write(
        payload={
            "request": asked.recorded(),
            "response": _exact(body),
            "evidence": _evidence(gathered, stood, before, rows),
            "versions": _versions(gathered),
        },
        now=now,
        screen_id=screen_id,
        owner=caller.ref,
        wallet=asked.wallet,
        counterparty=asked.counterparty,
        payment_key=key,
        counted=stood.new,
        action=judgement.action,
        risk_score=judgement.score,
        rule=judgement.rule.code,
        cohort=judgement.cohort,
        level=LEVELS[judgement.action],
        sampled=drawn,
        weights=gathered.weights.version,
        rules_version=scoring.VERSION,
        sample=gathered.sample,
    )
    _save(rows, record)
    _trace(record, asked, gathered, stood, judgement, now, opens)
    return body


def _save(rows: dict[str, WalletProfile], record: AmlScreen) -> None:
    """Write both profiles, in one order everywhere, with the record that tells of them."""
    pair = [rows[one] for one in sorted(rows)]
    for row in pair:
        row.last = record.pk
    changed = ("state", "payments", "standing", "updated_at", "last", "touched")
    upsert(pair, unique="wallet", change=changed)


def _exact(body: Wire) -> Any:
    """Return an answer as a record may hold it: numbers as they are written, never floats."""
    return json.loads(json.dumps(body, cls=JSONEncoder), parse_float=Decimal)


def _trace(
    record: AmlScreen,
    asked: Asked,
    gathered: Gathered,
    stood: Stood,
    judgement: Judgement,
    now: datetime,
    opens: Opens,
) -> None:
    """Leave what people look at: a case, or an entry in the SAR log; once for each payment.

    A payment that was blocked by its score and is found to be with a listed party is entered anew:
    a sanctions hit has clocks of its own.
    """
    news = not stood.blocked_before or (gathered.listed and not stood.listed_before)
    if judgement.action == "BLOCK" and news:
        traces.log_blocked(record, asked, gathered, judgement, now)
    elif judgement.action == "FLAG" and not stood.flagged_before:
        traces.review(record, asked, gathered, judgement, now, opens)
    elif record.sampled:
        traces.review(record, asked, gathered, judgement, now, open_case)


def _stood(asked: Asked, gathered: Gathered, rows: dict[str, WalletProfile], key: str) -> Stood:
    """Return what the payment is judged by; one that was counted, as it stood before that.

    The pair is locked, so no other screen of this payment runs.
    """
    own, other = (rows[one].profile for one in (asked.wallet, asked.counterparty))
    at = gathered.payment
    found = neighbours(payment=at, out=asked.out, own=own, other=other)
    known, flagged = around(key, found)
    earlier = list(AmlScreen.objects.filter(pk__in=known).order_by("pk")) if known else []
    if len(proven(earlier)) < len(earlier):
        raise ScreenUnproved("An earlier screen of this payment is not as it was recorded.")
    first = next((one for one in earlier if one.counted), None)
    mine = [one for one in earlier if one.wallet == asked.wallet]
    if first is not None:
        own, other, at = _before(asked, gathered, first, own, other)
        found = neighbours(payment=at, out=asked.out, own=own, other=other)
        flagged = WalletProfile.objects.flagged(found)
    flagged |= _listed_now(gathered, found)
    return Stood(
        View(at, asked.out, own, other, near(found, flagged), gathered.name_near),
        first is None and gathered.converted is not None,
        not mine,
        any(one.action == "FLAG" for one in mine),
        any(one.action == "BLOCK" for one in mine),
        any(one.rule == LISTED.code for one in mine),
        _assessed(mine),
    )


def _assessed(mine: Sequence[AmlScreen]) -> dict[str, Any] | None:
    """Return the first assessment of a payment, as a model gave it; None where none was."""
    told = (one.data.get("response", {}).get("reasoning") for one in mine)
    said = next((one for one in told if one), None)
    if said is None:
        return None
    return {
        "recommendation": said["recommendation"],
        "confidence": said["confidence"],
        "rationale": said["rationale"],
        "key_factors": said["keyFactors"],
        "processed_at": datetime.fromtimestamp(said["processedAt"], UTC),
    }


def _listed_now(gathered: Gathered, found: dict[str, int]) -> dict[str, bool]:
    """Return the neighbours whose address is on a list as the lists are now.

    A wallet's standing is of its last screen, in which it may have been the counterparty. Who was
    listed since has no standing yet.
    """
    return {one: True for one in found if listed_address(gathered.engine, one).listed}


def _before(
    asked: Asked, gathered: Gathered, first: AmlScreen, own: Profile, other: Profile
) -> tuple[Profile, Profile, Any]:
    """Return both profiles and the moment as the first screen of a payment found them.

    Where its payload was purged, what stands now has to do.
    """
    kept = first.data.get("evidence", {})
    if not kept:
        return own, other, gathered.payment
    asked_first, asks = first.data["request"], asked.recorded()
    if any(asked_first[name] != asks[name] for name in ("amount", "currency")):
        raise PaymentDiffers(
            f"Payment {asked.payment_id} between these wallets was screened with "
            f"{asked_first['amount']} {asked_first['currency']}: another amount is another "
            "payment and needs a paymentId of its own."
        )
    states = kept["profiles"]
    payment = gathered.payment.__class__(
        gathered.payment.sender, gathered.payment.receiver, gathered.payment.amount, kept["at"]
    )
    return read(states[asked.wallet]), read(states[asked.counterparty]), payment


def _keep(
    asked: Asked,
    gathered: Gathered,
    rows: dict[str, WalletProfile],
    stood: Stood,
    judgement: Judgement,
    now: datetime,
) -> Profile:
    """Set both profiles, and return the wallet's own as it stands after this screen."""
    own, other = (rows[one] for one in (asked.wallet, asked.counterparty))
    if stood.new:
        after, there = counted(stood.view, judgement, new=True)
        other.keep(there, now=now)
    elif stood.first:
        stands = View(stood.view.payment, asked.out, own.profile, other.profile)
        after, _ = counted(stands, judgement, new=False)
    else:
        after = own.profile
    own.keep(after, now=now)
    for party, row in zip(gathered.parties, (own, other), strict=True):
        row.touch(standing=_standing(row.standing, listed=bool(party.listed)), now=now)
    return after


def _standing(held: str, *, listed: bool) -> str:
    """Return a wallet's standing: a listing comes and goes, what an officer found stays."""
    return Standing.of(listed=listed, confirmed=Standing(held).confirmed)


def _evidence(
    gathered: Gathered, stood: Stood, before: dict[str, str], rows: dict[str, WalletProfile]
) -> dict[str, Any]:
    """Return what a screen rests on: `profiles` as judged, `after` digests of the rows it left."""
    view, (wallet, counterparty) = stood.view, (one.wallet for one in gathered.parties)
    judged = before
    if not stood.new:
        judged = {wallet: text_of(view.own), counterparty: text_of(view.other)}
    return {
        "at": view.payment.at,
        "usd": view.payment.amount if gathered.converted else None,
        "rate": _rate(gathered),
        "profiles": judged,
        "after": {name: row.digest for name, row in rows.items()},
        "near": [list(one) for one in view.near],
        "nameNear": view.name_near,
        "parties": [one.recorded() for one in gathered.parties],
        "weights": {"version": gathered.weights.version},
    }


def _rate(gathered: Gathered) -> dict[str, Any] | None:
    by = gathered.converted
    return {"date": by.rate_date, "source": by.source} if by else None


def _versions(gathered: Gathered) -> dict[str, Any]:
    return {
        "rules": scoring.VERSION,
        "weights": gathered.weights.version,
        "lists": gathered.engine.list_set.versions,
    }
