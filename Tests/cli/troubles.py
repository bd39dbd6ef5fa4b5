"""Situations in which a program asks for a token, and what is expected of each."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from desk import Desk, Program


@dataclass(frozen=True)
class Situation:
    # Makes the situation, for a person who has not signed in yet.
    prepare: Callable[[Desk, Program], None]
    # The exit status of entrancectl, and what it says, in capitals or not: what happened, and what to do. By default,
    # the program works.
    status: int = 0
    words: tuple[str, ...] = ()
    # Does what it says, after which the program works.
    follow: Callable[[Desk], None] | None = None
    # How many programs begin at the same time, which get the same token.
    at_once: int = 1


def first(desk: Desk, program: Program):
    pass


def used(desk: Desk, program: Program):
    desk.sign_in()
    program.works()


def expired(desk: Desk, program: Program):
    used(desk, program)
    desk.let_time_pass()


def revoked(desk: Desk, program: Program):
    expired(desk, program)
    desk.emulator.revoke(desk.emulator.adele)


def locked(desk: Desk, program: Program):
    used(desk, program)
    desk.keyring.lock()


def offline(desk: Desk, program: Program):
    used(desk, program)
    desk.emulator.stop()
    # A token that is there needs no network.
    program.works()
    desk.let_time_pass()


def without_a_display(desk: Desk, program: Program):
    desk.leaves()
    desk.sign_in_elsewhere()
    program.works()
    desk.let_time_pass()


def unlock(desk: Desk):
    desk.keyring.stop()
    desk.keyring.start()


SITUATIONS = {
    "first use": Situation(
        first, os.EX_NOPERM, ("No account is signed in.", "Sign in: 'entrancectl sign-in"), Desk.sign_in),
    "expired": Situation(expired),
    "revoked": Situation(revoked, os.EX_NOPERM, ("The sign-in was revoked", "Sign in again."), Desk.sign_in),
    # The status depends on the command.
    "locked keyring": Situation(locked, 1, ("keyring is locked", "unlock"), unlock),
    "offline": Situation(offline, os.EX_TEMPFAIL, ("Could not connect", "run 'entrancectl doctor")),
    "two at once": Situation(expired, at_once=2),
    "no display": Situation(without_a_display),
}
