"""Tasks for which Decodable requires manual code, and writing."""

from runner.measure import Worker, interleave, paragraph, say, summarize, table, title
from runner.typed import compare

CHOSEN = {
    "dynamic": "a feed with elements selected by `kind`",
    "dynamic-nested": "a feed with nested objects selected by `type`",
    "parent": "tasks with projects that read a value of their task",
}


def run(setup):
    count = 20_000 if setup.quick else 100_000
    tasks, feed = setup.tasks(count) / "tasks.json", setup.feed(count) / "feed.json"
    cases = [(name, "JSONDecoder", shape, feed if "dynamic" in shape else tasks) for shape, name in CHOSEN.items()]
    cases.append(("tasks, written", "JSONEncoder", "written", tasks))
    rows, speedups = [], {}
    for name, peer, shape, path in cases:
        say(f"foundation: {name}")
        workers = {key: Worker([setup.bench, "decode", key, shape, path]) for key in (peer, "structs")}
        compare(shape, workers)
        times = interleave(workers, setup.rounds)
        for worker in workers.values():
            worker.close()
        theirs, ours = times[peer] * 1e3, times["structs"] * 1e3
        speedups[shape] = f"{theirs / ours:.1f}"
        rows.append([f"{name}, {path.stat().st_size / 1e6:.0f} MB", f"{theirs:.1f}", f"{ours:.1f}", f"{theirs / ours:.2f}"])
    title("Models selected by content, values of the enclosing object, writing")
    paragraph(
        "Milliseconds with one thread. The types of JSONDecoder have a manual `init(from:)` that decodes the discriminator "
        "first, or passes the value of the task on; the mappings of MappingKit use a rule. Written text is read again for "
        "the checksum."
    )
    table(["", "JSONDecoder or JSONEncoder", "MappingKit", "speedup"], rows)
    summarize(
        f"Models selected by content: {speedups['dynamic']} times as fast as a `JSONDecoder` whose types decode the "
        f"discriminator first, {speedups['dynamic-nested']} times for a nested object selected in each element. Objects that read "
        f"a value of the enclosing object: {speedups['parent']} times. Writing tasks: {speedups['written']} times as fast as "
        "`JSONEncoder`."
    )
