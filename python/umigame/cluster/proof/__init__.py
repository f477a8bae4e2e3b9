"""Proofs of values: a planner, and a checker written apart from it."""
