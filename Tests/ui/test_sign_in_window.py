"""The sign-in window: its menu, details of the site, pop-ups, links, notices, and kept cookies."""

import os

import pytest
import screen
from accessible import BUTTON, MENU_ITEM, cut_off, exists, find, focused, has_window, wait_for_dialog
from app import SIGN_IN
from hostile import DRIVER, HOST, OTHER, Reply
from test_hostile_pages import GESTURE
from waiting import wait_for
from web_tool import REDIRECT, STATE, WebTool

THIRD = "third.localhost"
USE_BROWSER = "To rule that out, use your browser."
ANOTHER_SITE = "is a different site from"
TERMS = "document.body.innerHTML = '<a id=link target=_blank href=\"%s\">Terms</a>';" \
    " document.getElementById('link').focus()"


@pytest.fixture
def tool(session, stage, tools, home, request, results):
    tool = WebTool(session, stage, tools, home)
    yield tool
    screen.capture_failure(request.node, results)
    tool.close()
    assert tool.complaints() == [], "unexpected messages on standard error"


def click(tool, script: str):
    """Runs `script` as a user gesture."""
    tool.run(GESTURE % script)
    screen.press("space")


def open_menu():
    screen.press("F10")
    wait_for(lambda: exists(SIGN_IN, MENU_ITEM, "Reload"), "the menu")


def choose(mnemonic: str):
    """Chooses an item of the menu with the keyboard."""
    open_menu()
    screen.press(mnemonic)


def go(tool, url: str):
    """Leads the page to `url`, whose page runs scripts, too."""
    path = "/" + url.split("/", 3)[3].split("?")[0]
    tool.service.replies[path] = Reply(DRIVER)
    seen = len(tool.service.pages)
    tool.service.start(f"location = {url!r}")
    wait_for(lambda: len(tool.service.pages) > seen, "the next page")


def open_details(tool):
    """Opens the details of the first page's site."""
    find(SIGN_IN, BUTTON, f"localhost:{tool.service.port}: Secure connection").click()


# Header, menu and details.

def test_every_control_is_reached_with_the_keyboard(tool):
    tool.open("--ways")
    seen = []
    for _ in range(3):
        before = focused(SIGN_IN)
        screen.press("Tab")
        wait_for(lambda: focused(SIGN_IN) != before, f"{before} to lose the focus")
        seen.append(focused(SIGN_IN))
    assert seen == [
        f"{BUTTON} Cancel", f"{BUTTON} Page Menu",
        f"{BUTTON} localhost:{tool.service.port}: Secure connection"]
    screen.press("space")
    tool.wait_for_words(USE_BROWSER)
    screen.press("Escape")
    wait_for(lambda: USE_BROWSER not in tool.words, "the details to close")
    wait_for(lambda: focused(SIGN_IN) == seen[-1], "the focus to be back")


def test_escape_closes_what_is_open_first(tool):
    tool.open("--ways")
    open_menu()
    screen.press("Escape")
    wait_for(lambda: not exists(SIGN_IN, MENU_ITEM, "Reload"), "the menu to close")
    screen.focus(screen.window_id(SIGN_IN))
    open_details(tool)
    tool.wait_for_words("expected sign-in site")
    screen.press("Escape")
    wait_for(lambda: "expected sign-in site" not in tool.words, "the details to close")
    choose("p")
    wait_for_dialog("Paste Address")
    screen.press("Escape")
    wait_for(lambda: not has_window("Paste Address"), "the dialog to close")
    assert tool.run("return 7") == 7
    screen.press("Escape")
    assert tool.result()[0].startswith("userCanceled")


def test_details_name_the_site_and_lead_to_the_browser(tool):
    tool.open("--ways")
    open_details(tool)
    tool.wait_for_words(
        f"“localhost:{tool.service.port}” is the expected sign-in site of this app.")
    tool.wait_for_words("Certificate for localhost, issued by Test CA known, valid from ")
    tool.wait_for_words(USE_BROWSER)
    screen.press("alt+b")
    assert tool.result()[0] == "browser"


@pytest.mark.parametrize("mnemonic, way", (("b", "browser"), ("c", "code")))
def test_menu_leads_to_other_ways(tool, mnemonic, way):
    tool.open("--ways")
    choose(mnemonic)
    first, second = tool.result()
    assert first == way and second.startswith("userCanceled")


def test_ways_that_are_missing_are_not_offered(tool):
    tool.open()
    open_menu()
    assert not exists(SIGN_IN, MENU_ITEM, "Use a Code")
    assert not exists(SIGN_IN, MENU_ITEM, "Use a Browser")
    screen.press("Escape")
    tool.run("return 0")
    tool.service.start("location = 'http://localhost:8099/'")
    tool.wait_for_words("Connection Not Encrypted")
    assert exists(SIGN_IN, BUTTON, "Reload")
    assert not exists(SIGN_IN, BUTTON, "Use a Browser")


