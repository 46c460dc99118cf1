"""Filters of the process log: they hide confidential addresses and reduce routine refusals."""

import logging
import re

CONFIDENTIAL = re.compile(r"/admin/sar/\S*")


class ConfidentialPathFilter(logging.Filter):
    """Drop lines that name an address of the SAR log; of an error, drop only the address.

    Readers of the process log may not know of the SAR log (apps/backoffice/sar/models/reads.py,
    `can_see_log`).
    """

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if CONFIDENTIAL.search(message) is None:
            return True
        # the arguments are part of the message now: they must not be formatted into it again
        record.msg, record.args = CONFIDENTIAL.sub("/admin/", message), ()
        return record.levelno >= logging.ERROR


class AnsweredRefusalFilter(logging.Filter):
    """Log an answered refusal in one line, and an offer to pay (402) not at all.

    Django warns of every 4xx and prints where a 403 was raised: refused clients would fill the log
    and bury what an operator must see.
    """

    PAY = 402

    def filter(self, record: logging.LogRecord) -> bool:
        status = getattr(record, "status_code", 0)
        if not 400 <= status < 500:
            return True
        # no warning: clients are refused all day, and the status still says which it was
        record.levelno, record.levelname = logging.INFO, "INFO"
        record.exc_info = record.exc_text = None
        return bool(status != self.PAY)
