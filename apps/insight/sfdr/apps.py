from django.apps import AppConfig


class SfdrConfig(AppConfig):
    name = "apps.insight.sfdr"
    verbose_name = "SFDR"

    def ready(self) -> None:
        from apps.insight.sfdr.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["compliance"]
        router.register("sfdr/pai-report", viewsets.PaiReportViewSet)
        router.register("sfdr/report", viewsets.EntityImpactViewSet)
        router.register("sfdr/screen", viewsets.SfdrScreenViewSet)
