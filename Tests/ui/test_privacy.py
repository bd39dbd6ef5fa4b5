"""Hide Personal Details: nothing on the screen names the account, while the screen is shared."""

import base64
import json
import os
import subprocess
from collections.abc import Iterator

import screen
import tree
from accessible import (
    BUTTON, LABEL, LOG, MENU_ITEM, exists, find, find_window, focused, has_window, texts, windows,
    wait_for_dialog)
from app import MAIN, SIGN_IN
from switcher import open_switcher
from waiting import wait_for

# The emulator's user, as its directory has her.
PERSONAL = ("adele", "vance", "contoso.example")
HIDDEN = "Personal details are hidden"


def everything_shown() -> str:
    """All names, descriptions and texts of all windows, and their titles."""
    def read() -> str:
        parts = []
        for window in windows():
            parts += [window.get_name(), window.get_description()]
            for place in tree.walk(window):
                parts += [place.name, place.description, place.text if place.has_text else ""]
        return "\n".join(parts)

    # The process of a web page may end while its texts are read.
    return wait_for(read, "the texts of all windows")


def check(words: list[str], where: str):
    shown = everything_shown().lower()
    found = [word for word in words if word in shown]
    lines = [line for line in shown.splitlines() if any(word in line for word in found)]
    assert not found, f"{where}: {lines}"


def claims_of(token: str) -> dict:
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def take(results, name: str, window: str = MAIN):
    screen.wait_until_still(window, name)
    screen.capture(results / f"privacy-{name}.png", window)


def press(*keys: str):
    screen.focus(screen.window_id(MAIN))
    screen.press(*keys)


def wait_for_response():
    wait_for(
        lambda: any(place.name.startswith("Response, ") for place in tree.walk(find_window(MAIN))),
        "the response")


def test_nothing_names_the_account_while_personal_details_are_hidden(signed_in, emulator, results):
    app = signed_in
    shown = everything_shown().lower()
    # What is hidden later is there now: also identifiers.
    words = [word for word in PERSONAL if word in shown]
    assert words == list(PERSONAL)
    claims = claims_of(emulator.secrets()["access_token"][-1])
    words += [claims["oid"], claims["tid"]]
    assert claims["oid"] in shown
    press("F10", "h")
    wait_for(lambda: "adele" not in app.account.lower(), "the name to be hidden")
    wait_for(lambda: "adele" not in app.log.lower(), "the name to be hidden in the log")
    check(words, "the account page")
    take(results, "account")
    press("alt+3")
    wait_for(lambda: "Access Token" in texts(MAIN), "the tokens")
    find(MAIN, LABEL, "Claims").click()
    wait_for(lambda: any("When the token was issued." in text for text in texts(MAIN)), "the claims")
    check(words, "the Tokens page")
    take(results, "tokens")
    assert not find(MAIN, BUTTON, "Show").is_enabled
    press("alt+4")
    wait_for_response()
    screen.press("Down", "Home")
    wait_for(lambda: exists(MAIN, LOG, "Details"), "the details")
    wait_for(lambda: "displayName" in find(MAIN, LOG, "Details").text, "the response's text")
    check(words, "the Activity page")
    take(results, "activity")
    find(MAIN, BUTTON, "Copy Support Details").click()
    wait_for(lambda: "Support details copied" in texts(MAIN), "the toast")
    copied = screen.copied().lower()
    assert copied.startswith("entrance ") and not [word for word in words if word in copied]
    press("alt+1")
    open_switcher()
    wait_for(lambda: exists(MAIN, BUTTON, "Add Account…"), "the switcher")
    check(words, "the switcher")
    screen.press("alt+m")
    wait_for_dialog("Accounts")
    find("Accounts", BUTTON, "Actions for Account 1")
    check(words, "the accounts")
    take(results, "accounts", "Accounts")
    screen.press("Escape")
    wait_for(lambda: not has_window("Accounts"), "the accounts to be gone")
    press("ctrl+shift+o")
    wait_for_dialog("Sign Out?")
    check(words, "the question")
    screen.press("Escape")
    press("F10", "h")
    wait_for(lambda: app.account == emulator.adele.username, "the name to be shown again")


def test_the_header_bar_says_that_details_are_hidden_and_shows_them_again(signed_in, emulator, results):
    assert not exists(MAIN, BUTTON, HIDDEN)
    press("F10", "h")
    wait_for(lambda: signed_in.account == "Account 1", "the name to be hidden")
    sign = find(MAIN, BUTTON, HIDDEN)
    take(results, "sign")
    sign.click()
    wait_for(lambda: signed_in.account == emulator.adele.username, "the name to be shown again")
    wait_for(lambda: not exists(MAIN, BUTTON, HIDDEN), "the sign to be gone")
    # The keyboard focus is not lost with the sign.
    wait_for(lambda: focused(MAIN), "the focus to be on the page")


