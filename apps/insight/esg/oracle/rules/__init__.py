"""Rules of the ESG oracle. Pure."""
