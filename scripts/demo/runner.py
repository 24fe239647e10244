"""Runs one model once in this process and saves what came out.

    runner.py MODEL OUT.npz [--default-delegates]

The model is invoked twice on the same seeded random inputs. OUT.npz holds `input<i>`, and `run<k>_output<j>` for
both invokes. Whether the planner in this process is the stock one or a swapped one is decided by whoever starts it;
this file must not know. Exit status 3, with the op's name on standard output: the model needs a custom op.
"""

import argparse
import re
import sys

import numpy as np
from tflite_runtime.interpreter import Interpreter, OpResolverType

UNSUPPORTED = 3
SEED = 20240209


def random_input(rng: np.random.Generator, shape: tuple[int, ...], dtype: type) -> np.ndarray:
    """A tensor of this shape and type that any op can digest: no infinities, no huge indices."""
    kind: np.dtype = np.dtype(dtype)
    if kind.kind == "f":
        return rng.standard_normal(shape).astype(kind)
    if kind == np.bool_:
        return rng.integers(0, 2, shape).astype(kind)
    if kind.kind in "iu":
        return rng.integers(0, 128, shape).astype(kind)
    raise TypeError(f"no random values for inputs of type {kind}")


def load(model: str, default_delegates: bool) -> Interpreter:
    """The interpreter, planned and ready to be invoked."""
    # The number of threads stays the default one: a number chosen here, even 1, changes the kernels' temporaries.
    resolver = OpResolverType.AUTO if default_delegates else OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    interpreter = Interpreter(model_path=model, experimental_op_resolver_type=resolver)
    interpreter.allocate_tensors()
    return interpreter


def run(interpreter: Interpreter, invokes: int = 2) -> dict[str, np.ndarray]:
    """Inputs, and the outputs of each invoke. (get_tensor_details() would crash on sparse weights.)"""
    rng = np.random.default_rng(SEED)
    details = interpreter.get_input_details()
    inputs = [random_input(rng, tuple(one["shape"]), one["dtype"]) for one in details]
    saved = {f"input{i}": value for i, value in enumerate(inputs)}
    for k in range(invokes):
        # Set again each time: the planner may have given the inputs' bytes to later tensors.
        for detail, value in zip(details, inputs, strict=True):
            interpreter.set_tensor(detail["index"], value)
        interpreter.invoke()
        for j, detail in enumerate(interpreter.get_output_details()):
            saved[f"run{k}_output{j}"] = interpreter.get_tensor(detail["index"])
    return saved


def main() -> int:
    """Parses the command line, runs, saves."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("out")
    parser.add_argument("--default-delegates", action="store_true")
    arguments = parser.parse_args()
    try:
        interpreter = load(arguments.model, arguments.default_delegates)
    except (RuntimeError, ValueError) as error:
        op = re.search(r"unresolved custom op: ([\w:]+)", str(error))
        if op is None:
            raise
        print(op.group(1))
        return UNSUPPORTED
    np.savez(arguments.out, **run(interpreter))
    return 0


if __name__ == "__main__":
    sys.exit(main())
