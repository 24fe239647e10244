"""Faults to plant into a page, by what they are."""

import json
import re

POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy".*?>')


def script_fails(page, _):
    return POLICY.sub("", page).replace("\nnew Page();", "\nnew Page();\nthrow new Error('planted');")


def script_is_not_the_one_of_the_policy(page, _):
    return page.replace("\nnew Page();", "\nnew Page(); ")


def page_asks_for_another_file(page, folder):
    (folder / "other.css").write_text("")
    return POLICY.sub('<link rel="stylesheet" href="other.css">', page)


def page_asks_the_network(page, _):
    return page.replace("<main>", '<main><img src="http://127.0.0.1:9/" alt="">')


def number_is_wrong(page, _):
    def change(report):
        report["maps"][0]["tensors"][-1]["place"]["offset"] += 1

    return with_data(page, "report", change)


def rectangle_is_elsewhere(page, _):
    def change(maps):
        largest = max(maps[0], key=lambda rectangle: rectangle["size"])
        largest["first"], largest["end"] = 0, 1

    return with_data(page, "rectangles", change)


def with_data(page, name, change):
    """The page with one of its two blocks of data changed."""
    block = re.search(rf'id="{name}">(.*?)</script>', page, re.DOTALL)
    data = json.loads(block[1])
    change(data)
    return page[: block.start(1)] + json.dumps(data) + page[block.end(1) :]


ALL = {
    plant.__name__.replace("_", " "): plant
    for plant in [
        script_fails,
        script_is_not_the_one_of_the_policy,
        page_asks_for_another_file,
        page_asks_the_network,
        number_is_wrong,
        rectangle_is_elsewhere,
    ]
}
