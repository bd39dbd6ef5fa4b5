"""The Activity page: its list, filters, details, and what can be given to someone who helps."""

import screen
import tree
from accessible import BUTTON, LABEL, LOG, Atspi, exists, find, find_window, focused
from app import MAIN
from test_privacy import HIDDEN, press
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


def take(results, name: str):
    (results / f"{name}.png").write_bytes(screen.picture_of(screen.window_id(MAIN)))


def type_into_search(text: str):
    find(MAIN, "entry", "Search activity").click()
    screen.press("ctrl+a")
    screen.type_text(text) if text else screen.press("Delete")


def test_events_are_lines_that_are_found_and_given_to_support(app, emulator, keyring, sign_in, results, home):
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+4")
    wait_for(lambda: shows("Response"), "the response on the Activity page")
    take(results, "list")
    assert [kind for kind in ("Sign-in", "Token", "Request", "Response") if not shows(kind)] == []
    assert any("GET https://" in name and "adele@contoso.example" in name for name in names())
    # The list has the focus, and opens its lines by keyboard.
    screen.press("Down")
    screen.press("Home")
    wait_for(lambda: exists(MAIN, LOG, "Details"), "the details")
    wait_for(lambda: "displayName" in find(MAIN, LOG, "Details").text, "the response's text")
    take(results, "details")
    screen.press("Down")
    wait_for(lambda: "Performing request" in find(MAIN, LOG, "Details").text, "the request's text")
    # The list is one stop of Tab, and gets the focus back at the same line.
    opened = focused(MAIN)
    assert opened.startswith(f"{ROW} Request, ")
    for key, place in (("Tab", f"{BUTTON} Close Details"), ("shift+Tab", opened), ("Tab", f"{BUTTON} Close Details")):
        screen.press(key)
        wait_for(lambda: focused(MAIN) == place, f"the focus at {place}")
    screen.press("space")
    wait_for(lambda: not exists(MAIN, LOG, "Details"), "the details to be closed")
    wait_for(lambda: focused(MAIN) == opened, "the line to have the focus again")
    # Return opens a line that only has the focus.
    screen.press("Return")
    wait_for(lambda: exists(MAIN, LOG, "Details"), "the details again")
    screen.press("Tab")
    wait_for(lambda: focused(MAIN) == f"{BUTTON} Close Details", "the focus at the button of the details")
    screen.press("space")
    wait_for(lambda: not exists(MAIN, LOG, "Details"), "the details to be closed again")

    # Searching leaves a way back.
    type_into_search("displayname")
    wait_for(lambda: len(names()) == 1 and shows("Response"), "only the response")
    type_into_search("nothing like this")
    wait_for(lambda: exists(MAIN, LABEL, "No Results Found"), "the words without results")
    take(results, "no-results")
    find(MAIN, BUTTON, "Show Everything").click()
    wait_for(lambda: shows("Token") and shows("Response"), "everything")

    # Support gets it without secrets and names, from the clipboard or in a file that only the user can read.
    find(MAIN, BUTTON, "Copy Support Details").click()
    wait_for(lambda: exists(MAIN, LABEL, "Support details copied"), "the toast")
    file = home / "support.txt"
    find(MAIN, BUTTON, "Save Support Details…").click()
    screen.save_file(file, "Save Support Details")
    wait_for(lambda: exists(MAIN, LABEL, "Support details saved"), "the toast")
    assert file.stat().st_mode & 0o777 == 0o600
    for details in (screen.copied(), file.read_text()):
        assert details.startswith("Entrance ") and "[response] Response with status 200" in details
        for secret in ("adele@contoso.example", "eyJ", "displayName", *sum(emulator.secrets().values(), [])):
            assert secret not in details

    screen.press("alt+1")
    wait_for(lambda: exists(MAIN, LOG, "Log"), "the account page")


def test_escape_in_the_search_clears_it_and_then_cancels_what_goes_on(signed_in, emulator):
    screen.press("alt+4")
    wait_for(lambda: shows("Response"), "the response on the Activity page")
    type_into_search("displayname")
    wait_for(lambda: len(names()) == 1, "only the response")
    screen.press("Escape")
    wait_for(lambda: len(names()) > 1, "everything")
    assert find(MAIN, "entry", "Search activity").text == ""
    emulator.delay("/v1.0/me", 60_000)
    screen.press("ctrl+Return")
    wait_for(lambda: not signed_in.button("Call Microsoft Graph API").is_enabled, "the call")
    screen.press("Escape")
    signed_in.wait_until_idle()


def test_a_search_for_a_name_is_removed_when_personal_details_are_hidden(signed_in):
    def search() -> str:
        return find(MAIN, "entry", "Search activity").text

    screen.press("alt+4")
    wait_for(lambda: shows("Response"), "the response on the Activity page")
    for text, rest in (("displayname", "displayname"), ("adele@contoso.example", "")):
        type_into_search(text)
        wait_for(lambda: search() == text and names(), "what is found")
        press("F10", "h")
        wait_for(lambda: exists(MAIN, BUTTON, HIDDEN), "the details to be hidden")
        wait_for(lambda: search() == rest and shows("Response"), "what is left of the search")
        press("F10", "h")
        wait_for(lambda: not exists(MAIN, BUTTON, HIDDEN), "the details to be shown")
