"""Compares all that is said of one planner: by GetAllocInfo, the log, the recording and the reports, to the byte.

    agree.py ALLOC_INFO LOG RECORDING REPORT.json REPORT.html REPORT.csv

ALLOC_INFO holds the two numbers that app.py printed.
"""

import csv
import json
import re
import sys
from pathlib import Path
from typing import Any

PAIR = re.compile(r'(\w+)=(?:"([^"]*)"|(\S+))')
TOTALS = ("naive", "arena", "lower_bound", "persistent", "padding", "placed")
PLACE = ("first", "last", "offset", "arena", "root", "previous")


def log_lines(path: Path, event: str) -> list[dict[str, str]]:
    """The log's lines of one event, as keys and values."""
    lines = ({key: quoted or bare for key, quoted, bare in PAIR.findall(line)} for line in path.read_text().splitlines())
    return [line for line in lines if line.get("event") == event]


def place_in_log(line: dict[str, str]) -> dict[str, Any]:
    """As the report has it."""
    words = {"end": None, "none": None, "rw": "rw", "persistent": "persistent"}
    return {key: words[line[key]] if line[key] in words else int(line[key]) for key in PLACE}


def only(items: list[Any], what: str) -> Any:
    """The one there is."""
    if len(items) != 1:
        sys.exit(f"agree: expected one {what}, not {len(items)}")
    return items[0]


def embedded_report(page: str) -> dict[str, Any]:
    """The report that the page shows."""
    found = re.findall(r'<script type="application/json" id="report">(.*?)</script>', page, re.DOTALL)
    return json.loads(only(found, "report in the page"))


class Comparison:
    """Collects what differs."""

    def __init__(self) -> None:
        self.compared = 0
        self.different: list[str] = []

    def same(self, what: str, one: Any, other: Any) -> None:
        """They should be."""
        self.compared += 1
        if one != other:
            self.different.append(f"{what}: {one} and {other}")


def main() -> None:
    """Compares; exit status 1 if anything differs."""
    alloc_info, log, recording, report, page, table = map(Path, sys.argv[1:7])
    arena, persistent = map(int, alloc_info.read_text().split())
    recorded = json.loads(recording.read_text())
    said = json.loads(report.read_text())
    shown = only(said["maps"], "map")
    executed = log_lines(log, "execute")[-1]

    comparison = Comparison()
    comparison.same("GetAllocInfo and the report, arena", arena, shown["totals"]["arena"])
    comparison.same("GetAllocInfo and the report, persistent", persistent, shown["totals"]["persistent"])
    for name in TOTALS:
        comparison.same(f"log and report, {name}", int(executed[name]), shown["totals"][name])
        comparison.same(f"recording and report, {name}", recorded["totals"][name], shown["totals"][name])
    comparison.same("page and report", embedded_report(page.read_text()), said)

    logged = {int(line["tensor"]): line for line in log_lines(log, "tensor")}
    with_place = {tensor["index"]: tensor for tensor in shown["tensors"] if tensor["place"] is not None}
    comparison.same("tensors of log and report", sorted(logged), sorted(with_place))
    for index in sorted(logged.keys() & with_place.keys()):
        tensor, line = with_place[index], logged[index]
        place = {key: tensor["place"][key] for key in PLACE}
        comparison.same(f"log and report, tensor {index}", place_in_log(line), place)
        comparison.same(f"log and report, bytes of tensor {index}", int(line["bytes"]), tensor["bytes"])

    with table.open(newline="") as file:
        rows = {int(row["id"]): int(row["offset"]) for row in csv.DictReader(file)}
    owners = {index: tensor["place"]["offset"] for index, tensor in with_place.items()
              if tensor["place"]["root"] == index and tensor["place"]["arena"] == "rw"}
    comparison.same("offsets of table and report", rows, owners)

    for difference in comparison.different:
        print(f"agree: {difference}", file=sys.stderr)
    print(f"{recording.name}: {comparison.compared} comparisons, {len(comparison.different)} different")
    sys.exit(bool(comparison.different))


if __name__ == "__main__":
    main()
