"""Checks pages in a headless Chromium; run.sh makes the pages and calls this.

check.py check FOLDER       all cases on all pages
check.py self-test FOLDER   pages with planted faults: each has to be noticed
check.py loading FOLDER     a table of loading times, which judges nothing
"""

import pathlib
import statistics
import sys

import cases
import faults
from browser import browser, load
from expected import Plan

RUNS = 5


def tables(folder):
    """The tables, and the pages that were made from them; the smallest first."""
    pairs = [(Plan(page.with_suffix(".csv")), page) for page in folder.glob("*-buffers.html")]
    return sorted(pairs, key=lambda pair: len(pair[0].buffers))


def check(driver, folder):
    for plan, page in tables(folder):
        milliseconds = cases.page_of_table(driver, page, plan)
        names = ", ".join(case.__name__ for case in cases.OF_TABLES)
        print(f"{len(plan.buffers):,} tensors: loaded in {milliseconds:.0f} ms; right: {names}", flush=True)
    cases.page_of_hostile_names(driver, folder / "hostile.html")
    print("hostile names: shown as they are, and harmless; two maps to choose from")


def self_test(driver, folder):
    plan, page = tables(folder)[0]
    for name, plant in faults.ALL.items():
        faulty = folder / "faulty.html"
        faulty.write_text(plant(page.read_text(encoding="utf-8"), folder), encoding="utf-8")
        try:
            cases.page_of_table(driver, faulty, plan)
        except AssertionError as error:
            print(f"{name}: noticed ({str(error)[:100]})", flush=True)
        else:
            sys.exit(f"self-test: {name} was not noticed")


def loading(driver, folder):
    """From the start of loading to the first picture, as the page measures it. The first loading of all warms up."""
    print("| tensors | bytes | first picture, ms | slowest, ms |\n|--:|--:|--:|--:|")
    for plan, page in tables(folder):
        times = [load(driver, page) for _ in range(RUNS)]
        size = page.stat().st_size
        print(f"| {len(plan.buffers):,} | {size:,} | {statistics.median(times):.0f} | {max(times):.0f} |", flush=True)


def main():
    what, folder = sys.argv[1:]
    with browser() as driver:
        {"check": check, "self-test": self_test, "loading": loading}[what](driver, pathlib.Path(folder).resolve())


main()
