"""The directory of counterparty VASPs: changed by two people, verified against its ledger."""
