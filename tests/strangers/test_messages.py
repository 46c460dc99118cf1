"""What the document says of messages of ISO 20022, and of the callback that follows a payment."""

import importlib
import io
from typing import Any
from uuid import UUID

import pytest
from httpx import Headers

from apps.payments.callbacks import signatures, signing_secrets
from apps.payments.callbacks.signing_secrets import LiveSecrets
from apps.platform.api.schema import openapi_document
from apps.platform.common.clock import now
from tests.api.endpoint_walk import key_client
from tests.payments.pain001.messages import message, transaction
from tests.screening.conftest import sample  # noqa: F401
from tests.strangers.test_generated_client import clients, loaded  # noqa: F401

pytestmark = pytest.mark.django_db(transaction=True)
SUBJECT = UUID("5b0d8f0e-0000-4000-8000-000000000001")


def test_a_generated_client_sends_a_message_and_finds_its_file(
    loaded: Any,  # noqa: F811
    clients: Any,  # noqa: F811
    live_server: Any,
) -> None:
    package = clients("integration")
    call = importlib.import_module(f"{package}.api.integration.payment_initiate")
    types = importlib.import_module(f"{package}.types")
    key = key_client("Alder Bank", "INSTITUTION")._credentials["HTTP_AUTHORIZATION"]
    text = message(transaction(7), id="STRANGER-1", day=f"<Dt>{now():%Y-%m-%d}</Dt>")
    with importlib.import_module(package).Client(
        f"{live_server.url}/integration",
        headers={"Authorization": key, "Accept": "application/json"},
    ) as client:
        body = types.File(payload=io.BytesIO(text.encode()))
        answer = call.sync_detailed(client=client, body=body)
        assert answer.status_code == 202, answer.content
        assert answer.parsed.to_dict()["file"]["messageId"] == "STRANGER-1"
        found = client.get_httpx_client().get(live_server.url + Headers(answer.headers)["Location"])
        assert found.status_code == 200 and found.json()["messageId"] == "STRANGER-1"


def test_the_document_names_every_header_that_a_callback_has() -> None:
    described = openapi_document("integration", "/integration")["paths"]["/payments/initiate"][
        "post"
    ]
    (told,) = described["callbacks"]["callbackUrl"].values()
    signed_headers = signatures.build_signed_headers(
        body=b"{}",
        live=LiveSecrets(signing_secrets.derive_secret(owner="account:1", generation=1).encode()),
        event=SUBJECT,
        name="payment.settled",
        subject=SUBJECT,
        attempt=1,
        now=now(),
    )
    named = {parameter["name"] for parameter in told["post"]["parameters"]}
    assert named == signed_headers.keys() - {"Content-Type", "User-Agent"}
    body = told["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert body == {"$ref": "#/components/schemas/PaymentOut"}
