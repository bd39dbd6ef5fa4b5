"""Attacks by hostile pages in the sign-in window: the rows of security-rows.txt that need a real
web view.

One window serves most of them: its page runs each test's scripts, and the requests show the effect.
"""

import json
import os
import signal
import time
import urllib.request

import pytest
import screen
from accessible import BUTTON, MENU_ITEM, exists, find, has_window, texts
from app import MAIN, SIGN_IN, App
from certificates import CertificateAuthority
from hostile import DRIVER, OTHER, STRANGER, Hostile, Reply
from test_hostile_network import Listener
from waiting import wait_for

GESTURE = "document.body.innerHTML = '<button autofocus style=\"width:90%%;height:200px\">x</button>';" \
    " const button = document.querySelector('button'); button.focus(); button.onclick = () => { %s };"


class World:
    """The app, the service and the sign-in window between them."""

    def __init__(self, session, stage, home):
        self.authority = CertificateAuthority(home / "known")
        self.service = Hostile(self.authority.context("localhost", OTHER))
        self.stranger = Hostile(
            CertificateAuthority(home / "unknown").context("localhost", STRANGER))
        self.app = App(session, stage, home)
        directory = home / "config" / "entrance"
        directory.mkdir(parents=True)
        (directory / "apps.json").write_text(json.dumps({
            "version": 1, "apps": [self.service.connection(self.authority.file)]}))
        self.app.start()

    def close(self):
        self.app.stop()
        self.service.close()
        self.stranger.close()

    def open(self):
        """Begins a sign-in, and waits until its page runs scripts."""
        self.end()
        self.service.first = Reply(DRIVER)
        seen = len(self.service.pages)
        self.app.call_graph()
        wait_for(lambda: has_window(SIGN_IN), "the sign-in window")
        wait_for(lambda: len(self.service.pages) > seen, "the page", 30)
        screen.focus(screen.window_id(SIGN_IN))

    def begin(self, reply: Reply):
        """Begins a sign-in whose first page is `reply`."""
        self.end()
        self.service.first = reply
        self.app.call_graph()
        wait_for(lambda: has_window(SIGN_IN), "the sign-in window")

    def end(self):
        """Cancels a sign-in that an earlier test may have left open."""
        if has_window(SIGN_IN):
            self.cancel()
        self.app.wait_until_idle()

    def cancel(self):
        find(SIGN_IN, BUTTON, "Cancel").click()
        self.wait_until_over()

    def wait_until_over(self):
        wait_for(lambda: not has_window(SIGN_IN), "the sign-in window to close")
        self.app.wait_until_idle()

    @property
    def words(self) -> str:
        return "\n".join(texts(SIGN_IN))

    def wait_for_words(self, text: str):
        wait_for(lambda: text in self.words, f"'{text}' in the sign-in window", 30)

    def still_asks(self) -> bool:
        """Whether the page still responds, and no token was requested."""
        return self.service.run("return 7") == 7 and not self.service.token_requests


@pytest.fixture(scope="module")
def world(session, stage, tmp_path_factory):
    world = World(session, stage, tmp_path_factory.mktemp("hostile"))
    yield world
    world.close()


@pytest.fixture
def page(world, request, results):
    """The service with a page that runs scripts; the recorded requests are cleared."""
    if not has_window(SIGN_IN):
        world.open()
    world.service.run("document.body.innerHTML = ''")
    world.service.requests[:] = world.service.asked("/common/oauth2/v2.0/authorize")[-1:]
    world.service.replies.clear()
    yield world.service
    screen.capture_failure(request.node, results)


def wait_until_quiet(world):
    """Waits until all toasts of an earlier page are gone."""
    wait_for(
        lambda: not any(word in world.words for word in ("not allowed", "not shown", "identity")),
        "the last notice to go")


def click(page, script: str):
    """Runs `script` as a user gesture."""
    page.run(GESTURE % script)
    screen.press("space")


