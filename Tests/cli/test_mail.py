"""The recipes of the manual page for mail programs, with the real programs: see also test_situations.py."""

import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from mail_programs import (
    MSMTP, READING, SENDING, SYSTEM_CA, Aerc, AercSending, Getmail, MailProgram, Mbsync, Mutt, MuttSending, NeoMutt,
    NeoMuttSending, Offlineimap, examples, page)

TOGETHER = [[Mutt, Mbsync, Aerc, MSMTP], [NeoMutt, Offlineimap, MuttSending], [Getmail, NeoMuttSending]]


def named(program: type[MailProgram]) -> str:
    return program.__name__


def test_each_recipe_is_tested():
    recipes = re.search(r"^\.SH RECIPES\n(.*?)^\.SH", page(), re.M | re.S)[1]
    assert set(re.findall(r'^\.SS "?(\w+)', recipes, re.M)) == {
        program.section for program in READING + SENDING}


def test_the_commands_of_the_page_sign_in(desk_for):
    [(_, commands)] = examples("Sign in")
    said = subprocess.run(
        ["sh", "-e"], input=commands, env=desk_for(MailProgram).cli.environment, text=True, check=True,
        stdout=subprocess.PIPE, timeout=60).stdout
    assert said.endswith("It works.\n")


@pytest.mark.parametrize("programs", TOGETHER, ids=lambda programs: "-".join(map(named, programs)))
def test_different_programs_at_once_share_a_token(desk_for, programs):
    desk = desk_for(MailProgram)
    desk.sign_in()
    users = [program(desk, number) for number, program in enumerate(programs)]
    desk.let_time_pass()
    with ThreadPoolExecutor() as pool:
        for worked, text in pool.map(lambda user: user.use(), users):
            assert worked, (text, desk.server.imap.log)
    assert len(set(desk.tokens.accepted)) == 1 and not desk.tokens.refused


@pytest.mark.parametrize(
    "program", [program for program in READING + SENDING if program is not AercSending], ids=named)
def test_a_server_that_is_not_trusted_gets_no_token(desk_for, program):
    desk = desk_for(program)
    desk.sign_in()
    desk.trusted = SYSTEM_CA
    worked, text = program(desk).use()
    assert not worked and not desk.tokens.accepted and not desk.tokens.refused, text
