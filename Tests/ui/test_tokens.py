"""The Tokens page: what is kept for the account, in words; the tokens themselves only on request."""

import base64
import json

import pytest
import screen
import tree
from accessible import BUTTON, LABEL, exists, find, find_window, focused, has_window, texts, wait_for_dialog
from app import MAIN
from waiting import wait_for

DECODE = "Decode a Token"


def says(text: str):
    wait_for(lambda: any(text in shown for shown in texts(MAIN)), f"'{text}'")


def open_page():
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+3")
    says("Access Token")
    says("ID Token")


@pytest.fixture
def tokens_page(signed_in):
    """The app, at the Tokens page."""
    open_page()
    return signed_in


def everything_shown() -> str:
    """All names and texts of the window."""
    places = tree.walk(find_window(MAIN))
    return "\n".join([f"{place.name}\n{place.description}" for place in places] + texts(MAIN))


def take(results, name: str):
    screen.wait_until_still(MAIN, name)
    (results / f"{name}.png").write_bytes(screen.picture_of(screen.window_id(MAIN)))


def test_tokens_are_renewed_and_explained(tokens_page, emulator, results):
    says("Was valid when the token was received")
    before = len(emulator.secrets()["access_token"])
    find(MAIN, BUTTON, "Renew Tokens").click()
    says("Tokens renewed")
    assert len(emulator.secrets()["access_token"]) == before + 1
    says(f"Belongs to {emulator.adele.username}")
    says(", issued to this app by the account’s tenant")
    assert [text for text in texts(MAIN) if text.startswith("in ") and " minutes (" in text]
    take(results, "tokens")
    shown = everything_shown()
    for secret in sum(emulator.secrets().values(), []):
        assert secret not in shown
    screen.resize(screen.window_id(MAIN), 360, 640)
    take(results, "tokens-narrow")


def test_a_renewal_that_takes_its_time_is_shown_on_the_page(tokens_page, emulator):
    def says_so() -> bool:
        # The account page, which is before this one, says so, too.
        shown = texts(MAIN)
        first = next(index for index, text in enumerate(shown) if text.startswith("Tokens are decoded on this"))
        return "Renewing tokens…" in shown[first:]

    assert not says_so()
    emulator.delay("/{tenant}/oauth2/v2.0/token", 60_000)
    find(MAIN, BUTTON, "Renew Tokens").click()
    wait_for(says_so, "what goes on")
    screen.press("Escape")
    wait_for(lambda: not says_so(), "the renewal to end")
    tokens_page.wait_until_idle()


def is_shown(secrets: list[str]) -> bool:
    shown = everything_shown()
    return any(secret in shown for secret in secrets)


def test_a_token_is_shown_and_copied_only_on_request(tokens_page, emulator, results):
    tokens = [secret for secret in sum(emulator.secrets().values(), []) if secret.startswith("ey")]
    assert tokens and not is_shown(tokens)
    sent = emulator.program_counts()
    find(MAIN, BUTTON, "Show").press()
    wait_for(lambda: is_shown(tokens), "the token")
    take(results, "tokens-shown")
    find(MAIN, BUTTON, "Hide").press()
    wait_for(lambda: not is_shown(tokens), "the token to be hidden")
    # It is hidden when the page is left.
    find(MAIN, BUTTON, "Show").press()
    wait_for(lambda: is_shown(tokens), "the token again")
    screen.press("alt+1")
    wait_for(lambda: exists(MAIN, BUTTON, "Call Microsoft Graph API"), "the account page")
    screen.press("alt+3")
    says("Access Token")
    assert not is_shown(tokens) and exists(MAIN, BUTTON, "Show")
    find(MAIN, BUTTON, "Copy").press()
    says("Token copied. The clipboard will be cleared in 60 seconds.")
    assert screen.copied().strip() in tokens
    assert "x-kde-passwordManagerHint" in screen.copied("TARGETS")
    # All of this asked nothing of a service.
    assert emulator.program_counts() == sent


def test_without_an_account_there_is_a_way_to_sign_in(app, emulator, keyring, sign_in, results):
    app.start()
    screen.focus(screen.window_id(MAIN))
    screen.press("alt+3")
    says("No Tokens")
    take(results, "tokens-none")
    seen = emulator.authorize_count()
    app.press_sign_in()
    sign_in.wait_for_page(seen)
    sign_in.complete(emulator.adele)
    says("Access Token")
    # The keys were fetched by the sign-in.
    says("Verified with the sign-in service’s keys")
    wait_for(lambda: focused(MAIN) == f"{BUTTON} Renew Tokens", "the focus to be on what is there now")


def test_another_token_is_decoded_and_compared(tokens_page, emulator, results):
    find(MAIN, LABEL, "Claims").click()
    says("The API or app that the token is for")
    take(results, "tokens-claims")
    body = emulator.secrets()["access_token"][-1].split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    find(MAIN, BUTTON, "Copy tid").press()
    says("tid copied")
    assert screen.copied() == claims["tid"]
    find(MAIN, BUTTON, "Copy All Claims as JSON").press()
    says("All Claims as JSON copied")
    assert json.loads(screen.copied()) == claims
    find(MAIN, BUTTON, "Copy").press()
    says("Token copied.")
    find(MAIN, BUTTON, "Decode Another Token…").press()
    wait_for_dialog(DECODE)
    screen.press("ctrl+v")
    wait_for(lambda: any("Access token for Microsoft Graph" in text for text in texts(DECODE)), "the claims")
    screen.wait_until_still(DECODE, DECODE)
    screen.capture(results / "decode.png", DECODE)
    find(DECODE, BUTTON, "Copy oid").press()
    wait_for(lambda: "oid copied" in texts(DECODE), "the copied claim")
    assert screen.copied() == claims["oid"]
    # So does a line itself; the first one is in sight.
    first = next(iter(claims))
    find(DECODE, LABEL, first).click()
    wait_for(lambda: screen.copied() == str(claims[first]), "the other claim")
    find(DECODE, LABEL, "Compare With the Current Token").click()
    wait_for(lambda: "Both tokens have the same claims." in texts(DECODE), "the comparison")
    find(DECODE, "text", "Token").click_into()
    screen.press("ctrl+a")
    # {"typ":"JWT","alg":"RS256"}.{"scp":"User.Read Mail.Send","new":1}
    screen.type_text(
        "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.eyJzY3AiOiJVc2VyLlJlYWQgTWFpbC5TZW5kIiwibmV3IjoxfQ.c2ln")
    wait_for(lambda: any("Added: Mail.Send" in text for text in texts(DECODE)), "the differences")
    screen.wait_until_still(DECODE, DECODE)
    screen.capture(results / "compare.png", DECODE)
    screen.resize(screen.window_id(DECODE), 360, 560)
    screen.wait_until_still(DECODE, DECODE)
    screen.capture(results / "compare-narrow.png", DECODE)
    # Of libadwaita's own, Escape closes a toast first.
    wait_for(lambda: not any(text.endswith(" copied") for text in texts(DECODE)), "the toasts to be gone")
    screen.press("Escape")
    wait_for(lambda: not has_window(DECODE), "the dialog to be gone")
