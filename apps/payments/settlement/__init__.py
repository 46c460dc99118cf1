"""The settlement agent: flow checks, and settlements (document 2 sections 1, 2.4 and 4)."""
