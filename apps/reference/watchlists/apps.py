from django.apps import AppConfig


class WatchlistsConfig(AppConfig):
    name = "apps.reference.watchlists"
    verbose_name = "Lists"

    def ready(self) -> None:
        from apps.reference.watchlists import checks

        checks.register_checks()
