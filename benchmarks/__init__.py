"""How fast the project is, beside others and beside itself. Not part of the package."""
