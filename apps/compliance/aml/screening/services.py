"""Concludes an AML screen: judged under the locks of both profiles, counted, recorded, answered."""

import json
import uuid
from datetime import datetime
from decimal import Decimal
from typing import Any

from rest_framework.utils.encoders import JSONEncoder

from apps.backoffice.review.services.case_creation import CaseOpener, open_case
from apps.compliance.aml.models import AmlScreen, Standing, WalletProfile
from apps.compliance.aml.models.profiles import REFUSED_BY, AmlScreenIntegrityError
from apps.compliance.aml.models.screens import Level
from apps.compliance.aml.rules import scorecard
from apps.compliance.aml.rules.payment_judgement import PaymentView, is_sampled, update_profiles
from apps.compliance.aml.rules.profile import Profile
from apps.compliance.aml.rules.profile_codec import profile_to_text
from apps.compliance.aml.rules.profile_inclusion import OtherChecks, ScreenAttempt, find_exclusion
from apps.compliance.aml.rules.scorecard import Judgement
from apps.compliance.aml.screening import cases
from apps.compliance.aml.screening.payment_snapshot import PaymentSnapshot, build_payment_snapshot
from apps.compliance.aml.screening.requests import INSTITUTION_ITSELF, AmlScreenRequest
from apps.compliance.aml.screening.response import build_aml_response
from apps.compliance.aml.screening.selectors import AmlScreenInputs
from apps.compliance.aml.serializers import AmlScreenOut
from apps.platform.api.callers import Caller
from apps.platform.api.representation import RenderedAnswer, render_answer
from apps.platform.db.compiled_queries import fetch_columns
from apps.platform.db.compiled_statements import upsert_rows

# events of document 1 section 4 are screens of WARNING and above
LEVELS = {"PROCEED": Level.NONE, "FLAG": Level.WARNING, "BLOCK": Level.CRITICAL}


def conclude_aml_screen(
    *,
    asked: AmlScreenRequest,
    gathered: AmlScreenInputs,
    caller: Caller,
    now: datetime,
    opens: CaseOpener | None = None,
    others: OtherChecks = OtherChecks.PASS,
    holds: bool = False,
    named: str = "",
) -> RenderedAnswer:
    """Judge a payment, count it once, write its record and open its case (document 1 §2.4).

    The case of a flagged payment is opened once; a caller with its own case for all findings passes
    `opens`, which receives the opening each time the payment is judged.
    A payment stopped by the `others` is judged but not counted, and neither is a flagged one if its
    caller `holds` flagged payments: it is counted when released. If the payee's name is blocked,
    this caller's payments to its wallet are flagged for a while under any name. `named` are the
    parties known to the caller, for the SAR log. Call it inside a transaction.
    """
    pair = (asked.wallet, asked.counterparty)
    # locked before they are read, in one order everywhere: payments at the same moment are judged
    # one after the other
    rows = WalletProfile.objects.locked(pair, now=now, blocks=gathered.listed)
    _require_newest_profile(rows[asked.wallet], listed=gathered.listed)
    # by this key all screens of the payment are found, from either side
    key = AmlScreen.key_of(
        owner=caller.ref,
        payment_id=asked.payment_id,
        sender=asked.sender,
        receiver=asked.receiver,
    )
    payment_snapshot = build_payment_snapshot(
        screen_request=asked, gathered=gathered, rows=rows, key=key, owner=caller.ref
    )
    # judge, decide whether the payment enters the profiles, and update both rows
    judgement, reasoning = _judge_with_opinion(gathered, payment_snapshot)
    # as stored, before this screen writes them: a replay parses the very same text
    before = {name: row.state for name, row in rows.items()}
    uncounted = _find_exclusion(gathered, payment_snapshot, judgement, others=others, holds=holds)
    own = _update_profile_rows(
        asked,
        gathered,
        rows,
        payment_snapshot,
        judgement,
        now,
        counts=not uncounted,
        owner=caller.ref,
        others=others,
    )
    # the answer, and the record of what it rests on
    screen_id = uuid.uuid4()
    values = build_aml_response(
        screen_id,
        asked,
        gathered,
        judgement,
        payment_snapshot.view.own,
        own,
        reasoning,
        not uncounted,
        now,
    )
    body = render_answer(AmlScreenOut, values)
    # one draw for each payment and wallet: repeating a screen must not raise the odds
    drawn = payment_snapshot.first and judgement.action == "PROCEED" and is_sampled(str(screen_id))
    payload = {
        "request": asked.recorded(),
        "response": _exact_numbers(body),
        "evidence": _build_evidence(gathered, payment_snapshot, before, rows)
        | {"uncounted": uncounted},
        "versions": _build_versions(gathered),
    }
    record = _write_screen(
        payload, asked, gathered, judgement, now, screen_id=screen_id, owner=caller.ref,
        payment_key=key, counted=not uncounted, sampled=drawn,
    )  # fmt: skip
    _save_profiles(rows, record)
    _open_case_or_log(record, asked, gathered, payment_snapshot, judgement, now, opens, named)
    return body


