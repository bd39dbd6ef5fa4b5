"""Connections: the first start, the list, and a file that somebody changes by hand."""

import hashlib
import json
import re
import shlex
from pathlib import Path

import pytest

import drop
import screen
import x11
from accessible import (
    ALERT, BUTTON, LABEL, MENU_ITEM, alerts, cut_off, exists, find, find_window, focused, has_window, texts,
    wait_for_dialog)
from app import ASK, ASK_TITLE, HAVE_FILE, HAVE_ID, MAIN, REGISTER, SIGN_IN
from languages import locale
from switcher import ROW, is_open
from test_failures import type_into_field_in_focus
from test_preferences import PREFERENCES, open_preferences, preference, set_preferences, show_page
from waiting import wait_for

CLIENT_ID = "11111111-2222-3333-4444-555555555555"
LIST = "Apps"
DISCARD = "Discard Changes?"
REDIRECT_URI = "msauth.io.github.entrance.entrance://auth"
TENANT = "99999999-2222-3333-4444-555555555555"
NEW = "New App"
EDIT = "Edit App"
CREATE = "Create With an Account"
FROM_FILE = "Add App From File"
NOTHING = "Nothing Was Imported"
UNOPENED = "Nothing Was Opened"


@pytest.fixture
def file(home):
    return home / "config" / "entrance" / "apps.json"


def names(file) -> list[str]:
    """The names in the file, whose comments are taken out first."""
    text = "\n".join(line.split("// ")[0] for line in file.read_text().splitlines())
    return [connection["name"] for connection in json.loads(text)["apps"]]


def open_list():
    """Opens the list by the keyboard, from the main menu."""
    screen.focus(screen.window_id(MAIN))
    screen.press("F10")
    wait_for(lambda: exists(MAIN, MENU_ITEM, "Apps"), "the menu")
    # The mnemonic: which item has the focus depends on where the pointer is.
    screen.press("s")
    find(LIST, BUTTON, "Add App")


def choose_from(button: str, key: str, item: str):
    """Chooses an item of a menu of the list by its mnemonic."""
    # A menu closes when its window gets the focus back after a dialog.
    wait_for_dialog(LIST)
    find(LIST, BUTTON, button).click()
    wait_for(lambda: exists(LIST, MENU_ITEM, item), "the menu")
    screen.press(key)


def choose_action(name: str, key: str, item: str):
    choose_from(f"Actions for “{name}”", key, item)


def picture(results, name: str, title: str):
    screen.wait_until_still(title, title)
    screen.capture(results / f"connections-{name}.png", title)


def test_first_start_leads_to_a_connection_that_works(app, file, results):
    file.unlink()
    app.process = app.launch()
    find(MAIN, ROW, REGISTER)
    picture(results, "none", MAIN)
    find(MAIN, ROW, REGISTER).click()
    find(REGISTER, BUTTON, "Copy Redirect URI").click()
    wait_for(lambda: screen.copied() == REDIRECT_URI, "the redirect URI")
    picture(results, "register", REGISTER)
    find(REGISTER, BUTTON, "Next").click()
    wait_for_dialog(NEW)
    picture(results, "form", NEW)
    # The field of the client ID has the focus: the name is filled in.
    screen.type_text("not an ID")
    screen.press("Return")
    find(NEW, ALERT, f"A client ID looks like {CLIENT_ID}.")
    picture(results, "mistake", NEW)
    # What was refused is selected, and so it is when it is refused again.
    screen.press("End", "Return")
    screen.type_text(CLIENT_ID)
    # The app of the steps is for one organization, which must be named.
    screen.press("Return")
    find(NEW, ALERT, "Enter the directory (tenant) ID or a domain of the organization.")
    screen.type_text("contoso.example")
    screen.press("Return")
    wait_for(lambda: not has_window(NEW), "the form to be gone")
    find(MAIN, BUTTON, "Call Microsoft Graph API")
    wait_for(lambda: "Signed out" in texts(MAIN), "the account page")
    wait_for(lambda: focused(MAIN) == f"{BUTTON} {SIGN_IN}", f"the focus, at {focused(MAIN)}")
    assert names(file) == ["My App"]
    assert "https://login.microsoftonline.com/contoso.example" in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_reply_that_is_pasted_as_the_client_id_fills_in_the_tenant_too(app, file, results):
    file.unlink()
    app.process = app.launch()
    find(MAIN, ROW, HAVE_ID).click()
    wait_for_dialog(NEW)
    screen.copy(f"Application (client) ID: {CLIENT_ID}\nDirectory (tenant) ID: {TENANT}\n")
    screen.press("ctrl+v")
    wait_for(lambda: exists(NEW, "text", "Directory (tenant) ID or Domain"), "the field of the tenant")
    assert find(NEW, "text", "Directory (tenant) ID or Domain").text == TENANT
    assert find(NEW, "text", "Application (client) ID").text == CLIENT_ID
    picture(results, "pasted-reply", NEW)
    find(NEW, BUTTON, "Save").click()
    wait_for(lambda: file.exists() and names(file) == ["My App"], "the app")
    assert CLIENT_ID in file.read_text() and TENANT in file.read_text()


def test_the_command_is_refused_in_place_of_its_response(app, file):
    file.unlink()
    app.process = app.launch()
    find(MAIN, ROW, REGISTER).click()
    wait_for_dialog(REGISTER)
    find(REGISTER, BUTTON, "Copy Command").press_with_keys()
    wait_for(lambda: screen.copied().startswith("az rest "), "the command")
    find(REGISTER, BUTTON, "Paste Response").press_with_keys()
    wait_for_dialog(NOTHING)
    assert any("this is what creates the app, not the response;" in text for text in texts(NOTHING))
    screen.press("Escape")
    wait_for(lambda: not has_window(NOTHING), "the message to be gone")
    assert has_window(REGISTER) and not has_window(NEW)


