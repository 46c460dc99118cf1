from django.apps import AppConfig


class ForecastConfig(AppConfig):
    name = "apps.forecast"
    verbose_name = "Forecasts"
