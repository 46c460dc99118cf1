"""The desk's pages of payments."""
