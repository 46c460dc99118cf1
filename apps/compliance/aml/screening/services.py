"""Concludes an AML screen: judged under the locks of both profiles, counted, recorded, answered."""

import json
import uuid
from datetime import datetime
from decimal import Decimal
from typing import Any

from rest_framework.utils.encoders import JSONEncoder

from apps.backoffice.review.services.case_creation import CaseOpener, open_case
from apps.compliance.aml.models import AmlScreen, Standing, WalletProfile
from apps.compliance.aml.models.screens import Level
from apps.compliance.aml.rules import scorecard
from apps.compliance.aml.rules.engine import PaymentView, is_sampled, update_profiles
from apps.compliance.aml.rules.profile import Profile
from apps.compliance.aml.rules.profile_codec import profile_to_text
from apps.compliance.aml.rules.profile_inclusion import ScreenAttempt, find_exclusion
from apps.compliance.aml.rules.scorecard import Judgement
from apps.compliance.aml.screening import cases
from apps.compliance.aml.screening.requests import AmlScreenRequest
from apps.compliance.aml.screening.response import build_aml_response
from apps.compliance.aml.screening.selectors import AmlScreenInputs
from apps.compliance.aml.screening.snapshot import PaymentSnapshot, build_payment_snapshot
from apps.compliance.aml.serializers import AmlScreenOut
from apps.platform.api.callers import Caller
from apps.platform.api.representation import RenderedAnswer, render_answer
from apps.platform.db.compiled_statements import upsert_rows

LEVELS = {"PROCEED": Level.NONE, "FLAG": Level.WARNING, "BLOCK": Level.CRITICAL}


def conclude_aml_screen(
    *,
    asked: AmlScreenRequest,
    gathered: AmlScreenInputs,
    caller: Caller,
    now: datetime,
    opens: CaseOpener | None = None,
    stopped: bool = False,
    holds: bool = False,
    named: str = "",
) -> RenderedAnswer:
    """Judge a payment, count it once, write its record and what hangs on it (document 1 §2.4).

    The case of a flagged payment is opened once; `opens` is given it instead, each time that the
    payment is judged, where its caller has a case for all that it found.
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
    stood = build_payment_snapshot(
        asked=asked, gathered=gathered, rows=rows, key=key, owner=caller.ref
    )
    judgement, reasoning = _judge_with_opinion(gathered, stood)
    before = {name: row.state for name, row in rows.items()}
    uncounted = _find_exclusion(gathered, stood, judgement, stopped=stopped, holds=holds)
    own = _update_profile_rows(
        asked, gathered, rows, stood, judgement, now, counts=not uncounted, owner=caller.ref
    )
    screen_id = uuid.uuid4()
    values = build_aml_response(
        screen_id, asked, gathered, judgement, stood.view.own, own, reasoning, not uncounted, now
    )
    body = render_answer(AmlScreenOut, values)
    drawn = stood.first and judgement.action == "PROCEED" and is_sampled(str(screen_id))
    payload = {
        "request": asked.recorded(),
        "response": _exact_numbers(body),
        "evidence": _build_evidence(gathered, stood, before, rows) | {"uncounted": uncounted},
        "versions": _build_versions(gathered),
    }
    record = _write_screen(
        payload, asked, gathered, judgement, now, screen_id=screen_id, owner=caller.ref,
        payment_key=key, counted=not uncounted, sampled=drawn,
    )  # fmt: skip
    _save_profiles(rows, record)
    _open_case_or_log(record, asked, gathered, stood, judgement, now, opens, named)
    return body


def _judge_with_opinion(
    gathered: AmlScreenInputs, stood: PaymentSnapshot
) -> tuple[Judgement, dict[str, Any] | None]:
    """Return what comes of a payment, with the opinion about one that is flagged, if any."""
    judgement = stood.view.judged(weights=gathered.weights.weights, listed=gathered.listed)
    reasoning = (stood.assessed or gathered.reasoning) if judgement.action == "FLAG" else None
    if reasoning is None:
        return judgement, None
    return scorecard.escalate_judgement(
        judgement, recommendation=reasoning["recommendation"]
    ), reasoning


def _write_screen(
    payload: dict[str, Any],
    screen_request: AmlScreenRequest,
    gathered: AmlScreenInputs,
    judgement: Judgement,
    now: datetime,
    **more: Any,
) -> AmlScreen:
    """Write the record of a screen; `more` are columns that only its caller knows."""
    return AmlScreen.write(
        payload=payload,
        now=now,
        wallet=screen_request.wallet,
        counterparty=screen_request.counterparty,
        action=judgement.action,
        risk_score=judgement.score,
        rule=judgement.rule.code,
        cohort=judgement.cohort,
        level=LEVELS[judgement.action],
        weights=gathered.weights.version,
        rules_version=scorecard.VERSION,
        sample=gathered.sample,
        **more,
    )


def _save_profiles(rows: dict[str, WalletProfile], record: AmlScreen) -> None:
    """Write both profiles, in one order everywhere, with the record that tells of them."""
    pair = [rows[one] for one in sorted(rows)]
    for row in pair:
        row.last = record.pk
    changed = (
        "state", "payments", "standing", "updated_at", "last", "touched", "tried_listed",
    )  # fmt: skip
    upsert_rows(pair, unique="wallet", change=changed)


def _exact_numbers(body: RenderedAnswer) -> Any:
    """Return an answer as a record may hold it: numbers as they are written, never floats."""
    return json.loads(json.dumps(body, cls=JSONEncoder), parse_float=Decimal)


def _open_case_or_log(
    record: AmlScreen,
    screen_request: AmlScreenRequest,
    gathered: AmlScreenInputs,
    stood: PaymentSnapshot,
    judgement: Judgement,
    now: datetime,
    opens: CaseOpener | None,
    named: str,
) -> None:
    """Leave what people look at: a case, or an entry in the SAR log; once for each payment.

    A payment that was blocked by its score and is found to be with a listed party is entered anew:
    a sanctions hit has clocks of its own.
    """
    news = not stood.blocked_before or (gathered.listed and not stood.listed_before)
    if judgement.action == "BLOCK" and news:
        cases.log_blocked_payment(record, screen_request, gathered, judgement, now, named=named)
    elif judgement.action == "FLAG" and (opens is not None or not stood.flagged_before):
        cases.open_aml_case(record, screen_request, gathered, judgement, now, opens or open_case)
    elif record.sampled:
        cases.open_aml_case(record, screen_request, gathered, judgement, now, open_case)


def _find_exclusion(
    gathered: AmlScreenInputs,
    stood: PaymentSnapshot,
    judgement: Judgement,
    *,
    stopped: bool,
    holds: bool,
) -> str:
    return find_exclusion(
        ScreenAttempt(
            judgement.action,
            valued=gathered.converted is not None,
            before=stood.counted_before,
            there=stood.blocked_there,
            stopped=stopped,
            holds=holds,
        )
    )


def _update_profile_rows(
    screen_request: AmlScreenRequest,
    gathered: AmlScreenInputs,
    rows: dict[str, WalletProfile],
    stood: PaymentSnapshot,
    judgement: Judgement,
    now: datetime,
    *,
    counts: bool,
    owner: str,
) -> Profile:
    """Set both profiles, and return the wallet's own as it stands after this screen."""
    own, other = (rows[one] for one in (screen_request.wallet, screen_request.counterparty))
    if counts:
        payment_view = PaymentView(gathered.payment, screen_request.out, own.profile, other.profile)
        after, there = update_profiles(payment_view, judgement, new=True)
        other.keep(there, now=now)
    elif stood.first:
        payment_view = PaymentView(
            stood.view.payment, screen_request.out, own.profile, other.profile
        )
        after, _ = update_profiles(payment_view, judgement, new=False)
    else:
        after = own.profile
    own.keep(after, now=now)
    sender, receiver = gathered.parties if screen_request.out else gathered.parties[::-1]
    if receiver.listed and not sender.listed:
        rows[screen_request.sender].note_listed_attempt(owner=owner, at=gathered.payment.at)
    for party, row in zip(gathered.parties, (own, other), strict=True):
        row.touch(standing=_merge_standing(row.standing, listed=bool(party.listed)), now=now)
    return after


