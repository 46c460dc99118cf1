from django.apps import AppConfig


class EsgConfig(AppConfig):
    name = "apps.esg"
    verbose_name = "ESG"
