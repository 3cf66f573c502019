"""Drawings of the table."""
