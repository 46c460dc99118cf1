"""What the log of the process does not say: confidential addresses, and what is nobody's fault."""

import logging
import re

CONFIDENTIAL = re.compile(r"/admin/sar/\S*")


class ConfidentialPathFilter(logging.Filter):
    """Leave out lines that name an address of the SAR log; of an error, the address alone.

    Who reads the process's log may not know of it (apps/backoffice/sar/models/reads.py,
    `can_see_log`).
    """

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        if CONFIDENTIAL.search(said) is None:
            return True
        record.msg, record.args = CONFIDENTIAL.sub("/admin/", said), ()
        return record.levelno >= logging.ERROR


class AnsweredRefusalFilter(logging.Filter):
    """Tell a refusal that was answered in one line, and an offer to pay (402) not at all.

    Django warns of every 4xx, and prints where a 403 was raised: whoever is refused writes the log
    full, and what an operator must see drowns in it.
    """

    PAY = 402

    def filter(self, record: logging.LogRecord) -> bool:
        status = getattr(record, "status_code", 0)
        if not 400 <= status < 500:
            return True
        record.levelno, record.levelname = logging.INFO, "INFO"
        record.exc_info = record.exc_text = None
        return bool(status != self.PAY)
