"""The recipes of the manual page for mail programs: each one, taken from the page, with the real program."""

import json
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from certificates import CertificateAuthority
from conftest import CommandLine
from emulator import Emulator
from mail_servers import IMAP, RESOURCE, SMTP, IMAPServer, SMTPServer, Tokens
from screen import Screen
from troubles import troubles
from waiting import wait_for

MANUAL = Path(__file__).parent.parent.parent / "data" / "entrance-mail.7"
SYSTEM_CA = "/etc/ssl/certs/ca-certificates.crt"
ADELE, BRAM = "adele@contoso.example", "bram@contoso.example"


def examples(section: str) -> list[tuple[list[str], str]]:
    """The examples of a section, each with the files that the page says it is for."""
    text = re.search(rf'^\.SS "?{section}[^\n]*\n(.*?)^\.S[HS]', MANUAL.read_text(), re.M | re.S)[1]
    found = []
    for before, example in re.findall(r"(.*?)^\.EX\n(.*?)^\.EE", text, re.M | re.S):
        # A hyphen that is not escaped would be another character where the page is shown.
        assert "-" not in example.replace("\\-", ""), example
        example = example.replace("\\-", "-").replace("\\e", "\\")
        # Files are named in the sentence that begins with "In".
        paragraph = before.replace("\\-", "-").rpartition("\nIn\n")[2]
        found.append((re.findall(r"~/[\w./]*\w", paragraph), example))
    return found


class Mail:
    """A person with mail programs, and the servers of the mail."""

    def __init__(self, session, person, home: Path, emulator: Emulator):
        self.cli: CommandLine = person.cli
        self.home = home
        self.ca = CertificateAuthority(home / "mail-ca")
        self.tokens = Tokens(emulator)
        self.imap = IMAPServer(session, self.tokens, self.ca)
        self.smtp = SMTPServer(self.tokens, self.ca)
        # Some programs hide what entrancectl writes to standard error, and how it ends.
        self.said, self.statuses = home / "said", home / "statuses"
        self.screens: list[Screen] = []
        recorder = home / "bin" / "entrancectl"
        recorder.parent.mkdir()
        recorder.write_text(
            f"#!/bin/sh\n'{self.cli.program}' \"$@\" 2>'{home}/error'\nstatus=$?\n"
            f"cat '{home}/error' >>'{self.said}'\necho $status >>'{self.statuses}'\n"
            f"cat '{home}/error' >&2\nexit $status\n")
        recorder.chmod(0o755)
        editor = home / "bin" / "editor"
        editor.write_text('#!/bin/sh\necho "At one" >"$1"\n')
        editor.chmod(0o755)
        self.environment = person.cli.environment | {
            "PATH": f"{recorder.parent}:{os.environ['PATH']}", "TERM": "xterm", "EDITOR": str(editor),
            "TMPDIR": str(home / "bin")}
        # The file with the authorities that the programs trust.
        self.trusted = str(self.ca.file)
        # The command of the page, whose app becomes one of the emulator.
        self.cli.connections.unlink()
        [(_, command)] = examples("Add the app")
        self.run("sh", "-e", input=command).check_returncode()
        [app] = json.loads(self.cli.connections.read_text())["apps"]
        self.cli.connect_to(emulator.connection("Contoso"), emulator.connection("Mail") | {
            "name": app["name"], "scopes": app["scopes"]})
        self.statuses.unlink()

    def install(self, section: str) -> list[Path]:
        """Writes the configuration files of a recipe, with the servers of the test."""
        paths = []
        for path, text in [(self.path(name), text) for names, text in examples(section) for name in names]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.adapt(text))
            path.chmod(0o600)
            paths.append(path)
        return paths

    def adapt(self, text: str) -> str:
        for host, port, own in (
                ("outlook.office365.com", "993", self.imap.port),
                ("smtp.office365.com", "587", self.smtp.port)):
            if host in text:
                text = text.replace(host, "localhost")
                assert len(re.findall(rf"\b{port}\b", text)) == 1, text
                text = re.sub(rf"\b{port}\b", str(own), text)
        return text.replace(SYSTEM_CA, self.trusted)

    def path(self, name: str) -> Path:
        # XDG_CONFIG_HOME is not ~/.config here.
        return self.home / name.replace("~/.config/", "config/").removeprefix("~/")

    def run(self, *command: str, input: str = "") -> subprocess.CompletedProcess:
        return subprocess.run(
            command, env=self.environment, input=input, text=True, stdout=subprocess.PIPE, cwd=self.home,
            stderr=subprocess.STDOUT, timeout=60, start_new_session=True)

    def show(self, *command: str) -> Screen:
        """Starts a program in a terminal."""
        self.screens.append(Screen(command, self.environment, self.home))
        return self.screens[-1]

    def let_time_pass(self):
        """Makes the token in the cache expire, and the servers refuse it."""
        self.tokens.expired.update(self.tokens.accepted)
        self.cli.expire_tokens("Mail", self.home / "cache.json")

    def close(self):
        for screen in self.screens:
            screen.close()
        self.smtp.close()
        self.imap.close()
        self.tokens.close()


