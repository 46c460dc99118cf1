"""The settlement agent with an oracle that has run, a live score and the bundled sample."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from apps.insight.esg.oracle.services import oracle_runs
from apps.insight.stability.oracle.rules.decision import DECISION_ROWS
from apps.insight.stability.oracle.selectors import latest_run
from apps.payments.settlement.institution_access.services import access_changes
from apps.platform.common.clock import now
from tests.api.endpoint_walk import key_client
from tests.esg.oracle.sample_runs import TOLD
from tests.payees.registration.conftest import MICROSOFT, register, rita, sample, wallet  # noqa: F401
from tests.process_caches import oracles_forgotten  # noqa: F401
from tests.review.people import person
from tests.stability.oracle.conftest import calm, ran  # noqa: F401

FLOW, SETTLE = "/settlement/flow-check", "/settlement/settle"
KNOWN = 51  # the number of a wallet that is registered for an entity with an LEI
OFF_PEG = {"stable__usdc__price": "0.995"}  # 50 basis points: UNSTABLE


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a check may take long: the deadline has tests of its own."""
    monkeypatch.setattr("apps.payments.settlement.flow_check.DEADLINE_SECONDS", 30.0)


@pytest.fixture
def oracle(ran: Callable[..., Any]) -> Callable[..., None]:  # noqa: F811
    """Let the stability oracle run now: `oracle()` is STABLE, `oracle(**OFF_PEG)` is not."""

    def call(**moved: str) -> None:
        ran(at=now(), **moved)
        latest_run.forget_latest_run()

    return call


@pytest.fixture
def scored(sample: Any) -> None:  # noqa: F811
    """The bundled sample, with a live ESG score."""
    assert oracle_runs.store_run(payload=TOLD, points=Decimal(80), quality="LIVE", now=now())


@pytest.fixture
def steady(scored: None, oracle: Callable[..., None]) -> None:
    """Everything that a flow rests on is there, and the oracle is STABLE."""
    oracle()


@pytest.fixture
def known(scored: None, register: Callable[..., Any]) -> str:  # noqa: F811
    """A wallet that is registered for an entity with an LEI."""
    register(KNOWN, **MICROSOFT)
    return wallet(KNOWN)


@pytest.fixture
def flow(api: APIClient) -> Callable[..., Any]:
    """Ask for a flow: `flow(amount=100, recipientAddress=…)`; the answer's document."""

    def call(*, status: int = 200, **changes: Any) -> dict[str, Any]:
        query = {"amount": "100", "from": "USD", "to": "USD", "recipientAddress": wallet(KNOWN)}
        query = {name: value for name, value in (query | changes).items() if value is not None}
        answer = api.get(FLOW, query)
        assert answer.status_code == status, answer.content
        return dict(answer.json())

    return call


def asks(**changes: Any) -> dict[str, Any]:
    """A settlement of 100 USD to the known wallet, in the sandbox."""
    body = {
        "amount": 100,
        "sourceCurrency": "USD",
        "destinationCurrency": "USD",
        "recipientAddress": wallet(KNOWN),
        "sandbox": True,
    }
    return {name: value for name, value in (body | changes).items() if value is not None}


@pytest.fixture
def settle(api: APIClient) -> Callable[..., Any]:
    """Settle without a key: `settle(amount=100, status=201)`; the answer's document.

    `client` is who asks, `headers` are sent along, `body` holds what would be taken for options.
    """

    def call(
        *,
        status: int = 201,
        client: Any = None,
        headers: Any = None,
        body: Any = None,
        **changes: Any,
    ) -> dict[str, Any]:
        asked = asks(**changes, **(body or {}))
        answer = (client or api).post(SETTLE, asked, format="json", headers=headers or {})
        assert answer.status_code == status, answer.content
        return dict(answer.json())

    return call


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let the oracle say STABLE, CAUTION or UNSTABLE from now on, whatever its run came to."""

    def call(status: str) -> None:
        row = next(
            decision_row
            for decision_row in reversed(DECISION_ROWS)
            if decision_row.status == status
        )
        monkeypatch.setattr(latest_run.LatestRun, "decided", lambda self, now: row)

    return call


PAYER = wallet(52)


def senior(name: str) -> Any:
    """A senior officer, who may be there already."""
    return User.objects.filter(username=name).first() or person(name, "Senior officer")


def approved(client: Any, *wallets: str, allowed: bool = True) -> Any:
    """Let an institution settle from wallets, as two officers decide it."""
    owner = f"account:{client.account.pk}"
    stated = {"owner": owner, "allowed": allowed, "wallets": list(wallets)}
    first, second = senior("samir"), senior("sena")
    change = access_changes.propose_access_change(
        stated=stated, reason="They are in the beta.", by=first, now=now()
    )
    return access_changes.approve_access_change(change=change, by=second, now=now())


@pytest.fixture
def bank(steady: None) -> Any:
    """An institution that may settle in production, from one wallet."""
    client = key_client("Alder Bank", "INSTITUTION")
    approved(client, PAYER)
    return client
