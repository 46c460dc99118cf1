"""Stream sessions: credit that is paid for at once and used bit by bit (document 1 section 4)."""

from apps.core.endpoints import Access, Endpoint, Id
from apps.core.problems import NotFound
from apps.core.shapes import Identifier
from apps.paywall import streams
from apps.paywall.problems import CreditSpent
from apps.paywall.proof import SessionUnproved
from apps.paywall.serializers import OpenIn, OpenOut, SessionOut, TickIn, TickOut
from apps.paywall.sessions import SessionEnded, TickMismatch, WrongUnit
from config import prices

SERVICE = "compliance"
HELD = Access(session=True)
SESSION = {
    "session_id": Id(
        Identifier(), "The `sessionId` of the answer.", made_by=("stream-open", "sessionId")
    )
}

ENDPOINTS = (
    Endpoint(
        name="stream-open",
        method="POST",
        path="stream/open",
        service=SERVICE,
        spec="1 §4",
        about="Opens a stream session: credit for any priced call, and for units that are ticked."
        "\n\nThe amount of the payment is the `amountUsdc` that is asked for. The answer's "
        "`secret` goes into the header `X-Stream-Session` of each call that the session pays; it "
        "is told once. Who also sends an `Idempotency-Key` may ask again within 24 hours, with the "
        "same payment or another of the same wallet, and is told it again: the other payment is "
        "not taken.",
        access=Access(price=prices.STREAM, pays=True),
        asks=OpenIn,
        answers=OpenOut,
        example={"amountUsdc": "1.00", "unitType": "call"},
        conclude=streams.opened,
        statuses=(201,),
        secret=True,
    ),
    Endpoint(
        name="stream-tick",
        method="POST",
        path="stream/<str:session_id>/tick",
        service=SERVICE,
        spec="1 §4",
        about="Takes used units from the session, once for each `tickId`.\n\nA tick that costs "
        "more than is left is refused whole (402).",
        access=HELD,
        ids=SESSION,
        asks=TickIn,
        answers=TickOut,
        example={"tickId": "2026-11-20-0001", "unit": "call", "count": 2},
        conclude=streams.ticked,
        problems=(NotFound, CreditSpent, WrongUnit, SessionEnded, TickMismatch, SessionUnproved),
        idempotent=False,
    ),
    Endpoint(
        name="stream-session",
        method="GET",
        path="stream/<str:session_id>",
        service=SERVICE,
        spec="1 §4",
        about="Tells what is left of the session.",
        access=HELD,
        ids=SESSION,
        answers=SessionOut,
        conclude=streams.read,
        problems=(NotFound, SessionUnproved),
    ),
    Endpoint(
        name="stream-close",
        method="POST",
        path="stream/<str:session_id>/close",
        service=SERVICE,
        spec="1 §4",
        about="Ends the session and records what is left as refundable.\n\nClosing again answers "
        "the same. Who paid for a session and never got its secret ends it with another payment of "
        "the same wallet, signed now and never sent before: it is looked at, and not taken.",
        access=Access(session=True, payer=True),
        ids=SESSION,
        answers=SessionOut,
        conclude=streams.closed,
        problems=(NotFound, SessionUnproved),
        idempotent=False,
    ),
)