@pytest.fixture
def emulator(session, stage, home):
    configuration = home / "emulator.json"
    configuration.write_text(json.dumps({"resources": [{"identifier": RESOURCE, "scopes": [IMAP, SMTP]}]}))
    emulator = Emulator(session, stage).start("--configuration", str(configuration))
    yield emulator
    emulator.stop()


@pytest.fixture
def mail(session, keyring, person, home, emulator):
    mail = Mail(session, person, home, emulator)
    yield mail
    mail.close()


class Program:
    """How a person uses a mail program. `use` returns whether that worked, and what the program says."""

    section = ""

    def __init__(self, mail: Mail):
        self.mail = mail
        self.files = mail.install(self.section)

    def use(self) -> tuple[bool, str]:
        raise NotImplementedError

    def sent(self) -> bool:
        """Whether the mail was sent, which is taken away."""
        if not self.mail.smtp.mails:
            return False
        [(sender, recipients, text)] = self.mail.smtp.mails
        assert (sender, recipients) == (ADELE, [BRAM]) and "Lunch" in text and "At one" in text
        self.mail.smtp.mails.clear()
        return True

    def fetched(self, box: Path, *command: str) -> tuple[bool, str]:
        """Runs a command that fetches all mail into a Maildir."""
        result = self.mail.run(*command)
        has_mail = any("Subject: Lunch" in file.read_text() for file in box.glob("[cn]*/*"))
        assert (result.returncode == 0) == has_mail, result
        return has_mail, result.stdout

    def clear(self, *paths: str):
        for path in paths:
            shutil.rmtree(self.mail.home / path, ignore_errors=True)


class Mutt(Program):
    section = "mutt"
    name = "mutt"

    @property
    def command(self) -> list[str]:
        # The file with the authorities is in the configuration of the system.
        return [self.name, "-e", f"set ssl_ca_certificates_file={self.mail.trusted}"]

    def use(self):
        file = self.mail.home / "piped"
        file.unlink(missing_ok=True)
        screen = self.mail.show(*self.command, "-e", "set wait_key=no quit=yes")
        if screen.wait_for("Lunch", "entrancectl:", "(r)eject") != "Lunch":
            return False, screen.text
        screen.type("|cat > piped\n")
        wait_for(lambda: file.exists() and "At noon?" in file.read_text(), "the message")
        screen.type("q")
        assert screen.end() == 0
        return True, screen.text


class MuttSending(Mutt):
    def use(self):
        result = self.mail.run(*self.command, "-s", "Lunch", BRAM, input="At one\n")
        worked = self.sent()
        assert (result.returncode == 0) == worked, result
        return worked, result.stdout


class NeoMutt(Mutt):
    name = "neomutt"


class NeoMuttSending(MuttSending):
    name = "neomutt"


class MSMTP(Program):
    section = "msmtp"

    def use(self):
        result = self.mail.run("msmtp", BRAM, input="Subject: Lunch\n\nAt one\n")
        worked = self.sent()
        assert (result.returncode == 0) == worked, result
        return worked, result.stdout


class Mbsync(Program):
    section = "mbsync"

    def use(self):
        self.clear("Mail", ".mbsync")
        (self.mail.home / "Mail").mkdir()
        return self.fetched(self.mail.home / "Mail" / "INBOX", "mbsync", "contoso")


class Aerc(Program):
    section = "aerc"

    def start(self) -> Screen:
        # Its configuration file names no file with authorities.
        self.mail.environment["SSL_CERT_FILE"] = self.mail.trusted
        return self.mail.show("aerc")

    def use(self):
        screen = self.start()
        worked = screen.wait_for("Lunch", "exit status", "certificate") == "Lunch"
        if worked:
            screen.type(":quit\n")
            assert screen.end() == 0
        return worked, screen.text


class AercSending(Aerc):
    screen: Screen | None = None
    count = 0

    def use(self):
        # Each mail in the same session.
        if not self.screen:
            self.screen = self.start()
            self.screen.wait_for("Lunch")
        self.screen.type(f":compose -H 'To: {BRAM}' -H 'Subject: Lunch'\n")
        self.screen.wait_until(
            lambda: self.screen.text.count("Send this email?") > self.count, "the question")
        self.count += 1
        self.screen.type("y")
        self.screen.wait_until(lambda: self.mail.smtp.mails, "the mail")
        return self.sent(), self.screen.text


