"""Instructions, memory, small payloads, collection operators."""

import concurrent.futures
import os
import re
import shutil

from runner import typed
from runner.foundation import CHOSEN
from runner.measure import Failure, Worker, finish, median, paragraph, peak, say, summarize, table, text, title
from runner.setup import BUILD


def instructions(setup):
    if not shutil.which("valgrind") or not shutil.which("objcopy"):
        return setup.lack("instructions", "valgrind and objcopy are required")
    # Valgrind 3.19 cannot read the debug information that Swift 6.3 writes.
    binary = BUILD / "bench-stripped"
    finish(["objcopy", "--strip-debug", setup.bench, binary])
    path = setup.tasks(5_000 if setup.quick else 50_000) / "tasks.json"
    say("instructions (minutes)")
    feed = setup.feed(5_000 if setup.quick else 50_000) / "feed.json"
    decoder = "JSONDecoder"
    cases = [
        ("tasks with dates", "structs", "tasks-dates", path),
        ("tasks", "structs", "tasks", path),
        ("tasks by MappingDecoder", "MappingDecoder", "tasks", path),
        *((title, "structs", shape, feed if shape.startswith("dynamic") else path) for shape, title in CHOSEN.items()),
    ]

    def collected(key):
        peer, shape, file, decodes = key
        command = [
            "valgrind",
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            binary,
            "decode",
            peer,
            shape,
            file,
        ]
        found = re.search(r"Collected : (\d+)", finish(command, input=f"{decodes}\n").stderr)
        if not found:
            raise Failure(f"callgrind reported no count for {key}")
        return int(found[1])

    keys = {(peer, shape, file, decodes) for _, ours, shape, file in cases for peer in (decoder, ours) for decodes in (0, 1)}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = dict(zip(keys, pool.map(collected, keys)))

    def count(peer, shape, file):
        return (counts[peer, shape, file, 1] - counts[peer, shape, file, 0]) / 1e6

    title("Instructions")
    paragraph(
        f"Millions of instructions for {path.stat().st_size / 1e6:.0f} MB of tasks and {feed.stat().st_size / 1e6:.0f} MB of a feed, "
        "counted by callgrind: a process that reads and decodes the text, minus one that only reads it."
    )
    rows, fewer = [], {}
    for name, ours, shape, file in cases:
        theirs, own = count(decoder, shape, file), count(ours, shape, file)
        fewer[name] = f"{theirs / own:.1f}"
        rows.append([name, f"{theirs:.0f}", f"{own:.0f}", f"{theirs / own:.1f}"])
    table(["", "JSONDecoder", "MappingKit", "ratio"], rows)
    summarize(
        f"Instructions: `JSONDecoder` executes {fewer['tasks with dates']} times as many for tasks with dates, "
        f"{fewer['tasks']} times as many for tasks, and {fewer['tasks by MappingDecoder']} times as many as `MappingDecoder`."
    )


def memory(setup):
    path = typed.files(setup)[0]["tasks-dates"]
    title("Peak memory")
    paragraph(
        f"Peak memory in MB of a process that reads {path.stat().st_size / 1e6:.0f} MB of tasks with dates and decodes them, "
        "including the text."
    )
    say("memory")
    peaks = {name: peak(command, input="1\n") for name, command in typed.commands(setup, "tasks-dates", path).items()}
    table(["", "MB"], [[name, text(megabytes, 0)] for name, megabytes in peaks.items()])
    found = {name.split()[0]: text(megabytes, 0) for name, megabytes in peaks.items() if not name.startswith("**")}
    ours = text(peaks[typed.SWIFT["structs"][0]], 0)
    others = ", ".join(f"{name} {megabytes}" for name, megabytes in found.items() if name != "JSONSerialization")
    summarize(f"Peak memory in MB, including the text of {path.stat().st_size / 1e6:.0f} MB: structs {ours}, {others}.")


def payload(setup):
    say("payload")
    path = setup.tasks(5) / "tasks.json"
    names = {"warm": "reused decoder and mapping", "fresh": "new decoder and mapping, including compilation"}
    rows = []
    for line in finish([setup.bench, "payload", path]).stdout.splitlines():
        name, peer, ours = line.split("\t")
        kind, _, dates = name.partition(", ")
        rows.append([f"{names[kind]}{', with dates' if dates else ''}", int(peer) / 1e3, int(ours) / 1e3])
    for shape in "tasks-dates", "tasks":
        times = {"JSONDecoder": [], "structs": []}
        for _ in range(setup.turns):
            for peer, found in times.items():
                worker = Worker([setup.bench, "decode", peer, shape, path])
                found.append(worker.seconds() * 1e6)
                worker.close()
        rows.append(
            [f"first payload of a process{', with dates' if shape == 'tasks-dates' else ''}", *map(median, times.values())]
        )
    title("A small payload")
    paragraph(f"Microseconds for {path.stat().st_size} bytes: an array of 5 tasks.")
    table(
        ["", "JSONDecoder", "MappingKit, structs", "speedup"],
        [[name, f"{peer:.1f}", f"{ours:.1f}", f"{peer / ours:.2f}"] for name, peer, ours in rows],
    )

    def speedups(kind):
        found = [peer / ours for name, peer, ours in rows if name.startswith(kind)]
        return f"{min(found):.1f} to {max(found):.1f} times"

    summarize(
        f"A payload of 1 KB: {speedups(names['warm'])} as fast as `JSONDecoder`; with a new mapping for the payload "
        f"{speedups(names['fresh'])}."
    )


def operators(setup):
    say("operators")
    path = setup.tasks(50_000) / "tasks.json"
    rows, times = [], []
    for line in finish([setup.bench, "operators", path]).stdout.splitlines():
        name, loop, ours = line.split("\t")
        times.append(int(ours) / int(loop))
        rows.append([f"`{name}`", f"{int(loop) / 5e4:.0f}", f"{int(ours) / 5e4:.0f}", f"{int(ours) / int(loop):.2f}"])
    title("Collection operators")
    paragraph("`JSON.value(at:)` over 50,000 tasks, compared with a loop over the same `JSON`; nanoseconds per element.")
    table(["", "loop", "operator", "time, loop = 1"], rows)
    summarize(
        f"`JSON.value(at:)` with an operator takes {min(times):.1f} to {max(times):.1f} times as long as a loop over the same "
        "value."
    )
