"""The desk's pages of travel-rule records."""
