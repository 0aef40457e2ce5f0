"""Seed databases of generated dumps, measured as complete processes."""

import hashlib
import subprocess

from runner.measure import Failure, finish, markdown, median, paragraph, peak, say, seconds, summarize, table, text, title
from runner.setup import BUILD, ROOT

PEERS = ROOT / "peers"
OURS, FIRST, LIMIT = (
    "**seed-db, sources in the manifest's order**",
    "**seed-db, tasks first**",
    "lower bound: C++ without validation, fsync, sha256sum",
)
SQLITE, GRDB, UTILS = "`sqlite3` and `json_each`", "GRDB and Codable records", "sqlite-utils (Python)"


class Seeder:
    """A command that creates a database."""

    def __init__(self, name, command, **options):
        self.name, self.command, self.options = name, command, options
        self.output = next(word for word in command if getattr(word, "suffix", "") == ".sqlite")
        self.times = []

    def clear(self):
        for suffix in "", ".sha256", "-journal":
            self.output.with_name(self.output.name + suffix).unlink(missing_ok=True)

    def turn(self):
        self.times.append(seconds(self.command, **self.options))
        self.clear()  # before its pages are written to the disk during the next turn

    def verify(self):
        """Measures the peak memory of a first run; returns a digest of the database."""
        self.clear()
        self.peak = peak(self.command, **self.options)
        digest = dump_digest(self.output)
        self.clear()
        return digest


METADATA = (
    b"INSERT INTO _mappingkit",
    b'CREATE TABLE IF NOT EXISTS "_mappingkit',
    b'CREATE INDEX "_mappingkit_index_pending"',
)


def dump_digest(database):
    """Returns a digest of `.dump`, without the metadata of seed-db."""
    digest = hashlib.sha256()
    with subprocess.Popen(["sqlite3", database, ".dump"], stdout=subprocess.PIPE) as dump:
        for line in dump.stdout:
            if not line.startswith(METADATA):
                digest.update(line)
    if dump.returncode:
        raise Failure(f"sqlite3 cannot dump {database}")
    return digest.hexdigest()


def seeders(setup, folder):
    """Returns the peers that run in all turns, and the slow peers."""
    out = BUILD / "out"
    out.mkdir(exist_ok=True)

    def seed_db(manifest, name):
        return [setup.seed_db, "build", folder / manifest, "-o", out / f"{name}.sqlite", "--quiet"]

    fast = [Seeder(OURS, seed_db("seed.json", "ours")), Seeder(FIRST, seed_db("tasks-first.json", "first"))]
    if setup.cpp_limit:
        fast.insert(1, Seeder(LIMIT, [setup.cpp_limit, folder, out / "limit.sqlite", PEERS]))
    script = [f".parameter set :folder \"'{folder}'\"", ".read seed_json_each.sql"]
    slow = [Seeder(SQLITE, ["sqlite3", out / "cli.sqlite", *script], cwd=PEERS)]
    if setup.grdb:
        slow.append(Seeder(GRDB, [setup.grdb, folder, out / "grdb.sqlite", PEERS]))
    if setup.python:
        slow.append(Seeder(UTILS, [setup.python, PEERS / "seed_sqlite_utils.py", folder, out / "utils.sqlite"]))
    return fast, slow


def run(setup):
    title("Seed databases of users, projects and tasks, complete processes")
    paragraph(
        "All peers create the same tables, columns, indexes and rows: their `.dump`s are equal, except for the metadata of "
        "seed-db. Medians of alternating turns. seed-db validates everything, flushes the file and writes a checksum; the "
        "lower bound validates nothing, flushes the file and writes a checksum; the others do neither and use no journal."
    )
    for size in setup.sizes:
        fast, slow = seeders(setup, setup.tasks(size))
        say(f"seeding: {size} tasks, first runs")
        dumps = {seeder.name: seeder.verify() for seeder in fast + slow}
        if len(set(dumps.values())) > 1:
            raise Failure(f"the databases differ: {dumps}")
        turns, slow_turns = (setup.turns, setup.slow_turns) if size < 500_000 else (min(5, setup.turns), 1)
        say(f"seeding: {size} tasks, {turns} turns")
        for turn in range(turns):
            for seeder in fast + (slow if turn < slow_turns else []):
                seeder.turn()
        report(size, fast + slow)
        summarize(f"{size:,} tasks:")
        times = {seeder.name: median(seeder.times) for seeder in fast + slow}
        base, unit = (times[LIMIT], "lower bound") if LIMIT in times else (times[OURS], "seed-db")
        summarize(markdown(
            ["", f"time, {unit} = 1", "peak MB"],
            [[seeder.name, f"{times[seeder.name] / base:.2f}", text(seeder.peak, 0)] for seeder in fast + slow],
        ))
    nodes(setup)


def report(size, found):
    times = {seeder.name: median(seeder.times) for seeder in found}
    rows = [
        [
            seeder.name,
            f"{times[seeder.name] / times[LIMIT]:.2f}" if LIMIT in times else "–",
            f"{times[seeder.name] / times[OURS]:.2f}",
            f"{times[seeder.name]:.3f}",
            f"{(size + 250) / times[seeder.name] / 1e3:.0f}",
            text(seeder.peak),
            len(seeder.times),
        ]
        for seeder in found
    ]
    paragraph(f"{size:,} tasks:")
    table(["", "time, lower bound = 1", "time, seed-db = 1", "seconds", "1,000 objects/s", "peak MB", "turns"], rows)


def nodes(setup):
    """Measures peak memory for string keys that refer to earlier and later rows of the same table."""
    count = 50_000 if setup.quick else 1_000_000
    folder, output = setup.generated("nodes", count), BUILD / "out/nodes.sqlite"
    say(f"seeding: {count} nodes")
    command = [setup.seed_db, "build", folder / "seed.json", "-o", output, "--quiet"]
    megabytes, time = peak(command), seconds(command)
    wrong = "SELECT count(*) FROM Node WHERE parentCode IS NOT (SELECT code FROM Node AS up WHERE up._id = Node.parent)"
    if finish(["sqlite3", output, wrong]).stdout.strip() != "0":
        raise Failure("nodes have wrong parents")
    for path in BUILD.glob("out/nodes.sqlite*"):
        path.unlink()
    paragraph(
        f"{count:,} nodes with string keys that refer to nodes of the same file: "
        f"peak {text(megabytes)} MB, {time:.2f} s."
    )
    summarize(f"{count:,} rows with string keys that refer to rows of the same file: peak {text(megabytes, 0)} MB.")
