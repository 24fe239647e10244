"""A recording with names that try to be more than names. docs/record.md has the format."""

import json
import pathlib
import sys

HOSTILE = [
    "</script><img src=x onerror=\"window.hurt='img'\">",
    "<script>window.hurt='script'</script>",
    "<!--<script>",
    "]]>&lt;&#60;\"'`${window.hurt='template'}",
    "{{report}}",
    "javascript:window.hurt='address'",
    "\u2028\u2029\u202e\u0001\ufffe\U0001f9e0\U0001f469\u200d\U0001f4bb",
    "__proto__",
    "x" * 10_240,
    " ",
    "last",
]
SIZE = 1024


def recording(planner, count):
    """Of the last names: a chain, node by node from tensor to tensor, in two places by turns. The last node overwrites
    its input."""
    names = HOSTILE[-count:]
    tensors = []
    for number, name in enumerate(names):
        is_last = number == count - 1
        # A tensor is alive from the node that writes it to the one that reads it; the last two share their bytes.
        owner = number - 1 if is_last else number
        first, last = max(owner - 1, 0), owner
        if owner == count - 2:
            last = None
        place = {"arena": 2, "offset": SIZE * (owner % 2), "size": SIZE, "first": first, "last": last, "root": owner}
        tensor = {"name": name, "type": 1, "shape": [SIZE // 4], "bytes": SIZE, "allocation_type": 2, "place": place}
        tensors.append(tensor)
    nodes = [
        {"op": name, "inplace": int(node == count - 2), "inputs": [node], "outputs": [node + 1], "temporaries": []}
        for node, name in enumerate(names[:-1])
    ]
    placed = count - 1
    arena = 2 * SIZE
    totals = {"naive": SIZE * placed, "arena": arena, "lower_bound": arena, "persistent": 0, "padding": 0, "placed": placed}
    switches = {"preserve_all_tensors": False, "preserve_inputs": False, "replace_range": False}
    return {
        "tflite_arena_recording": 1,
        "library": "0.1.0",
        "pid": 7,
        "planner": planner,
        "subgraph": 0,
        "options": {"strategy": "greedy", "alignment": 64, **switches},
        "tensors": tensors,
        "nodes": nodes,
        "inputs": [0],
        "outputs": [count - 1],
        "variables": [],
        "events": [],
        "totals": totals,
    }


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    for planner, count in [(1, len(HOSTILE)), (2, 3)]:
        path = folder / f"hostile-{planner}.json"
        path.write_text(json.dumps(recording(planner, count)), encoding="utf-8")
