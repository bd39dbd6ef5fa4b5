#!/usr/bin/python3
"""A browser with a person before it: goes through the emulator's pages, follows their redirects, and writes
down what it shows. What it needs to know comes in the environment."""

import html
import http.cookiejar
import json
import os
import re
import ssl
import sys
import urllib.error
import urllib.parse
import urllib.request

context = ssl.create_default_context(cafile=os.environ["BROWSER_CA"])
cookies = http.cookiejar.MozillaCookieJar(os.environ["BROWSER_COOKIES"])
if os.path.exists(cookies.filename):
    cookies.load(ignore_discard=True)
opener = urllib.request.build_opener(
    urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context),
    urllib.request.HTTPCookieProcessor(cookies))

answers = {
    "pick-account": {"action": "another"},
    "enter-code": {"code": os.environ.get("BROWSER_CODE", "")},
    "enter-username": {"action": "next", "username": os.environ.get("BROWSER_USER", "")},
    "enter-password": {"action": "sign-in", "password": "Entrance-Demo-1"},
    "consent": {"action": "decline" if os.environ.get("BROWSER_CONSENTS") == "no" else "accept"},
    "stay-signed-in": {"action": "stay-no"},
    "return": {},
}


def show(request):
    try:
        response = opener.open(request, timeout=60)
    except urllib.error.HTTPError as error:
        response = error
    text = response.read().decode()
    name = re.search(r'<main id="([^"]*)"', text)
    page = {
        "url": response.url,
        "name": name[1] if name else None,
        "fields": {key.lower(): value for key, value in response.headers.items()},
        "text": text,
    }
    with open(os.environ["BROWSER_LOG"], "a") as log:
        log.write(json.dumps(page) + "\n")
    return page


page = show(sys.argv[-1])
for _ in range(12):
    if page["name"] not in answers:
        break
    action, content = re.search(
        r'<form[^>]*action="([^"]*)"[^>]*>(.*?)</form>', page["text"], re.S).groups()
    fields = {
        html.unescape(name): html.unescape(value)
        for name, value in re.findall(
            r'<input type="hidden" name="([^"]*)" value="([^"]*)"', content)
    }
    fields |= answers[page["name"]]
    url = urllib.parse.urljoin(page["url"], html.unescape(action))
    page = show(urllib.request.Request(url, data=urllib.parse.urlencode(fields).encode()))
cookies.save(ignore_discard=True)
