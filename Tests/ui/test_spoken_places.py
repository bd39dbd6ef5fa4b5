"""Every page, dialog, list and menu of the app is in a transcript of what Orca speaks.

The table has a row for each file in `data/ui`, and for each page and dialog that is made without one: the transcript
and its step in which Orca comes there. A new one needs a new row, and a test that goes there.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TRANSCRIPTS = Path(__file__).parent / "spoken" / "debian-12"

FILES = {
    "account-page": ("demo", "Try the Demo"),
    "accounts-window": ("accounts", "Accounts, Tab 1"),
    "activity-page": ("activity", "Activity"),
    "browser-dialog": ("browser", "Call Microsoft Graph"),
    "code-dialog": ("code", "Use a code"),
    "connection-dialog": ("set-up", "Next"),
    "connections-window": ("dialogs", "Apps"),
    "decode-dialog": ("decode", "Decode another token"),
    "entry-dialog": ("accounts", "Another organization"),
    "explain-dialog": ("explain", "Explain an error"),
    "explorer-answer": ("by-ear", "To the response"),
    "explorer-body": ("writing", "Body"),
    "explorer-completion": ("writing", "Proposal"),
    "explorer-differences": ("reading", "Stop comparing"),
    "explorer-download": ("download", "Pause"),
    "explorer-filter": ("reading", "Filter"),
    "explorer-line": ("reading", "Fold"),
    "explorer-page": ("explorer", "Explorer"),
    "explorer-query": ("writing", "Query options, Tab 1"),
    "explorer-saved": ("lists", "Files of requests, Tab 2"),
    "long-text-view": ("activity", "A line of the details"),
    "preferences-window": ("preferences", "Preferences"),
    "programs-window": ("programs", "Access by Programs"),
    "sign-in-window": ("demo", "Call Microsoft Graph"),
    "status-page": ("signed-out", "Explorer"),
    "switcher": ("dialogs", "Switcher"),
    "tokens-page": ("tokens", "Tokens"),
    "window": ("demo", "Start"),
}
CLASSES = {
    "AccountPage": FILES["account-page"],
    "AccountsWindow": FILES["accounts-window"],
    "ActivityPage": FILES["activity-page"],
    "BrowserDialog": FILES["browser-dialog"],
    "CodeDialog": FILES["code-dialog"],
    "ConnectionDialog": FILES["connection-dialog"],
    "ConnectionsWindow": FILES["connections-window"],
    "ConsentDialog": ("consent", "A program asks"),
    "DecodeDialog": FILES["decode-dialog"],
    "ExplainDialog": FILES["explain-dialog"],
    "ExplorerPage": FILES["explorer-page"],
    "OrganizationDialog": FILES["entry-dialog"],
    "PassphraseDialog": ("passphrase", "Set passphrase"),
    "PreferencesWindow": FILES["preferences-window"],
    "ProgramsWindow": FILES["programs-window"],
    "QuestionDialog": ("writing", "Send"),
    "RemoveAppDialog": ("remove-app", "Remove"),
    "RenameDialog": ("rename-account", "Rename"),
    "ShortcutsDialog": ("dialogs", "Shortcuts"),
    "SignOutDialog": ("demo", "Sign out"),
    "TokensPage": FILES["tokens-page"],
}
# What asks with a title of its own, without a class.
QUESTIONS = {
    "Clear All Data?": ("preferences", "Clear all data"),
    "Nothing Was Imported": ("import", "A file without an app"),
    "Nothing Was Opened": ("no-mail", "Write an email"),
    "Show Details?": ("show-details", "Edit"),
}
OTHERS = {
    "About": ("dialogs", "About, Tab 1"),
    "the first start": ("set-up", "Start"),
    "the main menu": ("dialogs", "Main menu"),
    "the menu of an account": ("accounts", "Actions"),
    "the menu of an app": ("remove-app", "Actions"),
    "the menu of an answer": ("reading", "Open the menu"),
    "a notice": ("notices", "Call Microsoft Graph"),
    "the question before changes are discarded": ("set-up", "Escape"),
}
# A desktop's notification is its own.
NOT_OF_THE_WINDOW = {"ConsentNotification"}


def sources() -> str:
    return "\n".join(path.read_text() for path in (ROOT / "Sources" / "Entrance").rglob("*.swift"))


def test_the_list_has_every_file_class_and_question():
    assert set(FILES) == {path.stem for path in (ROOT / "data" / "ui").glob("*.ui")}
    classes = re.findall(r"\bclass (\w+)[^{]*(?:\bPresentable|: Page|\bConsentPresenter)\b", sources())
    assert set(CLASSES) == set(classes) - NOT_OF_THE_WINDOW
    titles = re.findall(r"= MessageDialog\(\s*title: tr\(\"([^\"{]+)\"\)", sources())
    assert set(QUESTIONS) | {"Rename Account"} == set(titles)


@pytest.mark.parametrize("place", [*FILES, *CLASSES, *QUESTIONS, *OTHERS])
def test_orca_comes_there_and_speaks(place):
    name, step = (FILES | CLASSES | QUESTIONS | OTHERS)[place]
    lines = (TRANSCRIPTS / f"{name}.txt").read_text().splitlines()
    start = lines.index(f"{step}:")
    assert lines[start + 1].startswith("    "), f"nothing is spoken in '{step}' of {name}.txt"
