from django.apps import AppConfig


class RegistryConfig(AppConfig):
    name = "apps.compliance.registry"
    verbose_name = "Registry"

    def ready(self) -> None:
        from apps.compliance.registry.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["compliance"]
        router.register("register", viewsets.RegistrationViewSet)
        router.register("vop/lookup", viewsets.WalletLookupViewSet)
        router.register("lei", viewsets.LeiViewSet)
