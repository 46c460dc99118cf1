"""Operations of the tests' own, and real ones with a part replaced."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from django.urls import URLPattern

from apps.platform.api.operations import Operation, operation
from apps.platform.api.routers import ROUTERS, ServiceRouter
from apps.platform.api.viewsets import OperationViewSet

HANDLERS = {"GET": "list", "POST": "create"}


@dataclass
class TestOperation:
    """An operation that a test serves: its functions, and what its decorator declares."""

    __test__ = False

    name: str
    method: str
    path: str
    conclude: Callable[..., Any]
    gather: Callable[..., Any] | None = None
    build: Callable[..., Any] = dict
    rows: Callable[..., Any] | None = None  # of a list, which `conclude` turns into values
    members: Mapping[str, Any] = field(default_factory=dict)
    declared: Mapping[str, Any] = field(default_factory=dict)

    def handler(self) -> Callable[..., Any]:
        """Return the declared action; what it calls is read at each call."""

        def answer(viewset: OperationViewSet, request: Any, **_: str) -> Any:
            if self.rows is not None:
                return viewset.run_list(self.rows, self.conclude)
            return viewset.run(self.gather, self.conclude, self.build)

        return operation(self.name, **self.declared)(answer)


def addresses(served: Iterable[TestOperation], service: str = "compliance") -> list[URLPattern]:
    """Return the addresses of operations of the tests' own."""
    members: dict[tuple[str, str], dict[str, Any]] = {}
    for test_operation in served:
        prefix, _, slot = test_operation.path.partition("/<str:")
        handler = "retrieve" if slot else HANDLERS[test_operation.method]
        lookup = slot.removesuffix(">")
        members.setdefault((prefix, lookup), {}).update(
            {handler: test_operation.handler(), **test_operation.members}
        )
    router = ServiceRouter(service)
    for (prefix, lookup), handlers in members.items():
        own = handlers | ({"lookup_url_kwarg": lookup} if lookup else {})
        router.register(prefix, type("TestViewSet", (OperationViewSet,), own))
    patterns: list[URLPattern] = router.urls
    return patterns


@contextmanager
def replaced(
    name: str,
    *,
    gather: Callable[..., Any] | None = None,
    conclude: Callable[..., Any] | None = None,
) -> Iterator[None]:
    """Serve an operation with another function in place of one of its own.

    Each is given the real function first, and then what that is given.
    """
    real = OperationViewSet.run

    def run(viewset: OperationViewSet, own: Any, ends: Any = None, build: Any = dict) -> Any:
        if viewset.operation.name != name:
            return real(viewset, own, ends, build)

        def other_gather(**given: Any) -> Any:
            return gather(own, **given) if gather else own(**given)

        def other_conclude(**given: Any) -> Any:
            return conclude(ends, **given) if conclude else ends(**given)

        return real(
            viewset,
            other_gather if gather else own,
            other_conclude if conclude else ends,
            build,
        )

    with patch.object(OperationViewSet, "run", run):
        yield


def functions_of(declared: Operation) -> tuple[Any, Any, Any]:
    """Return what gathers, concludes and builds the request of an operation."""
    for pattern in ROUTERS[declared.service].urls:
        if declared in pattern.callback.initkwargs["operations"].values():
            viewset = pattern.callback.cls(request=SimpleNamespace(auth=None))
            viewset.run = lambda gather, conclude=None, build=dict: (gather, conclude, build)
            action = pattern.callback.actions[declared.method.lower()]
            found: tuple[Any, Any, Any] = getattr(viewset, action)(
                None, **dict.fromkeys(declared.path_parameters, "")
            )
            return found
    raise LookupError(declared.name)
