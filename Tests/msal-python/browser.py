"""A user at a browser: reads the emulator's pages and clicks their buttons."""

from html.parser import HTMLParser
from urllib.parse import parse_qsl, urljoin, urlsplit

import requests


class Page(HTMLParser):
    """The parts of a page that a user can use."""

    def __init__(self, response):
        super().__init__()
        self.url = response.url
        self.status = response.status_code
        self.headers = response.headers
        self.name = None
        self.title = ""
        self.texts = {}  # text of elements that have an ID
        self.buttons = {}  # ID of the button -> form and field it sends
        self.inputs = {}  # ID of the field -> form it belongs to
        self.links = {}
        self.frames = []
        self.refresh = None
        self.html = response.text
        self._form = None
        self._open = []
        self.feed(response.text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        identifier = attributes.get("id")
        if tag == "main":
            self.name = identifier
        if tag == "form":
            self._form = {
                "action": urljoin(self.url, attributes["action"]),
                "method": attributes["method"],
                "fields": {},
            }
        if tag == "input":
            self._form["fields"][attributes["name"]] = attributes.get("value", "")
            if identifier:
                self.inputs[identifier] = (self._form, attributes)
        if tag == "button":
            self.buttons[identifier] = (self._form, attributes)
        if tag == "a":
            self.links[identifier] = attributes["href"]
        if tag == "iframe":
            self.frames.append(urljoin(self.url, attributes["src"]))
        if attributes.get("http-equiv") == "refresh":
            self.refresh = attributes["content"]
        if tag not in ("input", "meta"):
            self._open.append((tag, identifier))
            if identifier:
                self.texts.setdefault(identifier, "")

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            pass
        if tag == "form":
            self._form = None

    def handle_data(self, data):
        if any(tag == "title" for tag, _ in self._open):
            self.title += data
        for _, identifier in self._open:
            if identifier:
                self.texts[identifier] += data

    @property
    def parameters(self):
        """The parameters that a `form_post` page sends to the application."""
        return self.buttons["continue"][0]["fields"]

    def has(self, identifier):
        return identifier in self.texts or identifier in self.inputs


class Redirect:
    """A redirect to the application, which ends a sign-in."""

    name = "redirect"

    def __init__(self, location):
        self.location = location
        parts = urlsplit(location)
        self.parameters = dict(parse_qsl(parts.query or parts.fragment))
        self.uri = location.split("?")[0].split("#")[0]


class Browser:
    """Holds cookies and the current page."""

    def __init__(self, emulator):
        self.origin = emulator.origin
        self.http = requests.Session()
        self.http.verify = emulator.ca_file
        self.view = None

    def open(self, url):
        return self._follow(self.http.get(url, allow_redirects=False))

    def press(self, button, **fields):
        """Types into the given fields, and clicks a button."""
        form, attributes = self.view.buttons[button]
        data = dict(form["fields"])
        for name, value in fields.items():
            name = name.replace("_", "-")
            assert name in self.view.inputs, f"{name} is not on page {self.view.name}"
            data[name] = value
        if "name" in attributes:
            data[attributes["name"]] = attributes["value"]
        return self._follow(
            self.http.request(form["method"], form["action"], data=data, allow_redirects=False)
        )

    def _follow(self, response):
        while response.is_redirect:
            target = urljoin(response.url, response.headers["Location"])
            if not target.startswith(self.origin + "/"):
                self.view = Redirect(target)
                return self.view
            response = self.http.get(target, allow_redirects=False)
        self.view = Page(response)
        return self.view

    def sign_in(self, url, user, consents=True, stays=False):
        """Completes all pages, and returns the result."""
        view = self.open(url)
        while view.name not in ("redirect", "return"):
            if view.name == "pick-account":
                view = self.press("another")
            elif view.name == "enter-username":
                view = self.press("next", username=user)
            elif view.name == "enter-password":
                view = self.press("sign-in", password="Entrance-Demo-1")
            elif view.name == "consent":
                view = self.press("accept" if consents else "decline")
            elif view.name == "stay-signed-in":
                view = self.press("stay-yes" if stays else "stay-no")
            else:
                raise AssertionError(f"unexpected page {view.name}: {view.texts}")
        return view
