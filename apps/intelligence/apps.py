from django.apps import AppConfig


class IntelligenceConfig(AppConfig):
    name = "apps.intelligence"
    verbose_name = "Intelligence"
