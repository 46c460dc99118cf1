"""Stream sessions: credit that is paid for at once and used bit by bit (document 1 section 4)."""

from django.http.response import HttpResponseBase
from rest_framework.decorators import action
from rest_framework.request import Request

from apps.access.paywall.problems import CreditSpent
from apps.access.paywall.record_guards import SessionIntegrityError
from apps.access.paywall.serializers import OpenIn, OpenOut, SessionOut, TickIn, TickOut
from apps.access.paywall.services import stream_operations
from apps.access.paywall.services.sessions import SessionEnded, TickMismatch, WrongUnit
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.shapes import Identifier
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound
from config import prices

HELD = Access(session=True)


class StreamSessionViewSet(OperationViewSet):
    """Stream sessions (document 1 section 4)."""

    shared = {"spec": "1 §4"}
    path_parameters = {
        "session_id": PathParameter(
            Identifier(), "The `sessionId` of the answer.", made_by=("stream-open", "sessionId")
        )
    }

    @action(detail=False, methods=["post"])
    @operation(
        "stream-open",
        access=Access(price=prices.STREAM, pays=True),
        request=OpenIn,
        response=OpenOut,
        example={"amountUsdc": "1.00", "unitType": "call"},
        statuses=(201,),
        answers_secret=True,
    )
    def open(self, request: Request) -> HttpResponseBase:
        """Opens a stream session: credit for any priced call, and for units that are ticked.

        Pay the amount that you request in `amountUsdc`. Send the answer's `secret` in the header
        `X-Stream-Session` of each call that the session pays for; it is returned once. If you also
        send an `Idempotency-Key`, you can repeat the call within 24 hours, with the same payment or
        another one of the same wallet, and get the secret again: the other payment is not taken.
        """
        return self.run(None, stream_operations.open_stream_session)

    @action(detail=True, methods=["post"])
    @operation(
        "stream-tick",
        access=HELD,
        request=TickIn,
        response=TickOut,
        example={"tickId": "2026-11-20-0001", "unit": "call", "count": 2},
        problems=(
            NotFound,
            CreditSpent,
            WrongUnit,
            SessionEnded,
            TickMismatch,
            SessionIntegrityError,
        ),
        idempotent=False,
    )
    def tick(self, request: Request, session_id: str) -> HttpResponseBase:
        """Takes used units from the session, once for each `tickId`.

        A tick that costs more than the remaining credit is refused as a whole (402).
        """
        return self.run(None, stream_operations.tick_stream_session)

    @operation(
        "stream-session",
        access=HELD,
        response=SessionOut,
        problems=(NotFound, SessionIntegrityError),
    )
    def retrieve(self, request: Request, session_id: str) -> HttpResponseBase:
        """Returns how much credit the session has left."""
        return self.run(None, stream_operations.read_stream_session)

    @action(detail=True, methods=["post"])
    @operation(
        "stream-close",
        access=Access(session=True, payer=True),
        response=SessionOut,
        problems=(NotFound, SessionIntegrityError),
        idempotent=False,
    )
    def close(self, request: Request, session_id: str) -> HttpResponseBase:
        """Ends the session and records the remaining credit as refundable.

        Closing it again returns the same answer. If you paid for a session and never got its
        secret, end it with another payment of the same wallet, signed now and never sent before: it
        is checked, and not taken.
        """
        return self.run(None, stream_operations.close_stream_session)
