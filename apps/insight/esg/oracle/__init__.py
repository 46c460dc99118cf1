"""The ESG oracle: a live score, scores of entities with their SFDR block, and the ESG fee."""
