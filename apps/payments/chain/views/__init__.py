"""Pages of expected transfers, and of transfers that were seen."""
