from django.apps import AppConfig


class CallbacksConfig(AppConfig):
    name = "apps.payments.callbacks"
    verbose_name = "Callbacks"

    def ready(self) -> None:
        from apps.payments.callbacks.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["integration"]
        router.register("callbacks/endpoints", viewsets.CallbackEndpointViewSet)
        router.register("callbacks", viewsets.CallbackViewSet)
