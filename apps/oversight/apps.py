from django.apps import AppConfig


class OversightConfig(AppConfig):
    name = "apps.oversight"
    verbose_name = "Oversight"
