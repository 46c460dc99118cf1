"""One row per endpoint: from it come addresses, OpenAPI, access, prices, rates and tests.

The rows stand in `apps/<app>/endpoints.py`; `config/endpoints.py` lists those modules. A row
names two functions. `gather(asked=…, now=…)` reads, may wait for upstreams, writes nothing and
holds no transaction. `conclude(asked=…, gathered=…, caller=…, now=…)` writes and returns the
answer, inside the one transaction of the call. Neither knows of keys, prices or payments.
"""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from importlib import import_module
from typing import Any, Literal

from django.http import HttpRequest
from rest_framework import serializers

from apps.core.parsing import loads
from apps.core.problems import DomainError
from apps.core.shapes import Shape
from config.endpoints import MODULES
from config.prices import Bucket, Unit

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
Reader = Callable[[bytes], Any]
JSON: Mapping[str, Reader] = {"application/json": loads}


@dataclass(frozen=True, kw_only=True)
class Access:
    """Who may call: keys of these kinds, who pays for the call, or anybody; and what it costs.

    `price` is one of config/prices.py: each answered call by key counts one of a unit. With `pays`
    a call may be paid for instead, by x402 or from a stream session; without keys, it must be.
    With `session`, who holds a stream session may call for what is that session's, free of charge;
    with `agent`, who holds an agent's secret for what is that agent's; with `payer`, who shows a
    payment that they signed for what its wallet paid for: it is looked at, and not taken; with
    `signed`, a counterparty who proves the body by an HMAC in X-SVC-Signature; with `bank`, the
    bank, by its Bank-Signature. At an
    `open` row keys of `may` need not be sent: what is made with one is that key's. Keys of `beside`
    may come with a payment: it buys the call, and the key says whose figures are told; `make` is
    then given `account`, the key's tenant, empty where no key came.
    `limited` False is for what monitors ask without end. `rate` names what addresses are counted
    by where a row is open, each for itself: `feed` stands for settings.FEED_RATE_PER_MINUTE.
    """

    keys: tuple[str, ...] = ()
    open: bool = False
    limited: bool = True
    price: Unit | Bucket | None = None
    pays: bool = False
    session: bool = False
    agent: bool = False
    payer: bool = False
    signed: bool = False
    bank: bool = False
    may: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    rate: str = "free"

    @property
    def known(self) -> tuple[str, ...]:
        """The kinds of keys that are looked for, needed or not."""
        return self.keys or self.may

    @property
    def proved(self) -> bool:
        """Whether a counterparty or the bank calls it, by a secret exchanged with the operator."""
        return self.signed or self.bank

    def __post_init__(self) -> None:
        others = self.pays or self.session or self.agent or self.payer or self.proved
        if self.open and (self.keys or self.price or others):
            raise ValueError("an open endpoint asks for no key and has no price")
        if self.beside and not (self.pays and not self.keys):
            raise ValueError("keys stand beside a payment, where nothing else lets in")
        if self.may and not self.open:
            raise ValueError("keys that may be sent are for endpoints that are open without one")
        if not (self.open or self.keys or others):
            raise ValueError("say who may call")
        if self.pays and (self.price is None or self.price.paid is None):
            raise ValueError("what is paid for has a price for who pays: see config/prices.py")
        if self.keys and isinstance(self.price, Bucket):
            raise ValueError("a bucket is bought, not counted")


@dataclass(frozen=True, slots=True)
class Id:
    """An id in the path: its field, and where tests find one (an earlier row, its answer's field).

    `made_by` is empty for ids of reference data, of which `example` is one; `made_with` says what
    the maker is asked beside its own example. What is `owned` answers another tenant than its maker
    as if it were not there.
    """

    field: serializers.Field[Any, Any, Any, Any]
    about: str
    made_by: tuple[str, str] = ("", "")
    made_with: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    example: str = ""
    owned: bool = True


@dataclass(frozen=True, slots=True)
class Head:
    """A header of the request that a row reads besides its body: its name and what it says.

    Empty where it is not sent. `stands_for` returns whom or what it stands for at a moment, and
    raises where it does not count: it is asked before an answer is given again, and an
    Idempotency-Key that was used for one is not another's. Without it the header is no part of what
    a key stands for.
    """

    name: str
    about: str
    longest: int = 8192
    stands_for: Callable[[str, datetime], str] | None = None