def test_first_start_can_be_left_and_has_other_ways_to_an_app(app, file, results):
    file.unlink()
    app.process = app.launch()
    # Back and Cancel leave nothing behind.
    find(MAIN, ROW, REGISTER).click()
    find(REGISTER, BUTTON, "Next").click()
    find(NEW, BUTTON, "Back").click()
    find(REGISTER, BUTTON, "Cancel").click()
    wait_for(lambda: not has_window(REGISTER), "the steps to be gone")
    assert exists(MAIN, ROW, REGISTER)
    # Nothing is typed into the form yet, so nothing is asked.
    find(MAIN, ROW, HAVE_ID).click()
    wait_for_dialog(NEW)
    screen.press("Escape")
    wait_for(lambda: not has_window(NEW), "the form to be gone")
    # What was typed is not discarded without a question.
    find(MAIN, ROW, HAVE_ID).click()
    wait_for_dialog(NEW)
    screen.type_text(CLIENT_ID)
    for keys in ("Escape", "alt+c"):
        screen.press(keys)
        wait_for_dialog(DISCARD)
        screen.wait_until_still(DISCARD, DISCARD)
        picture(results, "discard", DISCARD)
        screen.press("Escape")
        wait_for(lambda: not has_window(DISCARD), "the question to be gone")
        wait_for_dialog(NEW)
    screen.press("Escape")
    wait_for_dialog(DISCARD)
    screen.press("alt+d")
    wait_for(lambda: not has_window(NEW), "the form to be gone")
    assert not file.exists()
    wait_for(lambda: focused(MAIN) == f"{ROW} {HAVE_ID}", "the focus to be back")

    # An administrator gets a message with all values.
    find(MAIN, ROW, ASK).click()
    find(ASK_TITLE, BUTTON, "Copy Message").click()
    wait_for(lambda: REDIRECT_URI in screen.copied(), "the message")
    picture(results, "ask", ASK_TITLE)
    message = screen.copied()
    for value in ("https://entra.microsoft.com", "Mobile and desktop applications", "Supported account types",
                  "http://localhost", "User.Read", "client secret", "Application (client) ID",
                  "Directory (tenant) ID", "Name: Entrance", "https://github.com/entrance/entrance",
                  "Grant admin consent", "\naz rest --method POST "):
        assert value in message
    find(ASK_TITLE, BUTTON, "Next").click()
    wait_for_dialog(NEW)
    picture(results, "form-with-answers", NEW)
    find(NEW, BUTTON, "Cancel").click()
    wait_for(lambda: not has_window(NEW), "the form to be gone")

    # The client ID is taken from what the portal shows.
    screen.copy(f"Display name\n:\nContoso Mail\nApplication (client) ID\n:\n{CLIENT_ID}\n"
                f"Directory (tenant) ID\n:\n{TENANT}\n")
    find(MAIN, ROW, REGISTER).click()
    find(REGISTER, BUTTON, "Paste Client ID").click()
    wait_for_dialog(NEW)
    find(NEW, BUTTON, "Save").click()
    wait_for(lambda: file.exists() and names(file) == ["Contoso Mail"], "the app")
    assert CLIENT_ID in file.read_text() and TENANT in file.read_text()


def without_a_mail_program(home):
    """Takes away all programs that could write an email."""
    programs = ";".join(path.name for path in Path("/usr/share/applications").glob("*.desktop"))
    (home / "config" / "mimeapps.list").write_text(
        f"[Removed Associations]\nx-scheme-handler/mailto={programs};\n")


def test_without_a_mail_program_the_message_can_be_copied(app, file, home):
    without_a_mail_program(home)
    file.unlink()
    app.process = app.launch()
    find(MAIN, ROW, ASK).click()
    find(ASK_TITLE, BUTTON, "Write Email").click()
    wait_for_dialog(UNOPENED)
    assert "No mail program was found. Use “Copy Message”." in texts(UNOPENED)
    screen.press("Escape")
    wait_for(lambda: not has_window(UNOPENED), "the message to be gone")
    assert has_window(ASK_TITLE)


def refuses(name: str, reason: str) -> bool:
    """Waits until the file of this name is refused, closes the message, and returns whether it has this reason."""
    wait_for_dialog(NOTHING)
    said = [text for text in texts(NOTHING) if f"“{name}”" in text]
    screen.press("Escape")
    wait_for(lambda: not has_window(NOTHING), "the message to be gone")
    return any(text.endswith(reason) for text in said)


def test_first_start_takes_the_file_of_another_program(app, file, home, results):
    file.unlink()
    app.process = app.launch()
    notes, settings = home / "notes.txt", home / "appsettings.json"
    notes.write_text("Ask for the app.\n")
    settings.write_text(json.dumps({"AzureAd": {
        "Instance": "https://login.microsoftonline.com/", "ClientId": CLIENT_ID, "TenantId": TENANT}}))
    # By keys, with a file that has no app in it.
    find(MAIN, ROW, HAVE_FILE)
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+f")
    screen.open_file(notes, FROM_FILE)
    assert refuses("notes.txt", "cannot be imported: no application (client) ID was found.")
    assert not has_window(NEW) and not file.exists()
    # A file is dropped on the page.
    row = find(MAIN, ROW, HAVE_FILE).resting_center()
    drop.files([home], screen.window_id(MAIN), *row)
    assert refuses(home.name, "cannot be read: it is a directory.")
    drop.files([settings], screen.window_id(MAIN), *row)
    wait_for_dialog(NEW)
    picture(results, "from-file", NEW)
    screen.press("Escape")
    wait_for(lambda: not has_window(NEW), "the form to be gone")
    # The same form comes from the chooser, and has what the file says.
    find(MAIN, ROW, HAVE_FILE).click()
    screen.open_file(settings, FROM_FILE)
    wait_for_dialog(NEW)
    find(NEW, BUTTON, "Save").click()
    wait_for(lambda: file.exists() and names(file) == ["My App"], "the app")
    assert CLIENT_ID in file.read_text() and TENANT in file.read_text()
    find(MAIN, BUTTON, "Call Microsoft Graph API")


def test_the_first_page_takes_the_clipboard_with_a_key(app, file):
    file.unlink()
    app.process = app.launch()
    find(MAIN, ROW, HAVE_ID)
    screen.focus(screen.window_id(MAIN))
    screen.copy("nothing that describes an app")
    screen.press("ctrl+v")
    wait_for_dialog(NOTHING)
    assert any(text.startswith("The clipboard cannot be imported: ") for text in texts(NOTHING))
    screen.press("Escape")
    wait_for(lambda: not has_window(NOTHING), "the message to be gone")
    screen.copy(json.dumps({"clientId": CLIENT_ID, "tenantId": TENANT}))
    screen.press("ctrl+v")
    wait_for_dialog(NEW)
    find(NEW, BUTTON, "Save").click()
    wait_for(lambda: file.exists() and names(file) == ["My App"], "the app")
    assert CLIENT_ID in file.read_text() and TENANT in file.read_text()


def test_the_list_takes_files_as_it_takes_the_clipboard(app, file, home, results):
    other = home / "apps of another computer.json"
    other.write_text(json.dumps({"version": 1, "apps": [{"name": "Contoso", "clientID": CLIENT_ID}]}))
    large = home / "large.json"
    large.write_text(" " * (256 << 10) + "{}")
    app.start()
    open_list()
    choose_from("Add App", "f", "Add From File…")
    screen.open_file(other, FROM_FILE)
    wait_for_dialog(NEW)
    find(NEW, BUTTON, "Save").click()
    wait_for(lambda: names(file) == ["Demo", "Contoso"], "the app of the file")
    wait_for_dialog(LIST)
    place = find(LIST, ROW, "Demo").resting_center()
    drop.files([large], screen.window_id(LIST), *place)
    assert refuses("large.json", "cannot be read: it is larger than 256 kB.")
    # One at a time; the name is taken already.
    drop.files([other, large], screen.window_id(LIST), *place)
    wait_for_dialog(NEW)
    find(NEW, BUTTON, "Save").click()
    wait_for(lambda: names(file) == ["Demo", "Contoso", "Contoso 2"], "the app of the dropped file")
    picture(results, "from-files", LIST)


