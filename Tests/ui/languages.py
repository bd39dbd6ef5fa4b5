"""Programs in other languages: the person's locale, and a catalog that shows which texts were looked up."""

import gettext
import json
import re
import subprocess
from pathlib import Path


def locale(directory: Path, name: str) -> dict[str, str]:
    """Makes a locale, such as `de_DE`, and returns the variables by which a program finds it."""
    directory.mkdir(exist_ok=True)
    subprocess.run(
        ["localedef", "-i", name, "-f", "UTF-8", str(directory / f"{name}.UTF-8")], check=True)
    return {"LOCPATH": str(directory), "LC_ALL": f"{name}.UTF-8"}


def put_in_brackets(stage: Path, catalogs: Path, language: str):
    """Makes a catalog for a language that puts every template in brackets: a text without them was never looked
    up."""
    messages = catalogs / language / "LC_MESSAGES"
    messages.mkdir(parents=True)
    with open(stage / "share" / "locale" / "de" / "LC_MESSAGES" / "entrance.mo", "rb") as german:
        templates = gettext.GNUTranslations(german)._catalog
    # JSON writes a text in quotes as gettext reads it.
    quoted = [json.dumps(text, ensure_ascii=False) for text in templates if isinstance(text, str) and text]
    catalog = [f'msgid {text}\nmsgstr "[{text[1:-1]}]"\n' for text in quoted]
    header = f'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nLanguage: {language}\\n"\n'
    subprocess.run(
        ["msgfmt", "--output-file", str(messages / "entrance.mo"), "-"], check=True, text=True,
        input="\n".join([header, *catalog]))


def outside_brackets(text: str) -> str:
    """What of a text was never looked up."""
    while (rest := re.sub(r"\[[^\[\]]*\]", "", text)) != text:
        text = rest
    return text
