from django.apps import AppConfig


class BankingConfig(AppConfig):
    name = "apps.payments.banking"
    verbose_name = "Banking"

    def ready(self) -> None:
        from apps.payments.banking.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["settlement"]
        router.register("bank-webhook", viewsets.BankWebhookViewSet)
        router.register("bank/recipients", viewsets.BankRecipientViewSet)
        router.register("bank/send", viewsets.BankPaymentViewSet)
        router.register("bank/sends", viewsets.BankPaymentListViewSet)
        router.register("bank/accounts", viewsets.BankAccountViewSet)
        router.register("bank/transactions", viewsets.BankTransactionViewSet)
        router.register("manifest", viewsets.ManifestViewSet)
        router.register("bank/ach-authorize", viewsets.AchAuthorizationViewSet)

        from apps.payments.banking import encryption

        encryption.check_encryption_settings()