def test_first_start_has_what_creates_an_app_in_one_step(app, file, results):
    """By keys alone: Azure CLI's line and Microsoft Graph's request are copied, and the answer pasted."""
    file.unlink()
    app.process = app.launch()
    # Who cannot register one is told before it is tried.
    row = find(MAIN, ROW, REGISTER)
    assert "Requires a work or school account, or an Azure subscription" in texts(MAIN)
    row.click()
    wait_for_dialog(REGISTER)
    find(REGISTER, BUTTON, "Copy Command").press_with_keys()
    wait_for(lambda: screen.copied().startswith("az rest "), "the command")
    words = shlex.split(screen.copied())
    picture(results, "create", REGISTER)
    find(REGISTER, BUTTON, "Copy Request Body").press_with_keys()
    wait_for(lambda: screen.copied().startswith("{"), "the request body")
    body = json.loads(screen.copied())
    assert body["publicClient"]["redirectUris"] == [REDIRECT_URI, "http://localhost"]
    # Azure CLI sends the same.
    assert json.loads(words[words.index("--body") + 1]) == body
    # Microsoft Graph answers with the same and more, and so does Azure CLI.
    screen.copy(json.dumps(body | {"appId": CLIENT_ID, "publisherDomain": "contoso.onmicrosoft.com"}, indent=2))
    find(REGISTER, BUTTON, "Paste Response").press_with_keys()
    wait_for_dialog(NEW)
    find(NEW, BUTTON, "Save").click()
    wait_for(lambda: file.exists() and names(file) == ["Entrance"], "the app")
    assert CLIENT_ID in file.read_text()
    assert "https://login.microsoftonline.com/contoso.onmicrosoft.com" in file.read_text()
    find(MAIN, BUTTON, "Call Microsoft Graph API")


def open_accounts_to_create_with():
    """From the list of apps to the page where an account is chosen."""
    open_list()
    choose_from("Add App", "r", "Register an App…")
    wait_for(lambda: find(REGISTER, ROW, CREATE).is_enabled, "the accounts")
    find(REGISTER, ROW, CREATE).click()
    wait_for_dialog(CREATE)


def grant_permission(emulator, sign_in):
    """Chooses the account, and accepts what the sign-in page asks for."""
    seen = emulator.authorize_count()
    find(CREATE, ROW, emulator.adele.username).click()
    sign_in.wait_for_page(seen)
    sign_in.password(emulator.adele.password)
    sign_in.consent()
    sign_in.stay_signed_in()
    sign_in.wait_until_closed()


def test_an_account_creates_an_app(signed_in, file, emulator, sign_in, results):
    """The account of another app: a page asks for the permission, and the new app is open afterward."""
    open_accounts_to_create_with()
    # What the permission is for is said before any page asks for it.
    said = " ".join(texts(CREATE))
    assert "Application.ReadWrite.All" in said and "can be removed" in said
    picture(results, "accounts-to-create-with", CREATE)
    find(CREATE, BUTTON, "Back").click()
    wait_for_dialog(REGISTER)
    picture(results, "create-with-account", REGISTER)
    find(REGISTER, ROW, CREATE).click()
    wait_for_dialog(CREATE)
    grant_permission(emulator, sign_in)
    wait_for(lambda: names(file) == ["Demo", "Entrance"], "the app")
    assert emulator.counts()["POST /v1.0/applications"] == 1
    wait_for(lambda: len(screen.window_ids(MAIN)) == 2, "the window of the app")


def test_a_form_is_not_discarded_for_an_app_that_is_created_without_a_question(signed_in, emulator, sign_in):
    open_list()
    choose_from("Add App", "r", "Register an App…")
    wait_for(lambda: find(REGISTER, ROW, CREATE).is_enabled, "the accounts")
    find(REGISTER, BUTTON, "Next").click()
    wait_for_dialog(NEW)
    screen.type_text(CLIENT_ID)
    find(NEW, BUTTON, "Back").click()
    wait_for_dialog(REGISTER)
    find(REGISTER, ROW, CREATE).click()
    wait_for_dialog(CREATE)
    seen = emulator.authorize_count()
    find(CREATE, ROW, emulator.adele.username).click()
    wait_for_dialog(DISCARD)
    screen.wait_until_still(DISCARD, DISCARD)
    screen.press("Escape")
    wait_for(lambda: not has_window(DISCARD), "the question to be gone")
    wait_for_dialog(CREATE)
    assert emulator.authorize_count() == seen
    find(CREATE, ROW, emulator.adele.username).click()
    wait_for_dialog(DISCARD)
    screen.wait_until_still(DISCARD, DISCARD)
    screen.press("alt+d")
    sign_in.wait_for_page(seen)
    assert not has_window(CREATE)


def test_who_may_not_create_an_app_is_led_to_an_administrator(signed_in, file, emulator, sign_in, results):
    emulator.prepare_graph_reply(
        403, {"error": {"code": "Authorization_RequestDenied", "message": "Insufficient privileges"}},
        path="/applications")
    open_accounts_to_create_with()
    grant_permission(emulator, sign_in)
    find(MAIN, LABEL, "The App Was Not Created")
    picture(results, "not-created", MAIN)
    find(MAIN, BUTTON, "Ask My Administrator…").click()
    wait_for_dialog(ASK_TITLE)
    assert names(file) == ["Demo"]


def test_nobody_creates_an_app_without_an_account(app):
    app.start()
    open_list()
    choose_from("Add App", "r", "Register an App…")
    wait_for_dialog(REGISTER)
    assert not find(REGISTER, ROW, CREATE).is_enabled
    assert any("sign in to another app with a work or school account" in text for text in texts(REGISTER))


