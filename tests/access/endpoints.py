"""Endpoints of the tests' own, one for each way to present a key."""

from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.auth import FreeView, KeyView, principal
from apps.access.models import Kind
from apps.core.problems import handler400, handler403, handler404, handler500
from config.urls import urlpatterns as of_the_project

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]


class WhoView(KeyView):
    key_kinds = (Kind.SUBSCRIPTION,)

    def get(self, request: Request) -> Response:
        caller = principal(request)
        return Response({"ref": caller.ref, "kind": caller.kind, "name": caller.name})


class BearerView(WhoView):
    key_kinds = (Kind.INSTITUTION, Kind.MASTER)


class InternalView(WhoView):
    key_kinds = (Kind.INTERNAL,)


class OpenView(FreeView):
    def get(self, request: Request) -> Response:
        return Response({"free": True})


urlpatterns = [
    *of_the_project,
    path("compliance/test/subscription", WhoView.as_view()),
    path("compliance/test/bearer", BearerView.as_view()),
    path("compliance/test/internal", InternalView.as_view()),
    path("compliance/test/free", OpenView.as_view()),
]
