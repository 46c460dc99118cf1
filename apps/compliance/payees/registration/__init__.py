"""Registration of wallets: a submission is checked, decided and recorded."""
