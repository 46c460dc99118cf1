from django.apps import AppConfig


class VopConfig(AppConfig):
    name = "apps.vop"
