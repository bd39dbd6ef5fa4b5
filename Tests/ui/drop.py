"""Drops files on a window, as a file manager does: the source of X11's drag and drop, version 5 of XDND."""

import ctypes
import os
from ctypes import POINTER, Structure, Union, c_int, c_long, c_uint, c_ulong, c_void_p
from pathlib import Path

import x11
from waiting import wait_for

VERSION = 5
SELECTION_REQUEST, SELECTION_NOTIFY, CLIENT_MESSAGE = 30, 31, 33
CURRENT_TIME = 0
# Like a file manager, which lets a text take the names of the files.
TYPES = ("text/uri-list", "text/plain;charset=utf-8")


class Head(Structure):
    """What all events begin with; the fifth is the window that they are for."""

    _fields_ = [("type", c_int), ("serial", c_ulong), ("send_event", c_int), ("display", c_void_p), ("window", c_ulong)]


class Message(Structure):
    """`XClientMessageEvent`."""

    _fields_ = [("head", Head), ("kind", c_ulong), ("format", c_int), ("data", c_long * 5)]


class Request(Structure):
    """`XSelectionRequestEvent`."""

    _fields_ = [("head", Head), *((name, c_ulong) for name in ("requestor", "selection", "target", "property", "time"))]


class Answer(Structure):
    """`XSelectionEvent`, whose window is the requestor."""

    _fields_ = [("head", Head), *((name, c_ulong) for name in ("selection", "target", "property", "time"))]


class Event(Union):
    """`XEvent`."""

    _fields_ = [("head", Head), ("message", Message), ("request", Request), ("answer", Answer), ("size", c_long * 24)]


class Source:
    """A window from which files are dragged."""

    def __init__(self, paths: list[Path], target: int):
        self.content = "".join(f"{path.as_uri()}\r\n" for path in paths).encode()
        self.target = target
        self.xlib, self.display = x11.connection(os.environ["DISPLAY"])
        window, atom = c_ulong, c_ulong
        for name, result, *arguments in (
                ("XCreateSimpleWindow", window, window, c_int, c_int, c_uint, c_uint, c_uint, c_ulong, c_ulong),
                ("XDestroyWindow", c_int, window), ("XSetSelectionOwner", c_int, atom, window, c_ulong),
                ("XPending", c_int), ("XNextEvent", c_int, POINTER(Event)), ("XFlush", c_int),
                ("XSendEvent", c_int, window, c_int, c_long, POINTER(Event)),
                ("XChangeProperty", c_int, window, atom, atom, c_int, c_int, ctypes.c_char_p, c_int)):
            function = getattr(self.xlib, name)
            function.restype, function.argtypes = result, [c_void_p, *arguments]
        root = self.xlib.XDefaultRootWindow(self.display)
        self.window = self.xlib.XCreateSimpleWindow(self.display, root, 0, 0, 1, 1, 0, 0, 0)
        self.xlib.XSetSelectionOwner(self.display, self.atom("XdndSelection"), self.window, CURRENT_TIME)
        # What came back, by its name.
        self.messages: dict[str, list[int]] = {}

    def atom(self, name: str) -> int:
        return self.xlib.XInternAtom(self.display, name.encode(), 0)

    def send(self, kind: str, *data: int):
        event = Event()
        event.message = Message(
            Head(CLIENT_MESSAGE, window=self.target), self.atom(kind), 32, (c_long * 5)(self.window, *data))
        self.xlib.XSendEvent(self.display, self.target, 0, 0, ctypes.byref(event))
        self.xlib.XFlush(self.display)

    def hears(self, kind: str) -> list[int] | None:
        """Handles what came, and returns the last message of this kind."""
        event = Event()
        while self.xlib.XPending(self.display):
            self.xlib.XNextEvent(self.display, ctypes.byref(event))
            if event.head.window != self.window:
                continue
            if event.head.type == SELECTION_REQUEST:
                self.give(event.request)
            elif event.head.type == CLIENT_MESSAGE:
                for name in ("XdndStatus", "XdndFinished"):
                    if event.message.kind == self.atom(name):
                        self.messages[name] = list(event.message.data)
        return self.messages.get(kind)

    def give(self, request: Request):
        """Gives the files to the program that asks for them."""
        self.xlib.XChangeProperty(
            self.display, request.requestor, request.property, request.target, 8, 0, self.content,
            len(self.content))
        event = Event()
        event.answer = Answer(
            Head(SELECTION_NOTIFY, window=request.requestor), request.selection, request.target, request.property,
            request.time)
        self.xlib.XSendEvent(self.display, request.requestor, 0, 0, ctypes.byref(event))
        self.xlib.XFlush(self.display)


def files(paths: list[Path], window: str, x: float, y: float):
    """Drops files at a place of the screen, on a window that is given by its number."""
    source = Source(paths, int(window))
    source.send("XdndEnter", VERSION << 24, *map(source.atom, TYPES), 0)

    def is_welcome() -> bool:
        source.send(
            "XdndPosition", 0, round(x) << 16 | round(y), CURRENT_TIME, source.atom("XdndActionCopy"))
        return wait_for(lambda: source.hears("XdndStatus"), "an answer to what is dragged")[1] & 1 == 1

    wait_for(is_welcome, "what is dragged to be welcome")
    source.send("XdndDrop", 0, CURRENT_TIME, 0, 0)
    wait_for(lambda: source.hears("XdndFinished"), "what was dropped to be taken")
    source.xlib.XDestroyWindow(source.display, source.window)
    source.xlib.XFlush(source.display)
