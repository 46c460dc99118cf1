"""Pay per call: x402 payments, receipts and stream sessions; see docs/paywall.md."""
