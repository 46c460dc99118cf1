"""What officers write reaches no caller: no field for it, and no answer with it (feature 10).

Every route of every service's OpenAPI document is walked; a route that is new must say here how
it is called, or the walk fails.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.backoffice.review import case_types, services
from apps.backoffice.review.case_types import CASE_TYPES
from apps.backoffice.review.models import Action, Case, DecisionEvent, Escalation
from apps.compliance.aml.models import AmlScreen
from apps.compliance.payees.models.payee_checks import VopCheck
from apps.compliance.screening.models import Screen
from apps.payments.callbacks.models import Event
from apps.payments.payments.services import payment_case
from apps.platform.api.schema import openapi_document
from apps.platform.common.clock import now
from config.services import SERVICES
from tests.api.conftest import _loaded, loaded  # noqa: F401
from tests.api.endpoint_walk import ROWS, Walk
from tests.for_each import for_each
from tests.payees.registration.conftest import register, rita, wallet  # noqa: F401
from tests.payments.conftest import bank, send, work  # noqa: F401
from tests.review.people import OFFICER, SENIOR, person
from tests.screening.conftest import CLEAN, PATH, alice  # noqa: F401

WORDS = "Zebra quartz: the passport was shown to us."
SECRETS = {"the note": WORDS, "first officer": "olivia@qx.test", "second officer": "samir@qx.test"}
# names under which such things could be told
TELLING = re.compile(
    r"note|officer|reviewer|analyst|assign|claim|escalat|snooz|reasoncode|decidedby|confirmedby"
    r"|secondby|firstby|fourey|suspicio|\bsar\b|caseid|casestatus",
    re.IGNORECASE,
)
BODIES: dict[str, dict[str, Any]] = {
    "screen": {"name": CLEAN, "country": "HT", "reference": "INV-7"},
    "ubo-chain": {"lei": "INR2EJN1ERAN0W5ZP974"},
    "pep-screen": {"name": "Keir Starmer"},
}
# what carries such a name and is about something else: what, and why it may stand
HARMLESS = {
    "humanRequired": "that a person must look is the answer itself",
    "note": "of a rule or an entity: computed, never written by an officer",
    "notes": "of a travel-rule record: sentences of its tables",
    "regulatoryNote": "of a tier of the table of payee checks",
    "tierNote": "of a level of agents: a sentence of the table",
    "proofNote": "of an agent's key: a sentence of ours",
    "priceNote": "of a market: how its price is read, a sentence of the table of markets",
    "patternNote": "of remembered times like this one: a sentence made of their regimes",
    "decidedBy": "the row of the table of the rail by which its status stands",
}
# words of the desk that are words of an API too, and what they are there
SHARED_WORDS = {
    "MERGED": "what GLEIF says of an LEI",
    "NAME_ONLY": "the basis on which FATF R.16 is not met",
    "PROPOSED": "how far a regulation of the calendar has come",
    "RETIRED": "what GLEIF says of an LEI",
    "RETURNED": "a payment that the bank sent back",
}
TABLE = dict(CASE_TYPES)  # as it is, without what stands in for it in these tests
KINDS = case_types.load_case_types()
REASONS = [one for kind in KINDS.values() for listed in kind.reasons.values() for one in listed]
CODES = {reason.code for reason in REASONS} - {case_types.OTHER}
CODES |= {rule.ref for kind in KINDS.values() for rule in kind.seconds}


def fill(path: str, value: str) -> str:
    """Return an address with its one id filled in."""
    start, end = path.index("{"), path.index("}")
    return path[:start] + value + path[end + 1 :]


def names(schema: Any, components: dict[str, Any], seen: frozenset[str]) -> Iterator[str]:
    """Yield every property name that an answer of this schema can have."""
    if isinstance(schema, list):
        for one in schema:
            yield from names(one, components, seen)
    elif isinstance(schema, dict):
        ref = str(schema.get("$ref", "")).rpartition("/")[2]
        if ref and ref not in seen:
            yield from names(components[ref], components, seen | {ref})
        for name, inner in schema.get("properties", {}).items():
            yield name
            yield from names(inner, components, seen)
        for key in ("items", "allOf", "oneOf", "anyOf", "additionalProperties"):
            yield from names(schema.get(key), components, seen)


def values(schema: Any) -> Iterator[str]:
    """Yield every value that is listed anywhere in a document."""
    if isinstance(schema, dict):
        yield from (str(value) for value in schema.get("enum", []))
        for inner in schema.values():
            yield from values(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from values(inner)


def operations(service: str) -> Iterator[tuple[str, str, Any]]:
    for path, methods in openapi_document(service, f"/{service}")["paths"].items():
        for method, operation in methods.items():
            if method in ("get", "post", "put", "patch", "delete"):
                yield path, method, operation


ALL = [(s, path, method, op) for s in SERVICES for path, method, op in operations(s)]


@for_each("service", SERVICES)
def test_no_answer_has_a_place_for_what_officers_write(service: str) -> None:
    components = openapi_document(service, f"/{service}")["components"]["schemas"]
    found = {
        f"{method} {path}: {name}"
        for path, method, operation in operations(service)
        for answer in operation["responses"].values()
        for content in answer.get("content", {}).values()
        for name in names(content.get("schema"), components, frozenset())
        if TELLING.search(name) and name not in HARMLESS
    }
    assert not found


@for_each("service", SERVICES)
def test_no_reason_of_officers_is_a_value_of_the_api(service: str) -> None:
    told = set(values(openapi_document(service, f"/{service}")))
    ours = CODES | set(Action.values) | set(Escalation.values)
    assert not told & ours - set(SHARED_WORDS)


def decided(case: Case) -> None:
    """Take a case through every step that writes something, with words that can be found."""
    olivia, samir = person("olivia@qx.test", OFFICER), person("samir@qx.test", SENIOR)
    moment = now()
    services.claim_case(case=case, by=olivia, now=moment)
    case.refresh_from_db()
    services.escalate_case(case=case, by=olivia, note=WORDS, now=moment)
    case.refresh_from_db()
    given = {"reason_code": "COUNTRY_EDD", "note": WORDS, "now": moment}
    one = services.decide_case(case=case, by=samir, outcome="APPROVE", **given)
    if one.status == "AWAITING_SECOND":
        sofia = person("sofia@qx.test", SENIOR)
        services.confirm_decision(case=one, by=sofia, **given)
    assert DecisionEvent.objects.filter(case=case).count() >= 4


@pytest.fixture
def sample(loaded: None) -> None:  # noqa: F811
    """The bundled sample and a run of each oracle, which all tests here share."""


@pytest.fixture
def reviewed(alice: Any) -> tuple[Any, str]:  # noqa: F811
    """A caller whose flagged screen officers have decided."""
    body = alice.post(PATH, BODIES["screen"], format="json").json()
    assert body["decision"] == "FLAGGED"
    decided(Case.objects.get(ref=body["screenId"]))
    return alice, body["screenId"]


@for_each(("service", "path", "method"), [(s, p, m) for s, p, m, _ in ALL])
def test_no_answer_tells_what_officers_wrote(
    reviewed: tuple[Any, str], service: str, path: str, method: str
) -> None:
    caller, screen_id = reviewed
    address = f"/{service}{path}"
    if "/compliance/compliance/" not in address:
        _quiet(_walked(service, path, method))
        return
    if "{" in address:
        assert "screen" in address, f"say how {path} is called"
        address = fill(address, screen_id)
    body = BODIES.get(address.rstrip("/").rpartition("/")[2], {})
    answer = getattr(caller, method)(
        address, body, **({} if method == "get" else {"format": "json"})
    )
    assert answer.status_code == 200, (address, answer.content)
    _quiet(answer)


def _walked(service: str, path: str, method: str) -> Any:
    """Return the answer of an endpoint that is not about screens, called with its example."""
    wanted = (service, method.upper(), path.strip("/"))
    shown = {(r.service, r.method, re.sub(r"<str:(\w+)>", r"{\1}", r.path)): r for r in ROWS}
    if wanted not in shown:
        return APIClient().get(f"/{service}{path}")
    answer = Walk("Mallory Ltd").call(shown[wanted])
    assert answer.status_code in shown[wanted].statuses, answer.content
    return answer


BLOCKING: dict[str, dict[str, Any]] = {
    "a listed wallet": {
        "creditor": {"name": CLEAN, "walletAddress": "0x098B716B8Aaf21512996dC57EB0615e2383E2f96"}
    },
    "a listed creditor": {"creditor": {"name": "Lazarus Group", "walletAddress": wallet(81)}},
    "a listed debtor": {"debtor": {"name": "Lazarus Group", "walletAddress": wallet(82)}},
    "another payee": {"creditor": {"name": "Mud Puppy Kayak Club", "walletAddress": wallet(83)}},
    "an officer": {
        "creditor": {"name": "Sberbank Leasing Consultants", "walletAddress": wallet(84)}
    },
}


def test_a_blocked_payment_tells_the_same_whatever_blocked_it(
    send: Any,  # noqa: F811
    bank: Any,  # noqa: F811
    register: Any,  # noqa: F811
) -> None:
    """What differs is what the payee check found, which the specification tells of each payment."""
    CASE_TYPES.update(TABLE)  # until the end of this test
    register(83)
    told, sentences, made = [], set(), []
    for name, changes in BLOCKING.items():
        sent = send(tmsReference=name, callbackUrl="https://bank.example/callback", **changes)
        work()
        for case in Case.objects.filter(kind="payment").exclude(status="DECIDED"):
            payment_case.apply_case_decision(ref=case.ref, outcome="REJECT", now=now())
        answer = bank.get(f"/integration/payments/{sent['svcPaymentId']}")
        _quiet(answer)
        body = answer.json()
        assert body["status"] == "BLOCKED", name
        own = ("svcPaymentId", "tmsReference", "submittedAt", "vop")
        told.append({field: one for field, one in body.items() if field not in own})
        sentences.add(body["error"])
        event = Event.objects.get(subject=sent["svcPaymentId"], name="payment.blocked")
        assert json.loads(event.body) == body
        made.append((VopCheck.objects.count(), AmlScreen.objects.count(), Screen.objects.count()))
    assert all(one == told[0] for one in told) and len(sentences) == 1
    # all checks of each were made: none ends sooner than another
    assert made == [(n, n, 2 * n) for n in range(1, len(BLOCKING) + 1)]


def test_screens_of_a_payment_are_not_among_those_that_an_institution_reads(
    send: Any,  # noqa: F811
    bank: Any,  # noqa: F811
) -> None:
    send(creditor=BLOCKING["a listed creditor"]["creditor"])
    work()
    assert Screen.objects.filter(decision="BLOCKED").exists()
    assert not Screen.objects.filter(owner=bank.account.ref).exists()


def test_the_owner_of_a_decided_screen_learns_the_outcome_alone(
    reviewed: tuple[Any, str],
) -> None:
    caller, screen_id = reviewed
    answer = caller.get(f"/compliance/compliance/screen/{screen_id}")
    assert set(answer.json()["resolution"]) == {"outcome", "decidedAt"}
    _quiet(answer)


def test_a_refusal_tells_nothing_either(reviewed: tuple[Any, str], caller: Any) -> None:
    _, screen_id = reviewed
    _quiet(caller("Bob Treasury").get(f"/compliance/compliance/screen/{screen_id}"))


def test_kinds_are_told_the_outcome_and_nothing_that_was_written() -> None:
    import inspect

    for kind in KINDS.values():
        if kind.decided:
            accepted = set(inspect.signature(kind.decided).parameters)
            assert accepted == {"ref", "outcome", "now"}


def _quiet(answer: Any) -> None:
    told = answer.content.decode() + str(dict(answer.headers))
    for what, secret in SECRETS.items():
        assert secret not in told, what
    # signatures are random text: only words that base64 cannot spell are looked for
    assert "@qx.test" not in told and "Zebra" not in told
    for code in CODES - set(SHARED_WORDS):
        assert code not in told, code
    for reason in REASONS:
        assert reason.label not in told


@pytest.mark.parametrize("name", ["reviewNote", "decidedBy", "reason_code", "claimedUntil"])
def test_the_walk_would_find_such_a_field_however_deep(name: str) -> None:
    plain = name.replace("_", "")
    components = {"Outer": {"properties": {"inner": {"items": {"$ref": "#/x/Inner"}}}},
                  "Inner": {"properties": {plain: {}, "outer": {"$ref": "#/x/Outer"}}}}  # fmt: skip
    found = set(names({"$ref": "#/x/Outer"}, components, frozenset()))
    assert found == {"inner", "outer", plain} and TELLING.search(plain)
