"""ESG score of an entity: evidence, a published method, a fee tier (document 1 section 2.5)."""
