"""What an expert of sanctions and money laundering decides of parties as payments name them."""
