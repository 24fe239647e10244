"""A headless Chromium, and what it says of a page: messages on the console, and requests."""

import contextlib
import json
import os
import shutil

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.support.wait import WebDriverWait

SECONDS = 30
DRAWN = "return performance.getEntriesByName('picture-drawn')[0]?.startTime ?? null"


@contextlib.contextmanager
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    options.add_argument("--headless=new")
    options.add_argument("--window-size=1440,1100")
    options.add_argument("--force-device-scale-factor=1")
    options.add_argument("--disable-background-networking")
    if os.getuid() == 0:
        options.add_argument("--no-sandbox")  # which Chromium has not for root
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


def load(driver, path):
    """Opens the file; returns the milliseconds from the start of loading to the first picture, or None without one."""
    read_logs(driver)  # of the page before
    driver.get(path.as_uri())
    return driver.execute_script(DRAWN)


def read_logs(driver):
    """What has been said on the console since the last call, and the addresses that were asked for."""
    console = [entry["message"] for entry in driver.get_log("browser")]
    events = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    requests = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    return console, requests


def wait_for(driver, condition, what):
    try:
        return WebDriverWait(driver, SECONDS, poll_frequency=0.02).until(lambda _: condition())
    except TimeoutException:
        raise AssertionError(f"{what} did not come within {SECONDS} s") from None


def media(driver, scheme):
    """Light or dark, as the system would say."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
