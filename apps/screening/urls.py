"""Addresses below /compliance of the compliance service."""

from django.urls import path

from apps.access.views import UsageView
from apps.screening.reports import CalendarView, PepScreenView, UboChainView
from apps.screening.views import ScreensView, ScreenView, StoredScreenView

urlpatterns = [
    path("screen", ScreenView.as_view(), name="screen"),
    path("screens", ScreensView.as_view(), name="screens"),
    path("screen/<str:screen_id>", StoredScreenView.as_view(), name="screen-stored"),
    path("ubo-chain", UboChainView.as_view(), name="ubo-chain"),
    path("pep-screen", PepScreenView.as_view(), name="pep-screen"),
    path("regulatory-calendar", CalendarView.as_view(), name="regulatory-calendar"),
    path("usage", UsageView.as_view(), name="usage"),
]
