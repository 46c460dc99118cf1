from django.apps import AppConfig


class BankingConfig(AppConfig):
    name = "apps.banking"
    verbose_name = "Banking"

    def ready(self) -> None:
        from apps.banking import sealing

        sealing.check_settings()
