from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "apps.insight.reports"
    verbose_name = "Reports"

    def ready(self) -> None:
        from apps.insight.reports.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["reports"]
        for prefix, viewset in viewsets.VIEWSETS.items():
            router.register(prefix, viewset)
