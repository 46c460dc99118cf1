"""Principal adverse impacts of a portfolio: SFDR indicators by the regulation's formulas."""
