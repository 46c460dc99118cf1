from django.apps import AppConfig


class PaywallConfig(AppConfig):
    name = "apps.access.paywall"
    verbose_name = "Payments"

    def ready(self) -> None:
        from apps.access.paywall.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["compliance"]
        router.register("stream", viewsets.StreamSessionViewSet)
