"""What the demo found, and the judgement on it."""

from dataclasses import asdict, dataclass, field
from typing import Any

from arena_log import Plan

STOCK_IS_WRONG_ABOVE = 1.0
SWAPPED_IS_RIGHT_WITHIN = 1e-5
IDENTICAL = "identical"
NO_REASON = "NO REASON"


@dataclass
class Row:
    """One model in one of the two tables; without plans it was skipped or failed."""

    wheel: str
    model: str
    greedy: Plan | None = None
    best: Plan | None = None
    planners: int = 0
    outputs: str = ""
    from_file: str | None = None
    expected_arena: int | None = None
    skipped: str | None = None

    @property
    def key(self) -> str:
        """`wheel/model`."""
        return f"{self.wheel}/{self.model}"

    @property
    def arena_problem(self) -> str | None:
        """Greedy's arena is upstream's, where that is known, and best's is no larger."""
        if self.greedy is None or self.best is None:
            return None
        if self.expected_arena not in (None, self.greedy.arena):
            return f"ARENA IS NOT {self.expected_arena:,}"
        return "BEST IS LARGER" if self.best.arena > self.greedy.arena else None


@dataclass
class AliasRow:
    """The alias-of-an-alias model: how far the worst value of either invoke is from what numpy says."""

    model: str
    stock_error: float | None = None
    swapped_error: float | None = None
    failure: str | None = None

    # Both are False for NaN: it is neither wrong enough nor right.

    @property
    def stock_is_wrong(self) -> bool:
        """Far more than rounding can explain."""
        return self.stock_error is not None and self.stock_error > STOCK_IS_WRONG_ABOVE

    @property
    def swapped_is_right(self) -> bool:
        """But for rounding."""
        return self.swapped_error is not None and self.swapped_error <= SWAPPED_IS_RIGHT_WITHIN

    @property
    def good(self) -> bool:
        """The stock planner spoils this model and ours does not."""
        return self.failure is None and self.stock_is_wrong and self.swapped_is_right

    @property
    def verdict(self) -> str:
        """The same in words."""
        stock = "WRONG" if self.stock_is_wrong else "not wrong, but should be"
        swapped = "right" if self.swapped_is_right else "NOT RIGHT"
        return self.failure or f"stock is {stock}, swapped is {swapped}"


@dataclass
class Results:
    """All rows of one run; `must_run` are the models that may not be left out of it."""

    runtime: str
    alias: AliasRow
    no_delegate: list[Row] = field(default_factory=list)
    default_delegates: list[Row] = field(default_factory=list)
    copies: list[str] = field(default_factory=list)
    must_run: frozenset[str] = frozenset()

    @property
    def rows(self) -> list[Row]:
        """Both tables' rows."""
        return self.no_delegate + self.default_delegates

    @property
    def skipped(self) -> list[str]:
        """Each skipped model with its reason, once however many rows it has."""
        return list(dict.fromkeys(f"{row.key}: {row.skipped}" for row in self.rows if row.skipped is not None))

    def identical(self) -> dict[str, bool]:
        """For each model that ran: whether all its outputs were the same, in both tables."""
        verdicts: dict[str, bool] = {}
        for row in self.rows:
            if row.skipped is None:
                verdicts[row.key] = verdicts.get(row.key, True) and row.outputs == IDENTICAL
        return verdicts

    def summary(self) -> str:
        """The closing line; it counts models, not rows."""
        verdicts = self.identical()
        same = sum(verdicts.values())
        different = len(verdicts) - same
        return f"{len(verdicts)} models, {same} identical, {different} different, {len(self.skipped)} skipped"

    def problems(self) -> list[str]:
        """All that makes this run a failure."""
        verdicts = self.identical()
        found = [f"{row.key}: {row.arena_problem}" for row in self.rows if row.arena_problem]
        found += [f"{key}: outputs are not identical" for key, same in verdicts.items() if not same]
        found += [f"{row.key}: the file alone gives {row.from_file}" for row in self.rows
                  if row.from_file is not None and NO_REASON in row.from_file]
        found += [f"{key}: has a reference arena but did not run" for key in sorted(self.must_run - set(verdicts))]
        if not verdicts:
            found.append("no model ran")
        if not self.alias.good:
            found.append(f"{self.alias.model}: {self.alias.verdict}")
        return found

    def as_json(self) -> dict[str, Any]:
        """For tests and other tools."""
        alias = asdict(self.alias) | {"verdict": self.alias.verdict, "good": self.alias.good}
        return {"mode": "wheel", "runtime": self.runtime, "no_delegate": [asdict(row) for row in self.no_delegate],
                "default_delegates": [asdict(row) for row in self.default_delegates], "alias_of_an_alias": alias,
                "problems": self.problems(), "summary": self.summary()}
