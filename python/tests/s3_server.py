"""A real S3 server on the loopback behind a proxy that fails as servers in the cloud do."""

import contextlib
import os
import random
import shutil
import socket
import socketserver
import subprocess
import threading
import time

KEYS = {"AWS_ACCESS_KEY_ID": "umigame", "AWS_SECRET_ACCESS_KEY": "of-the-tests", "AWS_DEFAULT_REGION": "us-east-1"}
BUCKET = "bucket"

UNAVAILABLE = (
    b"HTTP/1.1 503 Slow Down\r\nContent-Type: application/xml\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
)
SLOW_DOWN = b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"


def program():
    """Returns the path of s3s-fs, or None."""
    return os.environ.get("S3S_FS") or shutil.which("s3s-fs")


def free_port():
    """Returns a port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class S3Server:
    """The server, which keeps a bucket in a folder and can be killed and started again."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        (folder / BUCKET).mkdir(parents=True)
        self.process = None
        self.start()

    def start(self):
        """Starts it, and waits until it answers."""
        command = [
            program(), "--host", "127.0.0.1", "--port", str(self.port), "--access-key", KEYS["AWS_ACCESS_KEY_ID"],
            "--secret-key", KEYS["AWS_SECRET_ACCESS_KEY"], str(self.folder),
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        raise AssertionError("the S3 server does not answer")

    def kill(self):
        """Ends it without a warning."""
        self.process.kill()
        self.process.wait()


class _Handler(socketserver.BaseRequestHandler):
    """Passes one connection on, or fails it."""

    def handle(self):
        faults, lot = self.server.faults, self.server.random.random()
        self.request.settimeout(60)
        if lot < faults.refused:
            return
        if lot < faults.refused + faults.unavailable:
            with contextlib.suppress(OSError):
                self.request.recv(1 << 16)
                self.request.sendall(UNAVAILABLE % (len(SLOW_DOWN), SLOW_DOWN))
            return
        if lot < faults.refused + faults.unavailable + faults.slow:
            time.sleep(faults.seconds)
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.server.to), 5) as other:
            # One request a connection, so that each draws its own lot.
            back = threading.Thread(target=_pump, args=(other, self.request))
            back.start()
            _pump(self.request, other)
            back.join()


def _pump(source, target):
    with contextlib.suppress(OSError):
        while chunk := source.recv(1 << 16):
            target.sendall(chunk)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


class Faults:
    """Shares of connections that are closed, answered 503, and answered late."""

    def __init__(self, refused=0.0, unavailable=0.0, slow=0.0, seconds=1.0):
        self.refused, self.unavailable, self.slow, self.seconds = refused, unavailable, slow, seconds


class FaultyProxy(socketserver.ThreadingTCPServer):
    """A port that passes connections on to a server, but for the faults."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, to, faults, seed):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.to, self.faults, self.random = to, faults, random.Random(seed)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        """Its address."""
        return f"http://127.0.0.1:{self.server_address[1]}"
