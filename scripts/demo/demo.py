"""Runs every model stock and swapped, by greedy and by best, and shows what the planner did and whether the outputs are the same.

scripts/demo.sh prepares what this needs and calls it; see `scripts/demo.sh --help`.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path

import numpy as np

import alias_model
import memory_report
import models
import pair
import report
from progress import Progress
from results import NO_REASON, AliasRow, Results, Row

REFERENCE = Path(__file__).with_name("reference_arenas.tsv")


def reference_arenas() -> dict[str, int]:
    """Arena bytes by wheel/model."""
    lines = (line for line in REFERENCE.read_text().splitlines() if not line.startswith("#"))
    return {key: int(size) for key, size in (line.split("\t") for line in lines)}


def run_model(model: models.Model, default_delegates: bool, expected_arena: int | None) -> Row:
    """Runs one model both ways."""
    row = Row(model.wheel, model.name, expected_arena=expected_arena)
    with tempfile.TemporaryDirectory() as work:
        try:
            both = pair.run(model.path, Path(work), default_delegates)
        except pair.Skipped as reason:
            row.skipped = str(reason)
        except pair.Failed as reason:
            row.outputs = str(reason)
        else:
            row.greedy, row.best = (both[strategy].planners.largest for strategy in ("greedy", "best"))
            row.planners = both["best"].planners.count
            row.outputs = "; ".join(dict.fromkeys(one.difference() for one in both.values()))
            if not default_delegates:
                row.from_file = file_against_runtime(model, both)
    return row


def file_against_runtime(model: models.Model, both: dict[str, pair.Pair]) -> str:
    """What the file alone says of the arenas, by each strategy, against what the runtime had."""
    try:
        said = [memory_report.from_file(model, strategy).against(one.planners.largest.arena, one.planners.largest.persistent)
                for strategy, one in both.items()]
    except pair.Failed as reason:
        return f"{NO_REASON}: {reason}"
    return "; ".join(dict.fromkeys(said))


def run_alias_model(folder: Path) -> AliasRow:
    """Generates the alias-of-an-alias model and runs it both ways."""
    model = alias_model.write(folder / "alias_of_an_alias.tflite")
    row = AliasRow(model.stem)

    def error(saved: pair.Arrays) -> float:
        right = alias_model.reference(saved["input0"])
        return float(np.max([np.abs(saved[f"run{k}_output0"] - right) for k in range(2)]))

    with tempfile.TemporaryDirectory() as work:
        try:
            both = pair.run(model, Path(work))
        except (pair.Skipped, pair.Failed) as reason:
            row.failure = str(reason)
        else:
            row.stock_error = error(both["best"].stock)
            row.swapped_error = max(error(one.swapped) for one in both.values())
    return row


def run_all(runtime: str, cache: Path, pattern: str) -> Results:
    """All rows; a run of a part of the models is not asked for the others."""
    chosen = models.find(cache / "models", pattern)
    if not chosen:
        sys.exit(f"demo: no model matches {pattern}")
    references = reference_arenas()
    results = Results(runtime, run_alias_model(cache / "generated"))
    results.must_run = frozenset(references if pattern == "*" else ())
    results.copies = [f"{copy} is the same file as {model.key}" for model in chosen for copy in model.copies]

    progress = Progress(2 * len(chosen))
    for model in chosen:
        progress.step(f"{model.key}, no delegate")
        results.no_delegate.append(run_model(model, False, references.get(model.key)))
    for model in chosen:
        # No reference here: the delegate takes most nodes, and how many depends on the runtime.
        progress.step(f"{model.key}, default delegates")
        results.default_delegates.append(run_model(model, True, None))
    progress.close()
    return results


def show_heaviest(results: Results, cache: Path) -> None:
    """Reports the model that takes most memory, from a run of it."""
    rows = {row.key: row.best for row in results.no_delegate if row.best is not None}
    if not rows:
        return
    heaviest = max(rows, key=lambda key: rows[key].arena + rows[key].persistent)
    [model] = models.find(cache / "models", heaviest)
    print(f"\nWhere the memory of {heaviest} goes, which takes most: `tflite-arena run --record DIR`, then `tflite-arena report`\n")
    text, page = memory_report.of_a_run(model, cache / "reports")
    print(text)
    print(f"The picture: {page}")


def main() -> int:
    """Runs, prints, and judges."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runtime", required=True)
    parser.add_argument("--cache", type=Path, required=True, help="folder that holds models/")
    parser.add_argument("--models", default="*", metavar="PATTERN")
    parser.add_argument("--json", type=Path, metavar="FILE")
    arguments = parser.parse_args()

    results = run_all(arguments.runtime, arguments.cache, arguments.models)
    report.show(results)
    show_heaviest(results, arguments.cache)
    if arguments.json:
        arguments.json.write_text(json.dumps(results.as_json(), indent=1) + "\n")
    return 1 if results.problems() else 0


if __name__ == "__main__":
    sys.exit(main())
