"""Runs one model stock and swapped, once for each strategy, each in a process of its own, and compares what came out."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import arena_log
from runner import UNSUPPORTED

ROOT = Path(__file__).resolve().parents[2]
COMMAND_LINE_TOOL = ROOT / "target/release/tflite-arena"
PRELOAD_LIBRARY = ROOT / "build/release/libtflite_arena_preload.so"
RUNNER = Path(__file__).with_name("runner.py")
TIMEOUT_SECONDS = 600
STRATEGIES = ("greedy", "best")

Arrays = Mapping[str, np.ndarray]


class Skipped(Exception):
    """The stock runtime cannot load this model; the text says why."""


class Failed(Exception):
    """A process ended badly, or nothing was swapped; the text says which and how."""


def _distance(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference; infinite where only one side is not a number."""
    with np.errstate(invalid="ignore"):
        apart = np.abs(a - b)
    apart[(a == b) | (np.isnan(a) & np.isnan(b))] = 0.0
    return float(np.nan_to_num(apart, nan=np.inf).max())


@dataclass(frozen=True)
class Pair:
    """What a stock and a swapped process saved, and the swapped one's planners."""

    stock: Arrays
    swapped: Arrays
    planners: arena_log.Planners

    def difference(self) -> str:
        """"identical" when every output of both invokes has the same bits, else how far apart they are."""
        names = [name for name in self.stock if name.startswith("run")]
        if not names or sorted(self.stock) != sorted(self.swapped):
            return "not the same outputs"
        worst = 0.0
        same = True
        for name in names:
            a, b = self.stock[name], self.swapped[name]
            if (a.shape, a.dtype) != (b.shape, b.dtype):
                return f"{name}: not the same shape and type"
            if a.tobytes() != b.tobytes():  # bytes, so that NaN and -0.0 count too
                same = False
                worst = max(worst, _distance(a.astype(np.float64), b.astype(np.float64)))
        return "identical" if same else f"differ by {worst:.3g}"


def _environment(**more: str) -> dict[str, str]:
    """This process's environment without settings of ours that the user may have left in it."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("TFLITE_ARENA_")}
    return kept | more


def _how_it_ended(status: int) -> str:
    """In words; the command line tool tells of a signal as shells do."""
    number = -status if status < 0 else status - 128
    return signal.Signals(number).name if number in set(signal.Signals) else f"exit status {status}"


def _run(who: str, command: list[str | Path], environment: dict[str, str]) -> None:
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace",
                              timeout=TIMEOUT_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise Failed(f"{who}: no end after {TIMEOUT_SECONDS} s") from None
    if done.returncode == UNSUPPORTED:
        raise Skipped(f"custom op {done.stdout.strip().splitlines()[-1]} is not in the stock runtime")
    if done.returncode != 0:
        last_words = done.stderr.strip().splitlines()[-1:] or ["(it said nothing)"]
        raise Failed(f"{who}: {_how_it_ended(done.returncode)}: {last_words[0]}")


def _load(path: Path) -> dict[str, np.ndarray]:
    with np.load(path) as archive:
        return dict(archive)


def _command(model: Path, out: Path, default_delegates: bool) -> list[str | Path]:
    return [sys.executable, RUNNER, model, out, *(["--default-delegates"] if default_delegates else [])]


@contextmanager
def _preload_options() -> Iterator[list[str | Path]]:
    """None as a rule. LD_PRELOAD takes no blank and no colon: a clone at such a path lends out a copy."""
    if not re.search(r"[\s:]", str(PRELOAD_LIBRARY)):
        yield []
        return
    with tempfile.TemporaryDirectory(prefix="tflite-arena-", dir="/tmp") as folder:
        yield ["--preload", shutil.copy(PRELOAD_LIBRARY, folder)]


def run_swapped(model: Path, out: Path, default_delegates: bool = False, **settings: str) -> None:
    """Runs the model on our planner, with these environment variables set, and saves its outputs in `out`."""
    command = _command(model, out, default_delegates)
    with _preload_options() as options:
        _run("swapped", [COMMAND_LINE_TOOL, "run", *options, "--", *command], _environment(**settings))


def run_stock(model: Path, out: Path, default_delegates: bool = False) -> None:
    """Runs the model on the runtime's own planner and saves its outputs in `out`."""
    _run("stock", _command(model, out, default_delegates), _environment())


def run(model: Path, work: Path, default_delegates: bool = False) -> dict[str, Pair]:
    """Runs it stock, and swapped by each strategy; `work` is an empty folder for their files."""
    stock = work / "stock.npz"
    run_stock(model, stock, default_delegates)
    saved = _load(stock)
    return {strategy: _pair(model, work, default_delegates, saved, strategy) for strategy in STRATEGIES}


def _pair(model: Path, work: Path, default_delegates: bool, stock: Arrays, strategy: str) -> Pair:
    swapped, log = work / f"{strategy}.npz", work / f"{strategy}.log"
    try:
        run_swapped(model, swapped, default_delegates, TFLITE_ARENA_LOG=str(log), TFLITE_ARENA_STRATEGY=strategy)
    except Skipped as reason:
        raise Failed(f"swapped: {reason}, although stock has just run it") from None
    planners = arena_log.read(log)
    if planners is None:
        raise Failed("swapped: no planner of ours placed anything, so nothing was swapped")
    if planners.errors:
        raise Failed(f"swapped: the planner failed: {planners.errors[0]}")
    return Pair(stock, _load(swapped), planners)
