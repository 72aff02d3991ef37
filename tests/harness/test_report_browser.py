"""The report in a browser, opened from a disk: no error, nothing from elsewhere, filters, sizes, accessibility.

Needs chromium with its driver, and selenium: pip install -c constraints.txt -e '.[browser]'.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.report.html.environment import file_of
from harness.report.layout import Run
from harness.run.reporting import record_run
from harness.run.store import Store
from harness.verdict import Status

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed; install the extra: browser")
WebDriverWait = pytest.importorskip("selenium.webdriver.support.wait").WebDriverWait

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
PATIENCE = 60  # seconds, on a machine with other work
READY = """
const shown = document.getElementById("shown");
return location.href.split("#")[0] === arguments[0] && document.readyState === "complete"
  && (!shown || shown.textContent !== "");
"""
OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run")

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="there is no chromium with its chromedriver on this machine"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Path:
    return record_run(Store(tmp_path_factory.mktemp("out")), run).parent


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for option in OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def _look(browser: Any, width: int, scheme: str = "light") -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    preference = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": preference})


def _open(browser: Any, folder: Path, page: str = "index.html") -> None:
    browser.get("about:blank")  # or a change of the hash alone would load nothing
    name, _, place = page.partition("#")
    address = (folder / name).as_uri() + (f"#{place}" if place else "")
    browser.get(address)
    WebDriverWait(browser, PATIENCE).until(lambda _: browser.execute_script(READY, address.partition("#")[0]))


def _pages(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))


def _shown(browser: Any) -> set[str]:
    """The claims whose readings are seen."""
    found = browser.execute_script(
        "return [...document.querySelectorAll('.reading')].filter(r => r.getClientRects().length)"
        ".map(r => r.querySelector('a').getAttribute('href'))"
    )
    return set(found)


def _files(run: Run, *statuses: Status) -> set[str]:
    return {f"claims/{file_of(claim.key)}" for claim in run.claims if claim.status in statuses}


def _requested(browser: Any) -> set[str]:
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return {m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"}


def test_pages_load_without_an_error_and_ask_for_nothing_outside(browser: Any, folder: Path) -> None:
    for page in _pages(folder):
        _open(browser, folder, page)
        assert browser.get_log("browser") == []
    assert [url for url in _requested(browser) if not url.startswith((folder.as_uri(), "data:", "about:"))] == []


def test_links_of_the_first_page_lead_to_claims(browser: Any, folder: Path) -> None:
    _open(browser, folder)
    links = browser.execute_script("return [...document.querySelectorAll('a')].map(a => a.href.animVal ?? a.href)")
    places = [link for link in links if link.endswith(".html")]
    assert len(places) > len(_pages(folder))
    for link in set(places):
        browser.get((folder / link).as_uri() if "://" not in link else link)
        assert browser.execute_script("return document.querySelectorAll('h1 .badge').length") == 1


def test_filters_show_what_they_say_and_live_in_the_address(browser: Any, folder: Path, run: Run) -> None:
    _open(browser, folder)
    assert len(_shown(browser)) == len(run.claims)
    for status in (Status.REFUTED, Status.ERROR):
        button = browser.find_element("css selector", f"button[value={status}]")
        button.send_keys("\ue007")  # Enter: a keyboard reaches it
        assert button.get_attribute("aria-pressed") == "true"
    assert _shown(browser) == _files(run, Status.REFUTED, Status.ERROR)
    address = browser.current_url
    assert "status=REFUTED%2CERROR" in address
    browser.find_element("name", "q").send_keys("raises")
    assert _shown(browser) == _files(run, Status.ERROR)
    assert not browser.find_elements("css selector", ".found[hidden]")
    assert browser.find_element("id", "shown").text == f"2 of {len(run.claims)} readings shown"
    browser.find_element("css selector", "button[type=reset]").click()
    every = f"{len(run.claims)} of {len(run.claims)} readings shown"
    WebDriverWait(browser, PATIENCE).until(lambda _: browser.find_element("id", "shown").text == every)
    _open(browser, folder, address.rpartition("/")[2])
    assert _shown(browser) == _files(run, Status.REFUTED, Status.ERROR)


@pytest.mark.parametrize(
    ("hash", "expected"),
    [
        ("kind=identity", {"all/identity"}),
        ("paper=nobody", set()),
        ("paper=all&looseness=10-", set()),
        ("q=1%2Fn", {"all/rate"}),
        ("q=%3Cscript%3E", {"all/always"}),
    ],
)
def test_an_address_selects(browser: Any, folder: Path, hash: str, expected: set[str]) -> None:
    _open(browser, folder, f"index.html#{hash}")
    if hash.startswith("paper=nobody"):  # a paper that is not there is no filter
        assert len(_shown(browser)) > 10
    else:
        assert _shown(browser) == {f"claims/{file_of(key)}" for key in expected}


def test_sorting_by_status_puts_the_refuted_first_and_back_restores_the_order(browser: Any, folder: Path) -> None:
    order = "return [...document.querySelectorAll('.group')].map(g => g.dataset.name)"
    _open(browser, folder)
    before = browser.execute_script(order)
    _open(browser, folder, "index.html#sort=status")
    first = browser.find_element("css selector", ".group").find_elements("css selector", "[data-status=REFUTED]")
    assert first
    assert browser.execute_script(order) != before
    browser.find_element("css selector", "select[name=sort] option[value='']").click()
    assert browser.execute_script(order) == before


@pytest.mark.parametrize("width", [360, 800, 1400])
def test_no_page_is_wider_than_the_screen(browser: Any, folder: Path, width: int) -> None:
    _look(browser, width)
    wide = "return document.documentElement.scrollWidth"  # more for a moment, while formulas are laid out
    for page in _pages(folder):
        _open(browser, folder, page)
        WebDriverWait(browser, PATIENCE).until(lambda _: browser.execute_script(wide) <= width, page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(browser: Any, folder: Path, run: Run, scheme: str) -> None:
    """No serious finding of axe-core, which is not ours to bundle."""
    axe = pytest.importorskip("axe_core_python.selenium", reason="axe-core-python is not installed").Axe()
    _look(browser, 360 if scheme == "dark" else 1400, scheme)
    browser.set_script_timeout(120)
    chosen = {status: file_of(claim.key) for claim in run.claims for status in [claim.status]}
    for page in ["index.html", *(f"claims/{name}" for name in chosen.values())]:
        _open(browser, folder, page)
        found = axe.run(browser)
        assert found["passes"]
        assert [(v["id"], v["nodes"][0]["html"]) for v in found["violations"] if v["impact"] != "minor"] == [], page
