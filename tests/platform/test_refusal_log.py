"""What the log of the process says of calls that were refused."""

import logging
import sys

import pytest
from django.http import HttpResponse
from django.utils.log import log_response

from apps.platform.common.logging_filters import AnsweredRefusalFilter


def told(status: int, caplog: pytest.LogCaptureFixture) -> list[tuple[int, bool]]:
    """Return level and whether it has a traceback of each line that such an answer writes."""
    caplog.clear()
    try:
        raise PermissionError("not yours")
    except PermissionError:
        error = sys.exc_info()
    answer = HttpResponse(status=status)
    log_response("%s: %s", "Refused", "/x", response=answer, exception=error[1])
    return [(record.levelno, bool(record.exc_info)) for record in caplog.records]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 429, 499])
def test_a_refusal_is_one_line_without_a_traceback(
    status: int, caplog: pytest.LogCaptureFixture
) -> None:
    assert told(status, caplog) == [(logging.INFO, False)]


def test_an_offer_to_pay_is_not_told(caplog: pytest.LogCaptureFixture) -> None:
    assert told(402, caplog) == []


@pytest.mark.parametrize("status", [500, 503])
def test_an_error_of_ours_keeps_its_traceback(
    status: int, caplog: pytest.LogCaptureFixture
) -> None:
    assert told(status, caplog) == [(logging.ERROR, True)]


def test_the_log_of_requests_is_filtered_so() -> None:
    filters = logging.getLogger("django.request").filters
    assert any(isinstance(filter_, AnsweredRefusalFilter) for filter_ in filters)
