"""Recordings, as the adapter and a stock runtime make them, are what docs/record.schema.json says, and it says enough.

Run by scripts/demo/test.sh, after scripts/build.sh.
"""

import copy
import json
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

import arena_log
import models
import pair
import record

CPP_TESTS = pair.ROOT / "build/release/cpp/tests"
SCHEMA = json.loads((pair.ROOT / "docs/record.schema.json").read_text())

VALID: dict[str, Any] = {
    "tflite_arena_recording": 1, "library": "0.1.0", "pid": 7, "planner": 1, "subgraph": 0,
    "options": {"strategy": "best", "alignment": 64, "preserve_all_tensors": False, "preserve_inputs": True,
                "replace_range": False},
    "tensors": [
        {"name": "x", "type": 1, "shape": [1, 16], "bytes": 64, "allocation_type": 2,
         "place": {"arena": 2, "offset": 0, "size": 64, "first": 0, "last": None, "root": 0}},
        {"name": "", "type": 1, "bytes": 64, "allocation_type": 1}],
    "nodes": [{"op": "CUSTOM", "custom": "Mine", "inplace": 0, "inputs": [0, -1], "outputs": [1], "temporaries": []}],
    "inputs": [0], "outputs": [1], "variables": [],
    "events": [
        {"event": "create", "arena": 0, "persistent": 0},
        {"event": "error", "arena": 0, "persistent": 0, "call": "execute", "status": 106, "text": "no plan", "first": 0,
         "last": 0},
        {"event": "plan", "ns": 9, "arena": 0, "persistent": 0, "sizes": [[64, 2], [64, 1]]},
        {"event": "grow", "arena": 64, "persistent": 0, "of": 2, "before": 0, "after": 64},
        {"event": "execute", "ns": 9, "arena": 64, "persistent": 0, "first": 0, "last": 0, "changed": [[1, 64, 2]],
         "temporaries": [[0, []]]},
        {"event": "reset_after", "arena": 64, "persistent": 0, "node": 0}],
    "totals": {"naive": 64, "arena": 64, "lower_bound": 64, "persistent": 0, "padding": 0, "placed": 1},
}

# Members without which it is none, by where they are.
NEEDED = ["events", "subgraph", "options/preserve_inputs", "tensors/1/bytes", "tensors/0/place/last", "nodes/0/op",
          "events/1/status", "events/1/first", "events/3/of", "events/4/temporaries", "events/5/node", "totals/padding"]

# Values with which it is none.
WRONG = [
    ("tflite_arena_recording", 2), ("options/strategy", "Greedy"), ("options/alignment", 0), ("tensors/0/bytes", -1),
    ("tensors/0/bytes", 64.5), ("tensors/0/bytes", "64"), ("tensors/0/shape", [1, -2]), ("tensors/0/place/arena", 1),
    ("tensors/0/place/first", -1), ("nodes/0/op", "Custom"), ("nodes/0/inputs", [-2]), ("events", []),
    ("events/0/event", "plan"), ("events/3/event", "shrink"), ("events/5/event", "create"), ("events/2/sizes", [[64]]),
    ("events/2/sizes", [[64, 2, 0]]), ("events/4/changed", [[1, -64, 2]]), ("events/4/temporaries", [[0, 1]]),
    ("totals/naive", None),
]


def faults(recording: Any) -> list[str]:
    """What the schema has against it, with the place."""
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
            for error in Draft202012Validator(SCHEMA).iter_errors(recording)]


def holder(recording: Any, place: str) -> tuple[Any, str]:
    """What has the member at this place, and the member's name."""
    *way, name = place.split("/")
    for step in way:
        recording = recording[int(step) if isinstance(recording, list) else step]
    return recording, name


