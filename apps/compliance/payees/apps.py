"""Registration of wallets and Verification of Payee."""

from django.apps import AppConfig


class PayeesConfig(AppConfig):
    name = "apps.compliance.payees"
    label = "registry"
    verbose_name = "Registry"

    def ready(self) -> None:
        from apps.compliance.payees.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["compliance"]
        router.register("register", viewsets.RegistrationViewSet)
        router.register("vop/lookup", viewsets.WalletLookupViewSet)
        router.register("lei", viewsets.LeiViewSet)
        router.register("vop/verify", viewsets.PayeeCheckViewSet)
        router.register("vop/history", viewsets.PayeeCheckHistoryViewSet)