def test_back_returns_to_the_previous_page(tool):
    tool.open()
    back = find(SIGN_IN, BUTTON, "Back")
    assert not back.is_enabled
    go(tool, tool.service.url("/second"))
    wait_for(lambda: back.is_enabled, "Back to be enabled")
    seen = len(tool.service.pages)
    screen.press("alt+Left")
    wait_for(lambda: len(tool.service.pages) > seen, "the first page")
    assert "authorize" in tool.run("return location.pathname")
    wait_for(lambda: not back.is_enabled, "Back to be disabled")
    go(tool, tool.service.url("/second"))
    wait_for(lambda: back.is_enabled, "Back to be enabled")
    tool.service.start("location = 'http://localhost:8099/'")
    tool.wait_for_words("Connection Not Encrypted")
    assert not back.is_enabled


def test_problem_offers_the_browser(tool):
    tool.open("--ways")
    tool.service.start("location = 'http://localhost:8099/'")
    tool.wait_for_words("Connection Not Encrypted")
    screen.press("alt+b")
    assert tool.result()[0] == "browser"


# The link for another browser.

def test_link_is_copied_and_its_end_pasted(tool):
    tool.open()
    choose("l")
    tool.wait_for_words("Link copied")
    assert screen.copied("text/plain;charset=utf-8") == tool.start_url
    assert "x-kde-passwordManagerHint" in screen.copied("TARGETS").splitlines()
    choose("p")
    wait_for_dialog("Paste Address")
    paste = find("Paste Address", BUTTON, "Sign In")
    assert not paste.is_enabled
    for address, problem in (
            ("https://localhost/", "This is not the last address"),
            (f"{REDIRECT}?code=1&state=2", "belongs to another sign-in")):
        # It replaces the one before, which was rejected.
        screen.type_text(address)
        screen.press("Return")
        wait_for(
            lambda: problem in "\n".join(tool.words_of("Paste Address")), "a word about it")
    screen.type_text(f" {REDIRECT}?code=1&state={STATE} ")
    screen.press("Return")
    assert tool.result() == [f"{REDIRECT}?code=1&state={STATE}"]


# Links and pop-ups.

def test_link_to_a_new_window_opens_in_the_browser(tool):
    tool.open()
    # Not without a click or encryption, and not the redirect.
    tool.run(TERMS % tool.service.url("/terms") + "; document.getElementById('link').click()")
    tool.run(TERMS % "http://localhost:8099/")
    screen.press("Return")
    tool.run("return 0")
    tool.run(TERMS % f"{REDIRECT}?code=1&state={STATE}")
    screen.press("Return")
    assert tool.run("return 7") == 7
    assert tool.opened_links == []

    terms = tool.service.url("/terms", OTHER)
    tool.run(TERMS % terms)
    screen.press("Return")
    tool.wait_for_words(f"“{OTHER}:{tool.service.port}” opens in your browser")
    wait_for(lambda: tool.opened_links == [terms], "the browser")
    assert not tool.service.asked("/terms")


def open_pop_up(tool, url: str):
    tool.service.replies["/" + url.split("/", 3)[3]] = Reply(DRIVER)
    seen = len(tool.service.pages)
    click(tool, f"window.other = window.open({url!r})")
    wait_for(lambda: len(tool.service.pages) > seen, "the pop-up")
    tool.wait_for_words(f"Opened by “localhost:{tool.service.port}”")


def wait_for_first_page(tool):
    """Waits until the pop-up is closed, and has the page that opened it run scripts again."""
    wait_for(lambda: "Opened by" not in tool.words, "the first page")
    tool.service.make_last(0)
    assert tool.run("return window.other.closed") is True
    del tool.service.pages[:-1]


def test_there_is_one_pop_up_at_a_time(tool):
    tool.open()
    # It talks to the page that opened it, and closes itself.
    tool.run("window.onmessage = event => { window.told = event.data }")
    open_pop_up(tool, tool.service.url("/pop", OTHER))
    assert tool.run("return location.hostname") == OTHER
    tool.wait_for_words(f"{OTHER}:{tool.service.port}")
    tool.service.start("opener.postMessage('hello', '*'); window.close()")
    wait_for_first_page(tool)
    assert tool.run("return [window.told, location.hostname]") == ["hello", HOST]
    tool.wait_for_words("Secure connection")

    # Each key closes it before the window, and another one can be opened.
    for key in ("Escape", "alt+Left", "alt+p"):
        open_pop_up(tool, tool.service.url("/pop"))
        print(key)
        screen.press(key)
        wait_for_first_page(tool)

    # While it is open, there is no second one.
    open_pop_up(tool, tool.service.url("/pop"))
    click(tool, "window.second = window.open('/second')")
    tool.wait_for_words("New windows are not allowed")
    assert tool.run("return window.second") is None
    assert not tool.service.asked("/second")


