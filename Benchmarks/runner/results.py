"""Writes Benchmarks/RESULTS.md, and its summaries to the README."""

import datetime
import re
import subprocess

from runner import measure
from runner.setup import ROOT, SECTIONS

RESULTS, README = ROOT / "RESULTS.md", ROOT.parent / "README.md"
HEAD = """# Results

Written by `make bench`, which replaces the measured sections; [README.md](README.md) describes the method. The speed
figures in the README of the package are the summaries below.
"""
SUMMARY = re.compile(r"<!-- summary: (\w+) -->\n(.*?)\n<!-- end of summary -->", re.S)


def git(*words):
    done = subprocess.run(["git", "-C", ROOT.parent, *words], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def measured_tree():
    """Returns the measured commit, marked if there are uncommitted changes."""
    commit = git("rev-parse", "HEAD")
    if not commit:
        return "an unknown commit"
    changed = git("status", "--porcelain", "--", "Package.swift", "Sources", "Benchmarks", ":!Benchmarks/RESULTS.md")
    return f"commit `{commit}`{' **with uncommitted changes**' if changed else ''}"


def sections(text):
    """Returns the sections of a RESULTS.md by name."""
    parts = re.split(r"^## (\w+)\n", text, flags=re.M)
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2])}


class Recorder:
    """Writes each section as soon as it is measured, so that an interrupted run keeps its results."""

    def __init__(self, setup):
        # Figures of small data are not recorded.
        self.is_active = not setup.quick
        self.tree = measured_tree()
        self.machine = setup.machine

    def record(self, name, run, setup):
        measure.printed.clear()
        measure.summaries.clear()
        run(setup)
        if not self.is_active or not measure.printed:
            return
        found = sections(RESULTS.read_text()) if RESULTS.exists() else {}
        stamp = measure.filled(f"Measured on {datetime.date.today()} at {self.tree}. {self.machine}")
        body = [stamp, *measure.printed]
        if measure.summaries:
            body += [block(name, "\n\n".join(measure.summaries))]
        found[name] = "\n\n".join(part.strip() for part in body)
        ordered = [f"## {section}\n\n{found[section]}\n" for section in SECTIONS if section in found]
        text = "\n".join(ordered)
        RESULTS.write_text("\n".join([HEAD, block("headline", headline(text)) + "\n", text]))
        update_readme()


def block(name, text):
    return f"<!-- summary: {name} -->\n{text}\n<!-- end of summary -->"


# The rows of the README's table: the summary, the row and column of the figure, the divisor, the task and the peer.
HEADLINES = [
    ("typed", "**MappingKit, structs**", 1, None, "decode 44 MB of JSON with dates to structs", "`JSONDecoder`"),
    (
        "seeding", "`sqlite3` and `json_each`", 1, "**seed-db, sources in the manifest's order**",
        "build a seed database of 200,000 tasks", "`sqlite3` and `json_each`",
    ),
    ("network", "**RESTClient**", 2, 1, "send small GETs, 5 concurrently, on Linux", "`URLSession`"),
]  # fmt: skip


def headline(text):
    """Returns the table of speedups for the README, from the summaries of the sections."""
    summaries = dict(SUMMARY.findall(text))
    rows = ["|  | compared with | speedup |", "| --- | --- | ---: |"]
    for name, row, column, divisor, task, peer in HEADLINES:
        if name not in summaries:
            continue
        # The last table of a summary has the largest data.
        figure = last_cell(summaries[name], row, column)
        if isinstance(divisor, str):
            figure /= last_cell(summaries[name], divisor, column)
        elif divisor is not None:
            figure = divisor / figure
        rows.append(f"| {task} | {peer} | {figure:.1f} |")
    return "\n".join(rows)


def last_cell(summary, row, column):
    cells = [line.split("|") for line in summary.splitlines() if line.startswith(f"| {row} |")]
    return float(cells[-1][column + 1])


def update_readme():
    """Replaces the summaries in the README with those of the results."""
    found = dict(SUMMARY.findall(RESULTS.read_text()))
    text = README.read_text()
    README.write_text(SUMMARY.sub(lambda match: block(match[1], found[match[1]]) if match[1] in found else match[0], text))
