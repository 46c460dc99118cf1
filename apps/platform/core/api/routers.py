"""One router for each service: apps register their viewsets with it in `apps.py`."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.urls import URLPattern, URLResolver, path
from rest_framework.routers import SimpleRouter

from apps.platform.core.api.health import health_viewset
from apps.platform.core.api.operations import Operation
from apps.platform.core.api.pagination import PageQuery
from apps.platform.core.api.viewsets import OperationViewSet
from config.services import SERVICES


class ServiceRouter(SimpleRouter):
    """The addresses of a service, and the operations behind them.

    An action without the decorator `operation` is refused: nothing is served undeclared.
    """

    def __init__(
        self, service: str, *, last: Mapping[str, type[OperationViewSet]] | None = None
    ) -> None:
        super().__init__(trailing_slash=False, use_regex_path=False)
        self.service, self.last = service, dict(last or {})

    def register(self, prefix: str, viewset: type[Any], basename: str | None = None) -> None:
        """Route a viewset below a prefix."""
        super().register(prefix, viewset, basename or f"{prefix}:{viewset.__name__}")

    def get_urls(self) -> list[URLPattern | URLResolver]:
        patterns: list[URLPattern | URLResolver] = [pattern for pattern, _ in self._routes]
        # what is spelt out comes before what is read as an id
        return sorted(patterns, key=lambda pattern: str(pattern.pattern).count("<"))

    @cached_property
    def operations(self) -> tuple[Operation, ...]:
        """The service's operations, in the order in which they were registered and declared.

        ImproperlyConfigured for two of one name.
        """
        found = [operation for _, operations in self._routes for operation in operations]
        names = [operation.name for operation in found]
        if twice := {name for name in names if names.count(name) > 1}:
            raise ImproperlyConfigured(f"{self.service}: two operations named {sorted(twice)}")
        return tuple(found)

    @cached_property
    def _routes(self) -> list[tuple[URLPattern, list[Operation]]]:
        found = []
        registered: list[tuple[str, Any]] = [one[:2] for one in self.registry]
        for prefix, viewset in (*registered, *self.last.items()):
            lookup = self.get_lookup_regex(viewset)
            declared = [name for one in viewset.__mro__ for name in vars(one)]  # in this order
            routed = {}
            for route in self.get_routes(viewset):
                mapping: dict[str, Any] = self.get_method_map(viewset, route.mapping)
                if not mapping:
                    continue
                address = route.url.format(prefix=prefix, lookup=lookup, trailing_slash="")
                bound = self._bound(viewset, mapping, address)
                view = viewset.as_view(mapping, **route.initkwargs, operations=bound)
                operations = list(bound.values())
                pattern = path(address, view, name=operations[0].name)
                routed[declared.index(next(iter(mapping.values())))] = (pattern, operations)
            found += [routed[place] for place in sorted(routed)]
        return found

    def _bound(
        self, viewset: type[OperationViewSet], mapping: Mapping[str, Any], address: str
    ) -> dict[str, Operation]:
        """Return the operations of an address by HTTP method, with where they are served."""
        bound = {}
        for method, action in mapping.items():
            declared = getattr(getattr(viewset, action), "declared", None)
            if declared is None:
                raise ImproperlyConfigured(f"{viewset.__name__}.{action} declares no operation")
            parameters = {**viewset.path_parameters, **declared.get("path_parameters", {})}
            ids = re.findall(r":(\w+)>", address)
            if missing := [name for name in ids if name not in parameters]:
                raise ImproperlyConfigured(
                    f"{viewset.__name__}.{action}: no path parameter describes {missing}"
                )
            made = {
                "path_parameters": {name: parameters[name] for name in ids},
                "service": self.service,
                "method": method.upper(),
                "path": address,
            }
            operation = Operation(**{**viewset.shared, **declared, **made})
            _require_matching_filters(viewset, operation)
            bound[method.upper()] = operation
        return bound


def _require_matching_filters(viewset: type[OperationViewSet], declared: Operation) -> None:
    """Raise ImproperlyConfigured where a list's query and its filters differ.

    A parameter that no filter reads would be taken and choose nothing.
    """
    if declared.request is None or not issubclass(declared.request, PageQuery):
        return
    fields = declared.request().fields.items()
    queried = {field.source or name for name, field in fields} - {"cursor", "limit"}
    filters = set(viewset.filterset_class.base_filters) if viewset.filterset_class else set()
    if queried != filters:
        raise ImproperlyConfigured(
            f"{viewset.__name__}: the query of {declared.name} has {sorted(queried)}, and its "
            f"filters are {sorted(filters)}"
        )


ROUTERS = {
    service: ServiceRouter(service, last={"health": health_viewset(service)})
    for service in SERVICES
}


def operations_of_service(service: str) -> tuple[Operation, ...]:
    """Return a service's operations, in the order in which apps registered them."""
    return ROUTERS[service].operations
