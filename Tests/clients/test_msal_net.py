"""MSAL.NET signs in with a code and by the browser, finds its token in the cache, and renews it; .NET's HTTP client uses
Graph with it.
"""

import base64
import json as parser
import sys
import threading
import time

import requests
from clr_loader import get_coreclr
from pythonnet import set_runtime

from browser import Browser
from conftest import ADELE, SCOPES
from dotnet_runtime import lay_out
from graph_use import Answer, check_all


def result(task):
    """Waits for a task. Its own `Result` would keep Python's lock, which functions that it calls need."""
    limit = time.monotonic() + 120
    while not task.IsCompleted:
        assert time.monotonic() < limit, "the task does not end"
        time.sleep(0.02)
    return task.Result


def until_heard(request):
    """Sends a request to MSAL.NET, which listens only after it has opened the browser."""
    limit = time.monotonic() + 60
    while True:
        try:
            return request()
        except requests.ConnectionError as error:
            if "Connection refused" not in str(error) or time.monotonic() > limit:
                raise
            time.sleep(0.02)


def sender(access_token: str):
    """Sends with .NET's HTTP client. Bytes go there and back as Base64, which is faster than one by one."""
    import clr

    clr.AddReference("System.Net.Http")
    from System import Convert
    from System.Net.Http import ByteArrayContent, HttpClient, HttpMethod, HttpRequestMessage
    from System.Net.Http.Headers import AuthenticationHeaderValue

    client = HttpClient()

    def send(method, url, body=b"", headers=None, json=None, signed=True):
        headers = dict(headers or {})
        if json is not None:
            body, headers["Content-Type"] = parser.dumps(json).encode(), "application/json"
        request = HttpRequestMessage(HttpMethod(method), url)
        if body:
            request.Content = ByteArrayContent(Convert.FromBase64String(base64.b64encode(body).decode()))
            for name, value in headers.items():
                request.Content.Headers.Add(name, value)
        if signed:
            request.Headers.Authorization = AuthenticationHeaderValue("Bearer", access_token)
        response = result(client.SendAsync(request))
        content = base64.b64decode(
            Convert.ToBase64String(result(response.Content.ReadAsByteArrayAsync())))
        return Answer(int(response.StatusCode), content, lambda: parser.loads(content))

    return send


def test_msal_net(emulator, tmp_path, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", emulator.ca_file)
    monkeypatch.setenv("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1")
    libraries = lay_out(tmp_path / "dotnet")
    set_runtime(get_coreclr(
        runtime_config=str(tmp_path / "dotnet/runtimeconfig.json"), dotnet_root=str(tmp_path / "dotnet")))
    import clr

    sys.path.append(str(libraries))
    clr.AddReference("Microsoft.Identity.Client")
    from Microsoft.Identity.Client import (
        DeviceCodeResult, PublicClientApplicationBuilder, SystemWebViewOptions)
    from System import Func, Uri
    from System.Collections.Generic import List
    from System.Threading.Tasks import Task

    scopes = List[str]()
    for scope in SCOPES:
        scopes.Add(scope)

    def app():
        return PublicClientApplicationBuilder.Create(emulator.client_id) \
            .WithAuthority(emulator.origin + "/organizations", False).WithInstanceDiscovery(False) \
            .WithRedirectUri("http://localhost").Build()

    def enter(code):
        emulator.control("enter-device-code", code=code.UserCode, username=ADELE)
        return Task.CompletedTask

    first = app()
    token = result(first.AcquireTokenWithDeviceCode(
        scopes, Func[DeviceCodeResult, Task](enter)).ExecuteAsync())
    assert token.Account.Username == ADELE
    check_all(emulator.origin, sender(token.AccessToken))

    (account,) = result(first.GetAccountsAsync())
    kept = result(first.AcquireTokenSilent(scopes, account).ExecuteAsync())
    assert kept.AccessToken == token.AccessToken
    assert str(kept.AuthenticationResultMetadata.TokenSource) == "Cache"
    renewed = result(first.AcquireTokenSilent(scopes, account).WithForceRefresh(True).ExecuteAsync())
    assert renewed.AccessToken != token.AccessToken

    def browse(address):
        def answer():
            view = Browser(emulator).sign_in(address.AbsoluteUri, ADELE)
            if view.name == "redirect":
                return until_heard(lambda: requests.get(view.location, timeout=60))
            form = view.buttons["continue"][0]
            return until_heard(lambda: requests.post(form["action"], data=form["fields"], timeout=60))

        threading.Thread(target=answer).start()
        return Task.CompletedTask

    options = SystemWebViewOptions()
    options.OpenBrowserAsync = Func[Uri, Task](browse)
    token = result(app().AcquireTokenInteractive(scopes).WithUseEmbeddedWebView(False)
                   .WithSystemWebViewOptions(options).ExecuteAsync())
    assert token.Account.Username == ADELE
