"""Workers, complete processes, medians, tables."""

import hashlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time


# The output of the running section, and its summaries; see results.py.
printed, summaries = [], []


class Failure(Exception):
    """The reason why a comparison failed: the peers have different results, or one of them stopped."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


class Worker:
    """A peer in a separate process that has read the text; see Sources/bench/Worker.swift."""

    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        try:
            self.process.stdin.write(f"{line}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        answer = self.process.stdout.readline().strip()
        if not answer:
            raise Failure(f"no answer from {' '.join(map(str, self.command))}")
        return answer

    def checksum(self):
        return int(self.ask("check"))

    def seconds(self, count=1):
        """Returns the median of a number of decodes."""
        return median([int(time) / 1e9 for time in self.ask(count).split()])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def interleave(workers, rounds, turn=0.15):
    """Returns the median seconds of a decode; in each round, every worker decodes for about the time of a turn."""
    counts = {name: max(1, min(100, int(turn / worker.seconds()))) for name, worker in workers.items()}
    times = {name: [] for name in workers}
    for _ in range(rounds):
        for name, worker in workers.items():
            times[name].append(worker.seconds(counts[name]))
    return {name: median(found) for name, found in times.items()}


def finish(command, **options):
    """Runs a process and captures its output."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    except OSError as error:
        raise Failure(f"{command[0]} cannot be started: {error.strerror}") from None
    if done.returncode:
        raise Failure(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stderr}")
    return done


def seconds(command, **options):
    """Returns the elapsed time of a complete process."""
    start = time.perf_counter()
    finish(command, **options)
    return time.perf_counter() - start


def peak(command, **options):
    """Returns the peak memory of a process in megabytes; None without the program `time`.

    `time` starts it, because the kernel counts the size of the starting process, too: that of `time` is one megabyte.
    """
    if not shutil.which("time"):
        finish(command, **options)
        return None
    with tempfile.NamedTemporaryFile() as log:
        finish(["time", "-f", "%M", "-o", log.name, *command], **options)
        return int(log.read().split()[-1]) / 1024


def emit(text):
    printed.append(text)
    print(text, end="\n\n", flush=True)


def title(words):
    emit(f"### {words}")


def filled(words):
    return textwrap.fill(words, 120, break_long_words=False, break_on_hyphens=False)


def cases(lines):
    """Yields the case, number and unit of each line of a comparison, the figure of the store, and those of its peers."""
    for line in lines:
        case, number, unit, *figures = line.split("\t")
        peers = {peer: float(figure) for peer, _, figure in (figure.partition("=") for figure in figures)}
        yield case, f"{int(number):,}", unit, peers.pop("store"), peers


def compared(words, ours, name, peers, show):
    """Returns the rows of a case: the figure of the store, and that of each peer with the ratio."""
    return [[words, name, show(ours), ""]] + [
        ["", peer, show(figure), f"{ours / figure:.2f}"] for peer, figure in peers.items()
    ]


def compare_cases(lines, names, ours, ratio, show, summary, others=None):
    """Prints the table of a comparison, and adds its ratios to the summary.

    `names` has the words of each case, and `others` the cases whose figure is not that of `ours`.
    """
    rows, shown = [], []
    for case, number, _, figure, peers in cases(lines):
        words = names[case].format(number)
        rows += compared(words, figure, (others or {}).get(case, ours), peers, show)
        shown += [[words, peer, f"{figure / time:.2f}"] for peer, time in peers.items()]
    table(["", "", "", ratio], rows)
    summarize(summary)
    summarize(markdown(["", "compared with", ratio], shown))


def paragraph(words):
    emit(filled(words))


def summarize(text):
    """Adds a paragraph or a table to the summary of the section."""
    summaries.append(text if text.startswith("|") else filled(text))


def text(number, digits=1):
    return "–" if number is None else f"{number:.{digits}f}"


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def markdown(head, rows):
    """Returns a Markdown table; the first column is text, the others are numbers."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1)] + rows
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def table(head, rows):
    emit(markdown(head, rows))
