"""The Explorer page: which view of an answer is shown, and what is said of one without a view."""

import screen
from accessible import BUTTON, LOG, exists, find, focused
from app import MAIN
from test_explorer import ENTRY, TAB, answer, choose, explorer, take, wait_for_words  # noqa: F401, a fixture
from waiting import wait_for


def raw() -> str:
    return find(MAIN, LOG, "Raw response").text if exists(MAIN, LOG, "Raw response") else ""


def test_only_a_view_that_was_chosen_is_shown_of_the_next_answers(explorer, emulator, results):  # noqa: F811
    emulator.prepare_graph_reply(200, '{"a": 1, "a": 2}')
    screen.press("ctrl+Return")
    wait_for_words("The response is not valid JSON, line 1, column 10: the name “a” is used twice.")
    wait_for(lambda: raw() == '{"a": 1, "a": 2}', "the answer as it came")
    assert not exists(MAIN, TAB, "Formatted")
    take(results, "not-json")
    # Nobody has chosen to see the next one as it came.
    screen.press("ctrl+Return")
    wait_for(lambda: '"displayName"' in answer(), "the next answer")
    choose("Raw")
    wait_for(lambda: '"displayName"' in raw(), "the answer as it came")
    emulator.prepare_graph_reply(200, "")
    screen.press("ctrl+Return")
    wait_for_words("The response has no body.")
    screen.press("ctrl+Return")
    wait_for(lambda: '"displayName"' in raw(), "the view that was chosen")


def test_where_there_is_nothing_to_search_the_search_is_closed(explorer, emulator, results):  # noqa: F811
    screen.press("ctrl+Return")
    wait_for(lambda: answer(), "the answer")
    screen.press("ctrl+f")
    screen.type_text("name")
    wait_for(lambda: exists(MAIN, "entry", "Search response"), "the search")
    emulator.prepare_graph_reply(200, "")
    screen.press("ctrl+Return")
    wait_for_words("The response has no body.")
    assert not exists(MAIN, "entry", "Search response")
    wait_for(lambda: focused(MAIN) == f"{ENTRY} Address", "the focus")
    take(results, "search-closed")


def test_a_request_that_failed_is_sent_again_by_a_button(explorer, emulator, results):  # noqa: F811
    emulator.prepare_graph_reply(500, "")
    screen.press("ctrl+Return")
    wait_for(lambda: exists(MAIN, BUTTON, "Try Again"), "the button")
    take(results, "try-again")
    find(MAIN, BUTTON, "Try Again").click()
    wait_for_words("200 OK")
    wait_for(lambda: not exists(MAIN, BUTTON, "Try Again"), "the button to be gone")


def test_the_body_is_closed_by_its_key_and_opened_again(explorer):  # noqa: F811
    screen.press("alt+f")
    wait_for(lambda: exists(MAIN, ENTRY, "Body"), "the body")
    find(MAIN, ENTRY, "Body").click_into()
    screen.press("alt+f")
    wait_for(lambda: not exists(MAIN, ENTRY, "Body"), "the body to be closed")
    wait_for(lambda: (focused(MAIN) or "").endswith("Header fields and body"), "the focus at what opens it")
    screen.press("space")
    wait_for(lambda: exists(MAIN, ENTRY, "Body"), "the body to be there again")
