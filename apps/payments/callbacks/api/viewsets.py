"""Viewsets of callbacks (DESIGN section 4 *Callbacks*)."""

from django.http.response import HttpResponseBase
from rest_framework.decorators import action
from rest_framework.request import Request

from apps.access.keys.models import KeyKind
from apps.payments.callbacks.api.filters import CallbackFilter
from apps.payments.callbacks.selectors import client_callbacks
from apps.payments.callbacks.serializers import (
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
from apps.payments.callbacks.services import client_actions
from apps.payments.callbacks.services.resend import BodyExpired, EndpointPaused
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.pagination import PageQuery
from apps.platform.api.shapes import Identifier
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound

SHARED = {"spec": "D §4", "access": Access(keys=(KeyKind.INSTITUTION,))}


class CallbackEndpointViewSet(OperationViewSet):
    """The URLs that callbacks go to (DESIGN section 4 *Callbacks*)."""

    shared = SHARED
    path_parameters = {
        "endpoint_id": PathParameter(
            Identifier(),
            "The `endpointId` of the list, or of the feed event that reported the pause.",
            made_by=("callback-test", "endpointId"),
        )
    }

    @operation("callback-endpoints", request=PageQuery, response=EndpointsOut)
    def list(self, request: Request) -> HttpResponseBase:
        """Lists your callback URLs, and which of them are paused."""
        return self.run_list(client_callbacks.list_endpoints, client_callbacks.serialize_endpoints)

    @action(detail=True, methods=["post"])
    @operation(
        "callback-endpoint-resume",
        response=EndpointOut,
        problems=(NotFound,),
        idempotent=False,
    )
    def resume(self, request: Request, endpoint_id: str) -> HttpResponseBase:
        """Resumes calls to a paused endpoint, and sends the callbacks that were waiting.

        If the endpoint is not paused, nothing changes.
        """
        return self.run(None, client_actions.resume_own_endpoint)


class CallbackViewSet(OperationViewSet):
    """Callbacks (DESIGN section 4 *Callbacks*)."""

    shared = SHARED
    filterset_class = CallbackFilter
    path_parameters = {
        "event_id": PathParameter(
            Identifier(), "The `X-SVC-EventId` of a callback.", made_by=("callback-test", "eventId")
        )
    }

    @operation(
        "callbacks",
        request=CallbackQuery,
        response=CallbacksOut,
        example={"status": "FAILED"},
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Lists your callbacks and the status of each, newest first."""
        return self.run_list(client_callbacks.list_callbacks, client_callbacks.serialize_callbacks)

    @action(detail=False, methods=["post"])
    @operation(
        "callback-test",
        request=CallbackTestIn,
        response=CallbackShort,
        example={"url": "https://treasury.example.com/callbacks"},
        statuses=(202,),
        problems=(client_actions.UncallableAddress,),
    )
    def test(self, request: Request) -> HttpResponseBase:
        """Sends a test callback to a URL of yours, signed and retried like any other."""
        return self.run(None, client_actions.send_own_test)

    @action(detail=False, methods=["post"], url_path="resend")
    @operation(
        "callbacks-resend",
        request=ResendIn,
        response=ResentOut,
        example={"since": 1795000000},
        statuses=(202,),
    )
    def resend_failed(self, request: Request) -> HttpResponseBase:
        """Sends all your callbacks again that have failed since a given time.

        Each gets four new attempts, with the same bytes under the same event id. Those to a paused
        endpoint are sent when it is resumed.
        """
        return self.run(None, client_actions.resend_own_failed)

    @operation("callback", response=CallbackOut, problems=(NotFound,))
    def retrieve(self, request: Request, event_id: str) -> HttpResponseBase:
        """Returns one of your callbacks with each of its attempts."""
        return self.run(None, client_callbacks.read_callback)

    @action(detail=True, methods=["post"])
    @operation(
        "callback-resend",
        response=CallbackShort,
        statuses=(202,),
        problems=(NotFound, EndpointPaused, BodyExpired),
        idempotent=False,
    )
    def resend(self, request: Request, event_id: str) -> HttpResponseBase:
        """Sends one of your callbacks again, delivered or not.

        It gets four new attempts, with the same bytes under the same event id. A callback that is
        under way is left unchanged.
        """
        return self.run(None, client_actions.resend_own_callback)
