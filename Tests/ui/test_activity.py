"""The Activity page: its list, filters, details, and what can be given to someone who helps."""

import pytest
import screen
import tree
from accessible import BUTTON, LABEL, LOG, Atspi, exists, find, find_window
from app import MAIN
from waiting import wait_for

ROW = "list item"


def rows() -> list[Atspi.Accessible]:
    """The lines on the screen."""
    return [
        place.node for place in tree.walk(find_window(MAIN)) if place.role == ROW and ", " in place.name]


def names() -> list[str]:
    return [row.get_name() for row in rows()]


def shows(kind: str) -> bool:
    return any(name.startswith(f"{kind}, ") for name in names())


@pytest.fixture
def activity(signed_in):
    """The app, at the Activity page."""
    screen.press("alt+4")
    wait_for(lambda: shows("Response"), "the response on the Activity page")
    return signed_in


def take(results, name: str):
    (results / f"{name}.png").write_bytes(screen.picture_of(screen.window_id(MAIN)))


def test_events_are_lines_and_open_into_details_by_keyboard(activity, results):
    take(results, "list")
    assert [kind for kind in ("Sign-in", "Token", "Request", "Response") if not shows(kind)] == []
    assert any("GET https://" in name and "adele@contoso.example" in name for name in names())
    # The list has the focus.
    screen.press("Down")
    screen.press("Home")
    wait_for(lambda: exists(MAIN, LOG, "Details"), "the details")
    wait_for(lambda: "displayName" in find(MAIN, LOG, "Details").text, "the response's text")
    take(results, "details")
    screen.press("Down")
    wait_for(lambda: "Performing request" in find(MAIN, LOG, "Details").text, "the request's text")
    find(MAIN, BUTTON, "Close Details").press_with_keys()
    wait_for(lambda: not exists(MAIN, LOG, "Details"), "the details to be closed")
    screen.press("alt+1")
    wait_for(lambda: exists(MAIN, LOG, "Log"), "the account page")


def type_into_search(text: str):
    find(MAIN, "entry", "Search activity").click()
    screen.press("ctrl+a")
    screen.type_text(text) if text else screen.press("Delete")


def test_search_and_filters_leave_a_way_back(activity, results):
    type_into_search("displayname")
    wait_for(lambda: len(names()) == 1 and shows("Response"), "only the response")
    type_into_search("nothing like this")
    wait_for(lambda: exists(MAIN, LABEL, "No Results Found"), "the words without results")
    take(results, "no-results")
    find(MAIN, BUTTON, "Show Everything").click()
    wait_for(lambda: shows("Token") and shows("Response"), "everything")


def test_support_details_are_copied_and_saved_without_secrets(activity, emulator):
    find(MAIN, BUTTON, "Copy Support Details").click()
    wait_for(lambda: exists(MAIN, LABEL, "Support details copied"), "the toast")
    copied = screen.run("xclip", "-o", "-selection", "clipboard")
    assert copied.startswith("Entrance ") and "[response] Response with status 200" in copied
    for secret in ("adele@contoso.example", "eyJ", "displayName", *sum(emulator.secrets().values(), [])):
        assert secret not in copied
