"""Finds widgets through the accessibility API by role and name, reads and clicks them."""

import ctypes
import re

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

import screen  # noqa: E402
import tree  # noqa: E402
from waiting import wait_for  # noqa: E402

# GTK 4 has no cache of accessible objects; libatspi warns about it at each start of the app.
GLib.log_set_handler("dbind", GLib.LogLevelFlags.LEVEL_WARNING, lambda *_: None, None)
# By default, libatspi waits less than a second for an answer, and then says that nothing is there.
Atspi.set_timeout(tree.TIMEOUT, tree.TIMEOUT)

# Since at-spi2-core 2.56 the role is only "button".
BUTTON = Atspi.role_get_name(Atspi.Role.PUSH_BUTTON)
ALERT = "alert"
LABEL = "label"
LOG = "log"
MENU_ITEM = "menu item"
PROGRESS_BAR = "progress bar"
# A live region, whose changes screen readers announce; treated like a label.
STATUS = ("statusbar", "status bar")
WINDOWS = ("frame", "dialog", "window")


# Whether GTK says where a widget is in its window, as 4.8 does. 4.18 adds up the places of the widgets around it
# without their padding: the deeper a widget, the farther above and left of its place it seems to be.
KNOWS_PLACES = ctypes.CDLL("libgtk-4.so.1").gtk_get_minor_version() < 10


class Widget:
    """An accessible object with its window."""

    def __init__(self, node: Atspi.Accessible, window_title: str):
        self.node = node
        self.window_title = window_title

    @property
    def text(self) -> str:
        return text_of(self.node)

    @property
    def is_enabled(self) -> bool:
        self.node.clear_cache()
        return self.node.get_state_set().contains(Atspi.StateType.SENSITIVE)

    @property
    def is_selected(self) -> bool | None:
        """Whether it is the selected row of its list; None if none of them can be selected."""
        self.node.clear_cache()
        states = self.node.get_state_set()
        return states.contains(Atspi.StateType.SELECTED) if states.contains(Atspi.StateType.SELECTABLE) else None

    def center(self) -> tuple[float, float]:
        """The widget's center on the screen.

        GTK 4 reports coordinates relative to the window's frame, not the screen. The frame is in
        the center of the X11 window, which has a border around it.
        """
        window = screen.window_id(self.window_title)
        if window is None:
            raise LookupError(f"no window '{self.window_title}' on the screen")
        left, top, width, height = screen.geometry(window)
        frame = find_window(self.window_title).get_extents(Atspi.CoordType.WINDOW)
        own = self.node.get_extents(Atspi.CoordType.WINDOW)
        if own.width <= 0 or own.height <= 0:
            raise LookupError("the widget has no size yet")
        return (
            left + (width - frame.width) / 2 - frame.x + own.x + own.width / 2,
            top + (height - frame.height) / 2 - frame.y + own.y + own.height / 2)

    def resting_center(self) -> tuple[float, float]:
        """The widget's center, when the widget is sensitive and no longer moves.

        On a busy computer, the program may not have had the time to lay out what it says already.
        """
        wait_for(lambda: self.is_enabled, f"'{self.node.get_name()}' to be enabled")
        places: list[tuple[float, float]] = []
        turns = screen.Turns(with_pages=False)

        def rests() -> bool:
            self.node.clear_cache()
            had_turns = turns.all_had_theirs(screen.shown(self.window_title))
            places.append(self.center())
            return len(places) >= 2 and places[-1] == places[-2] and had_turns

        wait_for(rests, f"'{self.node.get_name()}' to have a place")
        return places[-1]

    def click(self):
        """Clicks with the pointer, or presses it like a screen reader where nobody knows its place."""
        if KNOWS_PLACES or not self.press():
            screen.click(*self.resting_center())

    def click_into(self):
        """Clicks it, a second time if GTK has lost the first click, and waits until it has the focus."""
        place = f"{self.node.get_role_name()} {self.node.get_name()}"
        for timeout in (5, 20):
            self.click()
            try:
                return wait_for(lambda: focused(self.window_title) == place, f"the focus at {place}", timeout)
            except AssertionError:
                if timeout == 20:
                    raise

    def press_with_keys(self):
        """Goes to it with the keyboard, and presses it."""
        place = f"{self.node.get_role_name()} {self.node.get_name()}"
        for _ in range(20):
            before = focused(self.window_title)
            if before == place:
                return screen.press("space")
            screen.press("Tab")
            wait_for(lambda: focused(self.window_title) != before, "the focus to move")
        raise AssertionError(f"the focus is at {focused(self.window_title)}")

    def press(self) -> bool:
        """Does its action, like a screen reader, which need not move the focus; returns whether it has one."""
        wait_for(lambda: self.is_enabled, f"'{self.node.get_name()}' to be enabled")
        # The button of a menu is in a widget of the same name, and that of a choice is around its label.
        for node in (self.node, *list(children(self.node))[:1], self.node.get_parent()):
            if node.get_action_iface() is not None and node.get_n_actions() > 0:
                return node.do_action(0)
        return False


def children(node: Atspi.Accessible):
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child is not None:
            yield child


