"""What a page has to show, worked out from the table that it was made from: nothing here reads a page or a report."""

import csv
import decimal
from dataclasses import dataclass


@dataclass(frozen=True)
class Buffer:
    number: int
    name: str
    first: int
    last: int  # included
    size: int
    offset: int
    lower: int
    upper: int

    @property
    def end(self):
        return self.offset + self.size

    def is_alive(self, step):
        return self.first <= step <= self.last


class Plan:
    """A table of buffers with offsets."""

    def __init__(self, path):
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
        times = sorted({int(row[column]) for row in rows for column in ("lower", "upper")})
        step = {time: at for at, time in enumerate(times)}
        self.buffers = []
        for at, row in enumerate(rows):
            first, last = step[int(row["lower"])], step[int(row["upper"])] - 1
            numbers = [int(row[column]) for column in ("size", "offset", "lower", "upper")]
            self.buffers.append(Buffer(at, row["id"], first, last, *numbers))
        self.steps = len(times) - 1
        self.arena = max(buffer.end for buffer in self.buffers)
        self.naive = sum(buffer.size for buffer in self.buffers)
        changes = [0] * (self.steps + 1)
        for buffer in self.buffers:
            changes[buffer.first] += buffer.size
            changes[buffer.last + 1] -= buffer.size
        self.live = [sum(changes[:1])]
        for change in changes[1 : self.steps]:
            self.live.append(self.live[-1] + change)
        self.walk = sorted(self.buffers, key=lambda buffer: (buffer.first, buffer.offset, buffer.number))

    def matches(self, text):
        return [buffer for buffer in self.walk if text in buffer.name]

    def before(self, buffer):
        """Who may be told to have had its bytes before: of those who had some, the ones that had them last."""
        had = [
            other
            for other in self.buffers
            if other.last < buffer.first and other.offset < buffer.end and buffer.offset < other.end
        ]
        latest = max((other.last for other in had), default=None)
        return {f"buffer {other.name}" for other in had if other.last == latest} or {"nobody had them"}

    def above(self, buffer, step):
        higher = [other for other in self.buffers if other.is_alive(step) and other.offset > buffer.offset]
        return min(higher, key=lambda other: other.offset, default=None)


def exact(number):
    return f"{number:,}"


def in_units(size):
    """As the page has it: "1.69 MiB"."""
    value, units = decimal.Decimal(size), ["B", "KiB", "MiB", "GiB"]
    while value >= 1024 and len(units) > 1:
        value, units = value / 1024, units[1:]
    digits = 0 if units[0] == "B" else 2 if value < 10 else 1 if value < 100 else 0
    rounded = value.quantize(decimal.Decimal(1).scaleb(-digits), rounding=decimal.ROUND_HALF_UP)
    return f"{float(rounded):.10g} {units[0]}"


def both_ways(size):
    return exact(size) if size < 1024 else f"{exact(size)} ({in_units(size)})"


def facts(plan, buffer):
    """The lines of a tooltip, but for who had the bytes before."""
    return {
        "name": f"buffer {buffer.name}",
        "bytes": both_ways(buffer.size),
        "needed": f"from time {exact(buffer.lower)} to {exact(buffer.upper)}",
        "offset": f"{exact(buffer.offset)} up to {exact(buffer.end)}",
    }
