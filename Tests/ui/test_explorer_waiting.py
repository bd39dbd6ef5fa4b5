"""The Explorer page while something takes its time: a download, and the pause that the API asks for."""

import pytest
import screen
from accessible import BUTTON, exists, find, focused, has_window, texts, wait_for_dialog
from app import MAIN
from test_explorer import (  # noqa: F401, a fixture
    address, calls, explorer, resize, says, take, type_address, wait_for_words)
from waiting import wait_for

ADDRESS = "/me/drive/items/1/content"
CONTENT = "0123456789" * 2000
HALF = len(CONTENT) // 2
PROGRESS = "10 kB of 20 kB"


@pytest.fixture
def folder(home):
    """Where files are saved."""
    folder = home / "saved"
    folder.mkdir()
    return folder


def prepare_part(emulator, start: int, end: int):
    """Has the next request for the content get this part of it."""
    emulator.prepare_transfer_reply(
        206, CONTENT[start:end], 'ETag: "1"', f"Content-Range: bytes {start}-{end - 1}/{len(CONTENT)}")


def prepare_half(emulator):
    """Has the connection be lost after the first half of the content, and the service be busy for a minute then."""
    prepare_part(emulator, 0, HALF)
    emulator.prepare_transfer_reply(503, "", **{"retry-after": "60"})


def save_to(path):
    """Saves the response, of which the first half arrives."""
    screen.press("ctrl+shift+s")
    screen.save_file(path, "Save Response")
    wait_for_words(PROGRESS)


def names(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def shown_wait() -> str:
    """What is said of the pause."""
    return next((text for text in texts(MAIN) if "The next request can be sent" in text), "")


def a_download_is_paused_and_goes_on_where_it_stopped(emulator, results, folder):
    prepare_half(emulator)
    save_to(folder / "report.bin")
    # What was received is not under the name that was chosen.
    [partial] = names(folder)
    assert partial != "report.bin" and (folder / partial).read_text() == CONTENT[:HALF]
    # The service asks to wait, in the words of a request.
    first = wait_for(shown_wait, "the pause")
    wait_for(lambda: shown_wait() not in ("", first), "the next second")
    screen.capture(results / "explorer-saving.png")
    find(MAIN, BUTTON, "Pause").click()
    wait_for_words(f"Paused: {PROGRESS}")
    assert not shown_wait()
    assert names(folder) == [partial]
    # The same button goes on, and has the focus.
    wait_for(lambda: focused(MAIN) == f"{BUTTON} Resume", "the focus at the button")
    take(results, "paused")
    resize(360)
    take(results, "paused-narrow")
    resize(860)
    prepare_part(emulator, HALF, len(CONTENT))
    screen.press("space")
    wait_for(lambda: names(folder) == ["report.bin"], "the file")
    assert (folder / "report.bin").read_text() == CONTENT
    wait_for(lambda: not exists(MAIN, BUTTON, "Resume"), "the bar to be gone")
    find(MAIN, BUTTON, "Send")


def a_download_that_is_canceled_leaves_nothing(emulator, folder):
    prepare_half(emulator)
    save_to(folder / "other.bin")
    assert len(names(folder)) == 2
    address().click_into()
    screen.press("Return")
    wait_for_words("Wait until the download ends, or cancel it.")
    screen.close(screen.window_id(MAIN))
    question = "Stop the Download?"
    wait_for_dialog(question)
    assert any("other.bin is not complete yet." in text for text in texts(question))
    screen.press("Escape")
    wait_for(lambda: not has_window(question), "the question to be gone")
    assert len(names(folder)) == 2
    find(MAIN, BUTTON, "Cancel").click()
    wait_for(lambda: names(folder) == ["report.bin"], "the rest to be removed")
    wait_for(lambda: not exists(MAIN, BUTTON, "Pause"), "the bar to be gone")
    assert find(MAIN, BUTTON, "Send").is_enabled


def test_a_download_is_resumed_paused_and_canceled(explorer, emulator, results, folder):  # noqa: F811
    # Each request for the content, also one that is repeated, leads to another address.
    emulator.prepare_graph_reply(
        302, "", path=ADDRESS, times="10", header=f"Location: {emulator.base}/drive/download/1/1")
    type_address(ADDRESS)
    screen.press("Return")
    wait_for_words("The content is at another address")
    # That is no failure.
    wait_for_words("The Content Is at Another Address")
    take(results, "elsewhere")
    a_download_is_paused_and_goes_on_where_it_stopped(emulator, results, folder)
    a_download_that_is_canceled_leaves_nothing(emulator, folder)


def test_the_pause_that_the_api_asks_for_is_counted_down(explorer, emulator, results):  # noqa: F811
    emulator.prepare_graph_reply(429, {"error": {"code": "TooManyRequests"}}, **{"retry-after": "15"})
    screen.press("ctrl+Return")
    wait_for_words("429 Too Many Requests")
    first = wait_for(shown_wait, "the pause")
    requests = calls(emulator)
    wait_for(lambda: shown_wait() not in ("", first), "the next second")
    screen.capture(results / "explorer-countdown.png")
    wait_for(lambda: says("The next request can be sent now."), "the end of the pause", timeout=60)
    take(results, "countdown-over")
    assert calls(emulator) == requests
    screen.press("ctrl+Return")
    wait_for_words("200 OK")
    assert not says("The next request can be sent")


def test_a_request_is_sent_before_the_end_of_the_pause(explorer, emulator, results):  # noqa: F811
    emulator.prepare_graph_reply(429, {"error": {"code": "TooManyRequests"}}, **{"retry-after": "600"})
    screen.press("ctrl+Return")
    wait_for_words("429 Too Many Requests")
    requests = emulator.counts()["GET /v1.0/me"]
    # However often that is tried, it is not sent by the way.
    for _ in range(2):
        screen.press("ctrl+Return")
        wait_for_words("Not Sent")
        wait_for(shown_wait, "the pause")
        assert not says("The Response Has No Body")
    take(results, "paused-request")
    assert emulator.counts()["GET /v1.0/me"] == requests
    find(MAIN, BUTTON, "Send Anyway").press_with_keys()
    wait_for_words("200 OK")
    assert emulator.counts()["GET /v1.0/me"] == requests + 1
    wait_for(lambda: not exists(MAIN, BUTTON, "Send Anyway"), "the button to be gone")
    # The pause is not over.
    screen.press("ctrl+Return")
    wait_for_words("Not Sent")
    assert shown_wait() and emulator.counts()["GET /v1.0/me"] == requests + 1