# Redirects that do not come from the user's sign-in.

def test_redirect_in_an_image_a_request_or_a_frame_is_ignored(world, page):
    target = json.dumps(f"{page.redirect}?code=canary&state={page.state}")
    page.run(f"""
      new Image().src = {target};
      try {{ await fetch({target}); }} catch (problem) {{ }}
      const request = new XMLHttpRequest(); request.open('GET', {target}); request.onerror = () => 0;
      try {{ request.send(); }} catch (problem) {{ }}
      document.body.innerHTML += '<iframe src=' + {target} + '></iframe>';
      document.querySelector('iframe').contentWindow.location = {target};
      await new Promise(done => setTimeout(done, 300));""")
    assert world.still_asks()


def test_redirect_in_a_window_without_a_gesture_is_ignored(world, page):
    target = json.dumps(f"{page.redirect}?code=canary&state={page.state}")
    assert page.run(f"return window.open({target}) === null")
    assert world.still_asks()


def test_posted_redirect_ends_the_sign_in_without_a_code(world, page):
    page.start(f"""
      document.body.innerHTML = '<form method=post action={page.redirect}>'
        + '<input name=code value=canary><input name=state value={page.state}></form>';
      document.forms[0].submit();""")
    world.wait_until_over()
    world.app.wait_for_log("Could not acquire token:")
    assert not page.token_requests


def test_redirect_from_another_host_needs_the_state(world, page):
    page.replies["/away"] = Reply(
        status=302, fields={"Location": f"{page.redirect}?code=canary&state=wrong"})
    page.start(f"location = {page.url('/away', OTHER)!r}")
    world.wait_until_over()
    assert not page.token_requests


def test_second_redirect_is_ignored(world, page):
    said = world.app.log.count("Could not acquire token")
    answer = f"{page.redirect}?code=canary&state={page.state}"
    page.start(f"location = '{answer}'; setTimeout(() => location = '{answer}&again=1', 0)")
    world.wait_until_over()
    assert len(page.token_requests) == 1
    assert world.app.log.count("Could not acquire token") == said + 1


def test_redirect_and_cancel_at_once_have_one_result(world, page):
    def results():
        return sum(world.app.log.count(text) for text in ("Could not acquire token", "Sign-in canceled"))

    said = results()
    page.start(f"location = '{page.redirect}?code=canary&state={page.state}'")
    screen.press("Escape")
    world.wait_until_over()
    assert len(page.token_requests) <= 1
    assert results() == said + 1


def test_no_title_or_label_shows_the_code(world, page):
    page.run(f"history.replaceState(0, '', '/page?code=canary'); document.title = 'code=canary'")
    words = world.words + screen.run("xdotool", "getwindowname", screen.window_id(SIGN_IN))
    assert "canary" not in words and page.state not in words
    assert "localhost" in words


# Forbidden navigations.

def test_other_schemes_change_nothing(world, page):
    page.run("window.mark = 1")
    for target in (
        "javascript:void(document.body.innerHTML='gone')", "data:text/html,gone", "file:///etc/passwd",
        "about:config", "view-source:https://localhost/", "mailto:a@b.example", "ms-settings:x",
        "openid-vc://x",
    ):
        page.run(f"location = {json.dumps(target)}; await new Promise(done => setTimeout(done, 100))")
    assert page.run("return window.mark") == 1
    assert world.still_asks()


PICTURE = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"