def test_redirect_in_a_pop_up_ends_the_sign_in(tool):
    tool.open()
    open_pop_up(tool, tool.service.url("/pop"))
    answer = f"{REDIRECT}?code=1&state={STATE}"
    tool.service.replies["/answer-url"] = Reply(status=302, fields={"Location": answer})
    tool.service.start("location = '/answer-url'")
    assert tool.result() == [answer]


# Notices.

def test_other_sites_are_named(tool):
    tool.open("--ways")
    host = f"{OTHER}:{tool.service.port}"
    go(tool, tool.service.url("/federated", OTHER))
    tool.wait_for_words(f"“{host}” {ANOTHER_SITE} “localhost:{tool.service.port}”.")
    tool.wait_for_words("Secure connection, reached from localhost")
    tool.click("Hide Notice")
    wait_for(lambda: ANOTHER_SITE not in tool.words, "the notice to go")
    # Only the first time.
    go(tool, tool.service.url("/back"))
    go(tool, tool.service.url("/federated", OTHER))
    tool.wait_for_words("Secure connection, reached from localhost")
    assert ANOTHER_SITE not in tool.words

    # One that only another site leads to is a warning.
    go(tool, tool.service.url("/stranger", THIRD))
    tool.wait_for_words(f"was opened by “{host}”, not by the sign-in page.")
    tool.click("Cancel Sign-In")
    assert tool.result()[0].startswith("userCanceled")


def test_page_that_needs_a_passkey_offers_the_browser(tool):
    tool.open("--ways")
    go(tool, tool.service.url("/common/fido/get"))
    tool.wait_for_words("Passkeys and security keys do not work in this window.")
    tool.click("Use a Browser")
    assert tool.result()[0] == "browser"


# Cookies that are kept.

def cancel(tool):
    screen.press("Escape")
    assert tool.result()[0].startswith("userCanceled")


def test_cookies_are_kept_on_request(tool, home):
    kept = home / "kept" / "demo"
    tool.open("--cookies", str(kept))
    tool.run("document.cookie = 'kept=1; max-age=9999; secure'; document.cookie = 'passing=1; secure'")
    go(tool, tool.service.url("/code?code=canary-code"))
    cancel(tool)
    tool.open("--cookies", str(kept))
    assert tool.run("return document.cookie") == "kept=1"
    cancel(tool)
    assert os.stat(kept).st_mode & 0o777 == 0o700
    files = [path for path in kept.rglob("*") if path.is_file()]
    assert not [path for path in files if b"canary-code" in path.read_bytes()]
    # A damaged file is replaced.
    (kept / "cookies.sqlite").write_bytes(b"damaged" * 100)
    tool.open("--cookies", str(kept))
    tool.run("document.cookie = 'kept=2; max-age=9999; secure'")
    cancel(tool)
    tool.open("--cookies", str(kept))
    assert tool.run("return document.cookie") == "kept=2"


def test_cookies_that_cannot_be_kept_are_no_obstacle(tool, home):
    (home / "file").write_text("")
    tool.open("--cookies", str(home / "file" / "kept"))
    tool.wait_for_words("cannot be kept")
    assert tool.run("return 7") == 7


# Looks.

@pytest.mark.parametrize("width", (360, 480))
@pytest.mark.parametrize("size", (11, 20))
def test_window_has_room(tool, home, size, width):
    settings = home / "config" / "gtk-4.0" / "settings.ini"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"[Settings]\ngtk-cursor-blink=false\ngtk-font-name=DejaVu Sans {size}\n")
    tool.open("--ways")
    window = screen.window_id(SIGN_IN)
    screen.resize(window, width, 640)

    def has_room(what: str, title: str = SIGN_IN):
        screen.wait_until_still(title, what)
        assert cut_off(title) == [], what

    tool.run("document.body.innerHTML = '<h1>Sign in</h1><input>'")
    has_room("the page")
    open_details(tool)
    tool.wait_for_words(USE_BROWSER)
    has_room("the details")
    screen.press("Escape")
    wait_for(lambda: USE_BROWSER not in tool.words, "the details to close")
    go(tool, tool.service.url("/federated", OTHER))
    go(tool, tool.service.url("/stranger", THIRD))
    tool.run("document.body.innerHTML = '<h1>Sign in</h1><input>'")
    tool.wait_for_words("not by the sign-in page")
    has_room("the warning")
    choose("p")
    wait_for_dialog("Paste Address")
    has_room("the dialog", "Paste Address")
    screen.press("Escape")
    tool.service.start("location = 'http://localhost:8099/'")
    tool.wait_for_words("Connection Not Encrypted")
    has_room("the problem")
    # Large text may need more.
    assert screen.geometry(window)[2] == width or size > 11
