"""Real programs with tokens of entrancectl, in the situations of a working life: each cell of a table is a test."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from desk import Desk, Program
from mail_programs import READING, SENDING, AercSending
from service_programs import AzureIdentity, Git, Kubectl, Psql, Rclone, Skopeo
from troubles import SITUATIONS, Situation

PROGRAMS = [Git, *READING, *SENDING, Kubectl, Psql, AzureIdentity, Rclone, Skopeo]
# The cells that are no tests, and why.
LEFT_OUT = {
    (AercSending, "first use"): "without a token, aerc shows no mailbox, from which a mail could be sent: see Aerc",
}
CELLS = [
    pytest.param(program, situation, id=f"{program.__name__}-{name.replace(' ', '-')}")
    for program in PROGRAMS for name, situation in SITUATIONS.items() if (program, name) not in LEFT_OUT]


@pytest.mark.parametrize("program, situation", CELLS)
def test_program(desk_for, program: type[Program], situation: Situation):
    desk = desk_for(program)
    users = [program(desk, number) for number in range(situation.at_once)]
    situation.prepare(desk, users[0])
    before = len(desk.tokens.accepted)
    if situation.status:
        fails(desk, users[0], situation)
        assert len(desk.tokens.accepted) == before
    if situation.follow:
        situation.follow(desk)
    if situation.follow or not situation.status:
        with ThreadPoolExecutor() as pool:
            texts = list(pool.map(Program.works, users))
        assert len(set(desk.tokens.accepted[before:])) == 1
        assert not any(token[:40] in text for token in desk.tokens.accepted for text in texts)
    assert not desk.tokens.refused


def fails(desk: Desk, user: Program, situation: Situation):
    """The program fails, and its person learns why, and what to do."""
    desk.forget_what_was_said()
    worked, text = user.use()
    assert not worked
    said = desk.said.read_text()
    assert says(said, situation), said
    status = user.locked if situation.status == 1 else situation.status
    if not user.is_run:
        assert set(desk.statuses.read_text().split()) == {str(status)}
    if user.shows_message:
        assert says(text, situation), text
    else:
        assert re.search(rf"exit(ed with| status) {status}\b", text), text


def says(text: str, situation: Situation) -> bool:
    return all(words.casefold() in text.casefold() for words in situation.words)
