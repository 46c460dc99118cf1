from django.apps import AppConfig


class WatchlistsConfig(AppConfig):
    name = "apps.watchlists"
    verbose_name = "Lists"

    def ready(self) -> None:
        from apps.watchlists import checks

        checks.connect()
