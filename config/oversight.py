"""Settings of oversight: which share of closed cases is sampled for a second look."""

# Closed cases that a different officer reviews, in per cent by risk, each month
QA_PERCENT = {"HIGH": 20, "MEDIUM": 10, "LOW": 5}
