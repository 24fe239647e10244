"""Reads what the preload library writes to the file that TFLITE_ARENA_LOG names: a line of key=value pairs an event."""

import re
from dataclasses import dataclass
from pathlib import Path

PREFIX = "tflite-arena "
PAIR = re.compile(r'(\w+)=(?:"([^"]*)"|(\S+))')


@dataclass(frozen=True)
class Plan:
    """The numbers of one planner after the last range it placed; sizes in bytes."""

    nodes: int
    tensors: int
    placed: int
    naive: int
    arena: int
    lower_bound: int
    persistent: int
    planning_ns: int


@dataclass(frozen=True)
class Planners:
    """The largest plan that a process made, how many planners (subgraphs, delegates) made one, and what went wrong."""

    largest: Plan
    count: int
    errors: tuple[str, ...] = ()


def read(log: Path) -> Planners | None:
    """None when no planner of ours placed anything: then nothing was swapped."""
    last: dict[tuple[str, str], Plan] = {}
    errors: list[str] = []
    for line in log.read_text().splitlines() if log.exists() else []:
        if not line.startswith(PREFIX):
            continue
        pairs = {key: quoted or bare for key, quoted, bare in PAIR.findall(line)}
        if pairs.get("event") == "error":
            errors.append(f"{pairs['call']}: {pairs['text']}")
        elif pairs.get("event") == "execute":
            numbers = {name: int(pairs[name]) for name in Plan.__dataclass_fields__}
            last[pairs["pid"], pairs["planner"]] = Plan(**numbers)
    if not last:
        return None
    return Planners(max(last.values(), key=lambda plan: plan.arena), len(last), tuple(errors))
