"""The page as a person has it in front of them."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from browser import wait_for

FACTS = """
const box = document.getElementById(arguments[0]);
if (box.hidden || !box.querySelector(".facts")) return null;
const facts = { name: box.querySelector(".facts-name").textContent };
for (const term of box.querySelectorAll("dt")) facts[term.textContent] = term.nextElementSibling.textContent;
return facts;
"""

ROWS = """
const rows = [...document.querySelectorAll("#table tbody tr")];
return rows.map(row => [...row.cells].map(cell => cell.textContent));
"""


class Page:
    def __init__(self, driver):
        self.driver = driver
        self.plot = self.find("plot")
        self.search_field = self.find("search")

    def find(self, name):
        return self.driver.find_element(By.ID, name)

    def text(self, name):
        return self.find(name).text

    def totals(self):
        terms = self.driver.find_elements(By.CSS_SELECTOR, "#totals dt")
        numbers = self.driver.find_elements(By.CSS_SELECTOR, "#totals dd.number")
        return {term.text: number.text for term, number in zip(terms, numbers, strict=True)}

    def details(self):
        return self.driver.execute_script(FACTS, "details")

    def tooltip(self):
        return self.driver.execute_script(FACTS, "tooltip")

    def pixels(self):
        return self.driver.execute_script("return document.getElementById('canvas').toDataURL()")

    def point_at(self, across, up):
        """Puts the pointer on the picture: parts of its width, and of its height from the bottom."""
        box = self.plot.size
        right, down = (across - 0.5) * box["width"], (0.5 - up) * box["height"]
        chain = ActionChains(self.driver, duration=0)
        chain.move_to_element_with_offset(self.plot, round(right), round(down)).perform()

    def point_away(self):
        ActionChains(self.driver, duration=0).move_to_element(self.find("picture-heading")).perform()
        wait_for(self.driver, lambda: self.tooltip() is None, "the end of the tooltip")

    def tooltip_of(self, name):
        wait_for(self.driver, lambda: (self.tooltip() or {}).get("name") == name, f"the tooltip of {name}")
        return self.tooltip()

    def press(self, *keys):
        self.plot.send_keys(*keys)

    def turn_wheel(self, by):
        origin = ScrollOrigin.from_element(self.plot)
        ActionChains(self.driver, duration=0).scroll_from_origin(origin, 0, by).perform()

    def drag(self, right, down):
        chain = ActionChains(self.driver, duration=0)
        chain.move_to_element(self.plot).click_and_hold().move_by_offset(right, down).release().perform()

    def changed_from(self, pixels, what):
        """Waits until the picture is another one; the browser hands wheel and pointer on when it next draws."""
        wait_for(self.driver, lambda: self.pixels() != pixels, f"another picture after {what}")
        return self.pixels()

    def search(self, text):
        self.search_field.clear()
        self.search_field.send_keys(text)
        return self.text("matches")

    def next_match(self):
        self.search_field.send_keys(Keys.ENTER)
        return self.text("matches")

    def clear_search(self):
        self.search_field.send_keys(Keys.ESCAPE)

    def choose_map(self, at):
        Select(self.find("map-choice")).select_by_index(at)

    def rows(self):
        """The cells of the table."""
        return self.driver.execute_script(ROWS)

    def sort_by(self, title):
        heads = self.driver.find_elements(By.CSS_SELECTOR, "#table thead button")
        next(head for head in heads if head.text.startswith(title)).click()

    def focused(self):
        return self.driver.switch_to.active_element.get_attribute("id")
