from django.apps import AppConfig


class OversightConfig(AppConfig):
    name = "apps.backoffice.oversight"
    verbose_name = "Oversight"
