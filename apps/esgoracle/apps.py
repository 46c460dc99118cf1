from django.apps import AppConfig


class EsgOracleConfig(AppConfig):
    name = "apps.esgoracle"
    verbose_name = "ESG oracle"
