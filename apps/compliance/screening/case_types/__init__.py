"""Review cases of the app: flagged screens, and re-screened parties."""
