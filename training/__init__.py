"""Training scripts: one readable file a library, few shared helpers. Not part of the package."""
