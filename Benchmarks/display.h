/* What the programs share that watch an X display from outside. */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xdamage.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000.0 + time.tv_nsec / 1e6;
}

/* Windows come and go; one that is gone when it is asked about is of no interest. */
static int ignore_error(Display *display, XErrorEvent *error) {
  (void)display;
  (void)error;
  return 0;
}

/* Opens the display, and has it tell of windows that appear; NULL, with a word on standard error, when
 * there is none. `*damage_event` is the number of the event that tells of a change in a window. */
static Display *open_display(int *damage_event) {
  int damage_error;
  XSetErrorHandler(ignore_error);
  Display *display = XOpenDisplay(NULL);
  if (!display || !XDamageQueryExtension(display, damage_event, &damage_error)) {
    fprintf(stderr, "no display with the DAMAGE extension\n");
    return NULL;
  }
  XSelectInput(display, DefaultRootWindow(display), SubstructureNotifyMask);
  XSync(display, False);
  return display;
}

/* All that a window shows; NULL when it is gone. */
static XImage *picture(Display *display, Window window) {
  XWindowAttributes attributes;
  if (!XGetWindowAttributes(display, window, &attributes)) return NULL;
  return XGetImage(
      display, window, 0, 0, attributes.width, attributes.height, AllPlanes, ZPixmap);
}

/* Whether at least `enough` pixels of a window have a color. */
static inline int shows(Display *display, Window window, unsigned long color, int enough) {
  XImage *image = picture(display, window);
  if (!image) return 0;
  int count = 0;
  for (int y = 0; y < image->height && count < enough; y++)
    for (int x = 0; x < image->width && count < enough; x++)
      count += (XGetPixel(image, x, y) & 0xffffff) == color;
  XDestroyImage(image);
  return count >= enough;
}

/* Asks to be told of changes in all windows that there are; `level` is one of XDamageReport*. */
static inline void watch_windows(Display *display, int level) {
  Window root, parent, *windows = NULL;
  unsigned int count = 0;
  if (XQueryTree(display, DefaultRootWindow(display), &root, &parent, &windows, &count))
    for (unsigned int index = 0; index < count; index++) XDamageCreate(display, windows[index], level);
  XFree(windows);
  XSync(display, False);
}

/* Waits for the next event, at most `timeout` milliseconds: 1 when there is one, 0 when the time is over,
 * -1 when there is nothing yet. */
static int next_event(Display *display, XEvent *event, double timeout) {
  if (!XPending(display)) {
    struct pollfd connection = {.fd = ConnectionNumber(display), .events = POLLIN};
    if (timeout <= 0 || poll(&connection, 1, (int)timeout + 1) <= 0) return 0;
    if (!XPending(display)) return -1;
  }
  XNextEvent(display, event);
  return 1;
}
