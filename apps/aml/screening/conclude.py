"""Concludes an AML screen: judged under the locks of both profiles, counted, recorded, answered."""

import json
import uuid
from datetime import datetime
from decimal import Decimal
from typing import Any

from rest_framework.utils.encoders import JSONEncoder

from apps.aml.models import AmlScreen, Standing, WalletProfile
from apps.aml.models.screens import Level
from apps.aml.rules import scoring
from apps.aml.rules.counting import Tried, kept_out
from apps.aml.rules.engine import View, counted, sampled
from apps.aml.rules.profile import Profile
from apps.aml.rules.scoring import Judgement
from apps.aml.rules.stored import text_of
from apps.aml.screening import traces
from apps.aml.screening.answer import answer
from apps.aml.screening.asked import Asked
from apps.aml.screening.gather import Gathered
from apps.aml.screening.stood import Stood, stood_of
from apps.aml.serializers import AmlScreenOut
from apps.core.callers import Caller
from apps.core.prepared import upsert
from apps.core.rendering import Wire, render
from apps.review.actions.opening import Opens, open_case

LEVELS = {"PROCEED": Level.NONE, "FLAG": Level.WARNING, "BLOCK": Level.CRITICAL}


def conclude(
    *,
    asked: Asked,
    gathered: Gathered,
    caller: Caller,
    now: datetime,
    opens: Opens = open_case,
    stopped: bool = False,
    holds: bool = False,
    named: str = "",
) -> Wire:
    """Judge a payment, count it once, write its record and what hangs on it (document 1 §2.4).

    `opens` is given the case of a flagged payment, and opens it unless it does so otherwise.
    `stopped` says that another check blocks or holds the payment: then it is judged and not
    counted. Nor is one that this screen flags where its caller `holds` what is flagged: it is
    counted as it goes. `named` is who the caller knows to be dealt with, for the SAR log.

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
    stood = stood_of(asked=asked, gathered=gathered, rows=rows, key=key)
    judgement, reasoning = _judged(gathered, stood)
    before = {name: row.state for name, row in rows.items()}
    uncounted = _kept_out(gathered, stood, judgement, stopped=stopped, holds=holds)
    own = _keep(asked, gathered, rows, stood, judgement, now, counts=not uncounted)
    screen_id = uuid.uuid4()
    values = answer(screen_id, asked, gathered, judgement, own, reasoning, not uncounted, now)
    body = render(AmlScreenOut, values)
    drawn = stood.first and judgement.action == "PROCEED" and sampled(str(screen_id))
    payload = {
        "request": asked.recorded(),
        "response": _exact(body),
        "evidence": _evidence(gathered, stood, before, rows) | {"uncounted": uncounted},
        "versions": _versions(gathered),
    }
    record = _write(
        payload, asked, gathered, judgement, now, screen_id=screen_id, owner=caller.ref,
        payment_key=key, counted=not uncounted, sampled=drawn,
    )  # fmt: skip
    _save(rows, record)
    _trace(record, asked, gathered, stood, judgement, now, opens, named)
    return body


def _judged(gathered: Gathered, stood: Stood) -> tuple[Judgement, dict[str, Any] | None]:
    """Return what comes of a payment, with the opinion about one that is flagged, if any."""
    judgement = stood.view.judged(weights=gathered.weights.weights, listed=gathered.listed)
    reasoning = (stood.assessed or gathered.reasoning) if judgement.action == "FLAG" else None
    if reasoning is None:
        return judgement, None
    return scoring.escalated(judgement, recommendation=reasoning["recommendation"]), reasoning


def _write(
    payload: dict[str, Any],
    asked: Asked,
    gathered: Gathered,
    judgement: Judgement,
    now: datetime,
    **more: Any,
) -> AmlScreen:
    """Write the record of a screen; `more` are columns that only its caller knows."""
    return AmlScreen.write(
        payload=payload,
        now=now,
        wallet=asked.wallet,
        counterparty=asked.counterparty,
        action=judgement.action,
        risk_score=judgement.score,
        rule=judgement.rule.code,
        cohort=judgement.cohort,
        level=LEVELS[judgement.action],
        weights=gathered.weights.version,
        rules_version=scoring.VERSION,
        sample=gathered.sample,
        **more,
    )


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
    named: str,
) -> None:
    """Leave what people look at: a case, or an entry in the SAR log; once for each payment.

    A payment that was blocked by its score and is found to be with a listed party is entered anew:
    a sanctions hit has clocks of its own.
    """
    news = not stood.blocked_before or (gathered.listed and not stood.listed_before)
    if judgement.action == "BLOCK" and news:
        traces.log_blocked(record, asked, gathered, judgement, now, named=named)
    elif judgement.action == "FLAG" and not stood.flagged_before:
        traces.review(record, asked, gathered, judgement, now, opens)
    elif record.sampled:
        traces.review(record, asked, gathered, judgement, now, open_case)


def _kept_out(
    gathered: Gathered, stood: Stood, judgement: Judgement, *, stopped: bool, holds: bool
) -> str:
    return kept_out(
        Tried(
            judgement.action,
            valued=gathered.converted is not None,
            before=stood.counted_before,
            there=stood.blocked_there,
            stopped=stopped,
            holds=holds,
        )
    )


def _keep(
    asked: Asked,
    gathered: Gathered,
    rows: dict[str, WalletProfile],
    stood: Stood,
    judgement: Judgement,
    now: datetime,
    *,
    counts: bool,
) -> Profile:
    """Set both profiles, and return the wallet's own as it stands after this screen."""
    own, other = (rows[one] for one in (asked.wallet, asked.counterparty))
    if counts:
        stands = View(gathered.payment, asked.out, own.profile, other.profile)
        after, there = counted(stands, judgement, new=True)
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