def test_list_edits_copies_removes_and_brings_back(app, file, emulator, results):
    file.write_text(
        "// My connections.\n" + json.dumps(
            {"version": 1, "apps": [emulator.connection("Demo")]}, indent=2))
    app.start()
    open_list()
    choose_action("Demo", "d", "Duplicate…")
    find(NEW, BUTTON, "Save").click()
    wait_for(lambda: names(file) == ["Demo", "Demo 2"], "the copy")
    find(LIST, LABEL, "“Demo 2” added")
    find(LIST, BUTTON, "Edit “Demo 2”").click()
    wait_for_dialog(EDIT)
    # The first field is one further up than the one that has the focus.
    screen.press("shift+Tab", "ctrl+a")
    screen.type_text("Contoso")
    screen.press("Return")
    wait_for(lambda: names(file) == ["Demo", "Contoso"], "the new name")
    find(LIST, BUTTON, "Edit “Contoso”")
    wait_for(lambda: find(LIST, ROW, "Demo").is_selected, "the app that is open")
    assert find(LIST, ROW, "Contoso").is_selected is False
    picture(results, "list", LIST)
    choose_action("Contoso", "r", "Remove")
    wait_for(lambda: names(file) == ["Demo"], "it to be gone")
    # GTK 4.8 calls the button of a toast "Undo Undo".
    find(LIST, LABEL, "Undo").click()
    wait_for(lambda: names(file) == ["Demo", "Contoso"], "it to be back")
    assert file.read_text().startswith("// My connections.\n")


def test_all_ways_to_an_app_are_in_the_list(app, file, results):
    app.start()
    for key, item, title in (("n", "New App…", NEW), ("r", "Register an App…", REGISTER),
                             ("a", "Ask My Administrator…", ASK_TITLE)):
        open_list()
        find(LIST, BUTTON, "Add App").click()
        wait_for(lambda: exists(LIST, MENU_ITEM, item), "the menu")
        picture(results, "ways", LIST)
        screen.press(key)
        wait_for_dialog(title)
        screen.press("Escape")
        wait_for(lambda: not has_window(title), "the dialog to be gone")
        screen.press("Escape")
        wait_for(lambda: not has_window(LIST), "the list to be gone")
    # The configuration of another program is taken from the clipboard.
    screen.copy(json.dumps(
        {"client_id": CLIENT_ID, "authority": "https://login.microsoftonline.com/organizations"}))
    open_list()
    choose_from("Add App", "c", "Add From Clipboard")
    find(NEW, BUTTON, "Save").click()
    wait_for(lambda: names(file) == ["Demo", "My App"], "the connection")
    assert "organizations" in file.read_text()
    wait_for_dialog(LIST)
    find(LIST, BUTTON, "Try the Demo").click()
    find(MAIN, BUTTON, "Leave Demo")
    wait_for(lambda: not has_window(LIST), "the list to be gone")
    open_list()
    assert find(LIST, ROW, "Demo").is_selected is False
    # The list says that the demo is open, and leaves it.
    assert "The demo is open. Only your own apps are listed here." in texts(LIST)
    assert not exists(LIST, BUTTON, "Try the Demo")
    find(LIST, BUTTON, "Leave Demo").click()
    wait_for(lambda: not has_window(LIST), "the list to be gone")
    wait_for(lambda: not exists(MAIN, BUTTON, "Leave Demo"), "the demo to be left")
    wait_for(lambda: focused(MAIN) == f"{BUTTON} {SIGN_IN}", f"the focus, at {focused(MAIN)}")


def test_accounts_of_a_removed_app_are_signed_out_if_the_person_says_so(
        signed_in, file, keyring, results):
    question = "Remove “Demo”?"
    open_list()
    choose_action("Demo", "r", "Remove")
    wait_for_dialog(question)
    assert any(text.startswith("Adele Vance is signed in with this app.") for text in texts(question))
    wait_for(lambda: focused(question) == f"{BUTTON} Cancel", f"the focus, at {focused(question)}")
    picture(results, "remove", question)
    screen.press("Return")
    wait_for(lambda: not has_window(question), "the question to be gone")
    wait_for(lambda: "Actions for “Demo”" in (focused(LIST) or ""), f"the focus, at {focused(LIST)}")
    assert names(file) == ["Demo"] and keyring.items()
    screen.press("space")
    wait_for(lambda: exists(LIST, MENU_ITEM, "Remove"), "the menu")
    screen.press("r")
    wait_for_dialog(question)
    screen.press("alt+k")
    wait_for(lambda: names(file) == [], "the app to be gone")
    assert keyring.items(), "the account was to be kept"
    find(LIST, LABEL, "Undo").click()
    wait_for(lambda: names(file) == ["Demo"], "the app to be back")
    choose_action("Demo", "r", "Remove")
    wait_for_dialog(question)
    screen.press("alt+s")
    wait_for(lambda: names(file) == [] and not keyring.items(), "app and account to be gone")
    # Undo does not bring the account back.
    find(LIST, LABEL, "“Demo” removed, accounts signed out")
    wait_for(lambda: focused(LIST) == f"{BUTTON} Add App", "the focus at what is left")
    screen.press("Escape")
    wait_for(lambda: not has_window(LIST), "the list to be gone")
    # Nothing is left of it, so the first page is back.
    wait_for(lambda: "Welcome to Entrance" in texts(MAIN), "the first page")


def test_change_by_hand_shows_without_a_restart(app, file, emulator):
    good = file.read_text()
    file.write_text("{ oops")
    app.process = app.launch("--app", "Demo")
    find(MAIN, BUTTON, "Open Configuration File")
    assert any("line 1" in text for text in texts(MAIN))
    file.write_text(good)
    find(MAIN, BUTTON, "Call Microsoft Graph API")
    wait_for(lambda: "Signed out" in texts(MAIN), "the account page")
    # Another connection, and a mistake, while the list is open.
    open_list()
    file.write_text(json.dumps({"version": 1, "apps": [
        emulator.connection("Demo"), emulator.connection("Other")]}))
    find(LIST, BUTTON, "Edit “Other”")
    file.write_text(good.replace("clientID", "clientId"))
    find(LIST, ALERT, "line 1: apps[0].clientId: the correct spelling is clientID")
    find(LIST, BUTTON, "Open Configuration File")
    file.write_text(good)
    wait_for(lambda: not exists(LIST, BUTTON, "Edit “Other”"), "the list to follow")


def test_fault_in_a_field_is_corrected_in_the_form(app, file, emulator, results):
    good = "// By hand.\n" + json.dumps({"version": 1, "apps": [emulator.connection("Demo")]}, indent=2) + "\n"
    client_id = emulator.connection("Demo")["clientID"]
    broken = good.replace(client_id, "no ID")

    def correct():
        """Corrects the client ID in the form, whose field has the focus."""
        wait_for_dialog(EDIT)
        find(EDIT, ALERT, f"A client ID looks like {CLIENT_ID}.")
        screen.press("ctrl+a")
        screen.type_text(client_id)
        screen.press("Return")
        wait_for(lambda: not has_window(EDIT), "the form to be gone")
        assert names(file) == ["Demo"] and "no ID" not in file.read_text()
        assert file.read_text().startswith("// By hand.\n")

    # Before a window can be opened, while it is open, and in the list.
    file.write_text(broken)
    app.process = app.launch("--app", "Demo")
    find(MAIN, BUTTON, "Edit App…")
    picture(results, "fault", MAIN)
    find(MAIN, BUTTON, "Edit App…").click()
    correct()
    app.wait_for_account("Signed out")
    notice = "The List of Apps Cannot Be Read"
    file.write_text(broken)
    wait_for(lambda: notice in texts(MAIN), "the notice")
    find(MAIN, BUTTON, "Edit App…").click()
    correct()
    wait_for(lambda: notice not in texts(MAIN), "the notice to go")
    open_list()
    file.write_text(broken)
    find(LIST, BUTTON, "Edit App…").click()
    correct()
    wait_for(lambda: exists(LIST, ROW, "Demo"), "the app in the list")