def _require_newest_profile(row: WalletProfile, *, listed: bool) -> None:
    """Raise AmlScreenIntegrityError if a wallet was screened after its profile was written.

    Listed wallets are blocked nevertheless.
    """
    # a row that was removed, or put back to an earlier state, has no wrong MAC: the ledger shows it
    since = {"wallet": row.wallet, "pk__gt": row.last or 0}
    if not (listed or row.altered) and fetch_columns(AmlScreen, ("pk",), where=since):
        raise AmlScreenIntegrityError("Integrity check failed for records of this wallet.")


def _judge_with_opinion(
    gathered: AmlScreenInputs, payment_snapshot: PaymentSnapshot
) -> tuple[Judgement, dict[str, Any] | None]:
    """Return what comes of a payment, with the opinion about one that is flagged, if any."""
    judgement = payment_snapshot.view.judged(
        weights=gathered.weights.weights, listed=gathered.listed
    )
    reasoning = (
        (payment_snapshot.assessed or gathered.reasoning) if judgement.action == "FLAG" else None
    )
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
    # an altered row stays as it is, as evidence, and is not signed anew
    pair = [rows[wallet] for wallet in sorted(rows) if not rows[wallet].altered]
    for row in pair:
        row.last = record.pk
        row.sign()
    changed = (
        "state", "payments", "standing", "updated_at", "last", "touched", "tried_listed",
        "mac_key", "mac",
    )  # fmt: skip
    upsert_rows(pair, unique="wallet", change=changed)


def _exact_numbers(body: RenderedAnswer) -> Any:
    """Return an answer as a record may hold it: numbers as they are written, never floats."""
    # records refuse floats: their canonical form must be exact
    return json.loads(json.dumps(body, cls=JSONEncoder), parse_float=Decimal)


def _open_case_or_log(
    record: AmlScreen,
    screen_request: AmlScreenRequest,
    gathered: AmlScreenInputs,
    payment_snapshot: PaymentSnapshot,
    judgement: Judgement,
    now: datetime,
    opens: CaseOpener | None,
    named: str,
) -> None:
    """Open a case, or add an entry to the SAR log; once for each payment.

    A payment that was blocked by its score and is then found to involve a listed party gets a new
    entry.
    """
    # a sanctions hit has clocks of its own (31 CFR 501.603: ten business days)
    news = not payment_snapshot.blocked_before or (
        gathered.listed and not payment_snapshot.listed_before
    )
    if judgement.action == "BLOCK" and news:
        cases.log_blocked_payment(record, screen_request, gathered, judgement, now, named=named)
    elif judgement.action == "FLAG" and (opens is not None or not payment_snapshot.flagged_before):
        cases.open_aml_case(record, screen_request, gathered, judgement, now, opens or open_case)
    elif record.sampled:
        cases.open_aml_case(record, screen_request, gathered, judgement, now, open_case)


