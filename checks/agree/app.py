"""Runs a model in a stock runtime, and prints what GetAllocInfo of its planner says: bytes of the arena and of the persistent one.

    app.py MODEL

To be run with the spy preloaded, in front of whatever planner is.
"""

import ctypes
import sys

import runner


def main() -> None:
    """Loads, invokes, asks."""
    interpreter = runner.load(sys.argv[1], default_delegates=False)
    runner.run(interpreter)
    arena, persistent = ctypes.c_size_t(), ctypes.c_size_t()
    ask = ctypes.CDLL(None).spy_alloc_info
    ask.restype = ctypes.c_bool
    if not ask(ctypes.byref(arena), ctypes.byref(persistent)):
        sys.exit("no planner was made through the spy")
    print(arena.value, persistent.value)


if __name__ == "__main__":
    main()