def test_edit_of_permissions_loses_neither_account_nor_log(app, session, file, emulator, sign_in, results):
    """Without a keyring, accounts are only in memory until the window is closed."""
    app.start()
    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    before = app.log
    connection = emulator.connection("Demo")
    file.write_text(json.dumps({"version": 1, "apps": [
        connection | {"scopes": ["User.Read", "Mail.Read"]}]}))
    app.wait_for_log("The app was changed.")
    assert app.log.startswith(before), "the log goes on"
    app.wait_for_account(emulator.adele.username)
    # A mistake leaves the page as it was, and so does its correction.
    file.write_text(json.dumps({"version": 1, "apps": [
        connection | {"scopes": ["User.Read"], "caFile": str(file)}]}))
    app.wait_for_log("apps.json")
    wait_for(lambda: "The Change Cannot Be Used" in texts(MAIN), "the notice")
    picture(results, "unused", MAIN)
    find(MAIN, BUTTON, "Edit App…").click()
    wait_for_dialog(EDIT)
    # The field of the CA file has the focus.
    screen.press("ctrl+a")
    screen.type_text("/other.pem")
    wait_for(lambda: find(EDIT, "text", "CA File").text == "/other.pem", "the path in the field")
    screen.press("Escape")
    wait_for_dialog(DISCARD)
    screen.press("alt+d")
    wait_for(lambda: not has_window(EDIT), "the form to be gone")
    file.write_text(json.dumps({"version": 1, "apps": [connection]}))
    app.wait_for_log("The app was changed.", 2)
    wait_for(lambda: "The Change Cannot Be Used" not in texts(MAIN), "the notice to be gone")
    app.wait_for_account(emulator.adele.username)
    app.call_graph()
    app.wait_for_log("Result from Graph: {", 2)


def test_open_window_says_what_happened_to_its_connection(signed_in, file, emulator, results):
    app = signed_in
    good = file.read_text()
    other = emulator.connection("Other") | {"scopes": ["Mail.Read"]}
    file.write_text(json.dumps({"version": 1, "apps": [other]}))
    wait_for(lambda: any("“Demo” was removed." in text for text in texts(MAIN)), "the notice")
    picture(results, "removed", MAIN)
    # What is open goes on.
    app.call_graph()
    app.wait_for_log("Result from Graph: {", 2)
    app.wait_until_idle()
    find(MAIN, BUTTON, "Apps").click()
    find(LIST, BUTTON, "Edit “Other”")
    screen.press("Escape")
    wait_for(lambda: not has_window(LIST), "the list to close")
    file.write_text("{ oops")
    wait_for(lambda: any("There is an error in the list of apps: line 1" in text
                         for text in texts(MAIN)), "the other notice")
    find(MAIN, BUTTON, "Open Configuration File")
    picture(results, "broken", MAIN)
    file.write_text(good)
    wait_for(lambda: not exists(MAIN, BUTTON, "Open Configuration File"), "the notice to go")
    app.wait_for_account(emulator.adele.username)


def title() -> str:
    return find_window(MAIN).get_name()


def rename_demo():
    open_list()
    find(LIST, BUTTON, "Edit “Demo”").click()
    wait_for_dialog(EDIT)
    # The field of the client ID has the focus.
    screen.press("shift+Tab", "ctrl+a")
    screen.type_text("Renamed")
    screen.press("Return")
    wait_for(lambda: not has_window(EDIT), "the form to be gone")
    # Its rows are made again when the file was written.
    screen.wait_until_still(LIST, LIST)


def leave_for_other():
    open_list()
    find(LIST, LABEL, "Other").click()
    wait_for(lambda: "Other" in title(), "the other connection in the same window")
    wait_for(lambda: not has_window(LIST), "the list to be gone")


def test_renamed_app_stays_open_with_its_accounts(signed_in, file, home, emulator):
    kept = [home / "state" / "entrance" / "selection", home / "cache" / "entrance" / "photos"]
    before = [[file.read_bytes() for file in folder.iterdir()] for folder in kept]
    assert all(before)
    rename_demo()
    wait_for(lambda: names(file) == ["Renamed"], "the new name in the file")
    wait_for(lambda: find(LIST, ROW, "Renamed").is_selected, "the row to be selected")
    screen.press("Escape")
    wait_for(lambda: not has_window(LIST), "the list to close")
    wait_for(lambda: "· Renamed" in title(), "the new name in the window's title")
    signed_in.wait_for_account(emulator.adele.username)
    assert not any("was removed" in text for text in texts(MAIN))
    assert [[file.read_bytes() for file in folder.iterdir()] for folder in kept] == before


def hashed(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:32]


def test_app_that_is_renamed_while_another_is_open_keeps_what_it_had(
        app, file, home, emulator, keyring, sign_in):
    file.write_text(json.dumps({"version": 1, "apps": [
        emulator.connection("Demo"), emulator.connection("Other")]}))
    set_preferences(home, **{"keep-web-session": "true"})
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    state = home / "state" / "entrance"
    sessions = state / "web-sessions"
    old = sessions / hashed("Demo") / "cookies.sqlite"
    wait_for(old.exists, "the cookies")
    leave_for_other()
    wait_for(lambda: (state / "selection" / f"{hashed('Demo')}.json").exists(), "the selection")
    cookies = old.read_bytes()
    rename_demo()
    wait_for(lambda: (state / "selection" / f"{hashed('Renamed')}.json").exists(), "the selection's new name")
    assert not (state / "selection" / f"{hashed('Demo')}.json").exists()
    wait_for(lambda: [folder.name for folder in sessions.iterdir()] == [hashed("Renamed")], "the web session")
    assert (sessions / hashed("Renamed") / "cookies.sqlite").read_bytes() == cookies
    find(LIST, LABEL, "Renamed").click()
    wait_for(lambda: "Renamed" in title(), "the app by its new name")
    app.wait_for_account(emulator.adele.username)


