from django.apps import AppConfig


class WatchlistsConfig(AppConfig):
    name = "apps.watchlists"
    verbose_name = "Lists"
