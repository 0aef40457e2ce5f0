"""Resources compared with a client and a mapping."""

from runner.measure import finish, paragraph, say, table, title
from runner.setup import BUILD

SHOWN = {"find": "{} sequential finds", "list": "a list of {} records"}


def run(setup):
    say("resources")
    output = finish([BUILD / "release/resources", 3 if setup.quick else setup.rounds]).stdout
    title("Resources")
    paragraph(
        "Medians of rounds in which `Resource`, and `RESTClient` with `Mapping`, run alternately over persistent connections. "
        "The time includes the server, which runs in the same process."
    )
    rows = []
    for line in output.splitlines():
        case, number, ours, by_hand = line.split("\t")
        ours, by_hand = int(ours), int(by_hand)
        rows.append(
            [SHOWN[case].format(f"{int(number):,}"), f"{ours / 1e6:.1f} ms", f"{by_hand / 1e6:.1f} ms", f"{ours / by_hand:.2f}"]
        )
    table(["", "`Resource`", "client and mapping", "ratio"], rows)
