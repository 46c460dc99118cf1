"""The declaration of a viewset's action: one decorator holds everything about it.

Addresses, OpenAPI, access, prices, 402 requirements, discovery, MCP tools and the walks of the
tests read these declarations from the routers.
"""

import dataclasses
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiCallback, OpenApiParameter

from apps.platform.api.shapes import Identifier, Shape, Text
from apps.platform.common.problems import DomainError
from apps.platform.crypto.canonical import canonical_digest
from config.prices import Bucket, Unit


@dataclass(frozen=True, kw_only=True)
class Access:
    """Who may call (keys of these kinds, payers, anybody), and what the call costs.

    `price` is one of config/prices.py: each answered call by key counts as one of a unit. With
    `pays` a call may be paid for instead, by x402 or from a stream session; without keys, it must
    be. With `session`, the holder of a stream session may call for that session's own data, free of
    charge; with `agent`, the holder of an agent's secret for that agent's; with `payer`, the sender
    of a payment that they signed for what its wallet paid for: the payment is checked, and not
    taken; with `signature`, a counterparty or the bank, which authenticates the body by an HMAC in
    that header. On an `open` operation keys of `may` are optional: what is made with a key belongs
    to that key. Keys of `beside` may come with a payment: the payment buys the call, and the key
    says whose figures are reported: its tenant is the caller's `account`. `rate` names the setting
    that limits the calls of one address to an open operation: `feed` means
    settings.FEED_RATE_PER_MINUTE. It is empty for operations that monitors poll all the time.
    """

    keys: tuple[str, ...] = ()
    open: bool = False
    price: Unit | Bucket | None = None
    pays: bool = False
    session: bool = False
    agent: bool = False
    payer: bool = False
    signature: str = ""
    may: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    rate: str = "free"

    @property
    def known(self) -> tuple[str, ...]:
        """The kinds of keys that are read, required or not."""
        return self.keys or self.may

    def __post_init__(self) -> None:
        others = self.pays or self.session or self.agent or self.payer or self.signature
        if self.open and (self.keys or self.price or others):
            raise ValueError("an open operation needs no key and has no price")
        if self.may and not self.open:
            raise ValueError("optional keys are for operations that are open without one")
        if not (self.open or self.keys or others):
            raise ValueError("say who may call")
        if self.pays and (self.price is None or self.price.paid is None):
            raise ValueError("a paid operation needs a price: see config/prices.py")
        if self.keys and isinstance(self.price, Bucket):
            raise ValueError("a bucket is bought, not counted")


@dataclass(frozen=True, slots=True)
class PathParameter:
    """An id in the path: its field, and where tests find one (the operation that makes it).

    `made_by` names that operation and the field of its answer; it is empty for ids of reference
    data, of which `example` is one. `made_with` is sent beside the maker's own example. To tenants
    other than its maker's an `owned` id is answered as if it did not exist.
    """

    field: Text | Identifier
    description: str
    made_by: tuple[str, str] = ("", "")
    made_with: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    example: str = ""
    owned: bool = True


@dataclass(frozen=True, slots=True)
class Preview:
    """What a 402 says about the goods beside the price: their kind and their contents."""

    kind: str
    gives: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One operation of the API, as its decorator declares it and its router completes it.

    `request` is the serializer of the body (of the query, for GET and DELETE), `response` that of
    the answer. `example` is a body or query that works on the bundled sample. `answers_secret` says
    that the answer holds a secret: the copy that is kept for repeats is encrypted. `file_types` are
    content types that an answer may have in place of JSON. `header_parameters` are headers that the
    action or a parser reads; `query_parameters` are the names that a request with a body may have
    in its address. With `many` the answer is a bare array of bounded size: lists that grow are
    paged. `example_after` names the operation whose example makes what this one's example needs.
    `repeat_headers` makes headers of a stored answer from its body. `preview` is part of the 402.
    The router sets `service`, `method` and `path`.
    """

    name: str
    spec: str
    access: Access
    response: type[Shape]
    description: str = ""
    request: type[Shape] | None = None
    path_parameters: Mapping[str, PathParameter] = field(default_factory=dict)
    header_parameters: tuple[OpenApiParameter, ...] = ()
    query_parameters: frozenset[str] = frozenset()
    example: Mapping[str, Any] = field(default_factory=dict)
    example_after: str = ""
    problems: tuple[type[DomainError], ...] = ()
    statuses: tuple[int, ...] = (200,)
    response_headers: Mapping[str, str] = field(default_factory=dict)
    repeat_headers: Callable[[Mapping[str, Any]], Mapping[str, str]] | None = None
    max_body: int | None = None
    idempotent: bool = True
    answers_secret: bool = False
    file_types: tuple[str, ...] = ()
    many: bool = False
    callbacks: tuple[OpenApiCallback, ...] = ()
    preview: Preview | None = None
    service: str
    method: str
    path: str

    @property
    def address(self) -> str:
        """The path as people and programs read it, with its ids in braces."""
        return "/" + re.sub(r"<\w+:(\w+)>", r"{\1}", self.path)

    @property
    def has_body(self) -> bool:
        """Whether the request has a body; otherwise `request` describes the query."""
        return self.method in ("POST", "PUT", "PATCH")

    @property
    def body_limit(self) -> int:
        """The greatest size of the body in bytes."""
        limit: int = self.max_body or settings.API_MAX_BODY
        return limit

    @property
    def takes_idempotency_key(self) -> bool:
        """Whether Idempotency-Key is honoured: on every call that may make something."""
        return self.idempotent and self.method == "POST"

    def fingerprint(self, values: Mapping[str, Any]) -> str:
        """Return a digest (SHA-256) of the request: equal requests have equal digests.

        `values` hold the ids of the path; the digest is the same below a service's prefix and on
        its own host.
        """
        # empty values are left out, so that a field that is added later changes no fingerprint
        given = {name: value for name, value in values.items() if value not in (None, "", [], ())}
        return canonical_digest([self.method, f"{self.service}/{self.path}", given])

    @property
    def summary(self) -> str:
        """The first sentence, which documents show beside the path."""
        return self.description.split("\n", 1)[0].split(": ", 1)[0].rstrip(".:")

    @property
    def operation_id(self) -> str:
        """The name by which generated clients call it: valid in any language."""
        # a name such as `48h-call` cannot begin an identifier
        name = self.name.replace("-", "_")
        return name if name.isidentifier() else f"{self.method.lower()}_{name}"


def operation(
    name: str, *, notes: tuple[str, ...] = (), **declared: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare an action of a viewset; its docstring is the description that clients read.

    `create`, `list`, `retrieve`, `update` and `destroy` are routed by the prefix that the viewset
    is registered under; another method by REST framework's decorator `action`, which goes above
    this one. `notes` are paragraphs that several descriptions share. Everything else is a field of
    Operation; fields that all actions of a viewset share go into its `shared`.
    """

    def decorate(handler: Callable[..., Any]) -> Callable[..., Any]:
        paragraphs = re.split(r"\n\s*\n", inspect.cleandoc(handler.__doc__ or ""))
        unwrapped = [" ".join(paragraph.split()) for paragraph in paragraphs]
        declared.setdefault("description", "\n\n".join(filter(None, [*unwrapped, *notes])))
        handler.declared = {"name": name, **declared}  # type: ignore[attr-defined]
        return handler

    return decorate
