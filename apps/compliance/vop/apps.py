from django.apps import AppConfig


class VopConfig(AppConfig):
    name = "apps.compliance.vop"

    def ready(self) -> None:
        from apps.compliance.vop.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["compliance"]
        router.register("vop/verify", viewsets.PayeeCheckViewSet)
        router.register("vop/history", viewsets.PayeeCheckHistoryViewSet)
