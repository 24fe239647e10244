"""Plain text tables: text to the left, numbers to the right with thousands separated."""

from collections.abc import Sequence

Cell = str | int | float | None


def _text(cell: Cell) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, int):
        return f"{cell:,}"
    return f"{cell:.3g}" if isinstance(cell, float) else cell


def render(heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """The table as text, one line a row, columns as wide as they need to be."""
    texts = [list(heads)] + [[_text(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in texts) for column in range(len(heads))]
    numeric = [all(not isinstance(row[column], str) for row in rows) for column in range(len(heads))]

    def line(cells: Sequence[str]) -> str:
        padded = [cell.rjust(width) if right else cell.ljust(width)
                  for cell, width, right in zip(cells, widths, numeric, strict=True)]
        return "  ".join(padded).rstrip()

    ruler = "  ".join("-" * width for width in widths)
    return "\n".join([line(texts[0]), ruler] + [line(row) for row in texts[1:]])
