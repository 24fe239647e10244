"""What `tflite-arena report` says: of a model's file alone, and of a recording of the runtime."""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pair
from models import Model
from results import NO_REASON

SAME = "same"


@dataclass(frozen=True)
class FromFile:
    """The arenas of a model by its file alone, summed over its subgraphs; bytes."""

    arena: int
    persistent: int
    unknowns: tuple[str, ...]

    def against(self, arena: int, persistent: int) -> str:
        """ "same" as the runtime's, or the difference with what only the runtime knows."""
        if (self.arena, self.persistent) == (arena, persistent):
            return SAME
        reasons = "; ".join(self.unknowns) or NO_REASON
        return f"arena {self.arena:,}, persistent {self.persistent:,}: {reasons}"


def _report(*arguments: str | Path) -> str:
    command = [pair.COMMAND_LINE_TOOL, "report", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=pair.TIMEOUT_SECONDS, check=False)
    if done.returncode != 0:
        raise pair.Failed(f"report: {done.stderr.strip()}")
    return done.stdout


def from_file(model: Model, strategy: str) -> FromFile:
    """Plans the file."""
    maps = json.loads(_report(model.path, "--strategy", strategy, "--json", "-"))["maps"]
    unknowns = dict.fromkeys(unknown["text"] for one in maps for unknown in one["unknowns"])
    totals = [one["totals"] for one in maps]
    return FromFile(sum(one["arena"] for one in totals), sum(one["persistent"] for one in totals), tuple(unknowns))


def of_a_run(model: Model, folder: Path) -> tuple[str, Path]:
    """Records a run of the model, and reports it: what is said on the terminal, and the page."""
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / f"{model.name}.html"
    with tempfile.TemporaryDirectory() as work:
        pair.run_swapped(model.path, Path(work) / "out.npz", TFLITE_ARENA_RECORD=work)
        text = _report(*sorted(Path(work).glob("*.json")), "--html", page)
    return text, page