def recorded_places(recording: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """The places of a recording's tensors, with their names."""
    arenas = {2: "rw", 3: "persistent"}
    return {index: one["place"] | {"name": one["name"], "arena": arenas[one["place"]["arena"]]}
            for index, one in enumerate(recording["tensors"]) if "place" in one}


def logged_places(log: Path) -> dict[int, dict[str, Any]]:
    """The same of a log in which each tensor is placed once, and has all of its bytes set aside."""
    places = {}
    for line in log.read_text().splitlines():
        if " event=tensor " not in line:
            continue
        told = {key: quoted or bare for key, quoted, bare in arena_log.PAIR.findall(line)}
        place = {key: int(told[key]) for key in ("offset", "first", "root")}
        places[int(told["tensor"])] = place | {
            "name": told["name"], "arena": told["arena"], "size": int(told["bytes"]),
            "last": None if told["last"] == "end" else int(told["last"])}
    return places


class Schema(unittest.TestCase):
    """docs/record.schema.json on a recording made by hand."""

    def refused(self, recording: Any, place: str) -> None:
        """Some fault is found at the place or below."""
        self.assertTrue(any(fault.startswith(place) for fault in faults(recording)), faults(recording))

    def test_it_is_a_schema(self) -> None:
        Draft202012Validator.check_schema(SCHEMA)
        self.assertEqual(faults(VALID), [])

    def test_missing_member(self) -> None:
        for place in NEEDED:
            with self.subTest(place):
                recording = copy.deepcopy(VALID)
                inside, name = holder(recording, place)
                del inside[name]
                self.refused(recording, place.rpartition("/")[0])

    def test_wrong_value(self) -> None:
        for place, value in WRONG:
            with self.subTest(place, value=value):
                recording = copy.deepcopy(VALID)
                inside, name = holder(recording, place)
                inside[name] = value
                self.refused(recording, place)

    def test_unknown_members(self) -> None:
        recording = copy.deepcopy(VALID)
        for place in ("options/x", "tensors/0/x", "tensors/0/place/x", "nodes/0/x", "events/2/x", "totals/x", "x"):
            inside, name = holder(recording, place)
            inside[name] = {"of a": "newer version"}
        self.assertEqual(faults(recording), [])


class Recordings(unittest.TestCase):
    """Recordings that the adapter has made."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def recordings(self) -> list[dict[str, Any]]:
        """Those in the folder, each a valid one."""
        files = sorted(self.folder.glob("*.json"))
        found = [record.read(file) for file in files]
        for file, recording in zip(files, found, strict=True):
            self.assertEqual(faults(recording), [], file.name)
        return found

    def test_of_the_adapters_tests(self) -> None:
        subprocess.run([CPP_TESTS / "cpp_recording_test", self.folder], check=True)
        kinds = {event["event"] for recording in self.recordings() for event in recording["events"]}
        self.assertEqual(kinds, set(SCHEMA["$defs"]["event"]["properties"]["event"]["enum"]))

    def test_where_memory_was_refused(self) -> None:
        subprocess.run([CPP_TESTS / "cpp_memory_out_test", self.folder], check=True, stderr=subprocess.DEVNULL)
        self.assertGreater(len(self.recordings()), 20)

    def test_of_a_real_model_says_what_the_log_says(self) -> None:
        model = models.find(pair.ROOT / ".cache/models", "mediapipe/face_detection_short_range")[0]
        log = self.folder / "log"
        pair.run_swapped(model.path, self.folder / "out.npz", TFLITE_ARENA_RECORD=str(self.folder),
                         TFLITE_ARENA_LOG=str(log))
        (recording,) = self.recordings()
        plan = arena_log.read(log).largest
        totals = {name: getattr(plan, name) for name in ("naive", "arena", "lower_bound", "persistent", "placed")}
        self.assertEqual(recording["totals"], totals | {"padding": 0})
        places = recorded_places(recording)
        self.assertEqual(places, logged_places(log))
        ends = [place["offset"] + place["size"] for place in places.values() if place["arena"] == "rw"]
        self.assertEqual(max(ends), plan.arena)
        self.assertEqual(recording["nodes"][0]["op"], "DEQUANTIZE")


if __name__ == "__main__":
    unittest.main()
