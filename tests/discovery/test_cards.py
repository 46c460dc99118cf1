"""Agent cards: the fields of A2A, and a signature that anybody can verify."""

import base64
import json
from typing import Any

import jwt
import pytest
from django.test import Client

from apps.entry.discovery.views import CARDS
from apps.platform.api.routers import operations_of_service
from config.services import SERVICES

REQUIRED = {
    "name", "description", "version", "supportedInterfaces", "capabilities", "defaultInputModes",
    "defaultOutputModes", "skills",
}  # fmt: skip
OPTIONAL = {"provider", "documentationUrl", "iconUrl", "securitySchemes", "signatures"}
SKILL = {"id", "name", "description", "tags"}
SKILL_MAY = {"examples", "inputModes", "outputModes", "securityRequirements"}
PLACES = ["", *(f"/{service}" for service in SERVICES)]
each_place = pytest.mark.parametrize("place", PLACES)
each_address = pytest.mark.parametrize("address", CARDS)


def card(place: str, address: str = ".well-known/agent-card.json") -> Any:
    answer = Client().get(f"{place}/{address}")
    assert answer.status_code == 200 and answer["Content-Type"] == "application/json"
    return answer.json()


def verified(found: dict[str, Any], keys: Any) -> Any:
    """Verify a card as a stranger does: from the document, the key set and RFC 7515 alone."""
    bare = {name: value for name, value in found.items() if name != "signatures"}
    payload = json.dumps(bare, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    [signature] = found["signatures"]
    token = ".".join([
        signature["protected"],
        base64.urlsafe_b64encode(payload).rstrip(b"=").decode(),
        signature["signature"],
    ])  # fmt: skip
    kid = jwt.get_unverified_header(token)["kid"]
    [key] = [one for one in keys["keys"] if one["kid"] == kid]
    return jwt.PyJWS().decode_complete(token, jwt.PyJWK(key), algorithms=["EdDSA"])


def empty(found: Any) -> bool:
    """Tell whether there is anything empty within a value."""
    inner = list(found.values()) if isinstance(found, dict) else found
    if isinstance(inner, list):
        return not inner or any(empty(one) for one in inner)
    return found in ("", None)


@each_place
def test_a_card_has_the_fields_of_a2a_and_no_other(place: str) -> None:
    found = card(place)
    assert set(found) >= REQUIRED and set(found) <= REQUIRED | OPTIONAL
    for skill in found["skills"]:
        assert set(skill) >= SKILL and set(skill) <= SKILL | SKILL_MAY
        assert len(skill["description"]) > 20 and skill["tags"]
    for skill in found["supportedInterfaces"]:
        assert set(skill) == {"url", "protocolBinding", "protocolVersion"}
        # nothing says that messages of A2A were taken
        assert skill["protocolBinding"].startswith("https://")
    assert not empty(found)  # of what is empty, readers differ in whether it is signed


@each_place
@each_address
def test_a_card_is_signed_by_a_published_key(place: str, address: str) -> None:
    found, keys = card(place, address), Client().get(f"{place}/.well-known/jwks.json").json()
    header = verified(found, keys)["header"]
    assert (header["alg"], header["typ"]) == ("EdDSA", "JOSE")
    assert header["jku"] == f"http://testserver{place}/.well-known/jwks.json"
    found["skills"][0]["description"] += " And for nothing."
    with pytest.raises(jwt.InvalidSignatureError):
        verified(found, keys)


@each_place
def test_what_a_card_leads_to_is_there(place: str) -> None:
    found = card(place)
    documents = [
        supported_interface["url"]
        for supported_interface in found["supportedInterfaces"]
        if "openapi" in supported_interface["url"]
    ]
    assert len(documents) == (1 if place else len(SERVICES))
    for address in [*documents, found["documentationUrl"]]:
        assert Client().get(address.removeprefix("http://testserver")).status_code == 200


def test_a_card_names_the_tools_server_where_the_service_has_tools(settings: Any) -> None:
    settings.MCP_PORT = 8001
    urls = {
        place: [
            supported_interface["url"] for supported_interface in card(place)["supportedInterfaces"]
        ]
        for place in PLACES
    }
    assert "http://testserver:8001/mcp" in urls[""]
    assert "http://testserver:8001/mcp" in urls["/settlement"]
    assert len(urls["/esg"]) == 1
    settings.MCP_PORT = 0
    assert len(card("/settlement")["supportedInterfaces"]) == 1


@pytest.mark.django_db
def test_what_is_paid_for_says_what_it_asks_at_both_addresses() -> None:
    response = Client().post(
        "/compliance/compliance/screen", {"name": "A"}, content_type="application/json"
    )
    accepts = json.loads(base64.b64decode(response["PAYMENT-REQUIRED"]))["accepts"]
    new, old = card("/compliance"), card("/compliance", ".well-known/agent.json")
    [extension] = new["capabilities"]["extensions"]
    assert extension["params"]["skills"]["compliance.screen"]["accepts"] == accepts
    [screen] = [skill for skill in old["skills"] if skill["id"] == "compliance.screen"]
    assert screen["accepts"] == accepts
    [requirement] = response.json()["accepts"]
    assert screen["paymentRequirements"] == [requirement]
    sold = {skill["id"] for skill in old["skills"] if "paymentRequirements" in skill}
    assert len(sold) == sum(row.access.pays for row in operations_of_service("compliance"))
    assert set(extension["params"]["skills"]) == sold


def test_nothing_is_asked_where_no_payments_are_taken(settings: Any) -> None:
    settings.PRODUCTION, settings.ALLOWED_HOSTS = True, ["testserver"]
    settings.ATTESTATION_KEYS = f"a:{'11' * 32}"
    found = card("/compliance", ".well-known/agent.json")
    assert "extensions" not in found["capabilities"]
    assert not any("paymentRequirements" in skill for skill in found["skills"])


def test_a_skill_says_which_keys_it_takes_and_in_which_header() -> None:
    found = card("/settlement")
    [send] = [skill for skill in found["skills"] if skill["id"] == "bank.send"]
    assert send["securityRequirements"] == [
        {"schemes": {"Authorization": {"list": ["institution"]}}}
    ]
    assert found["securitySchemes"]["Authorization"]["httpAuthSecurityScheme"]["scheme"] == "Bearer"
    [free] = [skill for skill in found["skills"] if skill["id"] == "settlement.flow_check"]
    assert "securityRequirements" not in free and "free" in free["tags"]


def test_on_a_host_of_its_own_a_card_has_no_prefix(settings: Any) -> None:
    settings.SERVICE_HOSTS, settings.ALLOWED_HOSTS = {"esg": "esg.example"}, ["esg.example"]
    body = Client().get("/.well-known/agent.json", headers={"host": "esg.example"}).json()
    assert body["name"] == SERVICES["esg"].title
    assert body["supportedInterfaces"][0]["url"] == "http://esg.example/openapi.json"
