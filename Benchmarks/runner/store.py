"""The store compared with GRDB, with SQLite in C, with plain classes and dictionaries."""

import shutil

from runner.measure import cases, compared, finish, markdown, paragraph, say, summarize, table, title
from runner.setup import BUILD

# The cases of Sources/store: the name of the row, and the peer in the summary.
SHOWN = {
    "fetch": ("fetch {} objects with five attributes", "all"),
    "find in file": ("find {} objects in the file by primary key", "C"),
    "find in memory": ("find {} objects of the context by primary key", "Dictionary"),
    "read": ("read {} properties in a loop", "none"),
    "read all": ("read all five properties of {} objects, one call each", "plain class"),
    "write": ("write {} properties in a loop", "none"),
    "read in place": ("read all five properties in place, {} times", "plain class"),
    "write in place": ("write three properties in place, {} times", "plain class"),
    "save single": ("{} saves of one new object", "C"),
    "save many": ("one save of {} new objects", "C"),
    "memory": ("memory of {} objects", "plain class"),
}
UNITS = {"ns": (1e6, "ms"), "bytes": (1e6, "MB")}


def run(setup):
    say("store")
    count, rounds = (10_000, 3) if setup.quick else (100_000, setup.rounds)
    folder = BUILD / "out/store"
    output = finish([setup.store, folder, count, rounds]).stdout
    shutil.rmtree(folder, ignore_errors=True)
    title("Managed objects")
    paragraph(
        f"Medians of {rounds} rounds in one process, in which the peers run alternately, and the store's figure divided "
        "by that of the peer (lower is better). C is a loop over prepared statements that copies each row to a structure. The records of GRDB "
        "are structs whose columns are read by name, as in its README, or by position. The properties are those of 1,000 "
        "objects in the processor's cache. In a loop over plain objects, the compiler omits reference counting; for managed "
        "objects it cannot, and the counting takes longer than the accesses. \"In place\", each object accesses its own "
        "properties 1,000 times, with a call that the compiler cannot inline in between."
    )
    rows, shown = [], []
    for case, number, unit, ours, peers in cases(output.splitlines()):
        scale, name = UNITS[unit]
        words = SHOWN[case][0].format(number)
        rows += compared(words, ours, "**store**", peers, lambda figure: f"{figure / scale:.2f} {name}")
        chosen = SHOWN[case][1]
        shown += [[words, peer, f"{ours / time:.1f}"] for peer, time in peers.items() if chosen in ("all", peer)]
    table(["", "", "", "store / peer"], rows)
    summarize(
        "Managed objects: time or memory relative to the peer (lower is better)."
    )
    summarize(markdown(["", "compared with", "store / peer"], shown))
