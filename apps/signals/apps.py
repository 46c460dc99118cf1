from django.apps import AppConfig


class SignalsConfig(AppConfig):
    name = "apps.signals"
    verbose_name = "Figures and rates"

    def ready(self) -> None:
        from django.core.checks import register

        from apps.signals import checks

        register(checks.check)
