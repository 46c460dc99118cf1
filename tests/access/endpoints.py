"""Endpoints of the tests' own, one for each way to present a key."""

from typing import Any

from apps.access.models import Kind
from apps.core.endpoints import Access
from apps.core.problems import handler400, handler403, handler404, handler500
from apps.core.shapes import Shape, Text
from apps.core.views import addresses
from config.urls import urlpatterns as of_the_project
from tests.core.endpoints import row

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


class WhoOut(Shape):
    ref = Text()
    kind = Text()
    name = Text()


def who(*, asked: Any, gathered: Any, caller: Any, now: Any) -> Any:
    return {"ref": caller.ref, "kind": caller.kind, "name": caller.name}


def way(name: str, access: Access) -> Any:
    return row(name, "GET", f"compliance/test/{name}", access=access, answers=WhoOut, conclude=who)


ROWS = (
    way("subscription", Access(keys=(Kind.SUBSCRIPTION,))),
    way("bearer", Access(keys=(Kind.INSTITUTION, Kind.MASTER))),
    way("internal", Access(keys=(Kind.INTERNAL,))),
    way("two-headers", Access(keys=(Kind.SUBSCRIPTION, Kind.INSTITUTION))),
    way("free", Access(open=True)),
)
urlpatterns = [*of_the_project, *addresses(ROWS)]
