"""Mail programs, as the recipes of their manual page have them."""

import itertools
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from desk import MANUALS, Desk, Program
from mail_servers import MailServers
from screen import Screen
from service_servers import ADELE
from waiting import wait_for

SYSTEM_CA = "/etc/ssl/certs/ca-certificates.crt"
BRAM = "bram@contoso.example"


def page() -> str:
    return (MANUALS / "entrance-mail.7").read_text()


def examples(section: str) -> list[tuple[list[str], str]]:
    """The examples of a section, each with the files that the page says it is for."""
    text = re.search(rf'^\.SS "?{section}[^\n]*\n(.*?)^\.S[HS]', page(), re.M | re.S)[1]
    found = []
    for before, example in re.findall(r"(.*?)^\.EX\n(.*?)^\.EE", text, re.M | re.S):
        # A hyphen that is not escaped would be another character where the page is shown.
        assert "-" not in example.replace("\\-", ""), example
        example = example.replace("\\-", "-").replace("\\e", "\\")
        # Files are named in the sentence that begins with "In".
        paragraph = before.replace("\\-", "-").rpartition("\nIn\n")[2]
        found.append((re.findall(r"~/[\w./]*\w", paragraph), example))
    return found


class MailProgram(Program):
    app = "Mail"
    server = MailServers
    locked = os.EX_NOINPUT
    # Of the page.
    section = ""
    numbers = itertools.count()

    @classmethod
    def connections(cls, desk):
        # The command of the page, whose app becomes one of the emulator.
        [(_, command)] = examples("Add the app")
        desk.cli.connections.unlink(missing_ok=True)
        subprocess.run(["sh", "-e"], input=command, env=desk.cli.environment, text=True, check=True, timeout=60)
        [app] = json.loads(desk.cli.connections.read_text())["apps"]
        assert app["name"] == cls.app
        return [
            desk.emulator.connection("Contoso"), desk.emulator.connection(cls.app) | {"scopes": app["scopes"]}]

    def __init__(self, desk: Desk, number: int = 0):
        super().__init__(desk, number)
        # Of what this person sends: no other has it, in this test or in another.
        self.subject = f"Lunch {next(self.numbers)}"
        # The configuration files of the recipe, with the servers of the test.
        self.files = []
        for name, text in [(name, text) for names, text in examples(self.section) for name in names]:
            path = self.home / name.removeprefix("~/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.adapt(text))
            path.chmod(0o600)
            self.files.append(path)

    def adapt(self, text: str) -> str:
        for host, port, own in (
                ("outlook.office365.com", "993", self.server.imap.port),
                ("smtp.office365.com", "587", self.server.smtp.port)):
            if host in text:
                text = text.replace(host, "localhost")
                assert len(re.findall(rf"\b{port}\b", text)) == 1, text
                text = re.sub(rf"\b{port}\b", str(own), text)
        return text.replace(SYSTEM_CA, self.desk.trusted)

    def show(self, *command: str) -> Screen:
        """Starts a program in a terminal."""
        screen = Screen(command, self.environment, self.home)
        self.desk.screens.append(screen)
        return screen

    @property
    def mails(self) -> list:
        """What was sent of this user's mail."""
        return [mail for mail in self.server.smtp.mails if f"Subject: {self.subject}\n" in mail[2]]

    def sent(self) -> bool:
        """Whether the mail was sent, which is taken away."""
        mine = self.mails
        for mail in mine:
            self.server.smtp.mails.remove(mail)
        for sender, recipients, text in mine:
            assert (sender, recipients) == (ADELE, [BRAM]) and "At one" in text, (sender, recipients, text)
        return len(mine) == 1

    def fetched(self, box: Path, *command: str) -> tuple[bool, str]:
        """Runs a command that fetches all mail into a Maildir."""
        result = self.run(*command)
        has_mail = any("Subject: Lunch" in file.read_text() for file in box.glob("[cn]*/*"))
        assert (result.returncode == 0) == has_mail, result
        return has_mail, result.stdout

    def clear(self, *paths: str):
        for path in paths:
            shutil.rmtree(self.home / path, ignore_errors=True)


class Mutt(MailProgram):
    section = "mutt"
    name = "mutt"

    @property
    def command(self) -> list[str]:
        # The file with the authorities is in the configuration of the system.
        return [self.name, "-e", f"set ssl_ca_certificates_file={self.desk.trusted}"]

    def use(self):
        file = self.home / "piped"
        file.unlink(missing_ok=True)
        screen = self.show(*self.command, "-e", "set wait_key=no quit=yes")
        if screen.wait_for("Lunch", "entrancectl:", "(r)eject") != "Lunch":
            return False, screen.text
        screen.type("|cat > piped\n")
        wait_for(lambda: file.exists() and "At noon?" in file.read_text(), "the message")
        screen.type("q")
        assert screen.end() == 0
        return True, screen.text


class MuttSending(Mutt):
    def use(self):
        result = self.run(*self.command, "-s", self.subject, BRAM, input="At one\n")
        worked = self.sent()
        assert (result.returncode == 0) == worked, result
        return worked, result.stdout


class NeoMutt(Mutt):
    name = "neomutt"


class NeoMuttSending(MuttSending):
    name = "neomutt"


class MSMTP(MailProgram):
    section = "msmtp"

    def use(self):
        result = self.run("msmtp", BRAM, input=f"Subject: {self.subject}\n\nAt one\n")
        worked = self.sent()
        assert (result.returncode == 0) == worked, result
        return worked, result.stdout


class Mbsync(MailProgram):
    section = "mbsync"

    def use(self):
        self.clear("Mail", ".mbsync")
        (self.home / "Mail").mkdir()
        return self.fetched(self.home / "Mail" / "INBOX", "mbsync", "contoso")


class Aerc(MailProgram):
    section = "aerc"
    shows_message = False

    @property
    def environment(self):
        # Its configuration file names no file with authorities.
        return super().environment | {"SSL_CERT_FILE": self.desk.trusted}

    def use(self):
        screen = self.show("aerc")
        worked = screen.wait_for("Lunch", "exit status", "certificate") == "Lunch"
        if worked:
            screen.type(":quit\n")
            assert screen.end() == 0
        return worked, screen.text


class AercSending(Aerc):
    """Each mail in the same session. One that was not sent is asked about again."""

    screen: Screen | None = None
    is_asked = False
    count = 0

    def use(self):
        if not self.screen:
            self.screen = self.show("aerc")
            self.screen.wait_for("Lunch")
        if not self.is_asked:
            self.screen.type(f":compose -H 'To: {BRAM}' -H 'Subject: {self.subject}'\n")
            self.screen.wait_until(
                lambda: self.screen.text.count("Send this email?") > self.count, "the question")
            self.count += 1
        before = len(self.screen.text)
        self.screen.type("y")
        self.screen.wait_until(lambda: self.mails or "exit status" in self.screen.text[before:], "the mail")
        worked = self.sent()
        self.is_asked = not worked
        return worked, self.screen.text[before:]


class Offlineimap(MailProgram):
    section = "offlineimap"

    def use(self):
        self.clear("Mail", ".offlineimap")
        return self.fetched(self.home / "Mail" / "INBOX", "offlineimap", "-o", "-u", "basic")


class Getmail(MailProgram):
    section = "getmail"
    shows_message = False
    # Once in some hundred runs, version 6.18 has read the mail and then waits for ever.
    hangs = 1
    # It delivers no mail as root.
    script = (
        "import os, runpy, sys; sys.argv = ['getmail']; os.geteuid = os.getegid = lambda: 65534; "
        "runpy.run_path('/usr/bin/getmail', run_name='__main__')")

    def use(self):
        self.clear("Mail")
        for path in self.files[0].parent.glob("oldmail-*"):
            path.unlink()
        for name in ("cur", "new", "tmp"):
            (self.home / "Mail" / name).mkdir(parents=True)
        command = ["/usr/bin/python3", "-X", "faulthandler", "-c", self.script] if os.geteuid() == 0 else ["getmail"]
        return self.fetched(self.home / "Mail", *command)


READING = [Mutt, NeoMutt, Mbsync, Aerc, Offlineimap, Getmail]
SENDING = [MuttSending, NeoMuttSending, MSMTP, AercSending]
