"""Writes a five-op model that a planner gets wrong if it counts the readers of a tensor but not those of its aliases.

    x -> A = ABS;  B = RESHAPE(A);  C = RESHAPE(B);  D = SOFTMAX(C);  E = ADD(B, D), the output

B and C are the bytes of A. SOFTMAX may write over its operand, and C has no other reader, so a planner that asks no
further puts D on those bytes while ADD has still to read them as B. What comes out is then 2 softmax(A) instead of
A + softmax(A): for A above 1 the error is above 1 as well, as 64 softmax values share a sum of 1.
"""

from pathlib import Path

import flatbuffers
import numpy as np
import tflite

VALUES = 64
SCHEMA_VERSION = 3


def reference(x: np.ndarray) -> np.ndarray:
    """What the model has to answer, computed in double precision."""
    a = np.abs(x.astype(np.float64)).reshape(1, VALUES)
    power = np.exp(a - a.max())
    return a + power / power.sum()


def _offsets(builder: flatbuffers.Builder, offsets: list[int]) -> int:
    builder.StartVector(4, len(offsets), 4)
    for offset in reversed(offsets):
        builder.PrependUOffsetTRelative(offset)
    return builder.EndVector()


def _ints(builder: flatbuffers.Builder, values: list[int]) -> int:
    return builder.CreateNumpyVector(np.array(values, dtype=np.int32))


def _tensor(builder: flatbuffers.Builder, name: str, shape: list[int]) -> int:
    label = builder.CreateString(name)
    dimensions = _ints(builder, shape)
    tflite.TensorStart(builder)
    tflite.TensorAddShape(builder, dimensions)
    tflite.TensorAddType(builder, tflite.TensorType.FLOAT32)
    tflite.TensorAddBuffer(builder, 0)  # buffer 0 is the empty one: no constant
    tflite.TensorAddName(builder, label)
    return tflite.TensorEnd(builder)


def _operator_code(builder: flatbuffers.Builder, code: int) -> int:
    tflite.OperatorCodeStart(builder)
    tflite.OperatorCodeAddDeprecatedBuiltinCode(builder, code)
    tflite.OperatorCodeAddBuiltinCode(builder, code)
    tflite.OperatorCodeAddVersion(builder, 1)
    return tflite.OperatorCodeEnd(builder)


def _options(builder: flatbuffers.Builder, code: int) -> tuple[int, int]:
    """The kind of an op's options, and the options; (0, 0) for an op that has none."""
    if code == tflite.BuiltinOperator.RESHAPE:
        shape = _ints(builder, [1, VALUES])
        tflite.ReshapeOptionsStart(builder)
        tflite.ReshapeOptionsAddNewShape(builder, shape)
        return tflite.BuiltinOptions.ReshapeOptions, tflite.ReshapeOptionsEnd(builder)
    if code == tflite.BuiltinOperator.SOFTMAX:
        tflite.SoftmaxOptionsStart(builder)
        tflite.SoftmaxOptionsAddBeta(builder, 1.0)
        return tflite.BuiltinOptions.SoftmaxOptions, tflite.SoftmaxOptionsEnd(builder)
    if code == tflite.BuiltinOperator.ADD:
        tflite.AddOptionsStart(builder)
        return tflite.BuiltinOptions.AddOptions, tflite.AddOptionsEnd(builder)
    return 0, 0


def _operator(builder: flatbuffers.Builder, code: int, code_index: int, inputs: list[int], output: int) -> int:
    kind, options = _options(builder, code)
    reads = _ints(builder, inputs)
    writes = _ints(builder, [output])
    tflite.OperatorStart(builder)
    tflite.OperatorAddOpcodeIndex(builder, code_index)
    tflite.OperatorAddInputs(builder, reads)
    tflite.OperatorAddOutputs(builder, writes)
    if kind:
        tflite.OperatorAddBuiltinOptionsType(builder, kind)
        tflite.OperatorAddBuiltinOptions(builder, options)
    return tflite.OperatorEnd(builder)


def build() -> bytes:
    """The model as a flatbuffer."""
    builder = flatbuffers.Builder(2048)
    x, a, b, c, d, e = range(6)
    shapes = [[8, 8], [8, 8]] + [[1, VALUES]] * 4
    codes = [tflite.BuiltinOperator.ABS, tflite.BuiltinOperator.RESHAPE, tflite.BuiltinOperator.SOFTMAX,
             tflite.BuiltinOperator.ADD]
    steps = [(0, [x], a), (1, [a], b), (1, [b], c), (2, [c], d), (3, [b, d], e)]

    tensors = _offsets(builder, [_tensor(builder, name, shape) for name, shape in zip("xABCDE", shapes, strict=True)])
    operators = _offsets(builder, [_operator(builder, codes[k], k, reads, writes) for k, reads, writes in steps])
    inputs, outputs = _ints(builder, [x]), _ints(builder, [e])
    name = builder.CreateString("alias of an alias")
    tflite.SubGraphStart(builder)
    tflite.SubGraphAddTensors(builder, tensors)
    tflite.SubGraphAddInputs(builder, inputs)
    tflite.SubGraphAddOutputs(builder, outputs)
    tflite.SubGraphAddOperators(builder, operators)
    tflite.SubGraphAddName(builder, name)
    subgraphs = _offsets(builder, [tflite.SubGraphEnd(builder)])

    operator_codes = _offsets(builder, [_operator_code(builder, code) for code in codes])
    tflite.BufferStart(builder)
    buffers = _offsets(builder, [tflite.BufferEnd(builder)])
    tflite.ModelStart(builder)
    tflite.ModelAddVersion(builder, SCHEMA_VERSION)
    tflite.ModelAddOperatorCodes(builder, operator_codes)
    tflite.ModelAddSubgraphs(builder, subgraphs)
    tflite.ModelAddBuffers(builder, buffers)
    builder.Finish(tflite.ModelEnd(builder), file_identifier=b"TFL3")
    return bytes(builder.Output())


def write(path: Path) -> Path:
    """Writes the model to `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(build())
    return path
