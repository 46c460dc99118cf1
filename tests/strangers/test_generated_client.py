"""A client that a stranger's tool generates makes every call of every service and parses it.

openapi-python-client writes the client from the document alone; each of its functions is called
against a running server, and what it parsed says the same as what the server sent.
"""

import importlib
import json
import keyword
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from openapi_python_client.strings import ClassName, PythonIdentifier

from apps.platform.api.schema import openapi_document
from config.services import SERVICES
from tests.api.endpoint_walk import ROWS, Walk, bank_proof, proof, title
from tests.api.oracles import run_oracles
from tests.banking.banks import TOKEN, simulated
from tests.screening.conftest import sample  # noqa: F401

pytestmark = pytest.mark.django_db(transaction=True)
# the tool knows XML as bytes alone, where it is told so
CONFIG = (
    "post_hooks: []\nliteral_enums: false\n"
    "content_type_overrides:\n  application/xml: application/octet-stream\n"
)
TOOL = Path(sys.executable).with_name("openapi-python-client")


@pytest.fixture
def loaded(sample: Any, settings: Any) -> Iterator[None]:  # noqa: F811
    """The sample and a run of each oracle, committed: the server reads them itself; a bank."""
    run_oracles()
    with simulated() as bank:
        settings.BANK_API_URL, settings.BANK_API_TOKEN = bank.url, TOKEN
        yield


@pytest.fixture(scope="session")
def clients(tmp_path_factory: Any) -> Any:
    """Generate a client of each service, once; returns the name of its package."""
    folder = tmp_path_factory.mktemp("clients")
    (folder / "config.yml").write_text(CONFIG)
    sys.path.insert(0, str(folder))
    for service in SERVICES:
        described = folder / f"{service}.json"
        described.write_text(json.dumps(openapi_document(service, f"/{service}")))
        command = [
            TOOL, "generate", "--path", described, "--meta", "none", "--fail-on-warning",
            "--output-path", folder / f"client_{service}", "--config", folder / "config.yml",
        ]  # fmt: skip
        process = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=folder)
        assert process.returncode == 0 and "Warning" not in process.stdout, (
            process.stdout + process.stderr
        )
    yield lambda service: f"client_{service}"
    sys.path.remove(str(folder))


def signed(request: Any) -> Any:
    """Sign the bytes of a message as they are sent."""
    raw = request.read()
    request.headers["X-SVC-Signature"] = proof(raw)
    request.headers["Bank-Signature"] = bank_proof(raw)
    return request


def plain(value: Any) -> Any:
    """Return JSON with its moments in one form: `Z` and `+00:00` are the same."""
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:.*", value):
        return datetime.fromisoformat(value)
    return value


def test_the_tool_leaves_the_names_of_calls_and_answers_as_they_are() -> None:
    calls = {row.operation_id for row in ROWS}
    assert {str(PythonIdentifier(name, "")) for name in calls} == calls
    shapes = {row.response.__name__ for row in ROWS}
    assert {str(ClassName(name, "")) for name in shapes} == shapes


@pytest.mark.parametrize("row", ROWS, ids=title)
def test_every_call_is_made_and_every_answer_parsed(
    loaded: Any, clients: Any, live_server: Any, row: Any
) -> None:
    package = clients(row.service)
    module = importlib.import_module(f"{package}.api.{row.service}.{row.operation_id}")
    walk = Walk()
    walk.prepare(row)
    given: dict[str, Any] = {
        name: walk._id(row, name, one) for name, one in row.path_parameters.items()
    }
    client = importlib.import_module(package).Client(
        base_url=f"{live_server.url}/{row.service}",
        headers=walk.headers(row),
        httpx_args={"auth": signed} if row.access.signature else {},
    )
    if row.has_body and row.request:
        models = importlib.import_module(f"{package}.models")
        body = getattr(models, f"{row.request.__name__}Request")
        given["body"] = body.from_dict(dict(row.example))
    elif row.example:
        given |= _typed(module, row.example)
    with client:
        answer = module.sync_detailed(**given, client=client)
    assert answer.status_code in row.statuses, answer.content
    document = json.loads(answer.content)
    parsed = answer.parsed if row.many else [answer.parsed]
    assert {type(one).__name__ for one in parsed} == {row.response.__name__}
    assert [plain(one.to_dict()) for one in parsed] == plain(document if row.many else [document])


def test_it_reads_what_can_be_paid_for_and_the_public_keys(clients: Any, live_server: Any) -> None:
    package = clients("compliance")
    for operation in ("payment_discovery", "public_keys"):
        module = importlib.import_module(f"{package}.api.compliance.{operation}")
        base = f"{live_server.url}/compliance"
        with importlib.import_module(package).Client(base_url=base) as client:
            answer = module.sync_detailed(client=client)
        assert answer.status_code == 200
        assert answer.parsed.to_dict() == json.loads(answer.content)


def test_it_reads_what_a_payment_is_asked_for(clients: Any, live_server: Any) -> None:
    package = clients("compliance")
    module = importlib.import_module(f"{package}.api.compliance.vop_verify")
    models = importlib.import_module(f"{package}.models")
    asked = next(row for row in ROWS if row.operation_id == "vop_verify")
    body = models.VopInRequest.from_dict(dict(asked.example))
    with importlib.import_module(package).Client(
        base_url=f"{live_server.url}/compliance"
    ) as client:
        answer = module.sync_detailed(client=client, body=body)
    assert answer.status_code == 402
    assert type(answer.parsed).__name__ == "PaymentProblem"
    assert [accept.max_amount_required for accept in answer.parsed.accepts] == ["75000"]


def _typed(module: Any, example: Any) -> dict[str, Any]:
    """Return a query as the generated function wants it: its names, its enums for choices."""
    hints = get_type_hints(module.sync_detailed)
    typed = {}
    for wire, value in example.items():
        name = re.sub(r"(?=[A-Z])", "_", wire).lower()
        name = f"{name}_" if keyword.iskeyword(name) else name
        kinds = [kind for kind in get_args(hints[name]) if issubclass(kind, Enum)]
        typed[name] = kinds[0](value) if kinds else value
    return typed
