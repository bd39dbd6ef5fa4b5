#!/usr/bin/python3
"""Checks that the translations are complete: each has a translation of every text, with the same placeholders,
line breaks and mnemonics.

usage: check-translations.py TEMPLATE TRANSLATION...
"""

import re
import sys

import polib

PLACEHOLDER = re.compile(r"\{\w+\}")


def faults(text: polib.POEntry, entry: polib.POEntry | None) -> list[str]:
    """What is wrong with the translation of a text."""
    if entry is None:
        return ["is missing"]
    if not entry.translated():
        return ["is not translated, or only fuzzily"]
    found = []
    english = text.msgid_plural or text.msgid
    wanted = set(PLACEHOLDER.findall(english))
    # "One day" needs no number.
    optional = {"{count}"} if text.msgid_plural else set()
    for translation in [entry.msgstr] if not text.msgid_plural else entry.msgstr_plural.values():
        placeholders = set(PLACEHOLDER.findall(translation))
        if not wanted - optional <= placeholders <= wanted:
            found.append(f"has other placeholders: {translation}")
        if translation.count("\n") != english.count("\n"):
            found.append(f"has other line breaks: {translation}")
        # An underscore is a mnemonic, or part of a name that stays.
        if translation.count("_") != english.count("_"):
            found.append(f"has no mnemonic, or several: {translation}")
    return found


def main(template: str, translations: list[str]) -> int:
    texts = [text for text in polib.pofile(template) if not text.obsolete]
    number = 0
    for path in translations:
        entries = {(e.msgctxt, e.msgid): e for e in polib.pofile(path) if not e.obsolete}
        for text in texts:
            for fault in faults(text, entries.get((text.msgctxt, text.msgid))):
                print(f"{path}: “{text.msgid}” {fault}")
                number += 1
    print(f"{len(texts)} texts, {len(translations)} translations, {number} faults")
    return 1 if number else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
