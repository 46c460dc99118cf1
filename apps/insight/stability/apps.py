from django.apps import AppConfig


class StabilityConfig(AppConfig):
    name = "apps.insight.stability"
    verbose_name = "Stability"

    def ready(self) -> None:
        from apps.insight.stability.fees.api import viewsets as fees
        from apps.insight.stability.oracle.api import viewsets as oracle
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["stability"]
        router.register("manifest", fees.ManifestViewSet)
        router.register("fee-schedule", fees.FeeScheduleViewSet)
        router.register("quote", fees.QuoteViewSet)
        router.register("verify-fees", fees.FeeVerificationViewSet)
        router.register("reliability", oracle.ReliabilityViewSet)
        router.register("api", oracle.OracleRunViewSet)
