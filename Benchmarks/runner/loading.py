"""Loads of an object manager compared with requests and writes by hand."""

import json
import shutil

from runner.measure import compare_cases, finish, paragraph, peak, say, text, title
from runner.servers import Nginx
from runner.setup import BUILD

# The cases of Sources/imports/Loading.swift.
SHOWN = {
    "load": "load {} objects into a store",
    "confirm": "a 304 response for {} stored objects",
    "object": "refresh one object, beside 1,000 other routes and descriptors",
    "route": "find one of {} routes",
    "remote fetch": "fetch {} objects from a `RESTStore` behind a store",
    "local fetch": "fetch {} objects of a store with a `RESTStore` from its file",
    "folder": "fetch {} objects from files of JSON behind a store",
    "pages": "a run through {} pages of 100 objects",
    "first result": "{} stored objects of a path, compared with a fetch",
    "pause": "longest pause of the main actor when one of {} objects of a list is renamed",
    "prune": "what pruning 100 of {} objects adds to a load, compared with the statement",
}


def lists_of(setup, count):
    """A folder with tasks, all but 100 of them, and the first 10,000 in pages."""
    folder = setup.generated("imports", count)
    if not (folder / "pages.txt").exists():
        tasks = json.loads((folder / "tasks.json").read_text())
        (folder / "fewer.json").write_text(json.dumps(tasks[:-100]))
        pages = [tasks[start : start + 100] for start in range(0, 10_000, 100)]
        for number, page in enumerate(pages, 1):
            body = {"tasks": page, "next": f"page{number + 1}.json" if number < len(pages) else None}
            (folder / f"page{number}.json").write_text(json.dumps(body))
        (folder / "pages.txt").write_text(f"{len(pages)}\n")
    return folder


def run(setup):
    if not shutil.which("nginx"):
        return setup.lack("loads", "nginx is not installed")
    small, large = (1_000, 10_000) if setup.quick else (10_000, 450_000)
    data, folder = setup.generated("imports", small), BUILD / "out/loading"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (data / "one.json").write_text(json.dumps(json.loads((data / "tasks.json").read_text())[0]))
    say(f"loading: {setup.rounds} rounds")
    with Nginx.start(data) as server:
        lines = finish([setup.imports, "loading", f"{server.url}/data/", folder, setup.rounds]).stdout.splitlines()
    lists = lists_of(setup, 10_000 if setup.quick else 100_000)
    with Nginx.start(lists) as server:
        lines += finish([setup.imports, "lists", f"{server.url}/data/", folder, setup.rounds]).stdout.splitlines()
    tasks = setup.tasks(large)
    with Nginx.start(tasks) as server:
        say("loading: memory")
        requested = peak([setup.imports, "request", f"{server.url}/data/"])
        loaded = peak([setup.imports, "load", f"{server.url}/data/", folder / "large.sqlite"])
    size = (tasks / "tasks.json").stat().st_size / 1e6
    shutil.rmtree(folder)

    title("Loads")
    paragraph(
        f"Medians of {setup.rounds} rounds in one process, in which the peers run alternately, and the time of `ObjectManager` "
        "divided by that of the peer (lower is better). nginx sends the tasks of the section on imports. All peers request "
        "with `RESTClient`; GRDB upserts Codable records that JSONDecoder has decoded."
    )
    compare_cases(
        lines, SHOWN, "**`ObjectManager`**", "`ObjectManager` / peer", lambda time: f"{time / 1e3:,.1f} µs",
        "Loads by `ObjectManager`: time relative to the peer (lower is better).",
    )
    if requested is not None:
        paragraph(
            f"Peak memory of a response of {size:.0f} MB: {text(requested)} MB for the request, {text(loaded)} MB for the load."
        )
