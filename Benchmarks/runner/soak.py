"""The growth of a process over many requests, and the time to cancel a request."""

import contextlib
import os
import shutil
import socket

from runner.measure import Failure, paragraph, say, summarize, table, text, title
from runner.network import AHC, QUEUE, RAW, URLSESSION, Client
from runner.servers import Loopback, Nginx
from runner.setup import BUILD
from runner.upload import film

OURS = BUILD / "release/http-mappingkit"


class Usage:
    """The memory in kilobytes, descriptors and threads of a process."""

    def __init__(self, pid):
        with open(f"/proc/{pid}/smaps_rollup") as file:
            self.memory = next(int(line.split()[1]) for line in file if line.startswith("Rss:"))
        self.descriptors = len(os.listdir(f"/proc/{pid}/fd"))
        with open(f"/proc/{pid}/status") as file:
            self.threads = next(int(line.split()[1]) for line in file if line.startswith("Threads:"))


def run(setup):
    if not os.path.exists("/proc/self/smaps_rollup"):
        return setup.lack("growth", "/proc is not available")
    count, forms = (2_000, 100) if setup.quick else (20_000, 1_000)
    rows = []
    server = Nginx.start() if shutil.which("nginx") else Loopback.start(setup)
    with server as server:
        peers = {RAW: [OURS], QUEUE: [OURS, "queue"], URLSESSION: [BUILD / "release/http-urlsession"]}
        if setup.ahc:
            peers[AHC] = [setup.ahc]
        for name, command in peers.items():
            rows.append(soak(name, command, f"GETs, 16 concurrently", count, lambda client, n: get(server, client, n)))
    with Loopback.start(setup) as server:
        path = film(1 << 20)
        rows.append(soak(RAW, [OURS], "forms of 1 MiB from a file", forms, lambda client, n: client.ask(
            "upload", f"{server.url}/upload?hash=0", n, path)))
    title("Growth")
    paragraph(
        "A process sends a tenth of the requests to warm up, and then all requests. The kernel reports its memory, descriptors "
        "and threads after both. Targets: less than 1 MB more, and no additional descriptor or thread."
    )
    table(["", "requests", "", "MB", "MB more", "descriptors", "threads"], rows)
    growth = max(float(row[4]) for row in rows if row[0] in (RAW, QUEUE))
    summarize(f"After {count:,} more requests, a process uses at most {growth:.2f} MB more, also with a queue.")


def get(server, client, count):
    url = f"{server.url}/{'account' if isinstance(server, Nginx) else 'ok'}"
    _, responses, _ = client.get(url, count, 16)
    if responses != count:
        raise Failure(f"{count} requests, but {responses} responses")


def soak(name, command, what, count, send):
    say(f"soak: {name}, {what}")
    client = Client(*command)
    send(client, max(1, count // 10))
    before = Usage(client.pid)
    send(client, count)
    after = Usage(client.pid)
    client.close()
    growth = (after.memory - before.memory) / 1024
    return [
        name,
        f"{count:,}",
        what,
        text(after.memory / 1024),
        text(growth, 2),
        f"{before.descriptors}, then {after.descriptors}",
        f"{before.threads}, then {after.threads}",
    ]


@contextlib.contextmanager
def black_hole():
    """Yields the URL of a port that accepts no connection, because its backlog is full."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):
            filler = stack.enter_context(socket.socket())
            filler.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                filler.connect(listener.getsockname())
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"


def cancel(setup):
    count, rows = 40 if setup.quick else 200, []
    with Loopback.start(setup) as server, black_hole() as nowhere:
        places = {
            "waiting in a suspended queue": ("preparing", nowhere),
            "connecting": ("connecting", nowhere),
            "sending the body": ("sending", f"{server.url}/stall-upload?after=1000"),
            "waiting for the response": ("waiting", f"{server.url}/hold"),
            "receiving the body": ("receiving", f"{server.url}/stall?after=1000"),
        }
        for name, (phase, url) in places.items():
            say(f"cancel: {name}")
            client = Client(OURS)
            times = sorted(int(time) / 1e6 for time in client.ask("cancel", url, count, phase).split())
            client.close()
            if len(times) != count:
                raise Failure(f"{count} requests were cancelled {name}, {len(times)} had an outcome")
            slow = times[count * 99 // 100]
            verdict = "≤" if slow <= 10 else "above"
            rows.append([name, count, text(times[count // 2], 2), f"{slow:.2f} ({verdict} 10)", text(times[-1], 2)])
    title("Cancelling")
    paragraph("Milliseconds from the call of `cancel` to the outcome, which has the kind `cancelled` and the phase.")
    table(["", "requests", "median", "99th percentile", "slowest"], rows)
    slowest = max(float(row[3].split()[0]) for row in rows)
    summarize(f"A cancelled request has its outcome within {slowest:.2f} ms (99th percentile), in every phase.")
