from django.apps import AppConfig


class SettlementConfig(AppConfig):
    name = "apps.payments.settlement"
    verbose_name = "Settlements"

    def ready(self) -> None:
        from apps.payments.settlement.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["settlement"]
        router.register("flow-check", viewsets.FlowCheckViewSet)
        router.register("settle", viewsets.SettlementViewSet)
