"""Plain words for technical names; the name itself is shown in a line of details.

`FAULTS`: what went wrong in a job, by the class of the error or by its full text. The error's own
text is added if it is written for people.
"""

# How far a job came
JOB_STATE_LABELS = {"PENDING": "Waiting", "RUNNING": "Running", "DONE": "Done", "FAILED": "Failed"}

FAULTS: dict[str, str] = {
    # of others
    "UpstreamError": "Another server did not return what was requested.",
    "NotCalled": "Another server was not called because it has failed too often recently.",
    "NoAnswer": "GLEIF did not respond.",
    # of files and records
    "ImportRefused": (
        "The files were not accepted as the complete list. The previous version stays live."
    ),
    "FormatError": "The files do not have the expected format of the list.",
    "Malformed": "The response does not have the expected format.",
    "MalformedAnswer": "The response does not have the expected format.",
    "LedgersFaulty": "A ledger has been altered. Inform the person responsible for records.",
    "SealingRefused": "A record was not written by this platform, so it is not added to the chain.",
    "BadHeads": "The previously exported heads cannot be read.",
    # of this machine
    "OperationalError": "The database did not respond or was busy for too long.",
    "InterfaceError": "The database did not respond or was busy for too long.",
    "IntegrityError": "The database rejected the data.",
    "DataError": "The database rejected the data.",
    "OSError": "A file or a folder could not be read or written.",
    "FileNotFoundError": "A file or a folder could not be read or written.",
    "PermissionError": "A file or a folder could not be read or written.",
    "MemoryError": "This machine ran out of memory.",
    "TimeoutException": "It timed out.",
    "The runner died, or overran its lease.": (
        "The process that ran it ended before it finished, or timed out."
    ),
}
UNKNOWN_FAULT = "The program failed. Send the line of details to its maintainer."
# of these the error says more, in words for people
SELF_EXPLANATORY = (
    "UpstreamError",
    "NotCalled",
    "ImportRefused",
    "FormatError",
    "Malformed",
    "BadHeads",
)
