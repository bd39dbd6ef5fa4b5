"""The Explorer page: what would be lost or sent by mistake is asked about, or said."""

import screen
from accessible import exists, find, has_window, texts, wait_for_dialog
from app import MAIN
from test_explorer import (  # noqa: F401, a fixture
    ENTRY, TAB, address, choose_method, explorer, row, take, type_address, wait_for_words)
from waiting import wait_for


def sent_changes(emulator) -> int:
    return sum(count for route, count in emulator.counts().items() if route.startswith("PATCH"))


def test_a_request_whose_body_was_not_kept_is_not_sent_by_its_key(explorer, emulator, results):  # noqa: F811
    type_address("/me")
    choose_method("PATCH")
    wait_for(lambda: exists(MAIN, ENTRY, "Body"), "the body")
    find(MAIN, ENTRY, "Body").click_into()
    screen.type_text("{}")
    screen.press("ctrl+Return")
    wait_for_words("403 Forbidden")
    assert sent_changes(emulator) == 1
    screen.press("F9")
    find(MAIN, TAB, "History").click()
    row("PATCH /me").click()
    wait_for(lambda: exists(MAIN, ENTRY, "Body") and not find(MAIN, ENTRY, "Body").text, "the request without its body")
    wait_for_words("The body of this request was not kept.")
    take(results, "body-not-kept")
    address().click_into()
    screen.press("Return")
    question = "Send Without Body?"
    wait_for_dialog(question)
    assert any("The body of this request was not kept." in text for text in texts(question))
    take(results, "send-without-body", question)
    # The key that sends does not answer the question.
    screen.press("Return")
    wait_for(lambda: not has_window(question), "the question to be gone")
    assert sent_changes(emulator) == 1
