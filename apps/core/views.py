"""Where addresses meet rows: one thin view for each address, with a method for each row."""

from collections.abc import Iterable
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.decorators import classonlymethod
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.views import APIView

from apps.core import pipeline, problems
from apps.core.endpoints import Endpoint, rows


class EndpointView(APIView):
    """A class of DRF only for the OpenAPI generator's sake: calls go straight to the pipeline."""

    rows: ClassVar[dict[str, Endpoint]] = {}

    @classonlymethod
    def as_view(cls, **options: Any) -> Any:
        view: Any = super().as_view(**options)
        view.rows = cls.rows  # by which walks over all addresses know what each is for
        return view

    def dispatch(self, request: HttpRequest, *args: Any, **ids: str) -> HttpResponse:  # type: ignore[override]
        method = "GET" if request.method == "HEAD" else str(request.method)
        row = self.rows.get(method)
        if row is None:
            refused = problems.respond(MethodNotAllowed(str(request.method)[:20]))
            refused["Allow"] = ", ".join(allowed(self.rows))
            return refused
        return pipeline.run(row=row, request=request, ids=ids)


def allowed(by_method: Iterable[str]) -> list[str]:
    """Return the methods that an address answers, HEAD beside GET."""
    return sorted({*by_method, *(["HEAD"] if "GET" in by_method else [])})


def _documented(self: Any, request: Any) -> None:
    """Stand for a method; the generator looks for its name, calls never come here."""


def view_of(by_method: dict[str, Endpoint]) -> Any:
    """Return the view of one address."""
    methods = {method.lower(): _documented for method in by_method}
    return type("EndpointView", (EndpointView,), methods | {"rows": by_method}).as_view()  # type: ignore[attr-defined]


def urls(service: str) -> list[URLPattern]:
    """Return the addresses of a service's rows."""
    return addresses(rows(service))


def addresses(found: Iterable[Endpoint]) -> list[URLPattern]:
    """Return one address for each path among the rows."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for row in found:
        by_path.setdefault(row.path, {})[row.method] = row
    return [
        path(address, view_of(by_method), name=next(iter(by_method.values())).name)
        for address, by_method in by_path.items()
    ]
