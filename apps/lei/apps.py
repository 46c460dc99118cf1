from django.apps import AppConfig


class LeiConfig(AppConfig):
    name = "apps.lei"
    verbose_name = "Legal entities"
