"""The Explorer page: whose account a request is for, and a file as its body."""

import drop
import pytest
import screen
from accessible import BUTTON, exists, find, focused, has_window, texts, wait_for_dialog
from app import MAIN
from switcher import choose as switch
from test_explorer import (  # noqa: F401, some are fixtures
    address, answer, bram_is_signed_in, choose_method, explorer, resize, row, says, take, type_address, wait_for_words)
from test_privacy import press
from waiting import wait_for

ADELE = "adele@contoso.example · contoso.example"
BRAM = "bram@contoso.example · contoso.example"
CHOOSER = "Account for This Request"
# GTK 4.8 does not tell an item of a choice from others.
CHOICE = ("menu item", "radio menu item")
WINDOW_IS_ADELES = f"The account of this window is {ADELE}."
BODY = "Body From File"


def open_chooser():
    """Opens the menu of accounts; GTK 4.8 may lose the first click after another menu was closed."""
    def is_open() -> bool:
        return (focused(MAIN) or "").startswith(CHOICE)

    button = find(MAIN, BUTTON, CHOOSER)
    button.click()
    try:
        wait_for(is_open, "the menu", 20)
    except AssertionError:
        button.click()
        wait_for(is_open, "the menu after a second click")


def description() -> str:
    """What a screen reader says of the button that opens the menu."""
    node = find(MAIN, BUTTON, CHOOSER).node
    node.clear_cache()
    return node.get_description()


def choose_account(name: str):
    """Chooses an account with keys."""
    open_chooser()
    for _ in range(5):
        before = focused(MAIN)
        if before in [f"{role} {name}" for role in CHOICE]:
            screen.press("Return")
            wait_for(lambda: not exists(MAIN, CHOICE, name), "the menu to close")
            wait_for_words(f"As {name}")
            # A screen reader says it at the button, too.
            return wait_for(lambda: description() == name, f"{name} at the button")
        screen.press("Down")
        wait_for(lambda: focused(MAIN) != before, "the next account")
    raise AssertionError(f"no '{name}' in the menu")


def sends(mail: str):
    """Sends a request whose answer says whose it is."""
    type_address("/v1.0/me?$select=mail")
    screen.press("Return")
    wait_for(lambda: f'"mail": "{mail}"' in answer(), f"the answer for {mail}")


def the_window_keeps_its_account(results):
    choose_account(BRAM)
    wait_for_words(WINDOW_IS_ADELES)
    sends("bram@contoso.example")
    take(results, "other-account")
    resize(360)
    take(results, "other-account-narrow")
    resize(860)


def delete_names_the_account():
    type_address("/me/messages/1")
    choose_method("DELETE")
    screen.press("ctrl+Return")
    wait_for_dialog("Send DELETE Request?")
    wait_for(lambda: any(f"As {BRAM}" in text for text in texts("Send DELETE Request?")), "the account")
    screen.press("Escape")
    wait_for(lambda: not has_window("Send DELETE Request?"), "the question to be gone")
    address().click_into()
    choose_method("GET")


def personal_details_are_hidden_here_too():
    press("F10", "h")
    wait_for(lambda: not says("@contoso.example"), "the names to be hidden")
    assert "contoso" not in description()
    open_chooser()
    assert not exists(MAIN, CHOICE, BRAM) and not exists(MAIN, CHOICE, ADELE)
    screen.press("Escape")
    press("F10", "h")
    wait_for_words(WINDOW_IS_ADELES)


def test_another_account_is_chosen_for_the_page_alone(bram_is_signed_in, explorer, results):  # noqa: F811
    assert not says("The account of this window is")
    the_window_keeps_its_account(results)
    delete_names_the_account()
    personal_details_are_hidden_here_too()
    choose_account(ADELE)
    wait_for(lambda: not says("The account of this window is"), "the note to be gone")
    sends("adele@contoso.example")
    # A switch of the window ends the choice.
    choose_account(BRAM)
    screen.press("alt+1")
    switch("Down")
    screen.press("alt+2")
    wait_for(lambda: not says("The account of this window is"), "the note to be gone")
    wait_for_words(f"As {BRAM}")


def test_with_one_account_there_is_no_choice(explorer):  # noqa: F811
    wait_for_words(f"As {ADELE}")
    assert not exists(MAIN, BUTTON, CHOOSER)


@pytest.fixture
def writes_files(app, emulator):
    """The app asks for a permission more."""
    app.connect_to(emulator, scopes=["User.Read", "Files.ReadWrite"])


def choose_file(path):
    find(MAIN, BUTTON, f"{BODY}…").click()
    screen.open_file(path, BODY)
    wait_for_words(path.name)


def test_a_file_is_the_body(writes_files, explorer, results, home):  # noqa: F811
    type_address("/me/drive/root:/note.txt:/content")
    choose_method("PUT")
    wait_for(lambda: exists(MAIN, "text", "Body"), "the body")
    find(MAIN, "text", "Body").click_into()
    screen.type_text("{}")
    path = home / "note.txt"
    path.write_text("A note")
    choose_file(path)
    wait_for_words("6 B · text/plain")
    wait_for(lambda: not exists(MAIN, "text", "Body"), "the text to be gone")
    take(results, "body-file")
    screen.press("ctrl+Return")
    wait_for_words("201 Created")
    # What another program does with the file is told.
    path.unlink()
    wait_for_words("The file “note.txt” cannot be read")
    assert not find(MAIN, BUTTON, "Send").is_enabled
    take(results, "body-file-gone")
    path.write_text("Another note")
    wait_for_words("12 B · text/plain")
    wait_for(lambda: find(MAIN, BUTTON, "Send").is_enabled, "the request to be ready")
    resize(360)
    take(results, "body-file-narrow")
    find(MAIN, BUTTON, "Remove File From Body").click()
    wait_for(lambda: find(MAIN, "text", "Body").text == "{}", "the text to be back")
    # It is saved as the name of the file.
    choose_file(path)
    screen.press("ctrl+s")
    requests = home / "notes.http"
    screen.save_file(requests, "Save Request")
    wait_for(lambda: requests.exists() and "< ./note.txt\n" in requests.read_text(), "the name in the file")
    assert "Content-Type: text/plain\n" in requests.read_text()
    wait_for(lambda: find(MAIN, "text", "Body").text == "< ./note.txt", "the name on the page")


def drop_on(widget, *paths):
    drop.files(paths, screen.window_id(MAIN), *widget.resting_center())


def test_files_are_dropped_on_the_body_and_on_the_page(writes_files, explorer, home):  # noqa: F811
    type_address("/me/drive/root:/note.txt:/content")
    choose_method("PUT")
    note, requests = home / "a note.txt", home / "mine.http"
    note.write_text("A note")
    requests.write_text("### Mine\nGET https://graph.microsoft.com/v1.0/me\n")
    # Not its name, which a text would take.
    drop_on(find(MAIN, "text", "Body"), note)
    wait_for_words("6 B · text/plain")
    wait_for(lambda: not exists(MAIN, "text", "Body"), "the text to be gone")
    drop_on(find(MAIN, BUTTON, "Remove File From Body"), note, requests)
    wait_for_words("The body can be only one file.")
    assert says("6 B · text/plain")
    screen.focus(screen.window_id(MAIN))
    screen.press("ctrl+Return")
    wait_for_words("201 Created")
    # Elsewhere, it is a file of requests.
    drop_on(find(MAIN, BUTTON, "Send"), requests)
    row("mine.http")
