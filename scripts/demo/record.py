"""Turns a planner's recording into the line based .graph file that the C program replay_recorded reads.

    record.py RECORDING.json OUT.graph [COMMENT]

The preload library writes a recording for each planner into the folder that TFLITE_ARENA_RECORD names; docs/record.md
tells what is in it.
A .graph file has

    tensor <index> <bytes> <allocation type>
    node <in-place flags> i <inputs...> o <outputs...> t <temporaries...>
    inputs <tensors...>      outputs <tensors...>      variables <tensors...>
    expect arena <bytes>     expect persistent <bytes>

one statement a line, nodes in execution order, -1 for an optional tensor that is absent, # before a comment.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

VERSION = 1


def read(path: Path) -> dict[str, Any]:
    """A recording, refused when it is of another version."""
    recording = json.loads(path.read_text())
    if recording.get("tflite_arena_recording") != VERSION:
        raise ValueError(f"{path} is not a recording of version {VERSION}")
    return recording


def convert(recording: dict[str, Any], comment: str = "") -> str:
    """The text of the .graph file."""

    def line(*words: str, ids: Iterable[int] = ()) -> str:
        return " ".join([*words, *map(str, ids)])

    lines = [f"# {comment}"] if comment else []
    lines += [f"tensor {index} {one['bytes']} {one['allocation_type']}" for index, one in enumerate(recording["tensors"])]
    lines += [" ".join([f"node {one['inplace']}", line("i", ids=one["inputs"]), line("o", ids=one["outputs"]),
                        line("t", ids=one["temporaries"])]) for one in recording["nodes"]]
    lines += [line(name, ids=recording[name]) for name in ("inputs", "outputs", "variables")]
    lines += [f"expect {name} {recording['totals'][name]}" for name in ("arena", "persistent")]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Converts one file."""
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    target.write_text(convert(read(source), *sys.argv[3:]))


if __name__ == "__main__":
    main()
