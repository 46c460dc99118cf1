from django.apps import AppConfig


class StabilityConfig(AppConfig):
    name = "apps.stability"
    verbose_name = "Stability"
