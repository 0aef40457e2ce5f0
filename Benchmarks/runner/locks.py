"""The locks that one GET takes."""

import shutil
import sys
import tempfile

from runner.measure import Failure, paragraph, say, table, title
from runner.network import AWAITED, QUEUE, RAW, Client
from runner.servers import Loopback, Nginx
from runner.setup import BUILD, ROOT

# The maximum number of locks of an exchange.
TARGET = 15


def counts(executable, words, url, requests):
    """Returns the locks of a process that sends a number of requests: all, and those of the states of exchanges."""
    with tempfile.NamedTemporaryFile("r") as file:
        client = Client("env", f"LOCKS={file.name}", executable, *words)
        _, responses, _ = client.get(url, requests, 1)
        if responses != requests:
            raise Failure(f"{requests} requests, but {responses} responses")
        # It writes the file when it exits.
        client.close()
        with open(file.name) as written:
            lines = [line.split(maxsplit=1) for line in written.read().splitlines()]
    return sum(int(count) for count, _ in lines), sum(int(count) for count, kind in lines if kind == "ExchangeState")


def run(setup):
    if not sys.platform.startswith("linux"):
        return setup.lack("locks", "they are counted on Linux only")
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
            before, after = (counts(executable, words, url, number) for number in (100, 100 + setup.requests))
            rows.append([name, *(f"{(b - a) / setup.requests:.1f}" for a, b in zip(before, after))])
    title("Locks")
    paragraph(
        f"{setup.requests:,} GETs, one after the other. The program is built with locks that count their calls by the type of "
        f"the value that they protect. Target: at most {TARGET} of the state of an exchange."
    )
    table(["", "locks per request", "of them of the exchange"], rows)