def test_app_that_is_edited_while_another_is_open_keeps_its_accounts_in_memory(app, file, emulator, sign_in):
    file.write_text(json.dumps({"version": 1, "apps": [
        emulator.connection("Demo"), emulator.connection("Other")]}))
    app.start()
    sign_in.open().complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    app.wait_until_idle()
    leave_for_other()
    rename_demo()
    find(LIST, LABEL, "Renamed").click()
    wait_for(lambda: "Renamed" in title(), "the app by its new name")
    app.wait_for_account(emulator.adele.username)


def test_app_that_comes_back_follows_the_settings_as_they_are_now(app, file, home, emulator):
    def says_that_it_is_shared() -> bool:
        return any("This computer is shared." in text for text in texts(MAIN))

    file.write_text(json.dumps({"version": 1, "apps": [
        emulator.connection("Demo"), emulator.connection("Other")]}))
    app.start()
    leave_for_other()
    for name, is_shared, mode in (("Demo", True, "shared"), ("Other", False, "private")):
        # The window shows the other app meanwhile.
        set_preferences(home, **{"shared-device": str(is_shared).lower()})
        wait_for(lambda: says_that_it_is_shared() == is_shared, "the open app to know")
        open_list()
        find(LIST, LABEL, name).click()
        wait_for(lambda: title().startswith(name), "the app that was left")
        wait_for(lambda: not has_window(LIST), "the list to be gone")
        app.wait_until_idle()
        app.get_device_info()
        app.wait_for_log(f"Device is in the {mode} mode.\n")
        app.wait_until_idle()
        assert says_that_it_is_shared() == is_shared


def test_list_checks_registrations_and_opens_apps_here_or_in_another_window(app, file, emulator, results):
    other = emulator.connection("Other") | {"clientID": CLIENT_ID}
    file.write_text(json.dumps({"version": 1, "apps": [emulator.connection("Demo"), other]}))
    app.start()
    wait_for(lambda: title().startswith("Demo"), "the connection in the window's title")
    # A registration is checked without signing in.
    open_list()
    for name, finding in (("Demo", "knows the client ID"), ("Other", "no app with this client ID")):
        find(LIST, BUTTON, f"Edit “{name}”").click()
        find(EDIT, BUTTON, "Check Registration").click()
        # What is wrong with a field is said there, and all else below the fields.
        wait_for(lambda: any(finding in text for text in texts(EDIT) + alerts(EDIT)), "the finding")
        picture(results, f"checked-{name.lower()}", EDIT)
        find(EDIT, BUTTON, "Cancel").click()
        wait_for(lambda: not has_window(EDIT), "the form to be gone")
    # A new app can be opened at once.
    choose_action("Demo", "d", "Duplicate…")
    find(NEW, BUTTON, "Save").click()
    find(LIST, LABEL, "“Demo 2” added")
    picture(results, "added", LIST)
    find(LIST, LABEL, "Open").click()
    wait_for(lambda: title().startswith("Demo 2"), "the new app in the same window")
    wait_for(lambda: not has_window(LIST), "the list to be gone")
    # So can each of the list, here or in another window.
    open_list()
    find(LIST, LABEL, "Other").click()
    wait_for(lambda: title().startswith("Other"), "the other connection in the same window")
    assert len(screen.window_ids(MAIN)) == 1
    wait_for(lambda: not has_window(LIST), "the list to be gone")
    open_list()
    choose_action("Demo", "w", "Open in New Window")
    wait_for(lambda: len(screen.window_ids(MAIN)) == 2, "another window")
    wait_for(lambda: not has_window(LIST), "the list to be gone")


def test_client_id_that_the_service_does_not_know_can_be_corrected_at_once(app, file, emulator):
    demo = emulator.connection("Demo")
    file.write_text(json.dumps({"version": 1, "apps": [demo | {"clientID": CLIENT_ID}]}))
    app.start()
    open_list()
    find(LIST, BUTTON, "Edit “Demo”").click()
    find(EDIT, BUTTON, "Check Registration").click()
    wait_for(lambda: any("no app with this client ID" in text for text in alerts(EDIT)), "the finding")
    # The field that it is about has the focus.
    type_into_field_in_focus("Application (client) ID", demo["clientID"])


def test_a_click_on_the_name_of_the_app_leads_to_another_app(app, file, emulator, keyring):
    app.start()
    app.wait_for_account("Signed out")
    # There is no other place to go to.
    assert not find(MAIN, BUTTON, "Demo").is_enabled
    file.write_text(json.dumps({
        "version": 1, "apps": [emulator.connection("Demo"), emulator.connection("Other")]}))
    screen.focus(screen.window_id(MAIN))
    # Also from a page without the switcher.
    screen.press("alt+4")
    wait_for(lambda: exists(MAIN, BUTTON, "Copy Support Details"), "the Activity page")
    wait_for(lambda: find(MAIN, BUTTON, "Demo").is_enabled, "another app to switch to")
    screen.wait_until_still(MAIN, MAIN)
    find(MAIN, BUTTON, "Demo").click()
    wait_for(lambda: focused(MAIN) == f"{ROW} Demo", "the open app to have the focus")
    screen.press("Down")
    wait_for(lambda: focused(MAIN) == f"{ROW} Other", "the other app to have the focus")
    screen.press("Return")
    wait_for(lambda: title() == f"Other – {MAIN}", "the other app")
    wait_for(lambda: exists(MAIN, BUTTON, "Copy Support Details"), "the page that was shown before")


def test_the_switcher_begins_at_the_open_app_while_nobody_is_signed_in(app, file, emulator, keyring):
    file.write_text(json.dumps({
        "version": 1, "apps": [emulator.connection("Another"), emulator.connection("Demo")]}))
    app.start()
    app.wait_for_account("Signed out")
    screen.focus(screen.window_id(MAIN))
    screen.press("ctrl+k")
    wait_for(lambda: focused(MAIN) == f"{ROW} Demo", "the open app to have the focus")
    screen.press("Return")
    wait_for(lambda: not exists(MAIN, ROW, "Another"), "the list to close")
    assert title() == f"Demo – {MAIN}"


def test_arrows_lead_from_the_accounts_to_the_apps_and_back(app, file, emulator, keyring, sign_in):
    file.write_text(json.dumps({
        "version": 1, "apps": [emulator.connection("Demo"), emulator.connection("Other")]}))
    sign_in.without_window(emulator.adele)
    app.start()
    app.wait_for_account(emulator.adele.username)
    screen.focus(screen.window_id(MAIN))
    screen.press("ctrl+k")
    account = f"{ROW} {emulator.adele.display_name}"
    wait_for(lambda: focused(MAIN) == account, "the account to have the focus")
    for key, row in (("Down", f"{ROW} Demo"), ("Down", f"{ROW} Other"), ("Up", f"{ROW} Demo"), ("Up", account)):
        screen.press(key)
        wait_for(lambda: focused(MAIN) == row, row)