def _merge_standing(held: str, *, listed: bool) -> str:
    """Return a wallet's standing: a listing comes and goes, what an officer found stays."""
    return Standing.of(listed=listed, confirmed=Standing(held).confirmed)


def _build_evidence(
    gathered: AmlScreenInputs,
    stood: PaymentSnapshot,
    before: dict[str, str],
    rows: dict[str, WalletProfile],
) -> dict[str, Any]:
    """Return what a screen rests on: `profiles` as judged, `after` digests of the rows it left."""
    view, (wallet, counterparty) = stood.view, (party.wallet for party in gathered.parties)
    judged = before
    if not stood.new:
        judged = {wallet: profile_to_text(view.own), counterparty: profile_to_text(view.other)}
    return {
        "at": view.payment.at,
        "usd": view.payment.amount if gathered.converted else None,
        "rate": _serialize_rate(gathered),
        "profiles": judged,
        "after": {name: row.digest for name, row in rows.items()},
        "near": [list(one) for one in view.near],
        "standing": {
            "registered": view.standing.registered,
            "declared": view.standing.expected is not None,
            "triedListedAt": view.standing.tried_listed_at,
        },
        "nameNear": view.name_near,
        "parties": [party.recorded() for party in gathered.parties],
        "weights": {"version": gathered.weights.version},
    }


def _serialize_rate(gathered: AmlScreenInputs) -> dict[str, Any] | None:
    by = gathered.converted
    return {"date": by.rate_date, "source": by.source} if by else None


def _build_versions(gathered: AmlScreenInputs) -> dict[str, Any]:
    return {
        "rules": scorecard.VERSION,
        "weights": gathered.weights.version,
        "lists": gathered.engine.list_set.versions,
    }
