"""Records the graphs of all models that have a reference arena; scripts/demo/record_models.sh calls it."""

import sys
import tempfile
from pathlib import Path

import models
import pair
import record
from demo import reference_arenas
from progress import Progress


def largest_recording(folder: Path) -> dict:
    """That of the planner with the largest arena, when a process had several."""
    return max((record.read(path) for path in sorted(folder.glob("*.json"))), key=lambda one: one["totals"]["arena"])


def main() -> None:
    """Writes a .graph file for each model into the folder given."""
    cache, out, runtime = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    out.mkdir(parents=True, exist_ok=True)
    references = reference_arenas()
    chosen = [model for model in models.find(cache / "models") if model.key in references]
    progress = Progress(len(chosen))
    for model in chosen:
        progress.step(f"recording {model.key}")
        with tempfile.TemporaryDirectory() as work:
            pair.run_swapped(model.path, Path(work) / "out.npz", TFLITE_ARENA_RECORD=work, TFLITE_ARENA_STRATEGY="greedy")
            recording = largest_recording(Path(work))
        arena = recording["totals"]["arena"]
        if arena != references[model.key]:
            sys.exit(f"{model.key}: arena {arena} is not the reference's {references[model.key]}")
        comment = f"recorded from {model.key} in the stock runtime {runtime}, no delegate"
        (out / f"{model.name}.graph").write_text(record.convert(recording, comment))
    progress.close()


if __name__ == "__main__":
    main()
