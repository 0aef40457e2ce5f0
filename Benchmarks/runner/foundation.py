"""What JSONDecoder and JSONEncoder do only with code by hand, or the other way round: writing."""

from runner.measure import Worker, interleave, paragraph, say, summarize, table, title
from runner.typed import compare

CHOSEN = {
    "dynamic": "a feed, each element chosen by its `kind`",
    "dynamic-nested": "a feed, each element's project chosen by its `type`",
    "parent": "tasks, whose project reads a value of its task",
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
    title("Models chosen by content, values of the object around them, writing")
    paragraph(
        "Milliseconds, one thread. JSONDecoder's types have an `init(from:)` by hand that decodes the discriminator "
        "first, or hands the task's value on; MappingKit's mappings say it in a rule. What is written is read again "
        "for the checksum."
    )
    table(["", "JSONDecoder or JSONEncoder", "MappingKit", "times faster"], rows)
    summarize(
        f"Models chosen by content: {speedups['dynamic']} times as fast as a `JSONDecoder` whose types decode the "
        f"discriminator first, {speedups['dynamic-nested']} times for an object chosen within each element. Objects that read "
        f"a value of the object around them: {speedups['parent']} times. Writing tasks: {speedups['written']} times as fast as "
        "`JSONEncoder`."
    )
