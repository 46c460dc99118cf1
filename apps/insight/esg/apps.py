from django.apps import AppConfig


class EsgConfig(AppConfig):
    name = "apps.insight.esg"
    verbose_name = "ESG"

    def ready(self) -> None:
        from apps.insight.esg.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["compliance"]
        router.register("esg/score", viewsets.EntityScoreViewSet)
        router.register("esg/score/wallet", viewsets.WalletScoreViewSet)
