"""Words of the desk for travel-rule records."""

STATUS_LABELS = {
    "EXEMPT": "Below the threshold",
    "PENDING": "To be sent",
    "SENT": "Sent",
    "STORED": "Stored",
    "FAILED": "Failed",
}
