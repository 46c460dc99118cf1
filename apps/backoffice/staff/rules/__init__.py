"""Rules of staff sign-in: pure functions of moments, codes and what providers say."""
