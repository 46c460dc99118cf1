from django.apps import AppConfig


class Pain001Config(AppConfig):
    name = "apps.payments.payments.pain001"
    label = "pain001"
    verbose_name = "Payment files"

    def ready(self) -> None:
        from apps.payments.payments.pain001.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["integration"]
        router.register("payments/files", viewsets.PaymentFileViewSet)
        router.register(
            "payments/files/<str:file_id>/transactions", viewsets.FileTransactionViewSet
        )
