"""Programs in other languages: the user's locale, and a catalog that shows which texts were translated."""

import gettext
import json
import re
import shutil
import subprocess
from pathlib import Path


def locale(directory: Path, name: str) -> dict[str, str]:
    """Creates a locale, such as `de_DE`, unless it exists, and returns the environment variables for it."""
    directory.mkdir(exist_ok=True)
    compiled = directory / f"{name}.UTF-8"
    if not compiled.exists():
        subprocess.run(["localedef", "-i", name, "-f", "UTF-8", str(compiled)], check=True)
    return {"LOCPATH": str(directory), "LC_ALL": f"{name}.UTF-8"}


def mirrored(stage: Path, copy: Path) -> Path:
    """Copies the app, with an empty catalog for Arabic: GTK uses right-to-left layout, with English texts."""
    shutil.copytree(stage, copy)
    messages = copy / "share" / "locale" / "ar" / "LC_MESSAGES"
    messages.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["msgfmt", "--output-file", str(messages / "entrance.mo"), "-"], check=True, text=True,
        input='msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n')
    return copy


def put_in_brackets(stage: Path, catalogs: Path, language: str):
    """Makes a catalog for a language that puts every template in brackets: a text without them
    was not translated.
    """
    messages = catalogs / language / "LC_MESSAGES"
    messages.mkdir(parents=True, exist_ok=True)
    with open(stage / "share" / "locale" / "de" / "LC_MESSAGES" / "entrance.mo", "rb") as german:
        templates = gettext.GNUTranslations(german)._catalog
    # JSON quotes a text like gettext.
    quoted = [json.dumps(text, ensure_ascii=False) for text in templates if isinstance(text, str) and text]
    catalog = [f'msgid {text}\nmsgstr "[{text[1:-1]}]"\n' for text in quoted]
    header = f'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nLanguage: {language}\\n"\n'
    subprocess.run(
        ["msgfmt", "--output-file", str(messages / "entrance.mo"), "-"], check=True, text=True,
        input="\n".join([header, *catalog]))


def outside_brackets(text: str) -> str:
    """The parts of a text that were not translated."""
    while (rest := re.sub(r"\[[^\[\]]*\]", "", text)) != text:
        text = rest
    return text
