"""The main window: the demo, another start, its saved size."""

import json
import os
import shutil
import signal

import pytest

import screen
import tree
from accessible import (
    BUTTON, KNOWS_PLACES, LABEL, LOG, MENU_ITEM, children, exists, find, find_window, focused, has_window, text_of,
    wait_for_dialog)
from app import (
    CALL_GRAPH, DEMO, DEMO_PASSWORD, DEVICE_INFO, HAVE_ID, MAIN, SIGN_IN, SIGN_OUT, App,
    answer_in_demo)
from languages import locale
from waiting import wait_for


def test_demo_needs_nothing(app, keyring):
    items = keyring.items()
    app.start("--demo")
    wait_for(lambda: "This is a demo." in app.words, "the notice")

    app.call_graph()
    wait_for_dialog(SIGN_IN)
    screen.wait_until_still(SIGN_IN, "the sign-in page")
    screen.type_text("adele@contoso.example\n")
    screen.press("Escape")
    app.wait_for_log("Sign-in canceled")
    assert keyring.items() == items


def test_demo_is_entered_by_a_click_on_a_user_and_left_by_a_button(app, home, results):
    (home / "config" / "entrance" / "apps.json").unlink()
    app.process = app.launch()
    find(MAIN, "list item", DEMO).click()
    wait_for(lambda: "This is a demo." in app.words, "the notice")
    screen.wait_until_still(MAIN)
    screen.capture(results / "demo.png", MAIN)
    app.call_graph()
    wait_for_dialog(SIGN_IN)
    screen.wait_until_still(SIGN_IN, "the sign-in page")
    screen.capture(results / "demo-users.png", SIGN_IN)
    # After the field and its two buttons.
    answer_in_demo("", "Tab", "Tab", "Tab", "Return")
    answer_in_demo(DEMO_PASSWORD)
    answer_in_demo("", "Tab", "Return")
    answer_in_demo("", "Tab", "Return")
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    assert "adele@contoso.example" in app.account
    find(MAIN, BUTTON, "Leave Demo").click()
    find(MAIN, "list item", HAVE_ID)
    wait_for(lambda: not emulators_of(app), "the demo to end")
    screen.wait_until_still(MAIN)
    screen.capture(results / "demo-left.png", MAIN)


def test_what_is_typed_right_after_the_start_stays(app, emulator, keyring, sign_in):
    sign_in.without_window(emulator.adele)
    type_right_after_the_start(app, emulator)


def type_right_after_the_start(app, emulator):
    """Types for longer than the second after which the window tells screen readers about itself."""
    app.start()
    wait_for(lambda: emulator.adele.username in find_window(MAIN).get_name(), "the account")
    screen.press("alt+2")
    wait_for(lambda: focused(MAIN) == "text Address", "the address")
    screen.press("ctrl+a")
    address = "/v1.0/me/messages/" + "a" * 120
    screen.type_text(address)
    wait_for(lambda: find(MAIN, "text", "Address").text == address, "the address as it was typed")


def test_size_is_remembered(app, keyring):
    app.start()
    screen.resize(screen.window_id(MAIN), 600, 500)
    app.close()

    app.start()
    wait_for(
        lambda: screen.geometry(screen.window_id(MAIN))[2:] == (600, 500), "the former size")


def emulators_of(app) -> list[int]:
    return [
        pid for pid in screen.descendants(app.process.pid)
        if screen.process_name(pid) == "identity-emulator"]


def test_another_connection_opens_its_own_window(app, emulator, home, keyring):
    file = home / "config" / "entrance" / "apps.json"
    file.write_text(json.dumps({"version": 1, "apps": [
        emulator.connection("Demo"), emulator.connection("Other")]}))
    app.start()
    for arguments, windows in (
        (["--app", "Demo"], 1),
        (["--app", "Other"], 2),
        (["--app", "Other"], 2),
        ([], 2),
        (["--demo"], 3),
        (["--demo"], 3),
    ):
        assert app.launch(*arguments).wait(20) == 0
        wait_for(lambda: len(screen.window_ids(MAIN)) == windows, f"{windows} windows")
    assert len(emulators_of(app)) == 1
    # All windows close with the program, and the program ends with the last window.
    screen.press("ctrl+q")
    app.wait_for_end()


