"""Keyboard focus in the sign-in window: the page, the window's own controls and back."""

import pytest
import screen
from accessible import KNOWS_PLACES, Atspi, children, find_window
from app import SIGN_IN
from test_hostile_pages import world  # noqa: F401
from waiting import wait_for

FIELDS = """
  document.body.innerHTML = '<input id=first><input id=second><button id=last>x</button>';
  window.order = [];
  document.onfocusin = event => order.push(event.target.id);
  document.getElementById('first').focus();
  return 0;"""


def focused(node) -> str | None:
    """The name of the focused widget; newer versions of GTK also tell what has the focus in the page."""
    for child in children(node):
        if child.get_name() == "Web page":
            continue
        if child.get_state_set().contains(Atspi.StateType.FOCUSED):
            return child.get_name() or child.get_role_name()
        found = focused(child)
        if found:
            return found
    return None


def place(page) -> str:
    """What gets a key press now: a control of the page, or one of the window."""
    window = find_window(SIGN_IN)
    window.clear_cache()
    widget = focused(window)
    if widget and ": Secure connection" in widget:
        return SITE
    if widget and widget != "Sign-in page":
        return widget
    return page.run("return document.hasFocus() && document.activeElement.id || ''")


def walk(page, key: str, times: int) -> list[str]:
    places = []
    for _ in range(times):
        before = place(page)
        screen.press(key)
        try:
            wait_for(lambda: place(page) not in ("", before), f"{key} to lead on from {before}", 20)
        except AssertionError:
            pass
        places.append(place(page))
    return places


SITE = "Site"
RING = ["second", "last", "Cancel", "Page Menu", SITE, "first"]


@pytest.mark.xfail(
    not KNOWS_PLACES, strict=True, reason="newer versions of WebKitGTK stop once more before the first field")
@pytest.mark.parametrize("key, ring", (
    ("Tab", RING), ("shift+Tab", [SITE, "Page Menu", "Cancel", "last", "second", "first"])))
def test_tab_cycles_through_page_and_window(world, key, ring):  # noqa: F811
    world.open()
    try:
        world.service.run(FIELDS)
        wait_for(lambda: place(world.service) == "first", "the first field")
        assert walk(world.service, key, 18) == ring * 3
    finally:
        world.cancel()


def test_new_page_leaves_the_focus_on_cancel(world):  # noqa: F811
    world.open()
    try:
        world.service.run(FIELDS)
        wait_for(lambda: place(world.service) == "first", "the first field")
        assert walk(world.service, "Tab", 3)[-1] == "Cancel"
        seen = len(world.service.pages)
        world.service.start("location.reload()")
        wait_for(lambda: len(world.service.pages) > seen, "the page once more")
        assert place(world.service) == "Cancel"
    finally:
        world.cancel()
