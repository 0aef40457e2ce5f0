"""Migrations, search, seed upgrades, objects without classes and observed queries, compared with the same work without them."""

import shutil

from runner.measure import compare_cases, finish, paragraph, say, title
from runner.setup import BUILD

# The cases of Sources/imports/Lifecycle.swift.
SHOWN = {
    "attribute": "open a file with {} rows of a class that has a new attribute",
    "conversion": "open a file with {} rows of a class in which an integer became a double",
    "searchable": "`importJSON` of {} objects with a searchable attribute",
    "search": "search that finds {} objects",
    "names": "fetch {} objects without classes",
    "upgrade": "upgrade of a seed with {} objects, of which 1 % differ, and the user has changed as many",
    "observed": "one of {} observed objects is renamed: time from the commit to the new list",
    "observed pause": "longest pause of the main actor meanwhile, with {} objects",
    "commits": "{} saves of one object with ten observers",
    "commits of GRDB": "{} such updates with GRDB's `ValueObservation`",
}


def run(setup):
    count, size, rounds = (10_000, 10_000, 3) if setup.quick else (1_000_000, 200_000, min(5, setup.rounds))
    data, folder = setup.generated("imports", size), BUILD / "out/lifecycle"
    shutil.rmtree(folder, ignore_errors=True)
    say(f"lifecycle: {rounds} rounds")
    lines = finish([setup.imports, "lifecycle", data, folder, count, rounds]).stdout.splitlines()
    shutil.rmtree(folder)

    title("Files, search and observation")
    paragraph(
        f"Medians of {rounds} rounds in one process, in which the peers run alternately, and the store's time divided by that of "
        "the peer (lower is better). The statements of SQLite have the same result: a column with a default; a new table, "
        "filled by `INSERT … SELECT`, with its unique index; prepared inserts of values that were parsed before the measurement, "
        "into a table with an index of FTS5; the same search. The time of a file includes its opening. A list of all objects, sorted by name, is compared with "
        "fetching it again. Each observer follows the 1,000 objects of a project; the saves of GRDB are updates of the same "
        "rows in a `DatabasePool`."
    )
    compare_cases(
        lines, SHOWN, "**store**", "store / peer", lambda time: f"{time / 1e6:.2f} ms",
        "Files, search and observation: time relative to the peer (lower is better).", {"commits of GRDB": "GRDB"},
    )
