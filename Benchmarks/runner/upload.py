"""A form with a large file, beside `curl -F`; whole processes."""

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
# Times `curl -F`; megabytes; megabytes more than with the small file.
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
    """A command that sends the file, and where to."""

    def __init__(self, name, is_form, command):
        """`command` takes the URL and the path; it gives words and what they read on their standard input."""
        self.name, self.is_form, self.command = name, is_form, command
        self.times, self.peaks = [], []

    def parts(self, server, path, hashed):
        target = ("upload" if self.is_form else "sink") if hashed else "sink"
        words, text = self.command(f"{server.url}/{target}?hash={int(hashed)}", path)
        return words, {"input": text}

    def prove(self, server, path):
        """Every byte arrives, or there is nothing to measure."""
        words, options = self.parts(server, path, True)
        answer = self.answer(finish(words, **options).stdout)
        if self.is_form:
            found = [(part["name"], part["size"], part["sha256"]) for part in answer["parts"]]
            digest = hashlib.sha256(TITLE.encode()).hexdigest()
            wanted = [("title", len(TITLE), digest), ("film", path.stat().st_size, sha256(path))]
        else:
            found, wanted = (answer["bytes"], answer["sha256"]), (path.stat().st_size, sha256(path))
        if found != wanted:
            raise Failure(f"{self.name}: {found} arrived instead of {wanted}")

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
            say(f"upload: {uploader.name}, every byte")
            uploader.prove(server, large)
            for path in small, large:
                uploader.measure_peak(server, path)
        for turn in range(setup.rounds):
            say(f"upload: turn {turn + 1} of {setup.rounds}")
            for uploader in found:
                # It takes ten times as long.
                if uploader.name != URLSESSION or turn < 2:
                    uploader.turn(server, large)
    report(found, large)


def report(found, path):
    size = path.stat().st_size
    title(f"A form with a file of {size >> 20} MiB")
    paragraph(
        "Whole processes that take turns; the server only drains the body. Before, each sent the same to a server that "
        "parsed it, and the SHA-256 of every part was that of the file. Peak memory is the kernel's figure for the "
        "process with the file above, and with one of 64 MiB."
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
    rows = [[name, f"{value:.2f} ({'≤' if value <= most else 'misses'} {most})"] for name, value, most in targets]
    table(["targets", "RESTClient and Params"], rows)
