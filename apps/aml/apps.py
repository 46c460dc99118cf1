from django.apps import AppConfig


class AmlConfig(AppConfig):
    name = "apps.aml"
    verbose_name = "AML"
