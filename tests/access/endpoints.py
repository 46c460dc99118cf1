"""Endpoints of the tests' own, one for each way to present a key."""

from typing import Any

from apps.access.keys.models import KeyKind
from apps.platform.api.operations import Access
from apps.platform.api.shapes import Shape, Text
from apps.platform.common.problems import handler400, handler403, handler404, handler500
from config.urls import urlpatterns as of_the_project
from tests.operations import addresses
from tests.platform.endpoints import row

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


class WhoOut(Shape):
    ref = Text()
    kind = Text()
    name = Text()


def who(*, asked: Any, gathered: Any, caller: Any, now: Any) -> Any:
    return {"ref": caller.ref, "kind": caller.kind, "name": caller.name}


def way(name: str, access: Access) -> Any:
    return row(name, "GET", f"compliance/test/{name}", access=access, response=WhoOut, conclude=who)


ROWS = (
    way("subscription", Access(keys=(KeyKind.SUBSCRIPTION,))),
    way("bearer", Access(keys=(KeyKind.INSTITUTION, KeyKind.MASTER))),
    way("internal", Access(keys=(KeyKind.INTERNAL,))),
    way("two-headers", Access(keys=(KeyKind.SUBSCRIPTION, KeyKind.INSTITUTION))),
    way("free", Access(open=True)),
)
urlpatterns = [*of_the_project, *addresses(ROWS)]
