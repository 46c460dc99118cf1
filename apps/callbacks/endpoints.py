"""The endpoints of callbacks (DESIGN section 4 *Callbacks*)."""

from apps.access.models import Kind
from apps.callbacks import conclude
from apps.callbacks.resending import BodyGone, EndpointPaused
from apps.callbacks.serializers import (
    CallbackOut,
    CallbackQuery,
    CallbackShort,
    CallbacksOut,
    CallbackTestIn,
    EndpointOut,
    EndpointsOut,
    ResendIn,
    ResentOut,
)
from apps.core.endpoints import Access, Endpoint, Id
from apps.core.pagination import PageQuery
from apps.core.problems import NotFound
from apps.core.shapes import Identifier

SERVICE, SPEC = "integration", "D §4"
INSTITUTION = Access(keys=(Kind.INSTITUTION,))
EVENT = {
    "event_id": Id(
        Identifier(), "The `X-SVC-EventId` of a callback.", made_by=("callback-test", "eventId")
    )
}
TEST = {"url": "https://treasury.example.com/callbacks"}

ENDPOINTS = (
    Endpoint(
        name="callbacks",
        method="GET",
        path="callbacks",
        service=SERVICE,
        spec=SPEC,
        about="Lists your callbacks and how each stands, newest first.",
        access=INSTITUTION,
        asks=CallbackQuery,
        answers=CallbacksOut,
        example={"status": "FAILED"},
        conclude=conclude.listed,
    ),
    Endpoint(
        name="callback-test",
        method="POST",
        path="callbacks/test",
        service=SERVICE,
        spec=SPEC,
        about="Sends a test callback to an address of yours, signed and retried as any other.",
        access=INSTITUTION,
        asks=CallbackTestIn,
        answers=CallbackShort,
        example=TEST,
        conclude=conclude.tested,
        statuses=(202,),
        problems=(conclude.BadAddress,),
    ),
    Endpoint(
        name="callbacks-resend",
        method="POST",
        path="callbacks/resend",
        service=SERVICE,
        spec=SPEC,
        about="Sends all of your callbacks again that failed since a time.\n\nEach has four "
        "attempts anew, with the same bytes under the same event id. Those to a paused endpoint "
        "are sent when it is resumed.",
        access=INSTITUTION,
        asks=ResendIn,
        answers=ResentOut,
        example={"since": 1795000000},
        conclude=conclude.all_resent,
        statuses=(202,),
    ),
    Endpoint(
        name="callback-endpoints",
        method="GET",
        path="callbacks/endpoints",
        service=SERVICE,
        spec=SPEC,
        about="Lists the addresses that you are called back at, and which of them are paused.",
        access=INSTITUTION,
        asks=PageQuery,
        answers=EndpointsOut,
        conclude=conclude.endpoints,
    ),
    Endpoint(
        name="callback-endpoint-resume",
        method="POST",
        path="callbacks/endpoints/<str:endpoint_id>/resume",
        service=SERVICE,
        spec=SPEC,
        about="Lets a paused endpoint be called again, and sends what was paused.\n\nOne that is "
        "not paused stays as it is.",
        access=INSTITUTION,
        ids={
            "endpoint_id": Id(
                Identifier(),
                "The `endpointId` of the list, or of the feed that told of the pause.",
                made_by=("callback-test", "endpointId"),
            )
        },
        answers=EndpointOut,
        conclude=conclude.resumed,
        problems=(NotFound,),
        idempotent=False,
    ),
    Endpoint(
        name="callback",
        method="GET",
        path="callbacks/<str:event_id>",
        service=SERVICE,
        spec=SPEC,
        about="Gives one of your callbacks with each of its attempts.",
        access=INSTITUTION,
        ids=EVENT,
        answers=CallbackOut,
        conclude=conclude.one,
        problems=(NotFound,),
    ),
    Endpoint(
        name="callback-resend",
        method="POST",
        path="callbacks/<str:event_id>/resend",
        service=SERVICE,
        spec=SPEC,
        about="Sends one of your callbacks again, delivered or not.\n\nIt has four attempts anew, "
        "with the same bytes under the same event id. One that is under way stays as it is.",
        access=INSTITUTION,
        ids=EVENT,
        answers=CallbackShort,
        conclude=conclude.resent,
        statuses=(202,),
        problems=(NotFound, EndpointPaused, BodyGone),
        idempotent=False,
    ),
)
