"""Sign-in attempts are counted by address, so that passwords cannot be tried at speed."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from apps.access import limits
from apps.core.clock import now

ATTEMPTS_PER_MINUTE = 10


class SignInLimit:
    """Answer 429 from the eleventh attempt of an address in a minute on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method == "POST" and request.path == reverse("admin:login"):
            bucket = f"sign-in:{limits.client_address(request)}"
            try:
                limits.hit(bucket=bucket, limit=ATTEMPTS_PER_MINUTE, now=now())
            except limits.RateLimited as error:
                page = {"title": "Too many attempts", "detail": "Wait a minute, then try again."}
                response = render(request, "problem.html", page, status=429)
                response["Retry-After"] = str(int(error.retry_after or 60))
                return response
        return self.get_response(request)
