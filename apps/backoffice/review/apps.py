from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "apps.backoffice.review"
    verbose_name = "Review"

    def ready(self) -> None:
        from apps.backoffice.review.working_hours import load_working_hours

        load_working_hours()  # settings that are none stop the start, not the first case
