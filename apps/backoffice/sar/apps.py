from django.apps import AppConfig


class SarConfig(AppConfig):
    name = "apps.backoffice.sar"
    verbose_name = "Suspicious activity"
