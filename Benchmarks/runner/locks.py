"""The locks that one GET takes."""

import bisect
import os
import shutil
import struct
import subprocess
import sys
import tempfile

from runner.measure import Failure, paragraph, say, table, title
from runner.network import AWAITED, QUEUE, RAW, Client
from runner.servers import Loopback, Nginx
from runner.setup import BUILD, ROOT

# The maximum number of locks of an exchange.
TARGET = 15


class Locks:
    """The calls of a process, from the file that peers/locks.c writes."""

    def __init__(self, path, executable):
        self.path = path
        listed = subprocess.run(["nm", "--defined-only", executable], capture_output=True, text=True, check=True).stdout
        symbols = sorted((int(line.split()[0], 16), line.split()[2]) for line in listed.splitlines() if line.split()[1] in "tT")
        self.places, self.names = zip(*symbols)

    def counts(self):
        """Returns the counts of all calls, and of those in methods of exchanges."""
        with open(self.path, "rb") as file:
            calls = {place: count for place, count in struct.iter_unpack("<QQ", file.read()) if place}
        # A mangled name contains the lengths of its parts.
        exchange = sum(count for place, count in calls.items() if "8ExchangeC" in self.names[bisect.bisect(self.places, place) - 1])
        return sum(calls.values()), exchange


def run(setup):
    if not sys.platform.startswith("linux"):
        return setup.lack("locks", "they are counted on Linux only")
    library = BUILD / "peers/locks.so"
    library.parent.mkdir(parents=True, exist_ok=True)
    built = subprocess.run(["gcc", "-O2", "-shared", "-fPIC", ROOT / "peers/locks.c", "-o", library, "-ldl"], capture_output=True, text=True)
    if built.returncode:
        return setup.lack("locks", built.stderr.splitlines()[0])
    say("locks: building with visible locks")
    variables = {"SANITIZER": "thread", "WITHOUT_GRDB": "1", "WITHOUT_AHC": "1"}
    setup.swift(
        "build", "-c", "release", "--package-path", ROOT, "--scratch-path", BUILD / "locks", "--product", "http-mappingkit",
        **variables)
    executable = BUILD / "locks/release/http-mappingkit"
    rows = []
    with Nginx.start() if shutil.which("nginx") else Loopback.start(setup) as server:
        url = f"{server.url}/{'account' if isinstance(server, Nginx) else 'ok'}"
        for name, words in [(RAW, []), (AWAITED, ["awaited"]), (QUEUE, ["queue"])]:
            with tempfile.NamedTemporaryFile() as file:
                client = Client("env", f"LD_PRELOAD={library}", f"LOCKS={file.name}", executable, *words)
                locks = Locks(file.name, executable)
                client.get(url, 100, 1)
                before = locks.counts()
                _, responses, _ = client.get(url, setup.requests, 1)
                if responses != setup.requests:
                    raise Failure(f"{setup.requests} requests, but {responses} responses")
                rows.append([name, *(f"{(b - a) / setup.requests:.1f}" for a, b in zip(before, locks.counts()))])
                client.close()
    title("Locks")
    paragraph(
        f"{setup.requests:,} GETs, one after the other. The program is built with locks that are function calls, and a library "
        f"that is loaded before counts the calls of the program. Target: at most {TARGET} in an exchange."
    )
    table(["", "locks per request", "of them in the exchange"], rows)
