from django.apps import AppConfig


class ReviewConfig(AppConfig):
    name = "apps.review"
    verbose_name = "Review"

    def ready(self) -> None:
        from apps.review.hours import working_hours

        working_hours()  # settings that are none stop the start, not the first case
