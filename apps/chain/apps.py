from django.apps import AppConfig


class ChainConfig(AppConfig):
    name = "apps.chain"
    verbose_name = "Transfers on chains"
