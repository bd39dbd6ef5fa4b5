"""A person who signs in on the emulator's pages by HTTP, without a web view."""

import html
import re
import ssl
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar


class Person:
    def __init__(self, emulator, user=None):
        user = user or emulator.adele
        self.answers = {
            "pick-account": {"action": "another"},
            "enter-code": {},
            "enter-username": {"action": "next", "username": user.username},
            "enter-password": {"action": "sign-in", "password": user.password},
            "consent": {"action": "accept"},
            "stay-signed-in": {"action": "stay-no"},
            "return": {},
        }
        context = ssl.create_default_context(cafile=emulator.ca.name)
        self.opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context),
            urllib.request.HTTPCookieProcessor(CookieJar()), LastPage())

    def enter_code(self, url: str, code: str):
        """Enters a device code, and signs in."""
        self.answers["enter-code"] = {"code": code}
        self.sign_in(url)

    def first_page(self, address: str) -> str:
        """The sign-in page that the address for the browser leads to, which works once."""
        return self._show(address)[0]

    def page(self, url: str) -> str:
        """The text of a page, whatever its status."""
        try:
            with self.opener.open(url, timeout=20) as response:
                return response.read().decode()
        except urllib.error.HTTPError as error:
            return error.read().decode()

    def sign_in(self, url: str) -> str:
        """Goes through the pages from `url` on, and returns the address of the last one, which may be a
        link to the app.
        """
        address, text = self._show(url)
        for _ in range(12):
            name = re.search(r'<main id="([^"]*)"', text)
            if name is None or name[1] not in self.answers:
                break
            action, form = re.search(
                r'<form[^>]*action="([^"]*)"[^>]*>(.*?)</form>', text, re.S).groups()
            fields = {
                html.unescape(name): html.unescape(value) for name, value in re.findall(
                    r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form)}
            fields |= self.answers[name[1]]
            address, text = self._show(
                urllib.parse.urljoin(address, html.unescape(action)),
                urllib.parse.urlencode(fields).encode())
        return address

    def _show(self, url: str, data: bytes | None = None) -> tuple[str, str]:
        try:
            with self.opener.open(url, data, timeout=20) as response:
                return response.url, response.read().decode()
        except urllib.error.HTTPError as error:
            # A redirect that is not followed.
            return error.headers.get("Location") or error.url, ""


class LastPage(urllib.request.HTTPRedirectHandler):
    """Follows redirects from the web to the web, but not those from and to an app."""

    def redirect_request(self, request, response, code, message, headers, url):
        if not (url.startswith("https:") and request.full_url.startswith("https:")):
            return None
        return super().redirect_request(request, response, code, message, headers, url)