@dataclass(frozen=True, slots=True)
class Sent:
    """A header that a request may have: the schema of its value, and what it is for."""

    schema: Mapping[str, Any]
    about: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What a 402 tells of what is sold beside its price: of which kind it is, and what is in it."""

    kind: str
    gives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """Another form of an answer: `draw` makes its content of the answer's JSON, as it was sent.

    `name` is that of a file, by which browsers save it; None for what is read in place.
    """

    draw: Callable[[Mapping[str, Any]], bytes]
    name: Callable[[Mapping[str, Any]], str] | None = None


@dataclass(frozen=True, slots=True)
class CallsBack:
    """A request that follows a call: to the address in a field of its body, with these headers."""

    field: str
    about: str
    body: type[Shape]
    headers: Mapping[str, str]


def nothing(*, asked: Any, now: Any) -> None:
    """Gather for endpoints that only read what is theirs."""


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One endpoint; `path` is below its service and names ids as Django does.

    `asks` is the shape of the body (of the query, for GET and DELETE), `make` turns its values
    and the ids into what `gather` and `conclude` are given. `example` is a body or query that
    works on the bundled sample. `secret` says that the answer holds one: what is kept of it for
    repeats is sealed. `view` stands in for both functions where an answer streams; `files` are the
    types of content that it has beside JSON. `instead` may name another row, by a request's headers
    and query alone, that takes the request in its place: the same call in another format; `also`
    are the types of content that such a row takes, and answers in. `calls_back` describes what is
    sent to an address that the body names; `sent` are headers of the request that the row reads
    itself, beside those of credentials. `queries` are the names that a request with a body may
    have in its address; `heads` are headers that `make` is given, by the name of its argument.
    With `many` the answer is a
    bare array of `answers` that does not grow: what grows is paged (apps/core/pagination.py).
    `after` is the row whose example makes what the query of this one's example names. `told` makes
    headers of an answer from its body, so that who is answered again has them too.
    `forms` are types of content that a GET answers in, by Accept: each is drawn of the same JSON,
    of which a repeated payment gets whichever form it then asks for. `preview` is told in the 402.
    """

    name: str
    method: Method
    path: str
    service: str
    spec: str
    about: str
    access: Access
    answers: type[Shape]
    asks: type[Shape] | None = None
    make: Callable[..., Any] = dict
    ids: Mapping[str, Id] = field(default_factory=dict)
    example: Mapping[str, Any] = field(default_factory=dict)
    gather: Callable[..., Any] = nothing
    conclude: Callable[..., Any]
    problems: tuple[type[DomainError], ...] = ()
    statuses: tuple[int, ...] = (200,)
    headers: Mapping[str, str] = field(default_factory=dict)
    readers: Mapping[str, Reader] = field(default_factory=lambda: JSON)
    max_body: int | None = None
    idempotent: bool = True
    sent: "Mapping[str, Sent]" = field(default_factory=dict)
    view: Callable[..., Any] | None = None
    files: tuple[str, ...] = ()
    instead: "Callable[[HttpRequest], Endpoint | None] | None" = None
    also: tuple[str, ...] = ()
    calls_back: "CallsBack | None" = None
    queries: frozenset[str] = frozenset()
    heads: Mapping[str, Head] = field(default_factory=dict)
    secret: bool = False
    many: bool = False
    after: str = ""
    told: Callable[[Mapping[str, Any]], Mapping[str, str]] | None = None
    forms: Mapping[str, Form] = field(default_factory=dict)
    preview: Preview | None = None

    def __post_init__(self) -> None:
        if self.view is not None and self.access.pays:
            raise ValueError("an answer that streams cannot be kept for who paid for it")

    @property
    def address(self) -> str:
        """The path as people and programs read it, its ids in braces."""
        return "/" + self.path.replace("<str:", "{").replace(">", "}")

    @property
    def has_body(self) -> bool:
        """Whether the request has a body; otherwise `asks` is the query."""
        return self.method in ("POST", "PUT", "PATCH")

    def taking(self, request: HttpRequest) -> "Endpoint":
        """Return the row that takes a request: this one, or one of another format."""
        return (self.instead(request) if self.instead else None) or self

    @property
    def claims(self) -> bool:
        """Whether Idempotency-Key is honoured: on every call that may make something."""
        return self.idempotent and self.method == "POST"

    @property
    def summary(self) -> str:
        """The first sentence, which stands beside the path."""
        return self.about.split("\n", 1)[0].split(": ", 1)[0].rstrip(".:")

    @property
    def operation(self) -> str:
        """The name by which generated clients call it: one that any language takes."""
        name = self.name.replace("-", "_")
        return name if name.isidentifier() else f"{self.method.lower()}_{name}"


@cache
def rows(service: str) -> tuple[Endpoint, ...]:
    """Return a service's endpoints, in the order of config/endpoints.py.

    ValueError for two rows of one name, or of one method and path.
    """
    found = [row for path in MODULES for row in import_module(path).ENDPOINTS]
    mine = tuple(row for row in found if row.service == service)
    for keys in ([r.name for r in mine], [(r.method, r.path) for r in mine]):
        if len(set(keys)) != len(keys):
            raise ValueError(f"{service}: two endpoints share a name or an address")
    return mine
