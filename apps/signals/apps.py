from django.apps import AppConfig


class SignalsConfig(AppConfig):
    name = "apps.signals"
    verbose_name = "Reference rates"