def test_closed_windows_leak_nothing(app, emulator, keyring):
    app.start()
    first = screen.window_ids(MAIN)

    def open_and_close():
        assert app.launch("--demo").wait(20) == 0
        wait_for(lambda: len(screen.window_ids(MAIN)) == 2, "the window of the demo")
        wait_for(lambda: emulators_of(app), "the demo")
        demo, = set(screen.window_ids(MAIN)) - set(first)
        screen.close(demo)
        wait_for(lambda: screen.window_ids(MAIN) == first, "its window to be gone")
        wait_for(lambda: not emulators_of(app), "the demo to end")

    def resources() -> tuple[int, int]:
        process = f"/proc/{app.process.pid}"
        return len(os.listdir(f"{process}/task")), len(os.listdir(f"{process}/fd"))

    for _ in range(3):
        open_and_close()
    before = wait_for(resources, "the first figures")
    for _ in range(5):
        open_and_close()
    # Each had its own threads and descriptors.
    wait_for(
        lambda: all(now <= then + 2 for now, then in zip(resources(), before)),
        "threads and descriptors to be given back")


def test_bad_argument_is_an_error(app, keyring):
    app.start()
    app.wait_for_log("Account signed out. Updating UX")
    log = app.log
    for argument in ("typo", "--typo", "https://example.com/"):
        assert app.launch(argument).wait(20) == 2
        assert argument in app.take_complaints()
    assert app.log == log
    assert len(screen.window_ids(MAIN)) == 1


