"""Small GETs over the loopback interface, up to n concurrently."""

import re
import shutil
import time

from runner.measure import Failure, Worker, finish, markdown, median, paragraph, say, summarize, table, text, title
from runner.servers import Nginx, fetch
from runner.setup import BUILD

RAW, QUEUE = "**RESTClient**", "**RequestQueue with a subscriber to its events**"
AWAITED = "**RequestQueue without subscribers**"
URLSESSION, AHC, FUTURES = "URLSession, completion handlers", "async-http-client", "async-http-client, futures"
CURL, AB = "`curl`, complete process", "`ab`, minimal client"
AT_ONCE = [1, 5, 32]
# The maximum ratio of the times of the first and the second, for each number of concurrent requests.
TARGETS = [(RAW, AHC, [1, 1, 1]), (RAW, URLSESSION, [0.40, 0.25, 0.20]), (QUEUE, RAW, [1.25, 1.25, 1.10]), (AWAITED, RAW, [1.25, 1.25, 1.10])]


class Client:
    """A peer in a separate process; see Sources/HTTPPeer."""

    def __init__(self, *command):
        self.worker = Worker(command)
        self.pid = self.worker.process.pid

    def ask(self, *words):
        answer = self.worker.ask(" ".join(map(str, words)))
        if answer.startswith("failed"):
            raise Failure(f"{self.worker.command[0]} {answer}")
        return answer

    def text(self, url):
        return self.ask("text", url)

    def get(self, url, count, at_once):
        """Returns seconds, responses with status 200, and the bytes of their bodies."""
        nanoseconds, responses, size = map(int, self.ask("get", url, count, at_once).split())
        return nanoseconds / 1e9, responses, size

    def close(self):
        self.worker.close()


class Curl:
    """The command line tool curl: one process per turn."""

    def text(self, url):
        return finish(["curl", "-s", url]).stdout

    def get(self, url, count, at_once):
        parallel = ["--parallel", "--parallel-immediate", "--parallel-max", at_once] if at_once > 1 else []
        result = ["--output", "/dev/null", "--write-out", "%{http_code} %{size_download}\n"]
        start = time.perf_counter()
        done = finish(["curl", "-s", *parallel, *result, f"{url}?[1-{count}]"])
        seconds = time.perf_counter() - start
        sizes = [int(size) for status, size in map(str.split, done.stdout.splitlines()) if status == "200"]
        return seconds, len(sizes), sum(sizes)

    def close(self):
        pass


class ApacheBench:
    """The speed of the server with a client that discards the responses."""

    def text(self, url):
        return fetch(url)

    def get(self, url, count, at_once):
        report = finish(["ab", "-q", "-k", "-n", count, "-c", at_once, url]).stdout

        def number(name):
            return float(re.search(rf"^{name}: +([\d.]+)", report, re.M)[1])

        return number("Time taken for tests"), int(number("Keep-Alive requests")), int(number("HTML transferred"))

    def close(self):
        pass


def clients(setup):
    """Returns the available peers by the names of their rows."""
    ours = BUILD / "release/http-mappingkit"
    found = {RAW: Client(ours), QUEUE: Client(ours, "queue"), AWAITED: Client(ours, "awaited"), URLSESSION: Client(BUILD / "release/http-urlsession")}
    if setup.ahc:
        found[AHC] = Client(setup.ahc)
        found[FUTURES] = Client(setup.ahc, "futures")
    if shutil.which("curl"):
        found[CURL] = Curl()
    if shutil.which("ab"):
        found[AB] = ApacheBench()
    return found


def turn(server, client, name, url, size, count, at_once):
    """Returns the seconds of a turn; fails if client or server has another number of requests."""
    before = server.requests()
    seconds, responses, total = client.get(url, count, at_once)
    seen = server.requests() - before - 1
    if (responses, total, seen) != (count, count * size, count):
        raise Failure(
            f"{name}: {count} requests, but {responses} responses of {total} bytes, and {seen} requests at the server"
        )
    return seconds


def run(setup):
    if not shutil.which("nginx"):
        return setup.lack("small GETs", "nginx is not installed")
    with Nginx.start() as server:
        url = f"{server.url}/account"
        body, peers = fetch(url), clients(setup)
        for name, client in peers.items():
            if client.text(url) != body:
                raise Failure(f"{name} received another body")
        medians = {}
        for at_once in AT_ONCE:
            say(f"network: {at_once} concurrently")
            times = {name: [] for name in peers}
            for counted in [False] + [True] * setup.rounds:
                for name, client in peers.items():
                    seconds = turn(server, client, name, url, len(body), setup.requests, at_once)
                    if counted:
                        times[name].append(seconds / setup.requests * 1e6)
            medians[at_once] = {name: median(found) for name, found in times.items()}
        for client in peers.values():
            client.close()
    report(setup, medians, len(body))


def report(setup, medians, size):
    title("Small GETs")
    paragraph(
        f"{setup.requests:,} requests per turn for {size} bytes of JSON from nginx, over persistent connections. Medians of "
        f"{setup.rounds} rounds in which the peers run alternately, each in a separate process. In every turn, the server counts "
        "the requests, and the client the responses and their bytes."
    )

    for at_once, found in medians.items():
        paragraph(f"{at_once} concurrently:")

        def ratio(name, other):
            return text(found[name] / found[other], 2) if other in found else "–"

        rows = [[name, text(found[name]), ratio(name, URLSESSION), ratio(name, AHC)] for name in found]
        table(["", "µs per request", "time, URLSession = 1", "time, async-http-client = 1"], rows)
    targets(medians)
    first = medians[AT_ONCE[0]]
    names = [name for name in first if name not in (URLSESSION, FUTURES, AB)]
    summarize("Small GETs to nginx over persistent connections: time relative to `URLSession` (lower is better):")
    summarize(markdown(
        ["", *(f"{at_once} concurrent" for at_once in AT_ONCE)],
        [[name, *(f"{medians[n][name] / medians[n][URLSESSION]:.2f}" for n in AT_ONCE)] for name in names],
    ))


def targets(medians):
    rows = []
    for first, second, most in TARGETS:
        if not {first, second} <= set(medians[AT_ONCE[0]]):
            continue
        ratios = [medians[at_once][first] / medians[at_once][second] for at_once in AT_ONCE]
        rows.append([
            f"{first} / {second}",
            *(f"{ratio:.2f} ({'≤' if ratio <= limit else 'above'} {limit:.2f})" for ratio, limit in zip(ratios, most)),
        ])
    if rows:
        table(["targets", *(f"{at_once} concurrent" for at_once in AT_ONCE)], rows)
