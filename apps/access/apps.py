from django.apps import AppConfig


class AccessConfig(AppConfig):
    name = "apps.access"
    verbose_name = "Keys and accounts"