class Unencrypted:
    """A server without encryption, with a picture that is also a page."""

    def __init__(self):
        self.listener = Listener(
            b"HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (len(PICTURE), PICTURE.encode()))
        self.url = f"http://localhost:{self.listener.port}/"

    @property
    def requests(self) -> list[bytes]:
        """What was asked without encryption so far: to try it with encryption does no harm."""
        return [head for head in self.listener.heads if head.startswith(b"GET ")]


@pytest.fixture
def unencrypted():
    server = Unencrypted()
    # It answers whoever asks.
    with urllib.request.urlopen(server.url, timeout=20) as response:
        assert response.status == 200
    assert len(server.requests) == 1
    server.listener.heads.clear()
    yield server
    server.listener.close()


def test_page_without_encryption_is_an_error(world, page, unencrypted):
    page.start(f"location = '{unencrypted.url}'")
    world.wait_for_words("Connection Not Encrypted")
    world.cancel()
    assert not unencrypted.requests and not page.token_requests


def test_frame_without_encryption_is_not_loaded(world, page, unencrypted):
    page.run(f"""
      document.body.innerHTML = '<iframe src="{unencrypted.url}"></iframe>';
      await new Promise(done => setTimeout(done, 500));
      document.querySelector('iframe').contentWindow.location = '{unencrypted.url}';
      await new Promise(done => setTimeout(done, 500));""")
    assert world.still_asks()
    assert "Not Encrypted" not in world.words
    assert not unencrypted.requests


def test_mixed_content_is_not_loaded_unencrypted(world, page, unencrypted):
    page.replies["/image"] = Reply(PICTURE, kind="image/svg+xml")
    for url, outcome in ((page.url("/image"), "loaded"), (f"{unencrypted.url}image", "refused")):
        assert page.run(f"""
          const image = new Image();
          return await new Promise(done => {{
            image.onload = () => done('loaded'); image.onerror = () => done('refused');
            image.src = '{url}';
          }});""") == outcome
    assert not unencrypted.requests


def test_endless_redirects_are_stopped(world):
    world.service.replies["/loop"] = Reply(status=302, fields={"Location": "/loop"})
    world.begin(Reply(status=302, fields={"Location": "/loop"}))
    world.wait_for_words("Page Not Available")
    assert len(world.service.asked("/loop")) <= 25
    world.cancel()


@pytest.mark.parametrize("reply", [
    Reply(status=503), Reply(status=502, kind=""), Reply(status=500, kind="text/plain"),
    Reply("file", 503, kind="application/octet-stream")])
def test_error_without_a_page_is_shown_and_the_page_can_be_reloaded(world, reply):
    world.begin(reply)
    world.wait_for_words(f"responded with an error ({reply.status})")
    world.service.first = Reply(DRIVER)
    seen = len(world.service.pages)
    find(SIGN_IN, BUTTON, "Reload").click()
    wait_for(lambda: len(world.service.pages) > seen, "the page", 30)
    wait_for(lambda: "Secure connection" in world.words, "the page in the window")
    world.cancel()


def test_error_with_a_page_of_its_own_is_shown_as_it_is(world):
    world.begin(Reply(DRIVER, 503))
    wait_for(lambda: "Secure connection" in world.words, "the page in the window", 30)
    assert world.still_asks()
    assert "Page Not Available" not in world.words
    world.cancel()


def test_file_in_place_of_the_first_page_is_reported(world):
    world.begin(Reply("file", kind="application/octet-stream"))
    world.wait_for_words("responded with a file instead of a page")
    world.cancel()


# Forbidden windows, permissions and dialogs.

def test_window_without_a_gesture_is_refused(world, page):
    assert page.run("return window.open('/new') === null")
    page.run("""
      const form = document.createElement('form'); form.action = '/new'; form.target = '_blank';
      document.body.append(form); form.submit();""")
    assert world.still_asks()
    assert not page.asked("/new")


def test_downloads_are_refused(world, page):
    page.replies["/file"] = Reply(
        "content", fields={"Content-Disposition": "attachment; filename=canary.txt"})
    page.run("const link = document.createElement('a'); link.href = '/file'; link.download = 'canary.txt';"
             " document.body.append(link); link.click();")
    wait_for(lambda: "not allowed" in world.words, "a word about it")
    assert not list(world.app.home.rglob("canary*"))
    assert world.still_asks()


def test_page_remains_when_a_link_is_a_file(world, page):
    page.replies["/report"] = Reply("content", kind="application/pdf")
    page.start("window.mark = 1; setTimeout(() => location = '/report', 300)")
    world.wait_for_words("Downloads are not allowed")
    # A page that has not begun to appear after 30 seconds is called slow. Here, none is to come.
    began = time.monotonic()
    wait_for(lambda: time.monotonic() - began > 32, "that time to be over", 40)
    assert "Taking Longer" not in world.words
    assert page.run("return window.mark") == 1


def test_very_long_address_does_not_block_the_window(world, page):
    page.start("location = 'https://' + 'a'.repeat(50000) + '/'")
    world.wait_for_words("Page Not Allowed")
    world.cancel()
    assert not page.token_requests


def test_dialogs_of_the_page_are_not_shown(world, page):
    wait_until_quiet(world)
    assert page.run("""
      for (let i = 0; i < 1000; i++) alert('x');
      return [confirm('x'), prompt('x', 'y')];""", timeout=120) == [False, None]
    world.wait_for_words("Messages from the page are not shown")
    assert not exists(SIGN_IN, BUTTON, "OK")
    assert world.still_asks()


def test_escape_closes_a_page_with_endless_toasts(world, page):
    page.run("setInterval(() => alert('x'), 50)")
    world.wait_for_words("Messages from the page are not shown")
    screen.press("Escape")
    world.wait_until_over()


def test_page_cannot_prevent_leaving(world, page):
    click(page, "window.onbeforeunload = event => { event.preventDefault(); return 'stay'; };"
                " location = '/left'")
    page.replies["/left"] = Reply("left")
    wait_for(lambda: page.asked("/left"), "the next page")
    world.cancel()


def test_page_that_closes_its_window_cancels(world, page):
    said = world.app.log.count("closed by the site")
    page.start("window.close()")
    world.wait_until_over()
    wait_for(lambda: world.app.log.count("closed by the site") == said + 1, "a word about it")


def test_printing_fullscreen_and_files_are_refused(world, page):
    wait_until_quiet(world)
    page.run("print()")
    click(page, "window.full = 'asked'; const root = document.documentElement;"
                " root.requestFullscreen"
                " ? root.requestFullscreen().then(() => window.full = 'told', () => window.full = 'no')"
                " : window.full = 'no'")
    wait_for(lambda: page.run("return window.full") == "no", "the answer")
    assert page.run("return document.fullscreenElement == null")
    click(page, "const field = document.createElement('input'); field.type = 'file'; field.click();"
                " window.clicked = true")
    wait_for(lambda: page.run("return window.clicked"), "the click")
    # The window gets what a page asks for one after another, and shows this last.
    page.run("alert('x')")
    world.wait_for_words("Messages from the page are not shown")
    names = {screen.run("xdotool", "getwindowname", window).strip() for window in screen.search("--name", ".")}
    assert not {name for name in names if "Print" in name or "Open" in name or "File" in name}, names


def test_permissions_are_denied(world, page):
    states = page.run("""
      const answers = {};
      for (const name of ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read']) {
        try { answers[name] = (await navigator.permissions.query({name})).state; }
        catch (problem) { answers[name] = 'none'; }
      }
      return answers;""")
    assert set(states.values()) <= {"denied", "none"}, states
    assert page.run("""
      if (!navigator.geolocation) return 'none';
      return await new Promise(done => navigator.geolocation.getCurrentPosition(
        () => done('told'), () => done('none')));""") == "none"


def test_clipboard_is_not_read(world, page):
    click(page, "window.read = 'asked'; navigator.clipboard?.readText"
                " ? navigator.clipboard.readText().then(() => window.read = 'told', () => window.read = 'no')"
                " : window.read = 'no'")
    wait_for(lambda: page.run("return window.read") == "no", "the answer")


def test_unneeded_features_are_off(world, page):
    assert page.run("""
      const on = [];
      if (navigator.serviceWorker) on.push('service workers');
      if (window.AudioContext || window.webkitAudioContext) on.push('audio');
      if (document.createElement('canvas').getContext('webgl')) on.push('WebGL');
      if (window.Notification) on.push('notifications');
      if (window.speechSynthesis) on.push('speech');
      if (navigator.getGamepads) on.push('gamepads');
      if (navigator.mediaDevices) on.push('media devices');
      if (window.RTCPeerConnection) on.push('WebRTC');
      return on;""") == []


def test_user_agent_does_not_identify_the_computer(world, page):
    agent = page.run("return navigator.userAgent")
    assert agent.startswith("Mozilla/5.0 (") and "AppleWebKit/" in agent
    assert os.uname().nodename not in agent and os.uname().release not in agent
    assert page.asked("/common/oauth2/v2.0/authorize")[0].fields["user-agent"] == agent


def test_nothing_is_filled_in_or_remembered(world, page):
    page.run("document.cookie = 'kept=canary; max-age=9999'; try { localStorage.kept = 'canary' } catch (e) { }")
    world.cancel()
    world.open()
    assert "canary" not in page.run("let s = ''; try { s = localStorage.kept } catch (e) { }"
                                    " return document.cookie + s")
    kept = [path for path in world.app.home.rglob("*")
            if path.is_file() and b"kept=canary" in path.read_bytes()]
    assert not kept


def test_foreign_cookies_are_not_set(world, page):
    page.replies["/cookie"] = Reply(
        "x", fields={"Set-Cookie": "foreign=canary; Secure; SameSite=None", "Access-Control-Allow-Origin": "*"})
    page.run(f"""
      document.body.innerHTML = '<iframe src="{page.url('/cookie', OTHER)}"></iframe>';
      await new Promise(done => document.querySelector('iframe').onload = done);
      document.body.innerHTML = '<iframe src="{page.url('/cookie', OTHER)}"></iframe>';
      await new Promise(done => document.querySelector('iframe').onload = done);""")
    asked = page.asked("/cookie")
    assert len(asked) == 2 and "cookie" not in asked[1].fields


def test_menu_has_no_inspector(world, page):
    page.run("document.body.innerHTML = '<input style=\"width:90%;height:400px\">';"
             " document.querySelector('input').focus();")
    left, top, width, height = screen.geometry(screen.window_id(SIGN_IN))
    screen.run("xdotool", "mousemove", str(left + width // 2), str(top + height // 2), "click", "3")
    wait_for(lambda: exists(SIGN_IN, MENU_ITEM, "Paste"), "the menu")
    assert not exists(SIGN_IN, MENU_ITEM, "Inspect Element")
    screen.press("Escape")
    wait_for(lambda: not exists(SIGN_IN, MENU_ITEM, "Paste"), "the menu to close")


# Servers that ask for credentials or use other certificates.

def test_server_that_asks_for_a_password_gets_none(world, page):
    for scheme in ("Basic realm=canary", "Digest realm=canary, nonce=1", "Negotiate"):
        page.replies["/locked"] = Reply("locked out", 401, {"WWW-Authenticate": scheme})
        seen = len(page.asked("/locked"))
        assert page.run("return await (await fetch('/locked')).text()") == "locked out"
        assert all("authorization" not in request.fields for request in page.asked("/locked")[seen:])
    assert not exists(SIGN_IN, BUTTON, "Authenticate")


def test_resource_from_an_unknown_authority_is_not_loaded(world, page):
    wait_until_quiet(world)
    url = world.stranger.url("/script.js", STRANGER)
    world.stranger.replies["/script.js"] = Reply("window.taken = 1", kind="text/javascript")
    page.run(f"""
      const script = document.createElement('script'); script.src = {url!r};
      await new Promise(done => {{ script.onload = script.onerror = done; document.body.append(script); }});""")
    assert page.run("return window.taken ?? 0") == 0
    assert not world.stranger.requests
    world.wait_for_words(STRANGER)


def test_page_of_an_unknown_authority_is_not_shown(world, page):
    page.start(f"location = {world.stranger.url('/page', STRANGER)!r}")
    world.wait_for_words("Connection Not Secure")
    assert "Continue" not in world.words
    world.cancel()
    assert not world.stranger.requests


def test_form_to_another_host_arrives_unchanged(world, page):
    page.replies["/taken"] = Reply("taken")
    page.start(f"""
      document.body.innerHTML = '<form method=post action="{page.url('/taken', OTHER)}">'
        + '<input name=field value=content></form>';
      document.forms[0].submit();""")
    wait_for(lambda: page.asked("/taken"), "the form")
    assert [(request.method, request.body) for request in page.asked("/taken")] == [
        ("POST", "field=content")]
    world.cancel()


def test_resource_from_another_host_of_the_same_authority_is_loaded(world, page):
    page.replies["/part.js"] = Reply("window.part = 1", kind="text/javascript")
    page.run(f"""
      const script = document.createElement('script'); script.src = {page.url('/part.js', OTHER)!r};
      await new Promise(done => {{ script.onload = script.onerror = done; document.body.append(script); }});""")
    assert page.run("return window.part ?? 0") == 1


# Processes that crash or hang.

def test_page_that_hangs_can_be_closed(world, page):
    page.start("for (;;) {}")
    wait_for(lambda: "Page Not Responding" in world.words, "a word about it", 60)
    seen = len(page.pages)
    find(SIGN_IN, BUTTON, "Reload").click()
    wait_for(lambda: len(page.pages) > seen, "the first page once more", 30)
    assert world.still_asks()


def test_crashed_network_process_is_replaced(world, page):
    for process in screen.descendants(world.app.process.pid):
        if screen.process_name(process) == "WebKitNetworkProcess":
            os.kill(process, signal.SIGKILL)
    screen.focus(screen.window_id(SIGN_IN))
    seen = len(page.pages)
    screen.press("ctrl+r")
    wait_for(lambda: len(page.pages) > seen, "the page once more", 30)
    assert world.still_asks()


def free_memory() -> int:
    """The memory that is free, or can be freed, in bytes."""
    line = next(line for line in open("/proc/meminfo") if line.startswith("MemAvailable"))
    return int(line.split()[1]) << 10


@pytest.mark.skipif(free_memory() < 5 << 30, reason="the page needs two gibibytes of memory")
def test_page_that_takes_too_much_memory_is_stopped(world, page):
    def take():
        page.run("""
          window.kept = [];
          const timer = setInterval(() => {
            kept.push(new Uint8Array(32 << 20).fill(1));
            if (kept.length === 60) clearInterval(timer);
          }, 20);""")

    # WebKit looks at the size of a process twice a minute. The page is loaded again once.
    seen = len(page.pages)
    take()
    wait_for(lambda: len(page.pages) > seen, "the page to be stopped, and loaded again", 90)
    take()
    wait_for(lambda: "used too much memory" in world.words, "the page to be stopped for good", 90)
    assert not page.token_requests
    world.cancel()


def test_no_process_remains_after_a_sign_in(world, page):
    def left() -> list[str]:
        names = map(screen.process_name, screen.descendants(world.app.process.pid))
        return [name for name in names if name == "WebKitWebProcess"]

    assert left()
    world.cancel()
    wait_for(lambda: not left(), "the web process to end")


def test_no_process_outlives_the_program(world):
    world.open()
    processes = screen.descendants(world.app.process.pid)
    assert processes
    world.app.process.kill()
    world.app.process.wait(60)

    def left() -> set[str]:
        return {screen.process_name(process) for process in processes} & {
            "WebKitWebProcess", "WebKitNetworkProcess"}

    wait_for(lambda: not left(), "its processes to end")
    world.app.process = None
    wait_for(lambda: not has_window(MAIN), "the window to be gone")
