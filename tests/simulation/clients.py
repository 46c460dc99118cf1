"""Those who call: each call is repeated, under the same key, until it is answered."""

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from rest_framework.test import APIClient

from apps.access.keys.authentication import HEADERS
from apps.access.keys.models import KeyKind
from tests.simulation.clock import START
from tests.simulation.world import World

AGAIN = (409, 429, 503)
LONGEST = timedelta(hours=20)  # answers under a key are kept for 24: nobody asks again after that


class Broken(BaseException):
    """Something that must never be is so; no handler of the product stops it."""


@dataclass
class Call:
    """One call of a client, and what it was answered."""

    who: str
    path: str
    body: dict[str, Any]
    key: str = ""
    name: str = ""
    tries: int = 0
    status: int = 0
    answer: str = ""
    since: datetime = START

    @property
    def told(self) -> dict[str, Any]:
        """The answer's document."""
        return dict(json.loads(self.answer))


class Clients:
    """Everybody with a key, and their calls."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.calls: list[Call] = []
        keys = json.loads((Path(settings.VAR_DIR) / "sandbox.json").read_text())["keys"]
        kinds = {"subscription": KeyKind.SUBSCRIPTION, "institution": KeyKind.INSTITUTION}
        self.of = {name: _client(keys[name], kind) for name, kind in kinds.items()}

    @property
    def open(self) -> list[Call]:
        """Calls that were not answered yet."""
        return [call for call in self.calls if not call.status]

    @property
    def answered(self) -> list[Call]:
        """Calls that were."""
        return [call for call in self.calls if call.status]

    def give_up(self) -> None:
        """Leave calls that were made too long ago to be made again."""
        young = self.world.clock.now - LONGEST
        # paid later on
        saved = [call for call in self.calls if call.status and call.name[0] == "R"]
        young_ones = [call for call in self.calls if call.since >= young and call not in saved]
        self.calls = saved + young_ones

    def begin(self, call: Call) -> None:
        """Make a call for the first time."""
        call.since = self.world.clock.now
        self.calls.append(call)
        self.attempt(call)

    def attempt(self, call: Call) -> None:
        """Make a call, first or again; the answer may be lost on its way."""
        if call.since < self.world.clock.now - LONGEST:
            return
        call.tries += 1
        head = {"Idempotency-Key": call.key} if call.key else {}
        sent = self.of[call.who]
        response = self.world.process(
            lambda: sent.post(call.path, call.body, format="json", headers=head),
            rival=lambda: self._impatient(call),
        )
        if response is None or self.world.fault(lost=6) == "lost":
            self.world.say(f"{call.name} unanswered")
            return
        self._heard(call, response)

    def _impatient(self, call: Call) -> None:
        """Make a call again that was not answered for longer than it holds its key."""
        self.world.clock.ahead(seconds=self.world.draw.choice((1, 65)))
        self.attempt(call)

    def _heard(self, call: Call, response: Any) -> None:
        text = response.content.decode()
        self.world.say(f"{call.name} {response.status_code} {text}")
        if response.status_code in AGAIN:
            return
        if response.status_code == 403 and call.name[0] == "B":
            # a check stands against who is paid: nothing is sent
            self.calls = [one for one in self.calls if one is not call]
            return
        if not 200 <= response.status_code < 300:
            raise Broken(f"{call.name} was answered {response.status_code}: {text[:300]}")
        if call.status and call.key and text != call.answer:
            raise Broken(f"{call.name} was answered otherwise the second time")
        call.status, call.answer = response.status_code, text

    def read(self, who: str, path: str) -> dict[str, Any] | None:
        """Read something; None where it is not answered."""
        response = self.world.process(lambda: self.of[who].get(path))
        if response is None or response.status_code != 200:
            return None
        return dict(response.json())


def _client(secret: str, kind: KeyKind) -> APIClient:
    header = HEADERS[kind]
    value = f"Bearer {secret}" if header == "Authorization" else secret
    client = APIClient(raise_request_exception=True)
    client.credentials(**{f"HTTP_{header.upper().replace('-', '_')}": value})
    return client
