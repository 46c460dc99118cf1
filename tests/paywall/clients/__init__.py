"""Real clients of x402 and a real local chain; `npm install` here brings what they need."""
