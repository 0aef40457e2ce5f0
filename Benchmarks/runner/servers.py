"""The servers, each in a separate process on a free port of the loopback interface."""

import contextlib
import json
import re
import shutil
import socket
import subprocess
import time
import urllib.request

from runner.measure import Failure
from runner.setup import BUILD, ROOT


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def fetch(url):
    with urllib.request.urlopen(url, timeout=10) as response:
        return response.read().decode()


@contextlib.contextmanager
def process(command, **options):
    """A process that is terminated at the end of the block."""
    running = subprocess.Popen([str(word) for word in command], **options)
    try:
        yield running
    finally:
        running.terminate()
        running.wait()


class Nginx:
    """nginx, which counts its requests."""

    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}"

    @staticmethod
    @contextlib.contextmanager
    def start(data=BUILD):
        folder, port = BUILD / "nginx", free_port()
        folder.mkdir(parents=True, exist_ok=True)
        configuration = folder / "nginx.conf"
        configuration.write_text((ROOT / "peers/nginx.conf").read_text().replace("PORT", str(port)).replace("DATA", str(data)))
        with process([shutil.which("nginx"), "-p", folder, "-c", configuration]) as running:
            server = Nginx(port)
            for _ in range(100):
                if running.poll() is not None:
                    break
                with contextlib.suppress(OSError):
                    server.requests()
                    yield server
                    return
                time.sleep(0.05)
            raise Failure("nginx does not start")

    def requests(self):
        """Returns the number of requests before this one."""
        return int(re.search(r"requests\n *\d+ +\d+ +(\d+)", fetch(f"{self.url}/count"))[1]) - 1


class Loopback:
    """The server of the package's tests, built for release; `hash=0` in a target disables SHA-256."""

    def __init__(self, url):
        self.url = url

    @staticmethod
    @contextlib.contextmanager
    def start(setup):
        # It ends when its standard input does, so that nothing is left over if this process dies.
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with process([setup.loopback, "--max-seconds", "3600"], **pipes) as running:
            line = running.stdout.readline()
            if not line.startswith("{"):
                raise Failure(f"loopback-server does not start: {line}")
            yield Loopback(json.loads(line)["url"])
