"""Pages behind an entry of the SAR log: of a screen, and of a re-screened party."""
