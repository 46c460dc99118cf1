from django.apps import AppConfig


class UpstreamsConfig(AppConfig):
    name = "apps.upstreams"
    verbose_name = "Upstreams"
