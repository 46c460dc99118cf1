"""Names of people and companies: what their letters and words tell. Pure, and knows no list."""
