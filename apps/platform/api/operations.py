"""What an action of a viewset declares about itself, once, in one decorator.

Addresses, OpenAPI, access, prices, 402 requirements, discovery, MCP tools and the walks of the
tests read these declarations from the routers.
"""

import dataclasses
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter
from rest_framework.parsers import BaseParser

from apps.platform.api.parsers import StrictJSONParser
from apps.platform.api.renderers import DocumentRenderer
from apps.platform.api.shapes import Identifier, Shape, Text
from apps.platform.common.problems import DomainError
from apps.platform.crypto.canonical import canonical_digest
from config.prices import Bucket, Unit

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]


@dataclass(frozen=True, kw_only=True)
class Access:
    """Who may call: keys of these kinds, who pays for the call, or anybody; and what it costs.

    `price` is one of config/prices.py: each answered call by key counts one of a unit. With `pays`
    a call may be paid for instead, by x402 or from a stream session; without keys, it must be.
    With `session`, who holds a stream session may call for what is that session's, free of charge;
    with `agent`, who holds an agent's secret for what is that agent's; with `payer`, who shows a
    payment that they signed for what its wallet paid for: it is checked, and not taken; with
    `signed`, a counterparty who proves the body by an HMAC in X-SVC-Signature; with `bank`, the
    bank, by its Bank-Signature. Where it is `open`, keys of `may` need not be sent: what is made
    with one is that key's. Keys of `beside` may come with a payment: it buys the call, and the key
    says whose figures are reported; the request is then built with `account`, the key's tenant,
    and `payer`, the wallet that pays; each empty where there is none.
    `limited` False is for what monitors ask without end. `rate` names the setting that bounds the
    calls of one address where it is open: `feed` stands for settings.FEED_RATE_PER_MINUTE.
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
        """The kinds of keys that are read, required or not."""
        return self.keys or self.may

    @property
    def proved(self) -> bool:
        """Whether a counterparty or the bank calls it, by a secret exchanged with the operator."""
        return self.signed or self.bank

    def __post_init__(self) -> None:
        others = self.pays or self.session or self.agent or self.payer or self.proved
        if self.open and (self.keys or self.price or others):
            raise ValueError("an open operation asks for no key and has no price")
        if self.beside and not (self.pays and not self.keys):
            raise ValueError("keys stand beside a payment, where nothing else lets in")
        if self.may and not self.open:
            raise ValueError("optional keys are for operations that are open without one")
        if not (self.open or self.keys or others):
            raise ValueError("say who may call")
        if self.pays and (self.price is None or self.price.paid is None):
            raise ValueError("what is paid for has a price for who pays: see config/prices.py")
        if self.keys and isinstance(self.price, Bucket):
            raise ValueError("a bucket is bought, not counted")


@dataclass(frozen=True, slots=True)
class PathParameter:
    """An id in the path: its field, and where tests find one (the operation that makes it).

    `made_by` names that operation and the field of its answer; it is empty for ids of reference
    data, of which `example` is one. `made_with` is sent beside the maker's own example. What is
    `owned` answers another tenant than its maker as if it did not exist.
    """

    field: Text | Identifier
    description: str
    made_by: tuple[str, str] = ("", "")
    made_with: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    example: str = ""
    owned: bool = True


@dataclass(frozen=True, slots=True)
class HeaderParameter:
    """A header that is part of the request, beside its body: its name and what it says.

    Empty where it is not sent. `identity` returns whom or what the value stands for at a moment,
    and raises where it does not count: it is called before a stored answer is given again, so that
    one caller's Idempotency-Key is not another's. Without it the header is no part of what a key
    stands for.
    """

    name: str
    description: str
    max_length: int = 8192
    identity: Callable[[str, datetime], str] | None = None


@dataclass(frozen=True, slots=True)
class Preview:
    """What a 402 says of what is sold beside its price: its kind, and what is in it."""

    kind: str
    gives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Callback:
    """A request that follows a call: to the address in a field of its body, with these headers."""

    field: str
    summary: str
    body: type[Shape]
    headers: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One operation of the API, as its decorator declares it and its router completes it.

    `request` is the serializer of the body (of the query, for GET and DELETE), `response` that of
    the answer. `example` is a body or query that works on the bundled sample. `answers_secret`
    says that the answer holds a secret: what is kept of it for repeats is sealed.
    `documents` draw the answer in other forms, by Accept; `streams` says that the answer is no
    JSON of a stored call, and `file_types` are the content types that it then may have.
    `other_types` are content types beside JSON that requests and answers may have.
    `header_parameters` are passed on with the values of the request, by name; `header_schemas` are
    headers that a parser reads by itself; `query_parameters` are the names that a request with a
    body may have in its address. With `many` the answer is a bare array that does not grow: what
    grows is paged. `example_after` names the operation whose example makes what this one's example
    needs. `repeat_headers` makes headers of a stored answer from its body. `preview` is part of the
    402. The router sets `service`, `method` and `path`.
    """

    name: str
    spec: str
    access: Access
    response: type[Shape]
    description: str = ""
    request: type[Shape] | None = None
    path_parameters: Mapping[str, PathParameter] = field(default_factory=dict)
    header_parameters: Mapping[str, HeaderParameter] = field(default_factory=dict)
    header_schemas: tuple[OpenApiParameter, ...] = ()
    query_parameters: frozenset[str] = frozenset()
    example: Mapping[str, Any] = field(default_factory=dict)
    example_after: str = ""
    problems: tuple[type[DomainError], ...] = ()
    statuses: tuple[int, ...] = (200,)
    response_headers: Mapping[str, str] = field(default_factory=dict)
    repeat_headers: Callable[[Mapping[str, Any]], Mapping[str, str]] | None = None
    parsers: tuple[type[BaseParser], ...] = (StrictJSONParser,)
    max_body: int | None = None
    idempotent: bool = True
    answers_secret: bool = False
    streams: bool = False
    file_types: tuple[str, ...] = ()
    other_types: tuple[str, ...] = ()
    documents: tuple[type[DocumentRenderer], ...] = ()
    many: bool = False
    callback: Callback | None = None
    preview: Preview | None = None
    service: str
    method: Method
    path: str

    def __post_init__(self) -> None:
        if self.streams and self.access.price is not None:
            raise ValueError("an answer that streams is neither kept nor billed")

    @property
    def address(self) -> str:
        """The path as people and programs read it, its ids in braces."""
        return "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", self.path)

    @property
    def has_body(self) -> bool:
        """Whether the request has a body; otherwise `request` describes the query."""
        return self.method in ("POST", "PUT", "PATCH")

    @property
    def body_limit(self) -> int:
        """How many bytes the body may have."""
        limit: int = self.max_body or settings.API_MAX_BODY
        return limit

    @property
    def takes_idempotency_key(self) -> bool:
        """Whether Idempotency-Key is honoured: on every call that may make something."""
        return self.idempotent and self.method == "POST" and not self.streams

    def fingerprint(self, values: Mapping[str, Any]) -> str:
        """Return a digest (SHA-256) of what is asked: the same question has the same.

        `values` hold the ids of the path; below a service's prefix and on its own host it is the
        same.
        """
        # what is empty is as if absent, so that a field that comes later changes no fingerprint
        said = {name: value for name, value in values.items() if value not in (None, "", [], ())}
        return canonical_digest([self.method, f"{self.service}/{self.path}", said])

    @property
    def summary(self) -> str:
        """The first sentence, which stands beside the path."""
        return self.description.split("\n", 1)[0].split(": ", 1)[0].rstrip(".:")

    @property
    def operation_id(self) -> str:
        """The name by which generated clients call it: one that any language takes."""
        name = self.name.replace("-", "_")
        return name if name.isidentifier() else f"{self.method.lower()}_{name}"


