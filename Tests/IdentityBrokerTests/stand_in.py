"""A stand-in for the identity broker: it replies like one of three brokers, or with a scripted
error.

usage: stand_in.py java|native|himmelblau

It prints "ready" when it owns its name on the session bus, then a line of JSON for each call,
before it replies. It reads lines of JSON from its standard input, and ends when that is closed:

    {"method": "getAccounts", "answers": [{"text": "{}"}, {"error": ["name", "words"]}, ...]}

Answers are used in turn, and the last one forever. Others are {"number": 1} for a reply of another
type, {"silence": true}, {"leave": true}, {"usual": true}, and {"hold": true}, which sends the usual
reply after a line {"release": true}.
"""

import base64
import json
import os
import sys
import threading

from gi.repository import Gio, GLib

NAME = "com.microsoft.identity.broker1"
PATH = "/com/microsoft/identity/broker1"
INTERFACE = "com.microsoft.identity.Broker1"
METHODS = [
    "acquireTokenInteractively",
    "acquireTokenSilently",
    "getAccounts",
    "removeAccount",
    "acquirePrtSsoCookie",
    "generateSignedHttpRequest",
    "cancelInteractiveFlow",
    "getLinuxBrokerVersion",
]

OBJECT_ID = "9f4880d8-80ba-4c40-97bc-f7a23c703084"
TENANT = "f645ad92-e38d-4d1a-b510-d1b09a74a8ca"
VERSIONS = {"java": "2.0.1", "native": "3.0.1", "himmelblau": "1.4.0"}
# 2027-01-15 09:00:00 UTC: an hour after the clock of the tests.
EXPIRY = 1_800_003_600


def base64url(text):
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


CLIENT_INFO = base64url(json.dumps({"uid": OBJECT_ID, "utid": TENANT}))


class Failure(Exception):
    """A D-Bus error."""


class Broker:
    """The behavior of the three brokers, with their differences."""

    def __init__(self, dialect):
        self.dialect = dialect
        self.tokens = 0

    def answer(self, method, request):
        return getattr(self, method, self.not_implemented)(request)

    def not_implemented(self, _request):
        raise Failure("Not implemented")

    @property
    def account(self):
        account = {
            "homeAccountId": f"{OBJECT_ID}.{TENANT}",
            "localAccountId": OBJECT_ID,
            "realm": TENANT,
            "username": "adele@contoso.example",
            "givenName": "Adele",
            "name": "Adele Vance",
        }
        if self.dialect != "himmelblau":
            account |= {
                "clientInfo": CLIENT_INFO,
                "environment": "login.windows.net",
                "familyName": "Vance",
                "passwordExpiry": 0,
            }
        return account

    def check(self, account):
        if account["username"].lower() != self.account["username"]:
            raise Failure("Invalid request for user!")

    def getLinuxBrokerVersion(self, request):  # noqa: N802
        # The Java broker rejects a request that does not name the calling library.
        assert request["msalCppVersion"]
        return {"linuxBrokerVersion": VERSIONS[self.dialect]}

    def getAccounts(self, request):  # noqa: N802
        assert request["clientId"] and request["redirectUri"]
        return {"accounts": [self.account]}

    def acquireTokenSilently(self, request):  # noqa: N802
        parameters = request["authParameters"]
        self.check(parameters["account"])
        return {"brokerTokenResponse": self.token(parameters)}

    def acquireTokenInteractively(self, request):  # noqa: N802
        parameters = request["authParameters"]
        if self.dialect == "himmelblau" and "account" not in parameters:
            # It has no account picker.
            raise Failure("Missing account")
        return {"brokerTokenResponse": self.token(parameters)}

    def acquirePrtSsoCookie(self, request):  # noqa: N802
        cookie = {
            "cookieName": "x-ms-RefreshTokenCredential",
            "cookieContent": "cookie-canary.of.adele",
        }
        if self.dialect == "native":
            parameters = request["authParameters"]
            self.check(parameters["account"])
            assert parameters["authorizationType"] == 8 and parameters["ssoUrl"]
            return {
                "cookieItems": [
                    cookie,
                    {"cookieName": "x-ms-DeviceCredential", "cookieContent": "device-canary"},
                ]
            }
        self.check(request["account"])
        assert request["ssoUrl"]
        return cookie | {"account": self.account}

    def removeAccount(self, request):  # noqa: N802
        if self.dialect == "himmelblau":
            raise Failure("Not implemented")
        self.check(request["account"])
        return {}

    def cancelInteractiveFlow(self, request):  # noqa: N802
        if self.dialect == "himmelblau":
            raise Failure("Not implemented")
        assert request["clientId"]
        return {}

    def token(self, parameters):
        self.tokens += 1
        claims = {
            "aud": parameters["clientId"],
            "iss": f"https://login.microsoftonline.com/{TENANT}/v2.0",
            "tid": TENANT,
            "oid": OBJECT_ID,
            "sub": f"subject-{OBJECT_ID}",
            "name": "Adele Vance",
            "preferred_username": "adele@contoso.example",
        }
        scopes = parameters["requestedScopes"]
        response = {
            "accessToken": f"broker-canary-{self.tokens}",
            "accessTokenType": 0,
            "clientInfo": CLIENT_INFO,
            "expiresOn": EXPIRY * 1000,
            "grantedScopes": " ".join(scopes),
        }
        if self.dialect == "himmelblau":
            response["extendedExpiresOn"] = EXPIRY
            response["idToken"] = base64url(json.dumps(claims))
        else:
            header = {"alg": "RS256", "typ": "JWT"}
            parts = [json.dumps(header), json.dumps(claims), "signature"]
            response["extendedExpiresOn"] = EXPIRY * 1000
            response["idToken"] = ".".join(map(base64url, parts))
        if self.dialect == "native":
            response["account"] = self.account
        if self.dialect == "java":
            response["grantedScopes"] = scopes
        return response