def test_switcher_goes_to_another_app_and_back_by_keyboard(app, file, emulator, keyring, sign_in, results):
    names = ["Demo", *(f"App {letter}" for letter in "QRSTUVWXY")]
    file.write_text(json.dumps({
        "version": 1, "apps": [emulator.connection(name) for name in names]}))
    sign_in.without_window(emulator.adele)
    app.start()
    wait_for(lambda: title() == "adele@contoso.example · Demo – Entrance", "the account in the title")
    wait_for(lambda: app.log, "the log")
    first = app.log.splitlines()[0]
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+2")
    find(MAIN, "text", "Address").click_into()
    screen.press("ctrl+a")
    screen.type_text("/me")
    screen.press("Return")
    wait_for(lambda: "200 OK" in texts(MAIN), "the response")
    screen.press("ctrl+a")
    screen.type_text("/me/drive")
    screen.press("ctrl+k")
    wait_for(lambda: exists(MAIN, ROW, "App W"), "the list")
    screen.type_text("app v")
    wait_for(lambda: exists(MAIN, ROW, "App V") and not exists(MAIN, ROW, "App W"), "what was searched for")
    picture(results, "switcher", MAIN)
    screen.press("Return")
    wait_for(lambda: title() == "adele@contoso.example · App V – Entrance", "the other app")
    # The window stays on its page.
    wait_for(lambda: exists(MAIN, "text", "Address"), "the page that was shown before")
    # The response is the first app's alone.
    assert "200 OK" not in texts(MAIN)
    screen.press("ctrl+k")
    wait_for(lambda: exists(MAIN, ROW, "Demo"), "the list")
    screen.press("Escape")
    wait_for(lambda: exists(MAIN, "text", "Address"), "the page, without a choice")
    screen.press("ctrl+k")
    wait_for(lambda: exists(MAIN, ROW, "Demo"), "the list")
    screen.type_text("demo")
    screen.press("Return")
    wait_for(lambda: title() == "adele@contoso.example · Demo – Entrance", "the way back")
    # What was typed is not lost.
    wait_for(lambda: exists(MAIN, "text", "Address") and find(MAIN, "text", "Address").text == "/me/drive", "the request")
    wait_for(
        lambda: "200 OK" in texts(MAIN) and any("Response to GET /me" in text for text in texts(MAIN)),
        "the response from before")
    screen.press("alt+1")
    wait_for(lambda: first in app.log, "the log from before")


def look_at_dialogs(results, name: str, width: int, list_title: str, edit: str, edit_title: str):
    """Pictures of the list and of the form; nothing may stick out at a side."""
    wait_for_dialog(list_title)
    screen.resize(screen.window_id(list_title), width, 560)
    picture(results, f"list-{name}", list_title)
    assert cut_off(list_title) == []
    find(list_title, BUTTON, edit).click()
    wait_for_dialog(edit_title)
    screen.resize(screen.window_id(edit_title), width, 640)
    picture(results, f"form-{name}", edit_title)
    assert cut_off(edit_title) == []


def test_dialogs_in_the_dark_at_360_pixels(app, results, monkeypatch):
    monkeypatch.setenv("ADW_DEBUG_COLOR_SCHEME", "prefer-dark")
    app.start()
    open_list()
    look_at_dialogs(results, "dark-narrow", 360, LIST, "Edit “Demo”", EDIT)


def test_dialogs_with_large_text_and_high_contrast(app, home, results, monkeypatch):
    monkeypatch.setenv("ADW_DEBUG_HIGH_CONTRAST", "1")
    with open(home / "config" / "gtk-4.0" / "settings.ini", "a") as settings:
        settings.write("gtk-font-name=DejaVu Sans 18\n")
    app.start()
    open_list()
    look_at_dialogs(results, "large-text", 540, LIST, "Edit “Demo”", EDIT)


def test_dialogs_in_german(app, session, results, monkeypatch):
    for variable, value in locale(session.directory / "locales", "de_DE").items():
        monkeypatch.setenv(variable, value)
    app.process = app.launch("--app", "Demo")
    find(MAIN, BUTTON, "Microsoft Graph API aufrufen")
    screen.focus(screen.window_id(MAIN))
    screen.press("F10")
    wait_for(lambda: exists(MAIN, MENU_ITEM, "Apps"), "the menu")
    screen.press("s")
    find("Apps", BUTTON, "„Demo“ bearbeiten")
    look_at_dialogs(
        results, "german", 540, "Apps", "„Demo“ bearbeiten", "App bearbeiten")


def test_file_that_may_not_be_written_is_shown_but_not_changed(app, file, results):
    file.chmod(0o400)
    before = file.read_text()
    app.start()
    open_list()
    find(LIST, LABEL, "The apps cannot be changed, because you may not write to their file.")
    assert not find(LIST, BUTTON, "Add App").is_enabled
    picture(results, "locked-list", LIST)
    find(LIST, BUTTON, "Show “Demo”").click()
    wait_for_dialog("App")
    assert not exists("App", BUTTON, "Save")
    picture(results, "locked-form", "App")
    screen.type_text("x")
    screen.press("Return", "Escape")
    wait_for(lambda: not has_window("App"), "the form to be gone")
    assert file.read_text() == before
    # At the end: GTK may take the first click after a menu has closed for one outside of it.
    find(LIST, BUTTON, "Actions for “Demo”").click()
    wait_for(lambda: exists(LIST, MENU_ITEM, "Open in New Window"), "the menu")
    assert not exists(LIST, MENU_ITEM, "Remove") and not exists(LIST, MENU_ITEM, "Duplicate…")


def test_app_for_everyone_is_shown_but_not_changed(app, file, home, results, monkeypatch):
    everyone = home / "xdg" / "entrance" / "apps.json"
    everyone.parent.mkdir(parents=True)
    everyone.write_text(json.dumps(
        {"version": 1, "apps": [{"name": "Company", "clientID": CLIENT_ID}]}))
    before = everyone.read_text()
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(home / "xdg"))
    app.start()
    open_list()
    assert find(LIST, BUTTON, "Edit “Demo”")
    assert not exists(LIST, BUTTON, "Edit “Company”")
    picture(results, "for-everyone", LIST)
    find(LIST, BUTTON, "Show “Company”").click()
    wait_for_dialog("App")
    assert not exists("App", BUTTON, "Save")
    screen.press("Escape")
    wait_for(lambda: not has_window("App"), "the form to be gone")
    find(LIST, BUTTON, "Actions for “Company”").click()
    wait_for(lambda: exists(LIST, MENU_ITEM, "Duplicate…"), "the menu")
    assert not exists(LIST, MENU_ITEM, "Remove")
    screen.press("d")
    wait_for_dialog(NEW)
    screen.press("alt+s")
    wait_for(lambda: names(file) == ["Demo", "Company 2"], "an own app")
    find(LIST, BUTTON, "Edit “Company 2”")
    find(LIST, BUTTON, "Show “Company”")
    assert everyone.read_text() == before


