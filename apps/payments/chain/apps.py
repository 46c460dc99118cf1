from django.apps import AppConfig


class ChainConfig(AppConfig):
    name = "apps.payments.chain"
    verbose_name = "Transfers on chains"
