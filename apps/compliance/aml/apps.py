from django.apps import AppConfig


class AmlConfig(AppConfig):
    name = "apps.compliance.aml"
    verbose_name = "AML"

    def ready(self) -> None:
        from apps.compliance.aml.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["compliance"]
        router.register("aml/screen", viewsets.AmlScreenViewSet)
        router.register("aml/profile", viewsets.WalletProfileViewSet)
        router.register("aml/events", viewsets.WalletEventsViewSet)
