"""Screen the parties of counterparties' messages in a job, after the message was answered."""
