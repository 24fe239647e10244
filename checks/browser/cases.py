"""What is checked of each page. A case that finds something wrong raises an AssertionError that says what."""

import math

from selenium.webdriver.common.keys import Keys

import expected
import recording
from browser import load, media, read_logs, wait_for
from page import Page


# How much a press of + shows larger.
ZOOM = 1.6
# The part of the view that Shift and an arrow move it by.
MOVE = 0.2


def same(found, wanted, what):
    assert found == wanted, f"{what}: {repr(found)[:300]}, not {repr(wanted)[:300]}"


def opened(driver, path):
    milliseconds = load(driver, path)
    quiet(driver, path)
    assert milliseconds is not None, "nothing was drawn"
    return Page(driver), milliseconds


def quiet(driver, path=None):
    """No message on the console, no request but for the file itself."""
    console, requests = read_logs(driver)
    same(console, [], "messages on the console")
    same(requests, [path.as_uri()] if path else [], "requests")


def same_facts(found, plan, buffer):
    for term, wanted in expected.facts(plan, buffer).items():
        same(found.get(term), wanted, f"{term} of {buffer.name}")
    before = plan.before(buffer)
    had = found.get("bytes before")
    assert had in before, f"bytes before {buffer.name}: {had!r}, not of {before}"


def totals(page, plan):
    same(page.totals()["arena"], expected.exact(plan.arena), "arena")
    same(page.totals()["lower bound"], expected.exact(max(plan.live)), "lower bound")
    same(page.totals()["naive"], expected.exact(plan.naive), "naive")


def pointing(page, plan):
    """The largest buffers are where time and offset say, and their tooltips tell what they are: with all in view; and
    zoomed in on some hundred steps at the bottom of the arena, where some are large enough to be hit in any case."""
    presses = max(math.ceil(math.log(plan.steps / 300, ZOOM)), 1)
    share = ZOOM**-presses
    largest_are_there(page, plan, (0, plan.steps), (0, plan.arena))
    page.press("+" * presses)
    page.press(Keys.SHIFT + Keys.ARROW_DOWN * math.ceil((1 - share) / 2 / (MOVE * share)))
    times = plan.steps * (1 - share) / 2, plan.steps * (1 + share) / 2
    hit = largest_are_there(page, plan, times, (0, plan.arena * share))
    assert hit > 0, "no buffer is large enough to be hit"
    page.point_away()
    page.press("0")


def largest_are_there(page, plan, times, offsets):
    """Points at the buffers that take most of a view, as far as they are in it; returns how many."""
    parts = [(part(times, one.first, one.last + 1), part(offsets, one.offset, one.end), one) for one in plan.buffers]
    hittable = [one for one in parts if length(one[0]) > 0.004 and length(one[1]) > 0.01]
    largest = sorted(hittable, key=lambda one: -length(one[0]) * length(one[1]))[:6]
    for across, up, buffer in largest:
        page.point_at(sum(across) / 2, sum(up) / 2)
        same_facts(page.tooltip_of(f"buffer {buffer.name}"), plan, buffer)
    return len(largest)


def part(view, first, end):
    """The part of a view that something takes, as far as it is in it."""
    start, stop = view
    return tuple(min(max((value - start) / (stop - start), 0), 1) for value in (first, end))


def length(part):
    return part[1] - part[0]


def searching(page, plan):
    """By name to the last buffer; the picture goes where it is, which pointing there shows."""
    wanted = plan.buffers[-1]
    matches = plan.matches(wanted.name)
    same(page.search(wanted.name), f"{len(matches):,} match{'' if len(matches) == 1 else 'es'}", "matches")
    same(len(page.rows()), min(len(matches), 50), "rows of the table while there is a search")
    for at, match in enumerate(matches, start=1):
        same(page.next_match(), f"{at:,} of {len(matches):,}", "the match that is shown")
        same_facts(page.details(), plan, match)
        if match == wanted:
            break
    page.press(Keys.ENTER)
    # Zoomed to, it is in the middle, unless it is at an edge: then it is at least next to that.
    across, up = middle(wanted.first, wanted.last + 1, plan.steps), middle(wanted.offset, wanted.end, plan.arena)
    page.point_at(across, up)
    same_facts(page.tooltip_of(f"buffer {wanted.name}"), plan, wanted)
    page.press("/")
    wait_for(page.driver, lambda: page.tooltip() is None, "the end of the tooltip at a key")
    page.point_away()
    page.clear_search()
    same(page.search("no such name"), "no match", "matches of what is not there")
    page.clear_search()
    same(page.text("matches"), "", "matches without a search")
    page.press("0", Keys.ESCAPE)


def middle(first, end, whole):
    """Where the middle of a part is drawn after zooming to it: a third of the view is its, which keeps to the whole."""
    length = min((end - first) * 3, whole)
    start = min(max((first + end - length) / 2, 0), whole - length)
    return ((first + end) / 2 - start) / length


