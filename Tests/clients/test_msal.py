"""MSAL Python signs in, with requests for Graph: Microsoft's own example for Python."""

import requests

from conftest import ADELE, SCOPES
from graph_use import Requests, check_all


def test_msal_and_requests(emulator):
    app = emulator.application("organizations")
    flow = app.initiate_device_flow(SCOPES)
    emulator.control("enter-device-code", code=flow["user_code"], username=ADELE)
    result = app.acquire_token_by_device_flow(flow)
    http, plain = requests.Session(), requests.Session()
    http.verify = plain.verify = emulator.ca_file
    http.headers["Authorization"] = "Bearer " + result["access_token"]
    check_all(emulator.origin, Requests(http, plain))

    again = app.acquire_token_silent(SCOPES, account=app.get_accounts()[0], force_refresh=True)
    assert again["access_token"] != result["access_token"]
