"""Shows how far a long run has come: one line redrawn on a terminal, a line a step elsewhere."""

import sys


class Progress:
    """Counts steps; writes to standard error, so that standard output holds the tables alone."""

    BAR = 24

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._done = 0
        self._redraw = sys.stderr.isatty()

    def step(self, what: str) -> None:
        """Says what is done now."""
        self._done += 1
        if self._redraw:
            filled = self.BAR * self._done // self._steps
            text = f"[{'#' * filled}{'.' * (self.BAR - filled)}] {self._done}/{self._steps} {what}"
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
        else:
            print(f"[{self._done}/{self._steps}] {what}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Clears the line, if there is one."""
        if self._redraw:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
