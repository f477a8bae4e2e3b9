"""Files of a store: a local folder, or anything that fsspec opens."""

from __future__ import annotations

import errno
import json
import os
import socket
import time
import uuid
from collections.abc import Callable
from typing import Any, TypeVar

import fsspec

from umigame.cluster.errors import StoreError

TRIES = 6
"""Attempts at a request to a remote store before it counts as failed."""
FIRST_WAIT_SECONDS = 0.25
"""Wait after the first failed attempt; each further one is twice as long."""
ONE_STEP = {"memory", "s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "r2", "oci"}
"""Protocols whose uploads appear in one step."""

Result = TypeVar("Result")

__all__ = ["Files"]


class Files:
    """The files of a store. Paths are relative to it."""

    def __init__(self, url: str, options: dict[str, Any] | None = None) -> None:
        """Opens a folder or a URL; `options` are those of its file system."""
        self.url = url
        try:
            self.system, self.root = fsspec.core.url_to_fs(url, **(options or {}))
        except (ImportError, ValueError, OSError) as error:
            raise StoreError(f"{url}: {error}") from error
        protocol = self.system.protocol
        self.protocols = {protocol} if isinstance(protocol, str) else set(protocol)
        self.is_local = bool(self.protocols & {"file", "local"})

    def _path(self, path: str) -> str:
        return f"{self.root.rstrip('/')}/{path}"

    def _try(self, what: str, act: Callable[[], Result]) -> Result:
        """Does something, again if a remote store fails for a while."""
        wait = FIRST_WAIT_SECONDS
        for attempt in range(1, TRIES + 1):
            try:
                return act()
            except FileNotFoundError:
                raise
            except Exception as error:
                # Clients of object stores raise exceptions of their own.
                if self.is_local and not isinstance(error, OSError):
                    raise
                if self.is_local or attempt == TRIES:
                    raise StoreError(f"{self.url}: {what}: {_reason(error)}") from error
            time.sleep(wait)
            wait *= 2
        raise AssertionError("every attempt returns or raises")

    def names(self, folder: str) -> list[str]:
        """Returns the sorted names of the files and folders in a folder; [] if there is none."""

        def act() -> list[str]:
            self.system.invalidate_cache()
            found = self.system.ls(self._path(folder), detail=False)
            return sorted(path.rstrip("/").rsplit("/", 1)[-1] for path in found)

        try:
            return self._try(f"cannot list {folder}", act)
        except FileNotFoundError:
            return []

    def read(self, path: str) -> bytes:
        """Reads a file; one that differs from the checksum of its server counts as empty.

        Raises FileNotFoundError if it is gone.
        """

        def act() -> bytes:
            try:
                return bytes(self.system.cat_file(self._path(path)))
            except Exception as error:
                # botocore's FlexibleChecksumError, which this package does not know.
                if "Checksum" in type(error).__name__:
                    return b""
                raise

        return self._try(f"cannot read {path}", act)

    def write(self, path: str, content: bytes) -> None:
        """Writes a file in one step: other readers see all of it or nothing."""
        if self.is_local:
            act = lambda: self._write_local(path, content)  # noqa: E731
        elif self.protocols & ONE_STEP:
            act = lambda: self.system.pipe_file(self._path(path), content)  # noqa: E731
        else:
            act = lambda: self._write_and_move(path, content)  # noqa: E731
        self._try(f"cannot write {path}", act)

    def _temporary(self) -> str:
        return f"tmp/{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex}"

    def _write_local(self, path: str, content: bytes) -> None:
        target, temporary = self._path(path), self._path(self._temporary())
        for new in (target, temporary):
            os.makedirs(os.path.dirname(new), exist_ok=True)
        try:
            with open(temporary, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        except OSError:
            _remove_quietly(temporary)
            raise
        _sync_folder(os.path.dirname(target))

    def _write_and_move(self, path: str, content: bytes) -> None:
        temporary = self._path(self._temporary())
        for file in (self._path(path), temporary):
            self.system.makedirs(file.rsplit("/", 1)[0], exist_ok=True)
        self.system.pipe_file(temporary, content)
        self.system.mv(temporary, self._path(path))

    def remove(self, path: str) -> None:
        """Removes a file; one that is gone is no error."""
        try:
            self._try(f"cannot remove {path}", lambda: self.system.rm_file(self._path(path)))
        except FileNotFoundError:
            pass

    def remove_leftovers(self) -> int:
        """Removes what processes of this machine that have ended were writing; returns how many."""
        own, removed = f"{socket.gethostname()}-", 0
        for name in self.names("tmp"):
            process = name.removeprefix(own).split("-", 1)[0]
            if name.startswith(own) and process.isdigit() and not _is_alive(int(process)):
                self.remove(f"tmp/{name}")
                removed += 1
        return removed

    def read_json(self, path: str) -> Any:
        """Reads a JSON file; None if there is none, or it is damaged."""
        try:
            return json.loads(self.read(path))
        except (FileNotFoundError, ValueError) as error:
            if isinstance(error, StoreError):
                raise
            return None

    def write_json(self, path: str, value: Any) -> None:
        """Writes a JSON file in one step."""
        self.write(path, (json.dumps(value, indent=1, sort_keys=True) + "\n").encode())


def _reason(error: BaseException) -> str:
    """Returns the reason of a failure as a person would give it."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "no space left; make room and run again"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


def _sync_folder(folder: str) -> None:
    """Makes a rename in a folder outlast a power cut, where the system can."""
    try:
        number = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(number)
    except OSError:
        pass
    finally:
        os.close(number)


def _remove_quietly(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        pass


def _is_alive(process: int) -> bool:
    """Returns whether a process of this machine runs."""
    if os.name != "posix":
        # Asking would end it there.
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