def test_a_sign_in_page_says_that_it_hides_nothing(app, emulator, keyring, sign_in, results):
    remark = "Personal details are hidden in Entrance, but not on sign-in pages."
    app.start()
    app.wait_for_account("Signed out")
    sign_in.open()
    assert remark not in sign_in.words
    screen.press("Escape")
    wait_for(lambda: not sign_in.is_open, "the sign-in window to close")
    app.wait_until_idle()
    press("F10", "h")
    wait_for(lambda: not exists(MAIN, MENU_ITEM, "Apps"), "the menu to close")
    sign_in.open()
    wait_for(lambda: remark in sign_in.words, "the remark")
    screen.capture(results / "privacy-sign-in.png", SIGN_IN)
    # Where there is no page, nothing is said of it.
    emulator.stop()
    screen.press("ctrl+r")
    wait_for(lambda: "Page Not Available" in sign_in.words, "the problem")
    assert remark not in sign_in.words


def test_the_form_of_an_app_is_shown_only_on_request(signed_in, results):
    press("ctrl+shift+a")
    wait_for_dialog("Apps")
    identifier = next(text for text in texts("Apps") if "localhost" in text).split("\n")[-1]
    screen.press("Escape")
    wait_for(lambda: not has_window("Apps"), "the apps to be gone")
    press("F10", "h")
    wait_for(lambda: "Account 1" in texts(MAIN), "the details to be hidden")
    press("ctrl+shift+a")
    wait_for_dialog("Apps")
    check([identifier], "the apps")
    assert not any("localhost" in text for text in texts("Apps"))
    take(results, "apps", "Apps")
    find("Apps", BUTTON, "Edit “Demo”").click()
    wait_for_dialog("Show Details?")
    check([identifier], "the question")
    take(results, "question", "Show Details?")
    screen.press("Escape")
    wait_for(lambda: not has_window("Show Details?"), "the question to be gone")
    assert not has_window("Edit App")
    find("Apps", BUTTON, "Edit “Demo”").click()
    wait_for_dialog("Show Details?")
    screen.press("alt+s")
    wait_for(lambda: has_window("Edit App"), "the form")
    assert identifier in everything_shown()


def words_in(picture: bytes) -> str:
    """The words that text recognition reads in a picture: what anyone reads who sees the shared screen."""
    # It is made for print: black on white, with letters three times as large.
    large = screen.edited(picture, "-alpha", "off", "-colorspace", "gray", "-resize", "300%", "png:-")
    # With more threads than processors that are free, it takes many times as long.
    read = subprocess.run(
        ["tesseract", "-", "-", "--psm", "11", "-l", "eng"], input=large, check=True, capture_output=True,
        timeout=120, env=os.environ | {"OMP_THREAD_LIMIT": "1"})
    return "".join(read.stdout.decode().lower().split())


def pictures() -> Iterator[tuple[str, bytes]]:
    """Goes to each place where an account is named, and takes a picture of it."""
    def taken(name: str, window: str = MAIN) -> tuple[str, bytes]:
        screen.wait_until_still(window, name)
        return name, screen.picture_of(screen.window_id(window))

    press("alt+1")
    wait_for(lambda: exists(MAIN, LOG, "Log"), "the account page")
    yield taken("account")
    press("alt+3")
    wait_for(lambda: "Access Token" in texts(MAIN), "the tokens")
    yield taken("tokens")
    press("alt+4")
    wait_for_response()
    # The details of the first response stay.
    if not exists(MAIN, LOG, "Details"):
        screen.press("Down", "Home")
    wait_for(lambda: exists(MAIN, LOG, "Details"), "the details")
    wait_for(lambda: "displayName" in find(MAIN, LOG, "Details").text, "the response's text")
    yield taken("activity")
    press("alt+2")
    wait_for(lambda: exists(MAIN, "text", "Address"), "the Explorer")
    screen.press("ctrl+Return")
    wait_for(lambda: any(text.startswith("200 OK") for text in texts(MAIN)), "the answer")
    wait_for(lambda: "displayName" in find(MAIN, LOG, "Response").text, "the answer's text")
    yield taken("explorer")
    press("alt+1")
    open_switcher()
    wait_for(lambda: exists(MAIN, BUTTON, "Add Account…"), "the switcher")
    screen.press("alt+m")
    wait_for_dialog("Accounts")
    yield taken("accounts", "Accounts")
    screen.press("Escape")
    wait_for(lambda: not has_window("Accounts"), "the accounts to be gone")


def test_text_recognition_reads_no_personal_word_in_pictures(signed_in, results):
    def read() -> dict[str, set[str]]:
        """The personal words in each picture."""
        found = {}
        for name, picture in pictures():
            (results / f"privacy-read-{name}-{len(seen)}.png").write_bytes(picture)
            shown = words_in(picture)
            found[name] = {word for word in PERSONAL if word in shown}
        return found

    seen: list[dict[str, set[str]]] = []
    seen.append(read())
    # What is looked for can be read.
    assert all(seen[0].values()) and set().union(*seen[0].values()) == set(PERSONAL), seen
    press("F10", "h")
    wait_for(lambda: "adele" not in signed_in.account.lower(), "the name to be hidden")
    wait_for(lambda: "adele" not in signed_in.log.lower(), "the name to be hidden in the log")
    seen.append(read())
    assert not any(seen[1].values()), seen
