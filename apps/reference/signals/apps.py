from django.apps import AppConfig


class SignalsConfig(AppConfig):
    name = "apps.reference.signals"
    verbose_name = "Figures and rates"

    def ready(self) -> None:
        from django.core.checks import register

        from apps.reference.signals import checks

        register(checks.check_signal_tables)
