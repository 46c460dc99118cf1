"""The code that docs/callbacks.md gives to receivers: taken from the page and run."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured

from apps.payments.callbacks import signing_secrets
from tests.callbacks.receivers import ALICE, Receivers, run_until, tell
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
PAGE = Path(configured.BASE_DIR) / "docs" / "callbacks.md"


@pytest.fixture
def verified() -> Any:
    match = re.search(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert match
    space: dict[str, Any] = {}
    exec(match[1], space)
    return space["verified"]


def received(receivers: Receivers) -> tuple[dict[str, str], bytes, str]:
    published_event = tell(name="Zoë")
    run_until(NOON)
    call = receivers.calls[-1]
    return (
        {name.lower(): v for name, v in call.headers.items()},
        call.content,
        str(published_event.event),
    )


def test_a_callback_of_ours_is_verified(receivers: Receivers, verified: Any) -> None:
    headers, body, event = received(receivers)
    assert verified(headers, body, [configured.WEBHOOK_SIGNING_KEY], NOON.timestamp()) == event


@pytest.mark.parametrize("what", ["body", "time", "event", "secret", "old", "future"])
def test_what_is_altered_or_old_is_refused(receivers: Receivers, verified: Any, what: str) -> None:
    headers, body, event = received(receivers)
    keys, moment = [configured.WEBHOOK_SIGNING_KEY], NOON.timestamp()
    signed = "x-svc-signature-v1"
    if what == "body":
        body = body.replace(b"Z", b"z")
    elif what == "time":
        headers[signed] = headers[signed].replace("t=1", "t=2", 1)
        moment += 10**9
    elif what == "event":
        headers[signed] = headers[signed].replace(event[:4], "0000", 1)
    elif what == "secret":
        keys = ["another"]
    else:
        moment += 301 if what == "old" else -302
    with pytest.raises(ValueError, match=r"old|signed"):
        verified(headers, body, keys, moment)


@pytest.mark.parametrize("days", [0, 3, 8])
def test_either_secret_verifies_while_both_sign_and_the_new_one_after(
    receivers: Receivers, verified: Any, days: int
) -> None:
    issued = signing_secrets.issue_secret(owner=ALICE, by="x", now=NOON - timedelta(days=days))
    headers, body, event = received(receivers)
    moment = NOON.timestamp()
    assert verified(headers, body, [issued.secret], moment) == event
    if days < 7:
        assert verified(headers, body, [configured.WEBHOOK_SIGNING_KEY], moment) == event
    else:
        with pytest.raises(ValueError, match="signed"):
            verified(headers, body, [configured.WEBHOOK_SIGNING_KEY], moment)
