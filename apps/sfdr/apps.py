from django.apps import AppConfig


class SfdrConfig(AppConfig):
    name = "apps.sfdr"
    verbose_name = "SFDR"
