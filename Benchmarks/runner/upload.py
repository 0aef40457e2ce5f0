"""A form with a large file, compared with `curl -F`, as complete processes."""

import hashlib
import json
import random
import shutil

from runner.measure import (
    Failure,
    finish,
    markdown,
    median,
    paragraph,
    peak,
    say,
    seconds,
    sha256,
    summarize,
    table,
    text,
    title,
)
from runner.servers import Loopback
from runner.setup import BUILD

OURS, CURL, URLSESSION = "**RESTClient and Params**", "`curl -F`", "URLSession, the file without a form"
TITLE = "Blue kettle"
# Relative to `curl -F`; megabytes; megabytes more than with the small file.
MOST_TIME, MOST_PEAK, MOST_GROWTH = 1.2, 48, 2


def film(size):
    """A file of random bytes."""
    path = BUILD / "data" / f"film-{size >> 20}.bin"
    if not path.exists() or path.stat().st_size != size:
        say(f"generating {size >> 20} MiB")
        path.parent.mkdir(parents=True, exist_ok=True)
        numbers = random.Random(size)
        with open(path, "wb") as file:
            for _ in range(size >> 20):
                file.write(numbers.randbytes(1 << 20))
    return path


class Uploader:
    """A command that sends the file."""

    def __init__(self, name, is_form, command):
        """`command` receives the URL and the path, and returns a command line and its standard input."""
        self.name, self.is_form, self.command = name, is_form, command
        self.times, self.peaks = [], []

    def parts(self, server, path, hashed):
        target = ("upload" if self.is_form else "sink") if hashed else "sink"
        words, text = self.command(f"{server.url}/{target}?hash={int(hashed)}", path)
        return words, {"input": text}

    def verify(self, server, path):
        """Fails unless every byte is received."""
        words, options = self.parts(server, path, True)
        answer = self.answer(finish(words, **options).stdout)
        if self.is_form:
            found = [(part["name"], part["size"], part["sha256"]) for part in answer["parts"]]
            digest = hashlib.sha256(TITLE.encode()).hexdigest()
            expected = [("title", len(TITLE), digest), ("film", path.stat().st_size, sha256(path))]
        else:
            found, expected = (answer["bytes"], answer["sha256"]), (path.stat().st_size, sha256(path))
        if found != expected:
            raise Failure(f"{self.name}: {found} was received instead of {expected}")

    def turn(self, server, path):
        words, options = self.parts(server, path, False)
        self.times.append(seconds(words, **options))

    def measure_peak(self, server, path):
        words, options = self.parts(server, path, False)
        self.peaks.append(peak(words, **options))

    @staticmethod
    def answer(output):
        return json.loads(output[output.index("{") :])


def uploaders():
    def worker(name):
        return lambda url, path: ([BUILD / "release" / name], f"upload {url} 1 {path}\n")

    def curl(url, path):
        form = ["-F", f"title={TITLE}", "-F", f"film=@{path};type=application/octet-stream"]
        return ["curl", "-sS", "-H", "Expect:", *form, url], ""

    found = [Uploader(OURS, True, worker("http-mappingkit"))]
    if shutil.which("curl"):
        found.insert(0, Uploader(CURL, True, curl))
    return found + [Uploader(URLSESSION, False, worker("http-urlsession"))]


def run(setup):
    small, large = film(64 << 20), film((256 if setup.quick else 1024) << 20)
    found = uploaders()
    with Loopback.start(setup) as server:
        for uploader in found:
            say(f"upload: {uploader.name}, verification")
            uploader.verify(server, large)
            for path in small, large:
                uploader.measure_peak(server, path)
        for turn in range(setup.rounds):
            say(f"upload: turn {turn + 1} of {setup.rounds}")
            for uploader in found:
                # A turn takes ten times as long.
                if uploader.name != URLSESSION or turn < 2:
                    uploader.turn(server, large)
    report(found, large)


def report(found, path):
    size = path.stat().st_size
    title(f"A form with a file of {size >> 20} MiB")
    paragraph(
        "Complete processes in alternating turns; the server discards the body. Before the measurement, each process sent the "
        "same form to a server that parses it, and the SHA-256 of every part was compared. Peak memory is reported by the "
        "kernel, for the large file and for one of 64 MiB."
    )
    times = {uploader.name: median(uploader.times) for uploader in found}
    rows = []
    for uploader in found:
        time = times[uploader.name]
        beside = time / times[CURL] if CURL in times else None
        rows.append([
            uploader.name, text(beside, 2), f"{time:.3f}", f"{size / time / 1e6:.0f}", text(uploader.peaks[1]),
            text(uploader.peaks[0]), len(uploader.times),
        ])
    table(["", "time, `curl -F` = 1", "seconds", "MB/s", "peak MB", "peak MB, 64 MiB", "turns"], rows)
    summarize(f"A form with a file of {size >> 20} MiB:")
    summarize(markdown(["", "time, `curl -F` = 1", "peak MB"], [[row[0], row[1], row[4]] for row in rows]))
    ours = next(uploader for uploader in found if uploader.name == OURS)
    targets = []
    if CURL in times:
        targets.append(("time, `curl -F` = 1", times[OURS] / times[CURL], MOST_TIME))
    if ours.peaks[0] is not None:
        targets += [("peak MB", ours.peaks[1], MOST_PEAK), ("MB more than for 64 MiB", ours.peaks[1] - ours.peaks[0], MOST_GROWTH)]
    rows = [[name, f"{value:.2f} ({'≤' if value <= most else 'above'} {most})"] for name, value, most in targets]
    table(["targets", "RESTClient and Params"], rows)
