"""One game of each edition and protocol, every decision of it as text (see README.md)."""