def operation(
    name: str,
    *,
    post: str | None = None,
    get: str | None = None,
    detail: bool = False,
    notes: tuple[str, ...] = (),
    **declared: Any,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare an action of a viewset; its docstring is the description that clients read.

    `create`, `list`, `retrieve`, `update` and `destroy` are routed by the prefix that the viewset
    is registered under. Another method names its path below that prefix, or with `detail` below
    the id: `get="screens"`, `post="revoke"`. `notes` are paragraphs that several descriptions
    share. Everything else is a field of Operation; what all actions of a viewset have alike is
    said once, in its `shared`.
    """
    if post is not None and get is not None:
        raise TypeError(f"{name}: an action is posted to or read, not both")
    if detail and post is None and get is None:
        raise TypeError(f"{name}: say the path below the id, as post or get")
    path = post if get is None else get

    def decorate(handler: Callable[..., Any]) -> Callable[..., Any]:
        paragraphs = re.split(r"\n\s*\n", inspect.cleandoc(handler.__doc__ or ""))
        unwrapped = [" ".join(paragraph.split()) for paragraph in paragraphs]
        declared.setdefault("description", "\n\n".join(filter(None, [*unwrapped, *notes])))
        handler.declared = {"name": name, **declared}  # type: ignore[attr-defined]
        # not above: authentication classes import this module while that one is being imported
        from rest_framework.decorators import action

        if path is None:
            return handler
        return action(detail=detail, methods=["get" if post is None else "post"], url_path=path)(
            handler
        )

    return decorate