class StandIn:
    """The D-Bus object: records calls, then replies."""

    def __init__(self, dialect):
        self.broker = Broker(dialect)
        self.answers = {}
        self.held = []
        self.connection = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.connection.connect("closed", lambda *_: os._exit(0))
        # GDBus needs the interface definition; a reply is sent unchanged.
        methods = "".join(
            f'<method name="{name}">'
            + '<arg type="s" direction="in"/>' * 3
            + '<arg type="s" direction="out"/></method>'
            for name in METHODS
        )
        node = Gio.DBusNodeInfo.new_for_xml(
            f'<node><interface name="{INTERFACE}">{methods}</interface></node>'
        )
        self.connection.register_object(PATH, node.interfaces[0], self.called, None, None)
        Gio.bus_own_name_on_connection(
            self.connection, NAME, Gio.BusNameOwnerFlags.DO_NOT_QUEUE, self.ready, None
        )

    def ready(self, _connection, _name):
        print("ready", flush=True)

    def called(self, _connection, _sender, path, interface, method, arguments, invocation):
        message = invocation.get_message()
        call = {
            "destination": message.get_destination(),
            "path": path,
            "interface": interface,
            "method": method,
            "signature": message.get_signature(),
            "arguments": list(arguments.unpack()),
        }
        print(json.dumps(call), flush=True)
        answers = self.answers.get(method) or [{"usual": True}]
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if answer.get("hold"):
            self.held.append((method, message))
        elif answer.get("leave"):
            os._exit(0)
        elif "usual" in answer:
            self.answer_as_usual(method, message)
        elif not answer.get("silence"):
            self.send(message, answer)

    def answer_as_usual(self, method, message):
        _, _, request = message.get_body().unpack()
        try:
            text = json.dumps(self.broker.answer(method, json.loads(request)))
            self.send(message, {"text": text})
        except (Failure, AssertionError, LookupError, TypeError, ValueError) as failure:
            words = f"{type(failure).__name__}: {failure}"
            self.send(message, {"error": ["org.freedesktop.DBus.Error.Failed", words]})

    def send(self, message, answer):
        if "error" in answer:
            name, words = answer["error"]
            reply = Gio.DBusMessage.new_method_error_literal(message, name, words)
        else:
            reply = Gio.DBusMessage.new_method_reply(message)
            text = answer.get("text")
            value = GLib.Variant("(i)", (1,)) if text is None else GLib.Variant("(s)", (text,))
            reply.set_body(value)
        self.connection.send_message(reply, Gio.DBusSendMessageFlags.NONE)

    def follow(self, line):
        order = json.loads(line)
        if "release" in order:
            held, self.held = self.held, []
            for method, message in held:
                self.answer_as_usual(method, message)
        else:
            self.answers[order["method"]] = order["answers"]
        print("done", flush=True)


def main():
    stand_in = StandIn(sys.argv[1])

    def read():
        for line in sys.stdin:
            GLib.idle_add(stand_in.follow, line)
        if "DBUS_STARTER_ADDRESS" not in os.environ:
            os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    GLib.MainLoop().run()


main()