def _find_exclusion(
    gathered: AmlScreenInputs,
    payment_snapshot: PaymentSnapshot,
    judgement: Judgement,
    *,
    others: OtherChecks,
    holds: bool,
) -> str:
    return find_exclusion(
        ScreenAttempt(
            judgement.action,
            valued=gathered.converted is not None,
            before=payment_snapshot.counted_before,
            there=payment_snapshot.blocked_there,
            stopped=others is not OtherChecks.PASS,
            holds=holds,
        )
    )


def _update_profile_rows(
    screen_request: AmlScreenRequest,
    gathered: AmlScreenInputs,
    rows: dict[str, WalletProfile],
    payment_snapshot: PaymentSnapshot,
    judgement: Judgement,
    now: datetime,
    *,
    counts: bool,
    owner: str,
    others: OtherChecks,
) -> Profile:
    """Update both profiles, and return the wallet's own after this screen."""
    own, other = (rows[wallet] for wallet in (screen_request.wallet, screen_request.counterparty))
    # counted at this moment, by the current profiles: what it is judged by may be older
    if counts:
        payment_view = PaymentView(gathered.payment, screen_request.out, own.profile, other.profile)
        after, there = update_profiles(payment_view, judgement, new=True)
        other.keep(there, now=now)
    # not counted, but the first attempt raises the running risk
    elif payment_snapshot.first:
        payment_view = PaymentView(
            payment_snapshot.view.payment, screen_request.out, own.profile, other.profile
        )
        after, _ = update_profiles(payment_view, judgement, new=False)
    else:
        after = own.profile
    own.keep(after, now=now)
    sender, receiver = gathered.parties if screen_request.out else gathered.parties[::-1]
    at = gathered.payment.at
    # an institution that pays for somebody without an account is not the one that tried: its other
    # customers are not held
    known = not screen_request.sender.startswith(INSTITUTION_ITSELF)
    if receiver.listed and not sender.listed and known:
        rows[screen_request.sender].note_attempt(owner, at=at)
    if others is OtherChecks.PAYEE_BLOCKED:
        rows[screen_request.receiver].note_attempt(f"{REFUSED_BY}{owner}", at=at)
    for party, row in zip(gathered.parties, (own, other), strict=True):
        # a listing comes and goes, what an officer found stays
        row.touch(
            standing=Standing.of(
                listed=bool(party.listed), confirmed=Standing(row.standing).confirmed
            ),
            now=now,
        )
    return after


def _build_evidence(
    gathered: AmlScreenInputs,
    payment_snapshot: PaymentSnapshot,
    before: dict[str, str],
    rows: dict[str, WalletProfile],
) -> dict[str, Any]:
    """Return what a screen rests on: `profiles` as judged, `after` digests of the rows it left."""
    view, (wallet, counterparty) = (
        payment_snapshot.view,
        (party.wallet for party in gathered.parties),
    )
    # of a payment that was screened before, the profiles that it was judged by are not those of the
    # rows
    judged = before
    if not payment_snapshot.new:
        judged = {wallet: profile_to_text(view.own), counterparty: profile_to_text(view.other)}
    by = gathered.converted
    rate = {"date": by.rate_date, "source": by.source} if by else None
    return {
        "at": view.payment.at,
        "usd": view.payment.amount if gathered.converted else None,
        "rate": rate,
        "profiles": judged,
        "after": {name: row.digest for name, row in rows.items()},
        "near": [list(neighbour) for neighbour in view.near],
        "standing": {
            "registered": view.standing.registered,
            "declared": view.standing.expected is not None,
            "triedListedAt": view.standing.tried_listed_at,
            "refusedAt": view.standing.refused_at,
        },
        "nameNear": view.name_near,
        "parties": [party.recorded() for party in gathered.parties],
        "weights": {"version": gathered.weights.version},
    }


def _build_versions(gathered: AmlScreenInputs) -> dict[str, Any]:
    return {
        "rules": scorecard.VERSION,
        "weights": gathered.weights.version,
        "lists": gathered.engine.list_set.versions,
    }
