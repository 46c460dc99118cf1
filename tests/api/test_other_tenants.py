"""What is Alice's alone, once she has used every row, is in no answer that Bob gets."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from apps.access.keys.models import KeyKind
from apps.payments.banking.simulator.server import BankServer
from apps.payments.travelrule.services.record_payments import record_settled_payments
from apps.platform.api.operations import Operation
from apps.platform.common.clock import now
from tests.api.conftest import served
from tests.api.endpoint_walk import (
    OPENS,
    ROWS,
    Walk,
    client_for,
    payer,
    session_client,
    settle,
    title,
)
from tests.banking.banks import work
from tests.for_each import for_each

pytestmark = pytest.mark.django_db
MARK = "alices-own-mark"
# what a caller may name in words of their own
OWN_WORDS = ("reference", "tmsReference", "referenceId", "note", "memo")
# keys of the operator's own programs and of examiners see what all tenants do
SEE_ALL = {KeyKind.INTERNAL, KeyKind.MASTER}
TENANTS = [r for r in ROWS if r.access.keys and not SEE_ALL.issuperset(r.access.keys)]
# these tell what is a tenant's own: all but counts of calls, and an account that tenants share
LISTS = [
    r for r in TENANTS
    if r.method == "GET" and not (r.path_parameters or r.access.pays)
    if r.name not in ("usage", "bank-accounts")
]  # fmt: skip
# how callers may be known without a key, and what makes a row of the lists that answer them so
WAYS = ("session", "payer", "agent")
WITHOUT_KEY = [
    (r, way) for r in ROWS for way in WAYS
    if r.method == "GET" and getattr(r.access, way) and not (r.path_parameters or r.access.pays)
]  # fmt: skip
MAKERS = {("screens", "session"): "screen"}
OWNED = [
    r
    for r in TENANTS
    if any(
        path_parameter.made_by[0] and path_parameter.owned
        for path_parameter in r.path_parameters.values()
    )
]
# numbers, hashes, signatures and secrets: nothing that two could name alike, and no time
IDENTIFIER = re.compile(r"(?=.*\d)(?!\d{4}-\d\d-\d\dT)[\w+=~.:-]{16,}")
EXAMPLES = json.dumps([dict(row.example) for row in ROWS])
FEWEST = 60


def words_of(row: Operation) -> set[str]:
    """Return what a row takes in its caller's own words."""
    return {*OWN_WORDS} & {*row.example, *(row.request().fields if row.request else ())}


class Tenant:
    """Uses rows: keeps all answers, the last of each row, and where it was called, by title."""

    def __init__(self, name: str, mark: str) -> None:
        self.walk, self.mark = Walk(name), mark
        self.answers: list[str] = []
        self.last: dict[str, str] = {}
        self.paths: dict[str, str] = {}

    def use_all(self) -> None:
        """Call every row, and again what reads, once the workers have run."""
        for row in TENANTS:
            self.use(row)
        settle()
        record_settled_payments("", now())
        work()
        for row in TENANTS:
            if row.method == "GET":
                self.use(row)

    def use(self, row: Operation) -> None:
        """Call a row as documented, with a mark of one's own where it takes one; a list whole."""
        self.paths[title(row)] = path = self.walk.path(row)
        given = {**row.example, **dict.fromkeys(words_of(row), self.mark)}
        if row in LISTS:
            given = {**row.example} if row.example_after else {}
        answer = self.walk.call(row, path=path, given=given)
        assert answer.status_code in row.statuses, (title(row), answer.content)
        self.last[title(row)] = answer.content.decode()
        self.answers.append(self.last[title(row)])


@dataclass(frozen=True, slots=True)
class Used:
    """Two tenants who used every row, and what is Alice's alone."""

    alice: Tenant
    bob: Tenant
    hers: frozenset[str]

    def found(self, text: str) -> list[str]:
        """Return what of hers is in a text."""
        return [her for her in self.hers if her in text]


