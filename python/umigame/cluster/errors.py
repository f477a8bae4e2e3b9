"""Errors of the package."""

from umigame._native import Error

__all__ = ["ClusterError", "InputError", "StoreError"]


class ClusterError(Error):
    """A job that cannot begin or go on."""


class StoreError(ClusterError):
    """A store that cannot be read or written."""


class InputError(ClusterError):
    """A command line or a file that cannot be understood."""
