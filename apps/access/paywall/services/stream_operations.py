"""The operations of stream sessions; see apps/access/paywall/api/viewsets.py."""

from datetime import datetime, timedelta
from typing import Any

from apps.access.paywall import record_guards
from apps.access.paywall.models import PaymentClaim, StreamSession
from apps.access.paywall.serializers import format_wire_usdc
from apps.access.paywall.services import sessions
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.common.problems import NO_SUCH_ID, NotFound


def open_stream_session(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
    """Open a session with the caller's payment; see OpenOut."""
    assert caller.payment is not None  # the operation accepts only payments
    session, secret = sessions.open_session(
        claim=PaymentClaim.objects.get(pk=caller.payment),
        unit=asked["unit_type"],
        lasts=timedelta(seconds=asked["expires_in"]),
        reference=asked["reference"],
        now=now,
    )
    return Answer(serialize_session(session) | {"secret": secret}, status=201)


def tick_stream_session(
    *, asked: Any, gathered: Any, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Take units from the caller's session; see TickOut."""
    session = _load_own_session(asked, caller)
    tick, before = sessions.record_tick(
        session=session,
        tick_id=asked["tick_id"],
        unit=asked["unit"],
        count=asked["count"],
        now=now,
    )
    return {
        "session_id": str(session.session_id),
        "tick_id": tick.tick_id,
        "unit": tick.unit,
        "count": tick.count,
        "amount_usdc": format_wire_usdc(tick.amount),
        "balance_usdc": format_wire_usdc(tick.balance),
        "replayed": before,
        "ticked_at": tick.at,
    }


def read_stream_session(
    *, asked: Any, gathered: Any, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the caller's session as it was recorded; see SessionOut."""
    return serialize_session(
        record_guards.require_recorded_session(_load_own_session(asked, caller))
    )


def close_stream_session(
    *, asked: Any, gathered: Any, caller: Caller, now: datetime
) -> dict[str, Any]:
    """End a session for its holder, or for the wallet that paid for it; see SessionOut."""
    session = StreamSession.objects.filter(session_id=asked["session_id"]).first()
    if session is None or caller.ref not in (session.owner, session.claim.owner):
        raise NotFound(NO_SUCH_ID)
    return serialize_session(sessions.close_session(session=session, now=now))


def _load_own_session(asked: Any, caller: Caller) -> StreamSession:
    """Return the session of the path if it is the caller's own; NotFound otherwise."""
    if caller.ref != f"session:{asked['session_id']}":
        raise NotFound(NO_SUCH_ID)
    return StreamSession.objects.get(session_id=asked["session_id"])


def serialize_session(session: StreamSession) -> dict[str, Any]:
    """Serialize a session with the names of SessionOut."""
    payload = {
        "session_id": str(session.session_id),
        "state": str(session.state),
        "unit_type": session.unit_type,
        "unit_price_usdc": format_wire_usdc(session.unit_price),
        "paid_usdc": format_wire_usdc(session.credit),
        "balance_usdc": format_wire_usdc(session.balance),
        "reference": session.reference,
        "opened_at": session.opened_at,
        "expires_at": session.expires_at,
    }
    if session.refundable is not None:
        payload |= {
            "refundable_usdc": format_wire_usdc(session.refundable),
            "closed_at": session.closed_at,
        }
    return payload
