"""The speedup of typed models over JSONDecoder."""

from runner.measure import Failure, Worker, interleave, markdown, paragraph, say, sha256, summarize, table, title
from runner.setup import ROOT

SHAPES = {"tasks-dates": "tasks with dates", "tasks": "tasks", "citm": "citm", "canada": "canada", "twitter": "twitter"}
ALL = set(SHAPES)
SWIFT = {
    "JSONDecoder": ("JSONDecoder", ALL),
    "structs": ("**MappingKit, structs**", ALL),
    "parallel": ("**MappingKit, structs, `parallel: true`, all cores**", {"tasks-dates", "tasks"}),
    "elements": ("**MappingKit, structs, iterated with `elements(of:)`**", {"tasks-dates"}),
    "classes": ("**MappingKit, final classes, attribute by attribute**", {"tasks-dates"}),
    "session": ("**MappingKit, final classes, one object for each identity in a session**", {"tasks-dates"}),
    "classes-of-structs": ("**MappingKit, classes created from decoded structs**", {"tasks-dates"}),
    "MappingDecoder": ("**MappingKit, `MappingDecoder`, the same `Decodable` types**", ALL),
    "JSONSerialization": ("JSONSerialization with manual code", {"tasks", "citm", "twitter"}),
}
CPP = {"simdjson": "simdjson on-demand (C++)", "rapidjson": "rapidjson (C++)"}
PYTHON = {"msgspec": "msgspec (Python)", "orjson": "orjson with manual code (Python)"}
PUBLIC = {
    "citm": ("citm_catalog.json", "a73e7a883f6ea8de113dff59702975e60119b4b58d451d518a929f31c92e2059"),
    "canada": ("canada.json", "f83b3b354030d5dd58740c68ac4fecef64cb730a0d12a90362a7f23077f50d78"),
    "twitter": ("twitter.json", "a08b769f32b95f426cbc3abafcec65c1a19d3eb544d4ddf320eae142c99efc5d"),
}
WHERE = (
    "https://github.com/miloyip/nativejson-benchmark/tree/master/data and in "
    "https://github.com/simdjson/simdjson/tree/master/jsonexamples"
)


def files(setup):
    """The file of each shape, and why the others are missing."""
    tasks = setup.tasks(50_000 if setup.quick else 200_000) / "tasks.json"
    found, missing = {"tasks-dates": tasks, "tasks": tasks}, {}
    for shape, (name, digest) in PUBLIC.items():
        path = setup.data / name if setup.data else None
        if path is None:
            missing[shape] = f"`{name}` cannot be found, because `DATA` is not set"
        elif not path.is_file():
            missing[shape] = f"`{name}` is not in the folder named by `DATA`"
        elif sha256(path) != digest:
            missing[shape] = f"`{name}` has an unexpected SHA-256"
        else:
            found[shape] = path
    return found, missing


def commands(setup, shape, path):
    """The workers of a shape by the names of their rows."""
    found = {
        title: [setup.bench, "decode", peer, shape, path] for peer, (title, shapes) in SWIFT.items() if shape in shapes
    }
    if setup.cpp_decode:
        found |= {title: [setup.cpp_decode, peer, shape, path] for peer, title in CPP.items()}
    if setup.python:
        found |= {title: [setup.python, ROOT / "peers/decode.py", peer, shape, path] for peer, title in PYTHON.items()}
    return found


def compare(shape, workers):
    sums = {name: worker.checksum() for name, worker in workers.items()}
    if len(set(sums.values())) > 1:
        raise Failure(f"{shape}: the decoded values differ: {sums}")


def run(setup):
    found, missing = files(setup)
    medians, sizes = {}, {}
    for shape, path in found.items():
        say(f"typed: {SHAPES[shape]}")
        sizes[shape] = path.stat().st_size
        workers = {name: Worker(command) for name, command in commands(setup, shape, path).items()}
        compare(shape, workers)
        medians[shape] = interleave(workers, setup.rounds)
        for worker in workers.values():
            worker.close()
    names = [title for title, _ in SWIFT.values()] + list(CPP.values()) + list(PYTHON.values())
    names = [name for name in names if any(name in medians[shape] for shape in found)]

    def rows(cell):
        return [
            [name] + [cell(shape, medians[shape][name]) if name in medians[shape] else "–" for shape in found]
            for name in names
        ]

    head = [SHAPES[shape] for shape in found]
    title("JSON to typed models")
    paragraph(
        f"Speedup over `JSONDecoder` (higher is better), with one thread unless noted. Medians of {setup.rounds} rounds in which the "
        "peers run alternately, each in a separate process. The time includes the decode and the release of the models. The "
        "decoded values of all peers had the same checksum."
    )
    table([""] + head, rows(lambda shape, time: f"{medians[shape]['JSONDecoder'] / time:.2f}"))
    summarize(
        f"Speedup over `JSONDecoder` (higher is better). The tasks are {sizes['tasks'] / 1e6:.0f} MB: "
        "200,000 objects, each with a nested object and a list."
    )
    summarize(markdown(
        [""] + head, rows(lambda shape, time: f"{medians[shape]['JSONDecoder'] / time:.1f}")[1:]
    ))
    paragraph("Milliseconds (MB of JSON per second):")
    table(
        ["", *(f"{name}, {sizes[shape] / 1e6:.1f} MB" for shape, name in zip(found, head))],
        rows(lambda shape, time: f"{time * 1e3:.2f} ({sizes[shape] / time / 1e6:.0f})"),
    )
    if missing:
        paragraph(
            " ".join(f"There is no column for {SHAPES[shape]}: {why}." for shape, why in missing.items())
            + f" The files are in {WHERE}; `make bench DATA=FOLDER` reads them from a folder."
        )
        table(["file", "sha256"], [[f"`{name}`", f"`{digest}`"] for name, digest in PUBLIC.values()])
