from django.apps import AppConfig


class StaffConfig(AppConfig):
    name = "apps.backoffice.staff"
    verbose_name = "People"

    def ready(self) -> None:
        from apps.backoffice.staff import checks, signals

        checks.register_checks()
        signals.connect_signals()
