"""The ways to sign in besides the sign-in window: the browser, and a code on another device."""

import os
import re
import signal
import subprocess

import pytest

import screen
import tree
import x11
from accessible import (
    BUTTON, KNOWS_PLACES, MENU_ITEM, Atspi, cut_off, exists, find, find_window, focused, has_window, text_of,
    texts, wait_for_dialog)
from app import CALL_GRAPH, MAIN, SIGN_IN
from person import Person
from waiting import wait_for

BROWSER = "Continue in the Browser"
WRONG_ADDRESS = "This is not the address of the last page of this sign-in. Copy the whole address."
CODE = "Sign In With a Code"
APP = "io.github.entrance.Entrance"
CANCELED = "Sign-in canceled"


@pytest.fixture
def person(emulator):
    return Person(emulator)


@pytest.fixture
def opened(home, monkeypatch):
    """A browser that only writes down which address it is started with."""
    browser, addresses = home / "browser", home / "addresses"
    browser.write_text(f'#!/bin/sh\numask >{home}/umask\necho "$1" >>{addresses}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))

    def last(count: int = 1) -> str:
        wait_for(
            lambda: addresses.exists() and addresses.read_text().count("\n") == count,
            "the browser to be started")
        return addresses.read_text().splitlines()[-1]

    return last


@pytest.fixture
def chromium(home, monkeypatch):
    """Chromium, which trusts the emulator."""
    number = home / "chromium.pid"
    browser = home / "browser"
    browser.write_text(
        f"#!/bin/sh\necho $$ >{number}\nexec chromium --no-sandbox --no-first-run"
        f" --no-default-browser-check --password-store=basic --disable-gpu --window-size=800,600"
        f" --disable-features=Translate --ignore-certificate-errors --test-type"
        f' --user-data-dir={home}/chromium "$1"\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    yield
    if number.exists():
        # The leader of its own group, which has all its processes.
        try:
            os.killpg(int(number.read_text()), signal.SIGKILL)
        except ProcessLookupError:
            pass


@pytest.fixture
def no_link(home):
    """A desktop that does not pass links to the app, so that the redirect needs a listener."""
    (home / "config" / "mimeapps.list").write_text(
        f"[Removed Associations]\nx-scheme-handler/msauth.io.github.entrance.entrance={APP}.desktop\n")


@pytest.fixture
def link(home, stage):
    """A desktop where the user has installed the app, which opens its links."""
    applications = home / "data" / "applications"
    applications.mkdir(parents=True)
    entry = (stage / "share" / "applications" / f"{APP}.desktop").read_text()
    # The stage may not be where it was installed, and no desktop opens a link with a program that is not there.
    (applications / f"{APP}.desktop").write_text(
        re.sub(r"(?m)^((?:Try)?Exec=)\S+/bin/", rf"\g<1>{stage}/bin/", entry))
    subprocess.run(["update-desktop-database", str(applications)], check=True, timeout=30)


def start(app, way: str = ""):
    app.start()
    app.wait_for_account("Signed out")
    if way:
        screen.focus(screen.window_id(MAIN))
        app.button(way).press_with_keys()


def text_in(title: str, pattern: str) -> str:
    """The first text in a window that a pattern matches completely."""
    def look():
        return next((text for text in texts(title) if re.fullmatch(pattern, text)), None)

    return wait_for(look, f"a text like '{pattern}' in '{title}'")


def wait_for_sign_in(app, title: str):
    app.wait_for_account("adele@contoso.example")
    wait_for(lambda: not has_window(title), f"'{title}' to be closed")
    app.wait_until_idle()


# MARK: With a code


def shown_code() -> tuple[str, str]:
    return text_in(CODE, r"https://\S+"), text_in(CODE, r"[A-Z0-9]{8,9}")


def test_code(app, emulator, keyring, person, results):
    start(app)
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+c")
    url, code = shown_code()
    wait_for(lambda: focused(CODE) == f"{BUTTON} Copy Code", "the focus")
    assert "Enter the code only if you started this sign-in yourself." in texts(CODE)
    first = text_in(CODE, r"The code expires in \d+:\d\d\.")
    wait_for(lambda: first not in texts(CODE), "the time to run")
    screen.press("space")
    wait_for(lambda: "Code copied" in texts(CODE), "a toast")
    assert screen.copied() == code
    screen.capture(results / "code.png", CODE)
    read = subprocess.run(
        ["zbarimg", "--quiet", "--raw", str(results / "code.png")], capture_output=True, text=True,
        timeout=60)
    assert read.stdout.strip().startswith(url)
    find(CODE, "image", "QR code with the page’s address")
    person.enter_code(url, code)
    wait_for_sign_in(app, CODE)
    # The button that the sign-in began with is hidden.
    wait_for(lambda: focused(MAIN) == f"{BUTTON} {CALL_GRAPH}", f"the focus, at {focused(MAIN)}")
    assert emulator.authorize_count() == 0
    assert emulator.counts().get("GET /v1.0/me", 0) == 0, "it only signs in, like Sign In"
    assert not exists(MAIN, BUTTON, "Use a Code"), "somebody is signed in"


@pytest.mark.skipif(not KNOWS_PLACES, reason="GTK does not say where the buttons are")
def test_the_code_has_room_while_the_service_cannot_be_reached(app, emulator, keyring):
    """Nothing is below the end of the dialog, which was as high as its content without the notice."""
    def is_inside() -> bool:
        frame = find_window(CODE).get_extents(Atspi.CoordType.WINDOW)
        button = find(CODE, BUTTON, "Use a Browser").node.get_extents(Atspi.CoordType.WINDOW)
        return 0 < button.y + button.height <= frame.y + frame.height

    start(app, "Use a Code")
    shown_code()
    wait_for(is_inside, "the last button to be in sight")
    emulator.stop()
    text_in(CODE, r"The sign-in service cannot be reached\..*")
    wait_for(is_inside, "the last button to be in sight below the notice")


@pytest.mark.parametrize("fault, reason", (
    ("device-expired", "The code was not entered in time."),
    ("device-declined", "The sign-in on the other device was declined.")))
def test_code_of_no_use_is_replaced(fault, reason, app, emulator, keyring, person):
    start(app)
    emulator.set_faults(fault)
    app.button("Use a Code").click()
    wait_for(lambda: focused(CODE) == f"{BUTTON} Get a New Code", "the focus")
    assert reason in texts(CODE)
    emulator.set_faults()
    screen.press("alt+n")
    url, code = shown_code()
    person.enter_code(url, code)
    wait_for_sign_in(app, CODE)


def by_escape(title):
    screen.press("Escape")


def by_button(title):
    find(title, BUTTON, "Cancel").click()


def by_closing_the_window(title):
    screen.focus(screen.window_id(title))
    screen.press("alt+F4")


@pytest.mark.parametrize("way, title", (("Use a Code", CODE), ("Use a Browser", BROWSER)))
def test_canceled(way, title, app, keyring, opened):
    start(app)
    screen.focus(screen.window_id(MAIN))
    for number, cancel in enumerate((by_escape, by_button, by_closing_the_window), 1):
        print(cancel.__name__)
        app.button(way).press_with_keys()
        wait_for(lambda: has_window(title), "the dialog")
        shown_code() if title == CODE else opened(number)
        wait_for(lambda: screen.active_window() == screen.window_id(title), "it to be in the foreground")
        cancel(title)
        wait_for(lambda: not has_window(title), "the dialog to be closed")
        app.wait_for_log(CANCELED, number)
        wait_for(lambda: any(text.startswith(CANCELED) for text in texts(MAIN)), "the outcome")
        app.wait_until_idle()
        app.wait_for_account("Signed out")
        wait_for(lambda: focused(MAIN) == f"{BUTTON} {way}", "the focus to be back")


def test_closing_the_program_while_a_code_is_shown(app, keyring):
    start(app, "Use a Code")
    shown_code()
    screen.press("ctrl+q")
    app.wait_for_end()


# MARK: With the browser


def test_chromium_by_loopback(app, chromium, emulator, keyring, no_link, sign_in):
    start(app, "Use a Browser")
    wait_for(lambda: has_window(BROWSER), "the dialog")
    assert any("AADSTS50011" in text for text in texts(BROWSER))
    wait_for(lambda: emulator.authorize_count() == 1, "the page to be asked for", 60)
    adele = emulator.adele
    window = wait_for(chromium_window, "the browser's window", 60)
    for title, text, keys in (
            ("Sign in", adele.username, ("Return",)), ("Enter password", adele.password, ("Return",)),
            ("Permissions requested", "", ("Tab", "Return")), ("Stay signed in?", "", ("Tab", "Return"))):
        wait_for(lambda: x11.text(int(window), "_NET_WM_NAME").startswith(title), f"the page '{title}'")
        screen.wait_until_still(window, "the page")
        screen.focus(window)
        seen = emulator.answer_count()
        if text:
            screen.press("ctrl+a")
            screen.type_text(text)
        screen.press(*keys)
        wait_for(lambda: emulator.answer_count() > seen, "the form to be sent")
    wait_for_sign_in(app, BROWSER)
    assert not has_window(SIGN_IN)


def chromium_window() -> str | None:
    found = screen.search("--class", "chromium")
    return found[-1] if found else None


def test_browser_of_the_desktop(app, home, keyring, monkeypatch, no_link, opened, person):
    """Without $BROWSER, the desktop's default browser is used."""
    monkeypatch.delenv("BROWSER")
    applications = home / "data" / "applications"
    applications.mkdir(parents=True)
    (applications / "browser.desktop").write_text(
        f"[Desktop Entry]\nType=Application\nName=Browser\nExec={home}/browser %u\n"
        "MimeType=x-scheme-handler/http;\n")
    with open(home / "config" / "mimeapps.list", "a") as defaults:
        defaults.write("[Default Applications]\nx-scheme-handler/http=browser.desktop\n")
    start(app, "Use a Browser")
    assert opened().startswith("http://localhost:")
    # The browser must create its files with the user's umask.
    mask = os.umask(0o022)
    os.umask(mask)
    assert int((home / "umask").read_text(), 8) == mask
    find(BROWSER, BUTTON, "Copy Link").click()
    redirect = person.sign_in(copied(BROWSER))
    screen.press("alt+p")
    paste(redirect)
    wait_for_sign_in(app, BROWSER)


def wait_for_field():
    wait_for(
        lambda: any(text.startswith("Open the copied link") for text in texts(BROWSER)), "the field")
    screen.wait_until_still(BROWSER, "the dialog")


def paste(text: str):
    """Pastes into the field that has the focus."""
    wait_for_field()
    screen.copy(text)
    screen.press("ctrl+a", "ctrl+v")


def test_link_through_the_desktop(app, emulator, keyring, link, opened, person):
    start(app, "Use a Browser")
    address = opened()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\S+", address), "the request is not in an argument"
    assert not any("AADSTS50011" in text for text in texts(BROWSER))
    redirect = person.sign_in(person.first_page(address))
    assert redirect.startswith("msauth.io.github.entrance.entrance://auth?")
    forged = re.sub("state=[^&]*", "state=x", redirect)
    for url in (forged, redirect):
        subprocess.run(
            ["gio", "open", url], check=True, timeout=30, env=app.environment(),
            stdout=subprocess.DEVNULL)
    wait_for_sign_in(app, BROWSER)
    assert app.log.count("Ignored a sign-in response from outside this window") == 1
    wait_for(
        lambda: screen.active_window() == screen.window_id(MAIN), "the window to come to the front")
    # It is good once.
    subprocess.run(
        ["gio", "open", redirect], check=True, timeout=30, env=app.environment(),
        stdout=subprocess.DEVNULL)
    app.wait_for_account("adele@contoso.example")


def test_open_again_and_pasted_address(app, emulator, keyring, no_link, opened, person):
    start(app, "Use a Browser")
    first = opened()
    find(BROWSER, BUTTON, "Open Again").click()
    second = opened(2)
    assert first != second
    assert "This page is not available" in person.page(first)
    find(BROWSER, BUTTON, "Copy Link").click()
    redirect = person.sign_in(copied(BROWSER))
    assert re.match(r"http://localhost:\d+/?\?code=", redirect)
    screen.press("alt+p")
    wait_for_field()
    screen.type_text("http://localhost/?code=x&state=y")
    screen.press("Return")
    find(BROWSER, "alert", WRONG_ADDRESS)
    # What is pasted now replaces it.
    screen.copy(redirect)
    screen.press("alt+p")
    wait_for(lambda: is_selected("http://localhost/?code=x&state=y"), "the address to be selected")
    screen.press("ctrl+v")
    wait_for_sign_in(app, BROWSER)


def is_selected(text: str) -> bool:
    """Whether a field has this text, and all of it is selected."""
    return any(
        text_of(place.node) == text and Atspi.Text.get_n_selections(place.node) == 1
        for place in tree.walk(find_window(BROWSER)) if place.role == "text")


def test_what_is_wrong_with_a_pasted_address_is_in_sight(app, keyring, opened):
    start(app, "Use a Browser")
    opened()
    wait_for_dialog(BROWSER)
    screen.resize(screen.window_id(BROWSER), 360, 400)
    screen.press("alt+p")
    wait_for_field()
    screen.type_text("x")
    screen.press("Return")
    problem, above = find(BROWSER, "alert", WRONG_ADDRESS), find(BROWSER, BUTTON, "Cancel")

    def is_in_sight() -> bool:
        shown, header, window = (
            node.get_extents(Atspi.CoordType.WINDOW) for node in (problem.node, above.node, find_window(BROWSER)))
        return (
            shown.height > 0 and header.y + header.height <= shown.y
            and shown.y + shown.height <= window.y + window.height)

    if KNOWS_PLACES:
        wait_for(is_in_sight, "the problem to be in sight")
        screen.wait_until_still(BROWSER, BROWSER)
        assert is_in_sight(), "the problem is scrolled out of sight again"


def copied(title: str) -> str:
    """The link on the clipboard."""
    wait_for(
        lambda: "Link copied. The clipboard will be cleared in 60 seconds." in texts(title), "a toast")
    return screen.copied()


def test_copied_link(app, emulator, keyring, no_link, opened, person):
    start(app, "Use a Browser")
    opened()
    find(BROWSER, BUTTON, "Copy Link").click()
    redirect = person.sign_in(copied(BROWSER))
    # The listener is told by whatever browser.
    subprocess.run(["curl", "-sS", "-o", "/dev/null", redirect], check=True, timeout=20)
    wait_for_sign_in(app, BROWSER)


def test_handed_over(app, emulator, keyring, no_link, opened, person, sign_in):
    """From the browser to a code, to the window, and by the notice of a failure."""
    start(app, "Use a Browser")
    opened()
    find(BROWSER, BUTTON, "Use a Code").click()
    shown_code()
    assert not has_window(BROWSER)
    find(CODE, BUTTON, "Use a Browser").click()
    opened(2)
    assert not has_window(CODE)
    find(BROWSER, BUTTON, "Sign In Here").click()
    sign_in.wait_for_page()
    assert not has_window(BROWSER)
    assert "Could not acquire token" not in app.log
    sign_in.complete(emulator.adele)
    wait_for_sign_in(app, SIGN_IN)


def test_handed_over_from_the_sign_in_window(
    app, emulator, keyring, no_link, opened, person, sign_in
):
    app.start()
    for key, title in (("c", CODE), ("b", BROWSER)):
        sign_in.open()
        screen.press("F10")
        wait_for(lambda: exists(SIGN_IN, MENU_ITEM, "Use a Code"), "the menu of the page")
        screen.press(key)
        wait_for_dialog(title)
        assert not sign_in.is_open
        assert CANCELED not in app.log
        if key == "c":
            screen.press("Escape")
            app.wait_for_log(CANCELED)
            app.wait_until_idle()
            app.button("Clear Log").click()
    person.sign_in(person.first_page(opened()))
    wait_for_sign_in(app, BROWSER)


def test_no_browser_offers_other_ways(app, keyring, person, monkeypatch, no_link):
    monkeypatch.setenv("BROWSER", "false")
    app.wrapper = ("env", "PATH=/nonexistent")
    start(app, "Use a Browser")
    app.wait_for_log("Could not acquire token: No browser could be opened.")
    assert "entrancectl" not in app.log
    wait_for(lambda: exists(MAIN, BUTTON, "Sign In Here"), "a notice")
    assert any("No browser could be opened." in text for text in texts(MAIN))
    find(MAIN, BUTTON, "Use a Code").click()
    person.enter_code(*shown_code())
    wait_for_sign_in(app, CODE)
    assert not exists(MAIN, BUTTON, "Sign In Here")


def set_to(home, path: str, setting: str):
    """Sets a setting of the user."""
    settings = home / "config" / "glib-2.0" / "settings" / "keyfile"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"[{path}]\n{setting}\n")


def test_preferred_way(app, home, keyring, opened):
    set_to(home, "io/github/entrance/Entrance", "sign-in-way='code'")
    start(app, CALL_GRAPH)
    shown_code()
    screen.press("Escape")
    app.wait_for_log(CANCELED)


def test_loopback_redirect_uri_needs_the_browser(app, emulator, keyring, opened):
    app.connect_to(emulator, redirectURI="http://localhost")
    start(app, CALL_GRAPH)
    opened()
    assert not any("AADSTS50011" in text for text in texts(BROWSER))
    assert not exists(BROWSER, BUTTON, "Sign In Here")
    screen.press("Escape")
    app.wait_for_log(CANCELED)


def connect_to_b2c(app, emulator, **members):
    """Azure AD B2C has no device codes."""
    (b2c,) = [one for one in emulator.description["authorities"] if one["kind"] == "b2c"]
    app.connect_to(
        emulator, authority=b2c["authority"], authorityKind="b2c", scopes=[b2c["scope"]],
        knownAuthorities=[b2c["authority"]], **members)


def test_a_way_that_the_service_does_not_have_is_not_offered(app, emulator, keyring, opened):
    connect_to_b2c(app, emulator)
    start(app, "Use a Browser")
    opened()
    assert exists(BROWSER, BUTTON, "Sign In Here")
    assert not exists(BROWSER, BUTTON, "Use a Code")
    screen.press("Escape")
    app.wait_for_log(CANCELED)
    assert exists(MAIN, BUTTON, "Use a Browser")
    assert not exists(MAIN, BUTTON, "Use a Code")


def test_with_the_browser_alone_there_are_no_other_ways(app, emulator, keyring, opened):
    connect_to_b2c(app, emulator, redirectURI="http://localhost")
    start(app, SIGN_IN)
    opened()
    assert "Or sign in another way:" not in texts(BROWSER)
    screen.press("Escape")
    app.wait_for_log(CANCELED)
    assert exists(MAIN, BUTTON, SIGN_IN)
    assert not exists(MAIN, BUTTON, "Use a Browser")


def test_the_account_page_signs_in_without_a_call(app, emulator, keyring, sign_in):
    start(app, SIGN_IN)
    sign_in.wait_for_page()
    sign_in.complete(emulator.adele)
    app.wait_for_account("adele@contoso.example")
    app.wait_until_idle()
    wait_for(lambda: "Signed in as adele@contoso.example." in texts(MAIN), "the outcome")
    assert "Result from Graph" not in app.log
    assert not exists(MAIN, BUTTON, SIGN_IN), "somebody is signed in"


def test_a_service_without_codes_has_other_ways(app, emulator, keyring, sign_in):
    emulator.set_faults("no-device-endpoint")
    start(app, "Use a Code")
    wait_for(lambda: "Codes Are Not Supported" in texts(MAIN), "the notice")
    assert not exists(MAIN, BUTTON, "Try Again")
    find(MAIN, BUTTON, "Sign In Here").click()
    sign_in.wait_for_page()
    sign_in.complete(emulator.adele)
    app.wait_for_account(emulator.adele.username)


def test_screen_reader_gets_the_browser(app, home, keyring, opened):
    set_to(home, "org/gnome/desktop/a11y/applications", "screen-reader-enabled=true")
    start(app, CALL_GRAPH)
    if not KNOWS_PLACES:
        # In newer versions of GTK, it can read the pages in the window.
        wait_for(lambda: has_window(SIGN_IN), "the sign-in window")
        return
    opened()
    assert has_window(BROWSER) and not has_window(SIGN_IN)


# MARK: Looks


def test_a_long_address_of_the_page_makes_the_code_dialog_no_wider_than_a_phone(app, emulator, keyring):
    emulator.set_faults("device-long-page")
    start(app, "Use a Code")
    shown_code()
    window = screen.window_id(CODE)
    screen.resize(window, 360, 620)
    wait_for(lambda: screen.geometry(window)[2] == 360, "its width")
    assert cut_off(CODE) == []


def test_dialogs_have_room_with_large_text(app, home, keyring, opened, no_link):
    with open(home / "config" / "gtk-4.0" / "settings.ini", "a") as settings:
        settings.write("gtk-font-name=DejaVu Sans 18\n")
    start(app)
    screen.resize(screen.window_id(MAIN), 480, 700)
    screen.wait_until_still(MAIN, MAIN)
    assert cut_off(MAIN) == []
    for way, title in (("Use a Browser", BROWSER), ("Use a Code", CODE)):
        find(MAIN, BUTTON, way).click()
        wait_for_dialog(title)
        shown_code() if title == CODE else find(title, BUTTON, "Paste Address…").click()
        window = screen.window_id(title)
        screen.resize(window, 480, 700)
        wait_for(lambda: screen.geometry(window)[2] == 480, "its width")
        assert cut_off(title) == []
        screen.press("Escape")
        wait_for(lambda: not has_window(title), "the dialog to be closed")
