"""One router for each service: apps register their viewsets with it in `apps.py`."""

import re
from functools import cached_property
from operator import itemgetter
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.urls import URLPattern, URLResolver, path
from rest_framework.routers import SimpleRouter

from apps.platform.api.operations import Operation
from apps.platform.api.viewsets import OperationViewSet
from config.services import SERVICES


class ServiceRouter(SimpleRouter):
    """The addresses of a service, and the operations behind them.

    An action without the decorator `operation` is refused, so that nothing is served undeclared.
    """

    def __init__(self, service: str) -> None:
        super().__init__(trailing_slash=False, use_regex_path=False)
        self.service = service

    def register(self, prefix: str, viewset: type[Any], basename: str | None = None) -> None:
        """Route a viewset below a prefix."""
        super().register(prefix, viewset, basename or f"{prefix}:{viewset.__name__}")

    def get_urls(self) -> list[URLPattern | URLResolver]:
        # literal paths are matched before paths with ids
        return sorted(self._routes, key=lambda pattern: str(pattern.pattern).count("<"))

    @cached_property
    def operations(self) -> tuple[Operation, ...]:
        """The service's operations, in the order in which they were registered and declared.

        Raises ImproperlyConfigured for two with the same name.
        """
        views: list[Any] = [pattern.callback for pattern in self._routes]
        operations = [
            operation for view in views for operation in view.initkwargs["operations"].values()
        ]
        names = [operation.name for operation in operations]
        if twice := {name for name in names if names.count(name) > 1}:
            raise ImproperlyConfigured(f"{self.service}: two operations named {sorted(twice)}")
        return tuple(operations)

    @cached_property
    def _routes(self) -> list[URLPattern]:
        routes = []
        registered: list[tuple[str, Any, str]] = list(self.registry)
        for prefix, viewset, _ in registered:
            lookup = self.get_lookup_regex(viewset)
            # documents list operations as the code declares them; REST framework sorts by its own
            declared = [name for base in viewset.__mro__ for name in vars(base)]
            routed = [
                (declared.index(next(iter(actions.values()))), route, actions)
                for route in self.get_routes(viewset)
                if (actions := self.get_method_map(viewset, route.mapping))
            ]
            for _, route, actions in sorted(routed, key=itemgetter(0)):
                address = route.url.format(prefix=prefix, lookup=lookup, trailing_slash="")
                operations = {
                    method.upper(): self._bind(viewset, action, method.upper(), address)
                    for method, action in actions.items()
                }
                view = viewset.as_view(actions, **route.initkwargs, operations=operations)
                routes.append(path(address, view, name=next(iter(operations.values())).name))
        return routes

    def _bind(
        self, viewset: type[OperationViewSet], action: str, method: str, address: str
    ) -> Operation:
        """Return the operation of an action with its service, method and path."""
        declared = getattr(getattr(viewset, action), "declared", None)
        if declared is None:
            raise ImproperlyConfigured(f"{viewset.__name__}.{action} declares no operation")
        parameters = {**viewset.path_parameters, **declared.get("path_parameters", {})}
        made = {
            "service": self.service,
            "method": method,
            "path": address,
            "path_parameters": {name: parameters[name] for name in re.findall(r":(\w+)>", address)},
        }
        # the action's own declaration wins over what its viewset shares
        return Operation(**{**viewset.shared, **declared, **made})


ROUTERS = {service: ServiceRouter(service) for service in SERVICES}


def operations_of_service(service: str) -> tuple[Operation, ...]:
    """Return a service's operations, in the order in which apps registered them."""
    return ROUTERS[service].operations
