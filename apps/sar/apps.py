from django.apps import AppConfig


class SarConfig(AppConfig):
    name = "apps.sar"
    verbose_name = "Suspicious activity"
