"""Screening and re-screening."""

from django.apps import AppConfig


class ScreeningConfig(AppConfig):
    name = "apps.compliance.screening"

    def ready(self) -> None:
        from apps.compliance.screening.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["compliance"]
        router.register("compliance/screen", viewsets.ScreenViewSet)
        router.register("compliance/screens", viewsets.ScreenListViewSet)
        router.register("compliance/ubo-chain", viewsets.UboChainViewSet)
        router.register("compliance/pep-screen", viewsets.PepScreenViewSet)
        router.register("compliance/regulatory-calendar", viewsets.RegulatoryCalendarViewSet)
