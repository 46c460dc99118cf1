"""ESG scores of entities, the live score, and SFDR reports (document 1 sections 2.5 and 2.8)."""