def descendants(node: Atspi.Accessible):
    """All descendants, with those in web pages where they can be read."""
    for child in children(node):
        yield child
        yield from descendants(child)


def windows() -> list[Atspi.Accessible]:
    found = []
    for application in children(Atspi.get_desktop(0)):
        # Without a cache, no outdated objects are read. The desktop's cache cannot be cleared:
        # libatspi 2.46 recurses forever if an object is its own descendant, as when the app was
        # started a second time.
        application.set_cache_mask(Atspi.Cache.NONE)
        for window in children(application):
            window.clear_cache()
            if window.get_role_name() in WINDOWS:
                found.append(window)
    return found


def find_windows(title: str) -> list[Atspi.Accessible]:
    """All windows with this title, in the order in which they were opened."""
    return [window for window in windows() if is_called(window, title)]


def is_called(window: Atspi.Accessible, title: str) -> bool:
    """Whether this is its title, which may begin with what the window shows."""
    return re.fullmatch(screen.title_pattern(title), window.get_name()) is not None


def find_window(title: str) -> Atspi.Accessible:
    for window in find_windows(title):
        return window
    raise LookupError(f"no window '{title}'")


def has_window(title: str) -> bool:
    return any(is_called(window, title) for window in windows())


def wait_for_dialog(title: str):
    """Waits until keys go to the dialog, or another window, that is called `title`."""
    wait_for(
        lambda: has_window(title) and screen.active_window() == screen.window_id(title),
        f"'{title}' to have the keyboard")


def text_of(node: Atspi.Accessible) -> str:
    """The text of a widget, without the spaces of no width that only say where a line may break."""
    return visible(Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node)))


def visible(text: str) -> str:
    return text.replace("\u200b", "")


def search(node: Atspi.Accessible, role: str, name: str | None) -> Atspi.Accessible | None:
    """The first visible descendant with this role and name, or any name, in reading order."""
    return next((place.node for place in places(node, role, name)), None)


def places(node: Atspi.Accessible, role: str, name: str | None):
    return (
        place for place in tree.walk(node) if place.role == role and name in (None, place.name))


def search_all(node: Atspi.Accessible, role: str, name: str) -> list[Atspi.Accessible]:
    """All descendants with this role and name, in reading order."""
    return [place.node for place in places(node, role, name)]


def find(title: str, role: str, name: str, timeout: float = 60) -> Widget:
    """Waits for a widget in the window called `title`."""
    def look() -> Atspi.Accessible | None:
        window = find_window(title)
        window.clear_cache()
        return search(window, role, name)

    return Widget(wait_for(look, f"{role} '{name}' in window '{title}'", timeout), title)


def exists(title: str, role: str, name: str | None) -> bool:
    def look() -> str:
        try:
            window = find_window(title)
        except LookupError:
            return "no"
        return "yes" if any(True for _ in places(window, role, name)) else "no"

    # A program that is too busy to answer, or just changes its widgets, is asked again.
    return wait_for(look, f"an answer about {role} '{name}'") == "yes"


def steadily(look):
    """What `look` returns; it looks again when the widgets change meanwhile."""
    for _ in range(4):
        try:
            return look()
        except GLib.Error:
            pass
    return look()


def focused(title: str) -> str | None:
    """Role and name of the focused widget in a window."""
    window = find_window(title)
    return steadily(lambda: focused_in(window))


def focused_in(window: Atspi.Accessible) -> str | None:
    for place in tree.walk(window):
        if place.is_focused:
            # In newer versions of GTK, the toggle button inside the button of a menu has the focus.
            role = place.role
            return f"{BUTTON if role == 'toggle button' else role} {place.name}"
    return None


def cut_off(title: str) -> list[str]:
    """Labels, alerts and buttons that extend beyond the sides of a window."""
    def look(node: Atspi.Accessible):
        for child in children(node):
            # GTK 4.8 never reports the state SHOWING; what is not shown has no place, or no width.
            try:
                place = child.get_extents(Atspi.CoordType.WINDOW)
                is_shown = place.width > 0 if KNOWS_PLACES else child.get_state_set().contains(
                    Atspi.StateType.SHOWING)
            except GLib.Error:
                continue
            # What seems to be too far to the left may not be.
            begins = not KNOWS_PLACES or frame.x <= place.x
            if child.get_role_name() in (LABEL, ALERT, BUTTON) and is_shown and not (
                    begins and place.x + place.width <= frame.x + frame.width):
                yield f"{child.get_role_name()} {child.get_name()}: {place.x}+{place.width}"
            yield from look(child)

    window = find_window(title)
    window.clear_cache()
    frame = window.get_extents(Atspi.CoordType.WINDOW)
    return list(look(window))


def texts(title: str) -> list[str]:
    """The texts of a window's labels, in reading order."""
    return texts_of(find_window(title))


def alerts(title: str) -> list[str]:
    """What a window says is wrong, in reading order."""
    window = find_window(title)
    return steadily(lambda: [place.name for place in tree.walk(window) if place.role == ALERT])


def texts_of(window: Atspi.Accessible) -> list[str]:
    """The texts of the labels in `window`."""
    return steadily(lambda: [
        visible(place.text) for place in tree.walk(window)
        if (role := place.role) == LABEL or role in STATUS and place.has_text])
