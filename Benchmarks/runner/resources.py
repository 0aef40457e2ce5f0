"""Resources compared with a client and a mapping in the hands of their user."""

from runner.measure import finish, paragraph, say, table, title
from runner.setup import BUILD

SHOWN = {"find": "{} finds, one after the other", "list": "a list of {} records"}


def run(setup):
    say("resources")
    output = finish([BUILD / "release/resources", 3 if setup.quick else setup.rounds]).stdout
    title("Resources")
    paragraph(
        "Medians of rounds in which `Resource` and `RESTClient` with `Mapping` take turns, over connections that are kept to "
        "a server in the same process, whose time is part of both."
    )
    rows = []
    for line in output.splitlines():
        case, number, ours, by_hand = line.split("\t")
        ours, by_hand = int(ours), int(by_hand)
        rows.append(
            [SHOWN[case].format(f"{int(number):,}"), f"{ours / 1e6:.1f} ms", f"{by_hand / 1e6:.1f} ms", f"{ours / by_hand:.2f}"]
        )
    table(["", "`Resource`", "client and mapping", "ratio"], rows)