def test_app_for_everyone_is_used_without_a_first_start(app, file, home, monkeypatch):
    everyone = home / "xdg" / "entrance" / "apps.json"
    everyone.parent.mkdir(parents=True)
    file.rename(everyone)
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(home / "xdg"))
    app.start()
    find(MAIN, BUTTON, "Call Microsoft Graph API")
    assert not file.exists()


def test_cache_in_a_file_is_written(app, file, results):
    app.start()
    open_list()
    find(LIST, BUTTON, "Edit “Demo”").click()
    wait_for_dialog(EDIT)
    screen.resize(screen.window_id(EDIT), 540, 760)
    screen.wait_until_still(EDIT, EDIT)
    find(EDIT, LABEL, "Advanced").click()
    find(EDIT, LABEL, "Entrance").click()
    wait_for(lambda: (focused(EDIT) or "").startswith("list item"), "the list of caches to open")
    # The file is the last but one.
    screen.press("End", "Up", "Return")
    path = find(EDIT, "text", "Path of the Cache")
    screen.wait_until_still(EDIT, EDIT)
    path.click()
    screen.type_text("~/cache.json")
    picture(results, "cache", EDIT)
    screen.press("Return")
    wait_for(lambda: not has_window(EDIT), "the form to be gone")
    assert json.loads(file.read_text())["apps"][0]["cache"] == {"path": "~/cache.json"}


# What happens to open dialogs, and to what was typed


def test_preferences_stay_open_while_there_is_no_app(app, file, home):
    file.unlink()
    app.process = app.launch()
    find(MAIN, ROW, HAVE_ID)
    open_preferences()
    show_page("Privacy")
    find(PREFERENCES, LABEL, "Hide Personal Details").click()
    wait_for(lambda: preference(home, "hide-personal-details") == "true", "the preference to be kept")
    screen.wait_until_still(PREFERENCES, PREFERENCES)
    screen.press("Escape")
    wait_for(lambda: not has_window(PREFERENCES), "the preferences to close")
    wait_for(lambda: focused(MAIN) == f"{ROW} {HAVE_ID}", "the first choice to have the focus")


def test_a_removal_can_be_undone_while_no_app_can_be_used(app, file, emulator):
    bad = emulator.connection("Demo") | {"caFile": str(file.parent / "missing.pem")}
    file.write_text(json.dumps({"version": 1, "apps": [bad]}))
    app.process = app.launch("--app", "Demo")
    find(MAIN, BUTTON, "Open Configuration File")
    open_list()
    choose_action("Demo", "r", "Remove")
    wait_for(lambda: names(file) == [], "it to be gone")
    find(LIST, LABEL, "Undo").click()
    wait_for(lambda: names(file) == ["Demo"], "it to be back")
    file.write_text(json.dumps({"version": 1, "apps": [emulator.connection("Demo")]}))
    screen.focus(screen.window_id(LIST))
    screen.press("Escape")
    wait_for(lambda: not has_window(LIST), "the list to close")
    wait_for(lambda: title() == f"Demo – {MAIN}", "the app to be open")


def test_a_form_stays_open_when_somebody_else_adds_an_app(app, file):
    def titles() -> list[str]:
        """The titles of the main windows, which name the app that is open."""
        return sorted(name for _, name in x11.windows() if re.fullmatch(screen.title_pattern(MAIN), name))

    added = file.read_text()
    file.unlink()
    app.process = app.launch()
    find(MAIN, ROW, HAVE_ID)
    screen.focus(screen.window_id(MAIN))
    screen.press("ctrl+n")
    wait_for(lambda: len(screen.window_ids(MAIN)) == 2, "another window")
    wait_for(lambda: screen.active_window() == screen.window_id(MAIN), "it to be in the foreground")
    screen.wait_until_still(MAIN, MAIN)
    screen.press("Return")
    wait_for_dialog(NEW)
    screen.type_text(CLIENT_ID)
    file.write_text(added)
    # One window follows the file, and the other one when its form is closed.
    wait_for(lambda: titles() == [f"Demo – {MAIN}", MAIN], "the app to be open in one window")
    screen.press("Escape")
    wait_for_dialog(DISCARD)
    screen.press("alt+d")
    wait_for(lambda: not has_window(NEW), "the form to be gone")
    wait_for(lambda: titles() == [f"Demo – {MAIN}"] * 2, "the app to be open in both windows")


def test_quitting_asks_before_it_discards_a_form(app, file):
    file.unlink()
    app.process = app.launch()
    find(MAIN, ROW, HAVE_ID).click()
    wait_for_dialog(NEW)
    screen.type_text(CLIENT_ID)
    screen.press("ctrl+q")
    wait_for_dialog(DISCARD)
    screen.wait_until_still(DISCARD, DISCARD)
    screen.press("Escape")
    wait_for(lambda: not has_window(DISCARD), "the question to be gone")
    wait_for_dialog(NEW)
    screen.press("ctrl+q")
    wait_for_dialog(DISCARD)
    screen.wait_until_still(DISCARD, DISCARD)
    screen.press("alt+d")
    app.wait_for_end()
    assert not file.exists()


@pytest.mark.parametrize("has_app", (True, False))
def test_the_shortcut_of_the_switcher_does_nothing_without_the_switcher(app, file, has_app):
    if has_app:
        app.start()
        wait_for(lambda: "Signed out" in texts(MAIN), "the account page")
    else:
        file.unlink()
        app.process = app.launch()
        find(MAIN, ROW, HAVE_ID)
    screen.focus(screen.window_id(MAIN))
    screen.wait_until_still(MAIN, MAIN)
    screen.press("ctrl+k", "ctrl+comma")
    # The list would have opened before.
    wait_for(lambda: has_window(PREFERENCES), "the preferences")
    assert not is_open()


def test_an_app_for_everyone_that_cannot_be_used_is_reported_with_its_file(app, file, home, monkeypatch):
    everyone = home / "xdg" / "entrance" / "apps.json"
    everyone.parent.mkdir(parents=True)
    everyone.write_text(json.dumps({"version": 1, "apps": [
        {"name": "Company", "clientID": CLIENT_ID, "caFile": str(home / "missing.pem")}]}))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(home / "xdg"))
    app.process = app.launch("--app", "Company")
    find(MAIN, BUTTON, "Open Configuration File")
    shown = "\n".join(texts(MAIN))
    assert str(everyone) in shown and str(file) not in shown
    assert "Ask your administrator to correct it, then try again." in shown
