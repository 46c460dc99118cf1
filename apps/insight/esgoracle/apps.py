from django.apps import AppConfig


class EsgOracleConfig(AppConfig):
    name = "apps.insight.esgoracle"
    verbose_name = "ESG oracle"

    def ready(self) -> None:
        from apps.insight.esgoracle.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["esg"]
        router.register("manifest", viewsets.ManifestViewSet)
        router.register("esg-score", viewsets.ScoreViewSet)
        router.register("fee-schedule", viewsets.FeeScheduleViewSet)
        router.register("quote", viewsets.QuoteViewSet)
        router.register("reliability", viewsets.ReliabilityViewSet)