def test_windows_have_the_applications_name(app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    for window in (screen.window_id(MAIN), sign_in.window):
        assert '"io.github.entrance.Entrance"' in screen.run("xprop", "-id", window, "WM_CLASS")


def test_alt_f4_closes_the_sign_in_window(app, emulator, keyring, sign_in):
    app.start()
    sign_in.open()
    screen.press("ctrl+w")
    sign_in.wait_until_closed()
    app.wait_for_log("Sign-in canceled")


def test_buttons_have_mnemonics(app, emulator, keyring, sign_in):
    app.start()
    app.wait_for_account("Signed out")
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+d")
    app.wait_for_log("Received device info.")
    app.wait_until_idle()
    screen.press("alt+g")
    wait_for_dialog(SIGN_IN)
    sign_in.wait_for_page()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    screen.press("alt+o")
    wait_for_dialog("Sign Out?")
    screen.press("Return")
    app.wait_for_log("Sign out completed successfully")
    # The names contain no mnemonics.
    for name in (CALL_GRAPH, SIGN_OUT, DEVICE_INFO):
        assert exists(MAIN, BUTTON, name)


def test_no_button_is_described_by_its_own_name(app, keyring):
    app.start()
    app.wait_for_account("Signed out")
    screen.focus(screen.window_id(MAIN))
    for key, name in (("alt+1", "Main Menu"), ("alt+2", "More Actions")):
        screen.press(key)
        find(MAIN, BUTTON, name)
        # A screen reader would say it twice.
        assert not [
            place.name for place in tree.walk(find_window(MAIN))
            if place.role in (BUTTON, "toggle button") and place.name and place.name == place.description]


def test_clearing_the_log_keeps_its_focus(app, keyring):
    app.start()
    app.wait_for_log("Account signed out. Updating UX")
    find(MAIN, BUTTON, "Clear Log").click()
    wait_for(lambda: app.log == "", "the log to be empty")
    wait_for(lambda: focused(MAIN) == f"{LOG} Log", "the log to have the focus")


def test_new_lines_do_not_scroll_the_log_while_it_is_read(app, keyring):
    app.start()
    for times in range(1, 4):
        app.get_device_info()
        app.wait_for_log("Received device info.", times)
        app.wait_until_idle()
    assert not exists(MAIN, BUTTON, "Jump to Latest")
    x, y = find(MAIN, LOG, "Log").center()
    button = app.button(DEVICE_INFO).center()
    for times in range(4, 8):
        # Like on a busy computer: lines are added while the wheel is being turned.
        app.process.send_signal(signal.SIGSTOP)
        screen.click(*button)
        screen.scroll_up(x, y, 40)
        app.process.send_signal(signal.SIGCONT)
        app.wait_for_log("Received device info.", times)
        app.wait_until_idle()
        find(MAIN, BUTTON, "Jump to Latest")
        wait_for(jump_to_end, "the end of the log")


def test_the_log_follows_its_end_while_its_height_changes(app, keyring):
    app.start()
    for times in range(1, 7):
        app.get_device_info()
        app.wait_for_log("Received device info.", times)
        app.wait_until_idle()
    window = screen.window_id(MAIN)
    # As when a notice opens and closes, while lines are added.
    for times, height in enumerate((520, 700, 560, 760, 640), start=7):
        app.get_device_info()
        screen.resize(window, 860, height)
        app.wait_for_log("Received device info.", times)
        app.wait_until_idle()
        screen.wait_until_still(MAIN, f"the log of a window with {height} pixels")
        assert not exists(MAIN, BUTTON, "Jump to Latest")


def jump_to_end() -> bool:
    """Jumps to the latest lines, repeatedly until the wheel has stopped."""
    screen.press("alt+j")
    return not exists(MAIN, BUTTON, "Jump to Latest")


def test_demo_that_hangs_times_out_and_can_be_started_again(app, session, stage, home, keyring):
    # The program looks for the emulator in its own directory.
    programs = home / "stage" / "bin"
    programs.mkdir(parents=True)
    shutil.copy(stage / "bin" / "entrance", programs)
    (home / "stage" / "share").symlink_to(stage / "share")
    service = programs / "identity-emulator"
    service.write_text("#!/bin/sh\nexec sleep 1000\n")
    service.chmod(0o755)
    hanging = App(session, home / "stage", home)
    hanging.process = hanging.launch("--demo")
    find(MAIN, BUTTON, "Try Again", timeout=60)
    assert exists(MAIN, BUTTON, "Leave Demo")
    assert "The Demo Could Not Start" in hanging.words
    assert not [
        pid for pid in screen.descendants(hanging.process.pid)
        if screen.process_name(pid) == "sleep"]
    service.unlink()
    shutil.copy(stage / "bin" / "identity-emulator", programs)
    find(MAIN, BUTTON, "Try Again").click()
    wait_for(lambda: "This is a demo." in hanging.words, "the demo")
    hanging.stop()
    assert hanging.complaints() == []


def all_texts(node):
    for child in children(node):
        if "Text" in child.get_interfaces():
            yield text_of(child)
        yield from all_texts(child)


def test_about_helps_with_a_report(app, emulator, keyring, results):
    app.start()
    screen.focus(screen.window_id(MAIN))
    screen.press("F10")
    wait_for(lambda: exists(MAIN, MENU_ITEM, "About Entrance"), "the menu")
    screen.press("a")
    wait_for_dialog("About")
    screen.wait_until_still("About", "the window")
    screen.capture(results / "about.png", "About")
    said = list(all_texts(find_window("About")))
    assert {"Report an Issue", "What’s New", "Troubleshooting", "Legal"} <= set(said), said

    def reports() -> list[str]:
        return [text for text in all_texts(find_window("About")) if text.startswith("Entrance 0.")]

    # libadwaita 1.7 has a page only while it is shown.
    pages = [] if reports() else ["Troubleshooting", "Debugging Information"]
    for page in pages:
        find("About", "list item", page).click()
        screen.wait_until_still("About")
    report = wait_for(reports, "the report")[0]
    assert "\nGTK 4." in report and "\nlibadwaita 1." in report
    assert emulator.description["clientID"] not in report and "localhost" not in report
    for _ in pages:
        screen.press("Escape")
        screen.wait_until_still("About")
    screen.press("Escape")
    wait_for(lambda: not has_window("About"), "the window to be closed")


def test_runs_from_the_build_directory(app, stage, session, keyring, monkeypatch):
    build = stage.parent / "meson"
    if not (build / "entrance").exists():
        pytest.skip("the app is not built there")
    for variable, value in locale(session.directory / "locales", "de_DE").items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setenv("ENTRANCE_DATADIR", str(build / "data"))
    app.stage = session.directory / "uninstalled"
    app.stage.mkdir(exist_ok=True)
    (app.stage / "bin").symlink_to(build)
    app.process = app.launch("--app", "Demo")
    find(MAIN, BUTTON, "Abmelden")


@pytest.mark.skipif(not KNOWS_PLACES, reason="GTK does not say where widgets are")
def test_the_button_of_a_notice_is_beside_its_text_where_there_is_room(app, keyring):
    app.start("--demo")
    window = screen.window_id(MAIN)
    text = find(MAIN, LABEL, "This is a demo. The accounts are made up, and no data leaves this computer.")
    button = find(MAIN, BUTTON, "Leave Demo")

    def below() -> float:
        return button.center()[1] - text.center()[1]

    screen.resize(window, 760, 640)
    wait_for(lambda: abs(below()) < 2, "the button beside the text")
    screen.resize(window, 360, 640)
    wait_for(lambda: below() > 30, "the button below the text")


@pytest.mark.skipif(not KNOWS_PLACES, reason="GTK does not say where widgets are")
def test_no_tooltip_lies_on_an_open_menu(app, keyring):
    app.start()
    screen.wait_until_still(MAIN)
    x, y = (round(place) for place in find(MAIN, BUTTON, "Main Menu").center())
    screen.move_pointer(x, y)
    wait_for(lambda: screen.popovers(app.process.pid), "the tooltip")
    screen.click(x, y)
    wait_for(lambda: exists(MAIN, MENU_ITEM, "Apps"), "the menu")
    menu, = wait_for(
        lambda: len(found := screen.popovers(app.process.pid)) == 1 and found, "the menu without the tooltip")
    # Soon after a tooltip, another one needs no wait.
    for step in (1, 2, 3):
        screen.move_pointer(x + step, y + step)
        screen.wait_until_still(menu)
        assert len(screen.popovers(app.process.pid)) == 1, "the menu alone"