@pytest.fixture(scope="module")
def used(_loaded: BankServer, django_db_blocker: Any) -> Used:
    """Bob has used every row, and then Alice: what he was not told before is hers alone."""
    alice, bob = Tenant("Alice Ltd", MARK), Tenant("Bob SA", "bobs-own-mark")
    with django_db_blocker.unblock(), served(_loaded):
        bob.use_all()
        alice.use_all()
    known = "\n".join([EXAMPLES, *bob.answers])
    texts = {text for answer in alice.answers for text in texts_of(json.loads(answer))}
    hers = {one for one in texts if one not in known and (one == MARK or IDENTIFIER.fullmatch(one))}
    return Used(alice, bob, frozenset(hers | {"Alice Ltd"}))


def texts_of(value: Any) -> Iterator[str]:
    """Yield every text in a document."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts_of(inner)


def test_a_good_deal_is_alices_alone_and_every_list_tells_some_of_it(used: Used) -> None:
    assert MARK in used.hers and len(used.hers) >= FEWEST
    empty = [title(row) for row in LISTS if not used.found(used.alice.last[title(row)])]
    assert empty == [], "no example leads to a row of these lists: make one in Tenant.use_all"


@for_each("row", TENANTS, ids=title)
def test_no_answer_holds_anything_of_another_tenant(
    used: Used, loaded: Any, row: Operation
) -> None:
    # what he made is there: to make it once more could be one payment too many for a day
    own = {"path": used.bob.paths[title(row)]} if row.method == "GET" else {}
    example = {} if row in LISTS and not row.example_after else row.example
    answer = Walk("Bob SA").call(row, given=example, **own)
    assert answer.status_code in row.statuses, answer.content
    assert used.found(answer.content.decode()) == []


@for_each("row", OWNED, ids=title)
def test_no_answer_at_another_tenants_address_holds_anything_of_theirs(
    used: Used, loaded: Any, row: Operation
) -> None:
    bob = client_for(row, "Bob SA")
    answer = Walk("Bob SA").call(row, bob, path=used.alice.paths[title(row)])
    assert answer.status_code == 404
    assert used.found(answer.content.decode()) == []


@for_each("row", [row for row in LISTS if words_of(row)], ids=title)
def test_nothing_of_another_tenant_is_found_by_their_own_words(
    used: Used, loaded: Any, row: Operation
) -> None:
    asked = dict.fromkeys(words_of(row), MARK)
    hers = client_for(row, "Alice Ltd").get(used.alice.paths[title(row)], asked)
    assert hers.status_code == 200 and used.found(hers.content.decode())
    his = client_for(row, "Bob SA").get(used.alice.paths[title(row)], asked)
    assert his.status_code in (200, 404) and used.found(his.content.decode()) == []


def test_every_list_that_is_read_without_a_key_is_checked() -> None:
    """A new one needs its maker here, and a client of its way below."""
    assert {(row.name, way) for row, way in WITHOUT_KEY} == set(MAKERS)


def keyless_client(name: str, way: str) -> Any:
    """Return somebody who is known in a way that is no key."""
    assert way == "session", f"say who calls by {way}"
    opened = payer(name).post("/compliance/stream/open", OPENS, format="json")
    return session_client(opened.json()["secret"])


@for_each(("row", "way"), WITHOUT_KEY, ids=lambda value: getattr(value, "name", value))
def test_no_list_that_is_read_without_a_key_holds_anything_of_another_caller(
    loaded: Any, row: Operation, way: str
) -> None:
    maker = next(r for r in ROWS if r.name == MAKERS[row.name, way])
    clients = {name: keyless_client(name, way) for name in ("Alice Ltd", "Bob SA")}
    made, lists = dict[str, set[str]](), dict[str, str]()
    for name, client in clients.items():
        answer = Walk(name).call(maker, client)
        assert answer.status_code == 200, answer.content
        texts = set(texts_of(answer.json()))
        made[name] = {text for text in texts if text not in EXAMPLES and IDENTIFIER.fullmatch(text)}
    for name, client in clients.items():
        answer = client.get(f"/{row.service}/{row.path}")
        assert answer.status_code == 200, answer.content
        lists[name] = answer.content.decode()
    for name, other in (("Alice Ltd", "Bob SA"), ("Bob SA", "Alice Ltd")):
        own = made[name] - made[other]
        assert [text for text in own if text in lists[name]]
        assert [text for text in own if text in lists[other]] == []
