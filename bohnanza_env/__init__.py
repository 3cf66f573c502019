"""Bohnanza as an environment for reinforcement learning."""
