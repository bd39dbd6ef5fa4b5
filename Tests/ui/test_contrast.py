"""The contrast of text that is dimmed or marked, as WCAG 2.2 defines it."""

import pytest

import screen
from accessible import ALERT, KNOWS_PLACES, LABEL, find, wait_for_dialog
from app import HAVE_ID, MAIN
from pictures import shown_places
from test_explorer import (  # noqa: F401, some are fixtures
    choose, explorer, reads_users, type_address, wait_for_words)
from test_preferences import PREFERENCES, open_preferences
from waiting import wait_for

FORM = "New App"
pytestmark = pytest.mark.skipif(not KNOWS_PLACES, reason="nobody knows where a text is")


def luminance(color: bytes) -> float:
    """The relative luminance of a color."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(title: str, left: int, top: int, right: int, bottom: int) -> float:
    """The contrast of the darkest color in an area of a window with the lightest one."""
    width = screen.geometry(screen.window_id(title))[2]
    picture = screen.wait_until_still(title, title)
    colors = {
        picture[place * 3:place * 3 + 3]
        for y in range(top, bottom) for place in range(y * width + left, y * width + right)}
    lights = [luminance(color) for color in colors]
    return (max(lights) + 0.05) / (min(lights) + 0.05)


@pytest.fixture
def large_text(home):
    """In a small text, no point has the full color."""
    with open(home / "config" / "gtk-4.0" / "settings.ini", "a") as settings:
        settings.write("gtk-font-name=DejaVu Sans 18\n")


@pytest.mark.parametrize("is_high, least", [
    pytest.param(False, 4.5, id="1.4.3"), pytest.param(True, 7, id="1.4.6 in high contrast")])
def test_dimmed_text_can_be_read(is_high, least, app, large_text, monkeypatch):
    if is_high:
        monkeypatch.setenv("ADW_DEBUG_HIGH_CONTRAST", "1")
    app.start()
    open_preferences()
    screen.resize(screen.window_id(PREFERENCES), 640, 900)
    screen.wait_until_still(PREFERENCES, PREFERENCES)
    for text in ("“Automatic” uses a window of Entrance", "You may not need a password next time."):
        (area,) = [area for _, area in shown_places(
            PREFERENCES, lambda place: place.role == LABEL and place.name.startswith(text))]
        assert contrast(PREFERENCES, *area) >= least, text


def test_the_title_of_a_wrong_field_can_be_read(app, home, large_text):
    (home / "config" / "entrance" / "apps.json").unlink()
    app.process = app.launch()
    find(MAIN, "list item", HAVE_ID).click()
    wait_for_dialog(FORM)
    screen.type_text("not an ID")
    screen.press("Return")
    find(FORM, ALERT, "A client ID looks like 11111111-2222-3333-4444-555555555555.")
    screen.wait_until_still(FORM, FORM)
    (area,) = [area for _, area in shown_places(
        FORM, lambda place: place.role == "text" and place.name == "Application (client) ID")]
    left, top, right, bottom = area
    # The title is small, above what was typed, and left of the icons.
    assert contrast(FORM, left + 6, top + 6, (left + right) // 2, top + (bottom - top) * 2 // 5) >= 4.5


def test_the_titles_of_columns_can_be_read(reads_users, explorer):  # noqa: F811
    type_address("/v1.0/users?$top=3&$select=displayName,mail")
    screen.press("Return")
    wait_for_words("items, more available")
    choose("Table")
    (area,) = wait_for(
        lambda: [area for _, area in shown_places(
            MAIN, lambda place: place.role == LABEL and place.name == "displayName")],
        "the title of the column")
    assert contrast(MAIN, *area) >= 4.5
