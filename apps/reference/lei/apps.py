from django.apps import AppConfig


class LeiConfig(AppConfig):
    name = "apps.reference.lei"
    verbose_name = "Legal entities"
