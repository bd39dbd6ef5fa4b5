"""Reference images: pictures of windows, compared with those in `pictures/`.

Each is stored with 64 colors. The log's times and paths are painted over in both. Two pictures may differ by 40 pixels, as much as a thin letter or two: the edges of rounded
corners and letters vary by less. A pixel differs if a color differs by more than 8 %.
"""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import screen
import tree
import x11
from accessible import ALERT, BUTTON, KNOWS_PLACES, LABEL, LOG, Atspi, find_window

DIRECTORY = Path(__file__).parent / "pictures"
PIXELS = 40
FUZZ = "8%"
# Hides the scroll bar of a web page, which is there only for some seconds.
SCROLL_BAR = "scroll bar of the page"
SCROLL_BAR_WIDTH = 16
# Among what is hidden: the page has no log. That of another page keeps its place while it is not shown.
NO_LOG = "no log"
# Also among it: what is not shown keeps the place that it had when there was more room.
KEEPS_PLACES = "keeps places"
# Times in the log: eight characters and a margin, in a normal font.
TIME_WIDTH = 80


@dataclass(frozen=True)
class Look:
    """How the desktop and the window look."""

    name: str
    width: int = 760
    height: int = 640
    environment: dict[str, str] = field(default_factory=dict)
    language: str = ""
    # The size of text.
    scale: float = 1
    # Dialogs have their own size, so that they would look the same as in another look.
    has_dialogs: bool = True
    # Whether it has the pictures of what looks much like something else.
    has_all: bool = False


LOOKS = [
    Look("light", has_all=True),
    Look("dark", environment={"ADW_DEBUG_COLOR_SCHEME": "prefer-dark"}, has_all=True),
    Look("high-contrast", environment={"ADW_DEBUG_HIGH_CONTRAST": "1"}),
    Look("right-to-left", language="ar_EG", has_all=True),
    Look("large-text", scale=1.5),
    Look("narrow", width=360, has_all=True),
    Look("wide", width=1920, height=1000, has_dialogs=False),
    Look("landscape", width=720, height=360, has_dialogs=False),
    Look("german", width=684, language="de_DE"),
]


class Album:
    """Compares pictures with the references, or records them."""

    def __init__(self, results: Path, records: bool):
        self.results = results
        self.records = records
        self.problems: list[str] = []

    def add(self, name: str, title: str, look: Look, *hidden: str):
        """Adds the picture of a window; what has a text of `hidden` in its name is painted over, and the whole
        log if it is one of them.

        A list that has no title is given by its window.
        """
        areas: list[tuple[int, int, int, int]] = []

        def find_areas() -> list[tuple[int, int, int, int]]:
            nonlocal areas
            areas = [] if title.isdigit() else list(areas_of(title, look, hidden))
            return areas

        screen.wait_until_still(title, find_areas=find_areas)
        if not title.isdigit() and KEEPS_PLACES not in hidden and (names := cut_off(title)):
            self.problems.append(f"{name} of {look.name}: cut off are {names}")
        window = screen.shown(title)
        actual = self.results / f"{name}.{look.name}.png"
        actual.parent.mkdir(parents=True, exist_ok=True)
        take(window, areas, actual)
        expected = DIRECTORY / look.name / f"{name}.png"
        if self.records:
            expected.parent.mkdir(parents=True, exist_ok=True)
            # A picture that looks the same keeps its bytes.
            if not expected.exists() or difference(expected, actual, None, areas) > 0:
                expected.write_bytes(actual.read_bytes())
        elif not expected.exists():
            self.problems.append(f"{expected.name} of {look.name} is missing: run with --record")
            return
        else:
            pixels = difference(expected, actual, actual.with_suffix(".difference.png"), areas)
            if pixels > PIXELS:
                actual.with_suffix(".expected.png").write_bytes(expected.read_bytes())
                self.problems.append(f"{actual.name}: {pixels} pixels differ")
                return
            actual.with_suffix(".difference.png").unlink(missing_ok=True)
        actual.unlink()


def cut_off(title: str) -> list[str]:
    """Labels, alerts and buttons that a side of a window cuts off.

    It takes fewer calls than that of `accessible`, and ignores what is out of sight, such as hidden samples.
    """
    _, _, width, _ = screen.geometry(screen.window_id(title))
    places = shown_places(title, lambda place: place.role in (ALERT, BUTTON, LABEL))
    return [
        place.name for place, (left, _, right, _) in places if left < 0 < right or left < width < right]


def areas_with(title: str, *hidden: str) -> list[tuple[int, int, int, int]]:
    """Where a window has widgets with one of these texts in their names, or may have them."""
    slack = 0 if KNOWS_PLACES else 50
    places = shown_places(title, lambda place: any(text in place.name for text in hidden))
    return [(left, top, right + slack, bottom + slack) for _, (left, top, right, bottom) in places]


def areas_of(title: str, look: Look, hidden):
    """Left, top, right and bottom of what changes with each run, in pixels of the window.

    Scroll bars come and go with time.
    """
    if SCROLL_BAR in hidden:
        _, _, width, height = screen.geometry(screen.shown(title))
        yield width - SCROLL_BAR_WIDTH, 0, width, height

    def changes(place: tree.Place) -> bool:
        return (
            place.role == "scroll bar" or any(text in place.name for text in hidden if text != LOG)
            or place.role == LABEL and re.search(r"\d\d:\d\d:\d\d", place.name) is not None)

    for place, (left, top, right, bottom) in shown_places(
            title, lambda place: changes(place) or place.role == LOG and NO_LOG not in hidden):
        if not changes(place) and LOG not in hidden:
            right = left + round(TIME_WIDTH * look.scale)
        yield left, top, right, bottom


def shown_places(title: str, matches=lambda place: True):
    """The widgets of a window that have a size, with their left, top, right and bottom in its pixels."""
    window = find_window(title)
    frame = window.get_extents(Atspi.CoordType.WINDOW)
    _, _, width, height = screen.geometry(screen.window_id(title))
    for place in tree.walk(window):
        if not matches(place) or (extents := place.extents) is None:
            continue
        # The frame is in the center of the X11 window, which has a border around it.
        left = (width - frame.width) / 2 - frame.x + extents[0]
        top = (height - frame.height) / 2 - frame.y + extents[1]
        yield place, (round(left), round(top), round(left + extents[2]), round(top + extents[3]))


def take(window: str, areas, path: Path):
    """Saves a picture of a window with 64 colors, and paints over the areas."""
    width, height, colors = x11.pixels(int(window))
    path.write_bytes(screen.edited(
        b"P6 %d %d 255\n" % (width, height) + colors, "-alpha", "off", "-fill", "gray",
        *screen.painted(areas), "+dither", "-colors", "64", "-strip", "-define", "png:exclude-chunks=date,time", "PNG8:-"))


def difference(expected: Path, actual: Path, picture: Path | None, areas) -> int:
    """How many pixels differ outside the areas; pictures of another size differ completely."""
    if expected.read_bytes() == actual.read_bytes():
        return 0
    done = subprocess.run(
        ["compare", "-fuzz", FUZZ, "-metric", "AE", "-", str(actual), str(picture or "null:")],
        input=screen.edited(expected.read_bytes(), "-fill", "gray", *screen.painted(areas), "png:-"),
        capture_output=True, timeout=60)
    try:
        return int(float(done.stderr.split()[0]))
    except (IndexError, ValueError):
        return 1 << 30
