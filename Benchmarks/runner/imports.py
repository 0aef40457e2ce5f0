"""Imports into a store compared with upserts by SQLite in C and by GRDB."""

import shutil

from runner.measure import compare_cases, finish, paragraph, peak, say, summarize, table, text, title
from runner.setup import BUILD

# The cases of Sources/imports.
SHOWN = {
    "empty": "`importJSON` of {} objects into an empty store",
    "shuffled": "`importJSON` of {} objects, shuffled",
    "again": "`importJSON` of {} existing objects",
    "few": "`importJSON` of 50 objects into a store of {}",
    "waiting": "`importJSON` of the 200 targets that {} objects wait for",
    "context": "`map` and `save` of {} objects, 1,000 at a time",
}


def run(setup):
    few, many = (1_000, 10_000) if setup.quick else (50_000, 1_000_000)
    rounds = min(5, setup.rounds)
    size = 10_000 if setup.quick else 200_000
    data = setup.generated("imports", size)
    folder = BUILD / "out/imports"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    say("import: memory")
    start = peak([setup.imports, "open", folder / "empty.sqlite"])
    shutil.copy(folder / "empty.sqlite", folder / "grdb.sqlite")
    peaks = [
        (
            f"`importJSON` of a file of {count:,} objects, with a commit every 1,000",
            peak([setup.imports, "read", folder / f"{count}.sqlite", setup.tasks(count), 1000]),
        )
        for count in (few, many)
    ]
    peaks.append((SHOWN["context"].format(f"{size:,}"), peak([setup.imports, "context", folder / "context.sqlite", data])))
    if setup.grdb:
        peaks.append(("the same with GRDB", peak([setup.imports, "grdb", folder / "grdb.sqlite", data])))
    say(f"import: {rounds} rounds")
    lines = finish([setup.imports, "compare", folder, data, rounds, min(3, rounds)]).stdout.splitlines()
    lines += finish([setup.imports, "few", folder / f"{many}.sqlite", rounds]).stdout.splitlines()
    shutil.rmtree(folder)

    title("Imports")
    paragraph(
        f"Medians of {rounds} rounds ({min(3, rounds)} for GRDB) in one process, in which the peers run alternately, and the "
        "store's time divided by that of the peer (lower is better). Tasks have eight attributes and two connections by key, to 200 projects "
        "and 50 users. C is a loop over one prepared upsert, which finds the targets by subqueries and does not write equal "
        "rows. It does not read JSON: its values are in arrays before the measurement. GRDB upserts Codable records that "
        "JSONDecoder has decoded, and stores the rows of the targets in dictionaries. For waiting objects, C inserts the "
        "targets and connects all rows with one UPDATE that finds them by their unique index; it has no table of waiting "
        "connections."
    )
    compare_cases(
        lines, SHOWN, "**store**", "store / peer", lambda time: f"{time / 1e6:.1f} ms",
        "Imports: time relative to the peer (lower is better). C writes values that were parsed before the measurement.",
    )
    if start is None:
        return
    paragraph(f"Peak memory in MB; a process that only creates an empty store uses {text(start)}:")
    above = [[words, text(megabytes), text(megabytes - start)] for words, megabytes in peaks]
    table(["", "peak", "above the empty store"], above)
    summarize("; ".join(f"{words}: peak {megabytes:.0f} MB" for words, megabytes in peaks) + ".")
