"""Plain words for what the program names technically: the name itself stands in a line of details.

`FAULTS`: what went wrong in a job, by the class of the error or by the whole text. What the error
itself says is added where it is written for people.
"""

# How far a job came
JOB_STATE_LABELS = {"PENDING": "Waiting", "RUNNING": "Running", "DONE": "Done", "FAILED": "Failed"}

FAULTS: dict[str, str] = {
    # of others
    "UpstreamError": "Another server did not give what was asked.",
    "NotCalled": "Another server was not asked: it failed too often just before.",
    "NoAnswer": "GLEIF gave no answer.",
    # of files and records
    "ImportRefused": "The files were not taken for the whole list: the one before stays live.",
    "FormatError": "The files are not written as the list is known to be.",
    "Malformed": "What came is not written as it is known to be.",
    "MalformedAnswer": "What came is not written as it is known to be.",
    "LedgersFaulty": "A ledger is not as it was written. Tell whoever is answerable for records.",
    "SealingRefused": "A record was not written by this platform: it is not chained.",
    "BadHeads": "The heads that were written out before cannot be read.",
    # of this machine
    "OperationalError": "The database did not answer, or was busy for too long.",
    "InterfaceError": "The database did not answer, or was busy for too long.",
    "IntegrityError": "The database refused what was to be written.",
    "DataError": "The database refused what was to be written.",
    "OSError": "A file or a folder could not be read or written.",
    "FileNotFoundError": "A file or a folder could not be read or written.",
    "PermissionError": "A file or a folder could not be read or written.",
    "MemoryError": "The memory of this machine was not enough.",
    "TimeoutException": "It took longer than it may.",
    "The runner died, or overran its lease.": "The process that ran it ended before it was done, "
    "or took longer than it may.",
}
UNKNOWN_FAULT = "The program failed: whoever looks after it needs the line of details."
# of these the error says more, in words for people
SELF_EXPLANATORY = (
    "UpstreamError",
    "NotCalled",
    "ImportRefused",
    "FormatError",
    "Malformed",
    "BadHeads",
)
