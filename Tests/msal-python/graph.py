"""A program that is signed in to the emulator and calls its Graph."""

import requests

SCOPES = [
    "User.ReadWrite.All", "Group.ReadWrite.All", "Mail.ReadWrite", "Mail.Send",
    "Calendars.ReadWrite", "Contacts.Read", "Files.ReadWrite", "Sites.Read.All",
]
EVENTUAL = {"ConsistencyLevel": "eventual"}


class Graph:
    def __init__(self, emulator, user="adele@contoso.example", scopes=SCOPES):
        self.emulator = emulator
        self.token = emulator.sign_in(user, scopes)[1]["access_token"]

    def __call__(self, method, path, status=None, headers=None, **arguments):
        """Sends a request; `path` is a link, or a path below the version."""
        url = path if path.startswith("https:") else f"{self.emulator.origin}/v1.0{path}"
        reply = requests.request(
            method, url, verify=self.emulator.ca_file, allow_redirects=False,
            headers={"Authorization": f"Bearer {self.token}"} | (headers or {}), **arguments)
        if status is not None:
            assert reply.status_code == status, reply.text
        return reply

    def get(self, path, **arguments):
        return self("GET", path, 200, **arguments).json()

    def values(self, path, **arguments):
        return self.get(path, **arguments)["value"]

    def error(self, method, path, status, **arguments):
        """The code and the sentence of a refusal."""
        error = self(method, path, status, **arguments).json()["error"]
        return error["code"], error["message"]

    def bare(self, method, url, **arguments):
        """A request to an address that needs no token."""
        return requests.request(method, url, verify=self.emulator.ca_file, **arguments)
