"""The settlement agent: may it go, and the settlement itself (document 2 sections 1, 2.4 and 4)."""
