from django.apps import AppConfig


class StaffConfig(AppConfig):
    name = "apps.staff"
    verbose_name = "People"

    def ready(self) -> None:
        from apps.staff import checks, signals

        checks.connect()
        signals.connect()
