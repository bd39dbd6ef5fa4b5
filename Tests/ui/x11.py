"""Asks the X server for windows and what they show: a program that has to be started for it takes 20 times as long."""

import ctypes
import functools
import os
from ctypes import POINTER, Structure, c_int, c_uint, c_ulong, c_void_p

Z_PIXMAP = 2
ALL_PLANES = 0xFFFFFF
IS_VIEWABLE = 2


class Attributes(Structure):
    """The beginning of `XWindowAttributes`, with room for the rest."""

    _fields_ = [
        ("x", c_int), ("y", c_int), ("width", c_int), ("height", c_int), ("border", c_int), ("depth", c_int),
        ("visual", c_void_p), ("root", c_ulong), ("class", c_int), ("bit_gravity", c_int), ("win_gravity", c_int),
        ("backing_store", c_int), ("backing_planes", c_ulong), ("backing_pixel", c_ulong), ("save_under", c_int),
        ("colormap", c_ulong), ("map_installed", c_int), ("map_state", c_int), ("rest", ctypes.c_byte * 256)]


class Image(Structure):
    """The beginning of `XImage`."""

    _fields_ = [
        ("width", c_int), ("height", c_int), ("xoffset", c_int), ("format", c_int), ("data", c_void_p),
        ("byte_order", c_int), ("bitmap_unit", c_int), ("bitmap_bit_order", c_int), ("bitmap_pad", c_int),
        ("depth", c_int), ("bytes_per_line", c_int), ("bits_per_pixel", c_int)]


def windows() -> list[tuple[int, str]]:
    """The visible windows that the window manager has, with their titles, in the order in which they were opened."""
    xlib, display = connection(os.environ["DISPLAY"])
    found = []
    for window in numbers(xlib.XDefaultRootWindow(display), "_NET_CLIENT_LIST"):
        attributes = Attributes()
        # Old programs have only the other one.
        title = text(window, "_NET_WM_NAME") or text(window, "WM_NAME")
        if xlib.XGetWindowAttributes(display, window, ctypes.byref(attributes)) \
                and attributes.map_state == IS_VIEWABLE:
            found.append((window, title))
    return found


def active_window() -> int | None:
    """The window that has the focus."""
    xlib, display = connection(os.environ["DISPLAY"])
    found = numbers(xlib.XDefaultRootWindow(display), "_NET_ACTIVE_WINDOW")
    return found[0] if found and found[0] else None


def numbers(window: int, name: str) -> list[int]:
    """The numbers in a property of a window; none if there is no such window or property."""
    data, size = read(window, name)
    return list(memoryview(data).cast("L")) if size == 32 else []


def text(window: int, name: str) -> str:
    """The text in a property of a window; empty if there is none."""
    data, size = read(window, name)
    return data.decode(errors="replace") if size == 8 else ""


def read(window: int, name: str) -> tuple[bytes, int]:
    """A property of a window, and how many bits each of its elements has; numbers of 32 bits come as C's `long`."""
    xlib, display = connection(os.environ["DISPLAY"])
    kind, size, count, rest, data = c_ulong(), c_int(), c_ulong(), c_ulong(), c_void_p()
    xlib.XGetWindowProperty(
        display, window, xlib.XInternAtom(display, name.encode(), 0), 0, 1 << 16, 0, 0, ctypes.byref(kind),
        ctypes.byref(size), ctypes.byref(count), ctypes.byref(rest), ctypes.byref(data))
    if not data.value:
        return b"", 0
    width = ctypes.sizeof(ctypes.c_long) if size.value == 32 else size.value // 8
    copied = ctypes.string_at(data, count.value * width)
    xlib.XFree(data)
    return copied, size.value


def geometry(window: int) -> tuple[int, int, int, int]:
    """Left, top, width and height of a window, in screen pixels.

    Raises `LookupError` if there is no such window any more.
    """
    xlib, display = connection(os.environ["DISPLAY"])
    attributes = Attributes()
    x, y, child = c_int(), c_int(), c_ulong()
    if not (xlib.XGetWindowAttributes(display, window, ctypes.byref(attributes))
            and xlib.XTranslateCoordinates(
                display, window, attributes.root, 0, 0, ctypes.byref(x), ctypes.byref(y), ctypes.byref(child))):
        raise LookupError(f"window {window} is no longer there")
    return x.value, y.value, attributes.width, attributes.height


def pixels(window: int) -> tuple[int, int, bytearray]:
    """Width, height, and red, green and blue of each pixel of a window, as far as it is on the screen.

    Raises `LookupError` if the window is no longer shown.
    """
    xlib, display = connection(os.environ["DISPLAY"])
    errors.clear()
    x, y, width, height = geometry(window)
    _, _, screen_width, screen_height = geometry(xlib.XDefaultRootWindow(display))
    left, top = max(0, -x), max(0, -y)
    width, height = min(width, screen_width - x) - left, min(height, screen_height - y) - top
    if width <= 0 or height <= 0:
        raise LookupError(f"window {window} is not on the screen")
    image = xlib.XGetImage(display, window, left, top, width, height, ALL_PLANES, Z_PIXMAP)
    if not image or errors:
        raise LookupError(f"window {window} is no longer on the screen")
    content = image.contents
    assert (content.bits_per_pixel, content.byte_order, content.bytes_per_line) == (32, 0, width * 4)
    data = ctypes.string_at(content.data, content.bytes_per_line * height)
    xlib.XDestroyImage(image)
    colors = bytearray(width * height * 3)
    for index in range(3):
        colors[index::3] = data[2 - index::4]
    return width, height, colors


# The errors of the last requests: a window may be closed at any time.
errors: list[int] = []


@ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)
def note_error(_display, _event) -> int:
    errors.append(1)
    return 0


@functools.cache
def connection(display: str) -> tuple[ctypes.CDLL, int]:
    """Xlib, and its connection to a display."""
    xlib = ctypes.CDLL("libX11.so.6")
    xlib.XOpenDisplay.restype = c_void_p
    xlib.XDefaultRootWindow.restype = c_ulong
    xlib.XDefaultRootWindow.argtypes = [c_void_p]
    xlib.XInternAtom.restype = c_ulong
    xlib.XInternAtom.argtypes = [c_void_p, ctypes.c_char_p, c_int]
    xlib.XGetWindowProperty.argtypes = [
        c_void_p, c_ulong, c_ulong, ctypes.c_long, ctypes.c_long, c_int, c_ulong, POINTER(c_ulong), POINTER(c_int),
        POINTER(c_ulong), POINTER(c_ulong), POINTER(c_void_p)]
    xlib.XGetWindowAttributes.argtypes = [c_void_p, c_ulong, POINTER(Attributes)]
    xlib.XTranslateCoordinates.argtypes = [
        c_void_p, c_ulong, c_ulong, c_int, c_int, POINTER(c_int), POINTER(c_int), POINTER(c_ulong)]
    xlib.XGetImage.restype = POINTER(Image)
    xlib.XGetImage.argtypes = [c_void_p, c_ulong, c_int, c_int, c_uint, c_uint, c_ulong, c_int]
    xlib.XFree.argtypes = [c_void_p]
    xlib.XDestroyImage.argtypes = [POINTER(Image)]
    xlib.XSetErrorHandler(note_error)
    opened = xlib.XOpenDisplay(display.encode())
    if not opened:
        raise RuntimeError(f"no display {display}")
    return xlib, opened