def zooming(page, plan):
    page.point_away()
    whole = page.pixels()
    page.press("+")
    zoomed = page.changed_from(whole, "+")
    page.press(Keys.SHIFT + Keys.ARROW_RIGHT)
    page.changed_from(zoomed, "Shift and an arrow")
    page.press("0")
    same(page.pixels() == whole, True, "the same picture after 0")
    page.turn_wheel(-400)
    zoomed = page.changed_from(whole, "the wheel")
    page.drag(-90, 60)
    page.point_away()
    page.changed_from(zoomed, "dragging")
    page.find("zoom-reset").click()
    same(page.pixels() == whole, True, "the same picture after the button All")
    page.find("zoom-in").click()
    page.changed_from(whole, "the button +")
    page.find("zoom-out").click()
    same(page.pixels() == whole, True, "the same picture after zooming in and out")


def walking(page, plan):
    """From the first buffer on, to the next in time and the next in offset; Tab comes to the picture, Esc lets go."""
    page.find("zoom-reset").send_keys(Keys.TAB)
    same(page.focused(), "plot", "what has the focus after Tab")
    page.press(Keys.HOME)
    for buffer in plan.walk[:6]:
        same_facts(page.details(), plan, buffer)
        page.press(Keys.ARROW_RIGHT)
    page.press(Keys.ARROW_LEFT)
    here = plan.walk[5]
    same_facts(page.details(), plan, here)
    above = plan.above(here, here.first)
    page.press(Keys.ARROW_UP)
    same_facts(page.details(), plan, above or here)
    told = page.find("announcement").get_attribute("textContent")
    assert told.startswith(f"buffer {(above or here).name}, "), f"what is told to screen readers: {told!r}"
    page.press(Keys.ESCAPE)
    same(page.details(), None, "details after Esc")
    page.press("0")


def table(page, plan):
    largest = sorted(plan.buffers, key=lambda buffer: (-buffer.size, buffer.number))
    shown = [[row[1], row[4]] for row in page.rows()]
    same(shown, [[buffer.name, expected.exact(buffer.size)] for buffer in largest[:50]], "rows, largest first")
    page.sort_by("offset")
    lowest = sorted(plan.buffers, key=lambda buffer: (buffer.offset, buffer.number))
    shown = [[row[1], row[9]] for row in page.rows()]
    same(shown, [[buffer.name, expected.exact(buffer.offset)] for buffer in lowest[:50]], "rows, lowest first")
    if len(plan.buffers) > 50:
        page.find("page-after").click()
        same(page.rows()[0][1], lowest[50].name, "the first row of the second page")


def dark(page, plan):
    page.point_away()
    background = "return getComputedStyle(document.body).backgroundColor"
    light = page.pixels(), page.driver.execute_script(background)
    media(page.driver, "dark")
    page.changed_from(light[0], "dark mode")
    assert page.driver.execute_script(background) != light[1], "the page has the same background in dark mode"
    media(page.driver, "light")
    wait_for(page.driver, lambda: page.pixels() == light[0], "the light picture")


OF_TABLES = [totals, pointing, searching, zooming, walking, table, dark]


def page_of_table(driver, path, plan):
    """All cases; returns the milliseconds that loading took."""
    media(driver, "light")
    page, milliseconds = opened(driver, path)
    for case in OF_TABLES:
        case(page, plan)
    quiet(driver)
    return milliseconds


def page_of_hostile_names(driver, path):
    """Two maps: the names are shown as they are and do nothing. The first has all of them, the second the last two."""
    page, _ = opened(driver, path)
    names = recording.HOSTILE
    for at, name in enumerate(names):
        page.press(Keys.HOME if at == 0 else Keys.ARROW_RIGHT)
        same(page.details()["name"], f"{name} ({at})", "name")
        if at > 0:
            same(page.details()["written by"], f"node {at - 1} {names[at - 1]}", f"what writes tensor {at}")
    last = len(names) - 1
    same(page.details().get("takes over"), f"{names[last - 1]} ({last - 1})", "whose bytes the last one takes over")
    # Typing is slow; whoever pastes a long name has it at once.
    for at, name in enumerate(names):
        if name.strip():
            script = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))"
            driver.execute_script(script, page.search_field, name)
            matches = sum(name.strip().lower() in other.lower() for other in names)
            same(page.next_match(), f"1 of {matches}", "matches")
            same(page.details()["name"], f"{name} ({at})", "the name that was found")
    page.point_at(0.5, 0.25)
    wait_for(driver, page.tooltip, "a tooltip")
    assert page.tooltip()["name"] in {f"{name} ({at})" for at, name in enumerate(names)}, "another name in the tooltip"
    page.clear_search()
    before = page.pixels()
    page.choose_map(1)
    page.changed_from(before, "another map")
    same(page.totals()["arena"], f"{2 * recording.SIZE:,}", "arena of the other map")
    same([row[1] for row in page.rows()], names[-3:], "names of the other map")
    same(driver.execute_script("return window.hurt ?? null"), None, "what a name has done")
    same(driver.execute_script("return document.images.length"), 0, "images")
    same(driver.execute_script("return document.scripts.length"), 3, "scripts")
    page.press("/")
    same(page.focused(), "search", "what has the focus after /")
    quiet(driver)
