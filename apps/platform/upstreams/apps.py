from django.apps import AppConfig


class UpstreamsConfig(AppConfig):
    name = "apps.platform.upstreams"
    verbose_name = "Upstreams"
