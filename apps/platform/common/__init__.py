"""What every package uses: time, money, texts, files and the one form of errors."""
