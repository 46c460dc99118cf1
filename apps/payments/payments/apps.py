from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "apps.payments.payments"
    verbose_name = "Payments"

    def ready(self) -> None:
        from apps.payments.payments.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["integration"]
        router.register("payments", viewsets.PaymentViewSet)
        router.register("rates", viewsets.ReferenceRateViewSet)
        router.register("manifest", viewsets.ManifestViewSet)
