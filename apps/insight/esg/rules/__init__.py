"""How an entity's ESG score is made of evidence. Pure: no clock, no Django."""
