"""Cookies, single sign-on, and the pages for each prompt."""

import pytest

from browser import Browser
from conftest import REDIRECT
from test_refusals import authorize_url


@pytest.fixture
def adele(emulator):
    """A browser in which Adele is signed in."""
    browser = Browser(emulator)
    browser.sign_in(authorize_url(emulator), "adele@contoso.example")
    return browser


@pytest.fixture
def both(emulator, adele):
    """A browser in which Adele and Bram are signed in."""
    adele.sign_in(authorize_url(emulator, prompt="select_account"), "bram@contoso.example")
    return adele


def test_session_needs_no_page(emulator, adele):
    assert "code" in adele.open(authorize_url(emulator)).parameters


def test_two_sessions_show_the_account_picker(emulator, both):
    page = both.open(authorize_url(emulator))
    assert page.name == "pick-account"
    assert "Adele Vance" in page.texts["account-0"]
    assert "Bram Okafor" in page.texts["account-1"]
    assert "code" in both.press("account-1").parameters


def test_login_hint_chooses_among_sessions(emulator, both):
    url = authorize_url(emulator, login_hint="adele@contoso.example")
    assert "code" in both.open(url).parameters


def test_login_hint_skips_the_user_name_page(emulator, browser):
    page = browser.open(authorize_url(emulator, login_hint="Adele@contoso.example"))
    assert (page.name, page.texts["identity"]) == ("enter-password", "adele@contoso.example")


def test_unknown_login_hint_is_filled_in(emulator, browser):
    page = browser.open(authorize_url(emulator, login_hint="eve@contoso.example"))
    assert page.inputs["username"][1]["value"] == "eve@contoso.example"


def test_select_account_offers_sessions_and_others(emulator, adele):
    page = adele.open(authorize_url(emulator, prompt="select_account"))
    assert page.name == "pick-account"
    assert adele.press("another").name == "enter-username"
    adele.open(authorize_url(emulator, prompt="select_account"))
    assert "code" in adele.press("account-0").parameters


def test_select_account_without_sessions_asks_for_the_user_name(emulator, browser):
    page = browser.open(authorize_url(emulator, prompt="select_account"))
    assert page.name == "enter-username"


@pytest.mark.parametrize("hint", [None, "adele@contoso.example"])
def test_login_asks_for_the_password_again(emulator, adele, hint):
    page = adele.open(authorize_url(emulator, prompt="login", login_hint=hint))
    if page.name == "pick-account":
        page = adele.press("account-0")
    assert page.name == "enter-password"
    assert adele.press("sign-in", password="Entrance-Demo-1").name == "stay-signed-in"


def test_consent_asks_again(emulator, adele):
    page = adele.open(authorize_url(emulator, prompt="consent"))
    assert page.name == "consent"
    assert "code" in adele.press("accept").parameters


def test_consent_is_asked_once_for_user_and_client(emulator, adele):
    other = Browser(emulator)
    other.open(authorize_url(emulator, login_hint="adele@contoso.example"))
    assert other.press("sign-in", password="Entrance-Demo-1").name == "stay-signed-in"


def test_none_without_session(emulator, browser):
    redirect = browser.open(authorize_url(emulator, prompt="none"))
    assert redirect.parameters["error"] == "login_required"
    assert "AADSTS50058" in redirect.parameters["error_description"]
    assert redirect.parameters["state"] == "xyz"


def test_none_with_session(emulator, adele):
    assert "code" in adele.open(authorize_url(emulator, prompt="none")).parameters


def test_none_with_another_users_session(emulator, adele):
    url = authorize_url(emulator, prompt="none", login_hint="bram@contoso.example")
    assert adele.open(url).parameters["error"] == "login_required"


def test_none_with_two_sessions(emulator, both):
    redirect = both.open(authorize_url(emulator, prompt="none"))
    assert redirect.parameters["error"] == "interaction_required"


def test_none_without_consent(emulator, adele):
    redirect = adele.open(authorize_url(emulator, prompt="none", scope="Files.Read"))
    assert redirect.parameters["error"] == "consent_required"


def test_create_makes_an_account_that_can_sign_in(emulator, browser):
    page = browser.open(authorize_url(emulator, prompt="create"))
    assert page.name == "create-account"
    page = browser.press("create", display_name="Emil", username="emil@somewhere.com")
    assert ".example" in page.texts["message"]
    page = browser.press("create", display_name="Emil Novak", username="emil@contoso.example")
    assert page.name == "enter-password"
    browser.press("sign-in", password="Entrance-Demo-1")
    browser.press("accept")
    assert "code" in browser.press("stay-no").parameters
    _, result = emulator.sign_in("emil@contoso.example")
    assert result["id_token_claims"]["name"] == "Emil Novak"


@pytest.mark.parametrize("prompt", [None, "select_account", "create"])
def test_cancel_is_reported_to_the_client(emulator, browser, prompt):
    browser.open(authorize_url(emulator, prompt=prompt))
    redirect = browser.press("cancel")
    assert redirect.parameters["error"] == "access_denied"
    assert redirect.parameters["error_subcode"] == "cancel"
    assert redirect.parameters["state"] == "xyz"


def test_declined_consent_is_reported_to_the_client(emulator, adele):
    url = authorize_url(emulator, prompt="consent")
    redirect = adele.sign_in(url, "adele@contoso.example", consents=False)
    assert redirect.parameters["error"] == "access_denied"
    assert redirect.parameters["error_description"].startswith("AADSTS65004")


def test_staying_signed_in_makes_the_cookie_persistent(emulator):
    for stays in [False, True]:
        browser = Browser(emulator)
        browser.sign_in(authorize_url(emulator), "adele@contoso.example", stays=stays)
        (cookie,) = browser.http.cookies
        assert cookie.secure and cookie.has_nonstandard_attr("HttpOnly")
        assert cookie.get_nonstandard_attr("SameSite") == "Lax"
        assert cookie.discard is not stays


def test_page_can_be_reloaded(emulator, browser):
    browser.open(authorize_url(emulator))
    page = browser.press("next", username="adele@contoso.example")
    assert browser.open(page.url).name == "enter-password"


def test_pages_are_not_cached(emulator, browser):
    page = browser.open(authorize_url(emulator))
    assert page.headers["Cache-Control"] == "no-store"
    assert "script-src" not in page.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]


def test_sign_out_ends_the_session(emulator, adele):
    page = adele.open(f"{emulator.origin}/common/oauth2/v2.0/logout")
    assert (page.name, page.title) == ("signed-out", "Signed out")
    assert adele.open(authorize_url(emulator)).name == "enter-username"


def test_sign_out_redirects_to_a_registered_uri(emulator, adele):
    url = f"{emulator.origin}/common/oauth2/v2.0/logout?post_logout_redirect_uri="
    redirect = adele.open(url + REDIRECT + "&state=abc")
    assert (redirect.uri, redirect.parameters) == (REDIRECT, {"state": "abc"})
    assert adele.open(url + "https://evil.example/").name == "signed-out"


def test_sign_out_of_one_of_two(emulator, both):
    url = f"{emulator.origin}/common/oauth2/v2.0/logout?logout_hint=adele@contoso.example"
    both.open(url)
    assert "code" in both.open(authorize_url(emulator)).parameters
    page = both.open(authorize_url(emulator, prompt="select_account"))
    assert "Bram Okafor" in page.texts["account-0"] and not page.has("account-1")
