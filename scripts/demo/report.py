"""Prints the results: two tables, the alias-of-an-alias row, what was left out, and the closing lines."""

from results import Results, Row
from table import Cell, render

HEADS = ("model", "wheel", "nodes", "tensors", "naive", "greedy", "best", "lower bound", "persistent", "greedy µs",
         "best µs", "from the file", "outputs")


def _cells(row: Row) -> list[Cell]:
    name = f"{row.model} ({row.planners} planners)" if row.planners > 1 else row.model
    if row.greedy is None or row.best is None:
        return [name, row.wheel, *[None] * 10, row.outputs]
    plan, greedy = row.best, row.greedy
    outputs = "; ".join(filter(None, (row.outputs, row.arena_problem)))
    return [name, row.wheel, plan.nodes, plan.tensors, greedy.naive, greedy.arena, plan.arena, plan.lower_bound,
            plan.persistent, round(greedy.planning_ns / 1000), round(plan.planning_ns / 1000), row.from_file, outputs]


def _list(title: str, lines: list[str]) -> None:
    if lines:
        print(f"\n{title}:\n  " + "\n  ".join(lines))


def show(results: Results) -> None:
    """Prints everything; the last line is the count."""
    tables = {"no delegate": results.no_delegate, "the runtime's default delegates": results.default_delegates}
    for title, rows in tables.items():
        print(f"\nTFLite runtime {results.runtime}, {title}: sizes in bytes; "
              "arenas by strategy; outputs of two invokes, stock against swapped by either\n")
        print(render(HEADS, [_cells(row) for row in rows if row.skipped is None]))
    print("\nFrom the file: what `tflite-arena report MODEL.tflite` gives by either strategy, against the runtime without delegate.")
    print("Persistent bytes of these models are mostly 16-bit weights, widened once and kept.")

    alias = results.alias
    print("\nA model with an alias of an alias: largest error against numpy, two invokes, no delegate\n")
    print(render(("model", "runtime", "stock", "swapped", "verdict"),
                 [(alias.model, results.runtime, alias.stock_error, alias.swapped_error, alias.verdict)]))

    _list("Skipped", results.skipped)
    _list("Run once", results.copies)
    _list("FAILED", results.problems())
    print(f"\n{results.summary()}")
