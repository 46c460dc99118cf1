"""Shapes of the API of callbacks (DESIGN section 4 *Callbacks*)."""

from apps.payments.callbacks.models import Pause, State
from apps.platform.api.pagination import PageQuery
from apps.platform.api.shapes import EpochSeconds, Flag, Identifier, OneOf, Shape, Text, Whole

STATES = tuple(State.values)


class CallbackQuery(PageQuery):
    """Which callbacks, and which page of them."""

    status = OneOf(
        source="state", choices=STATES, required=False, help_text="Only those with this status."
    )


class CallbackShort(Shape):
    """One callback: `subject` is the id in `X-SVC-PaymentId`."""

    event_id = Identifier()
    event = Text()
    subject = Identifier()
    endpoint_id = Identifier()
    url = Text()
    webhook_status = OneOf(choices=STATES)
    attempts = Whole(help_text="All attempts so far, resends included.")
    resends = Whole()
    error = Text(help_text="The kind of the last failure; empty if there is none.")
    created_at = EpochSeconds()
    next_attempt_at = EpochSeconds(required=False)
    ended_at = EpochSeconds(required=False)


class AttemptOut(Shape):
    """One attempt; `status` is the receiver's HTTP status, null without an answer."""

    number = Whole()
    at = EpochSeconds()
    status = Whole(allow_null=True)
    latency_ms = Whole(allow_null=True)
    error = Text()
    answered = Text(help_text="The beginning of the answer's body, on one line.")


class CallbackOut(CallbackShort):
    """One callback with each of its attempts."""

    log = AttemptOut(many=True)  # type: ignore[assignment]


class CallbacksOut(Shape):
    """One page of the caller's callbacks, newest first."""

    items = CallbackShort(many=True)  # type: ignore[assignment]
    next = Text(allow_null=True)
    previous = Text(allow_null=True)


class ResendIn(Shape):
    """From when on failed callbacks are sent again."""

    since = EpochSeconds(help_text="Callbacks that failed at this time or later.")


class ResentOut(Shape):
    """How many callbacks have a new series of attempts."""

    resent = Whole()


class CallbackTestIn(Shape):
    """The callback URL that gets a test event."""

    url = Text(max_length=2000)


class EndpointOut(Shape):
    """A callback URL, without its query, which belongs to each callback."""

    endpoint_id = Identifier()
    address = Text()
    paused = Flag()
    reason = OneOf(choices=tuple(Pause.values), required=False)
    paused_at = EpochSeconds(required=False)
    failures = Whole(help_text="Attempts that failed since the last success.")
    failing_since = EpochSeconds(required=False)
    last_ok_at = EpochSeconds(required=False)
    error = Text(help_text="The kind of the last failure; empty if there is none.")


class EndpointsOut(Shape):
    """One page of the caller's callback URLs."""

    items = EndpointOut(many=True)  # type: ignore[assignment]
    next = Text(allow_null=True)
    previous = Text(allow_null=True)