class Offlineimap(Program):
    section = "offlineimap"

    def use(self):
        self.clear("Mail", ".offlineimap")
        return self.fetched(self.mail.home / "Mail" / "INBOX", "offlineimap", "-o", "-u", "basic")


class Getmail(Program):
    section = "getmail"
    # It delivers no mail as root.
    script = (
        "import os, runpy, sys; sys.argv = ['getmail']; os.geteuid = os.getegid = lambda: 65534; "
        "runpy.run_path('/usr/bin/getmail', run_name='__main__')")

    def use(self):
        self.clear("Mail")
        for path in self.files[0].parent.glob("oldmail-*"):
            path.unlink()
        for name in ("cur", "new", "tmp"):
            (self.mail.home / "Mail" / name).mkdir(parents=True)
        command = ["/usr/bin/python3", "-c", self.script] if os.geteuid() == 0 else ["getmail"]
        return self.fetched(self.mail.home / "Mail", *command)


READING = [Mutt, NeoMutt, Mbsync, Aerc, Offlineimap, Getmail]
SENDING = [MuttSending, NeoMuttSending, MSMTP]
# Programs that do not write to the same files.
TOGETHER = [[Mutt, Mbsync, Aerc, MSMTP], [NeoMutt, Offlineimap, MuttSending], [Getmail, NeoMuttSending]]


def named(program: type[Program]) -> str:
    return program.__name__


def each_of(programs: list[type[Program]]):
    return pytest.mark.parametrize("program", programs, ids=named)


def test_each_recipe_is_tested():
    recipes = re.search(r"^\.SH RECIPES\n(.*?)^\.SH", MANUAL.read_text(), re.M | re.S)[1]
    assert set(re.findall(r'^\.SS "?(\w+)', recipes, re.M)) == {
        program.section for program in READING + SENDING}


def test_the_commands_of_the_page_sign_in(mail):
    [(_, commands)] = examples("Sign in")
    assert mail.run("sh", "-e", input=commands).stdout.endswith("It works.\n")


@each_of([*READING, *SENDING, AercSending])
def test_an_expired_token_is_renewed(mail, program):
    mail.cli.ok("sign-in", "--app", "Mail")
    user = program(mail)
    texts = []
    for time_passes in (False, False, True):
        if time_passes:
            [first] = set(mail.tokens.accepted)
            mail.let_time_pass()
        worked, text = user.use()
        assert worked, (text, mail.imap.log)
        texts.append(text)
    [second] = set(mail.tokens.accepted) - {first}
    assert mail.tokens.accepted[-1] == second and not mail.tokens.refused
    # On the screen, a long line would be wrapped.
    assert not any(token[:40] in text for token in (first, second) for text in texts)


@pytest.mark.parametrize("programs", TOGETHER, ids=lambda programs: "-".join(map(named, programs)))
def test_programs_at_once_share_a_token(mail, programs):
    mail.cli.ok("sign-in", "--app", "Mail")
    users = [program(mail) for program in programs]
    mail.let_time_pass()
    with ThreadPoolExecutor() as pool:
        for worked, text in pool.map(lambda user: user.use(), users):
            assert worked, (text, mail.imap.log)
    assert len(set(mail.tokens.accepted)) == 1 and not mail.tokens.refused


@each_of(READING + SENDING)
def test_without_a_token_the_program_fails(mail, keyring, emulator, program):
    def fails(status: int, message: str):
        for file in (mail.said, mail.statuses):
            file.unlink(missing_ok=True)
        worked, text = user.use()
        assert not worked and not mail.tokens.accepted and not mail.tokens.refused
        assert set(mail.statuses.read_text().split()) == {str(status)}
        assert message in mail.said.read_text()
        # Each program shows the message or the exit status.
        assert message in text or str(status) in text

    user = program(mail)
    fails(os.EX_NOPERM, "entrancectl sign-in")
    mail.cli.ok("sign-in", "--app", "Mail")
    for status, message in troubles(mail.cli, emulator, keyring, "Mail", mail.let_time_pass, os.EX_NOINPUT):
        fails(status, message)


@each_of(READING + SENDING)
def test_a_server_that_is_not_trusted_gets_no_token(mail, program):
    mail.cli.ok("sign-in", "--app", "Mail")
    mail.trusted = SYSTEM_CA
    worked, text = program(mail).use()
    assert not worked and not mail.tokens.accepted and not mail.tokens.refused, text
