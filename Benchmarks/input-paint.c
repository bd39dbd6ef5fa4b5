/* Presses keys, or the pointer's button, and prints the milliseconds until the screen shows what comes of it: a
 * number of pixels of a color, or a change to more than half of a window.
 *
 * usage: input-paint RRGGBB PIXELS|page KEY...|click
 */
#include "display.h"
#include <X11/extensions/XTest.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT_MS = 60000 };

static void enter(Display *display, int count, char **names, Bool is_press) {
  for (int index = 0; index < count; index++) {
    char *name = names[is_press ? index : count - 1 - index];
    if (!strcmp(name, "click"))
      XTestFakeButtonEvent(display, 1, is_press, CurrentTime);
    else
      XTestFakeKeyEvent(display, XKeysymToKeycode(display, XStringToKeysym(name)), is_press, CurrentTime);
  }
}

int main(int argc, char **argv) {
  int is_page = argc > 1 && !strcmp(argv[1], "page");
  int first = is_page ? 2 : 3;
  if (argc <= first) return fprintf(stderr, "usage: input-paint RRGGBB PIXELS|page KEY...|click\n"), 2;
  unsigned long color = strtoul(argv[1], NULL, 16);
  int enough = atoi(argv[2]);
  int damage_event;
  Display *display = open_display(&damage_event);
  if (!display) return 1;
  watch_windows(display, is_page ? XDamageReportRawRectangles : XDamageReportNonEmpty);
  /* At first, each window is told of as changed. */
  XEvent event;
  while (XPending(display)) {
    XNextEvent(display, &event);
    if (event.type == damage_event + XDamageNotify)
      XDamageSubtract(display, ((XDamageNotifyEvent *)&event)->damage, None, None);
  }
  XSync(display, False);

  double start = now_ms();
  enter(display, argc - first, argv + first, True);
  enter(display, argc - first, argv + first, False);
  XFlush(display);
  long changed = 0;
  while (now_ms() - start < LIMIT_MS) {
    if (next_event(display, &event, 1000) <= 0) continue;
    double time = now_ms();
    int is_shown = 0;
    if (event.type == MapNotify && !is_page) {
      XDamageCreate(display, event.xmap.window, XDamageReportNonEmpty);
      /* What was drawn before that is not told of. */
      XSync(display, False);
      is_shown = shows(display, event.xmap.window, color, enough);
    } else if (event.type == damage_event + XDamageNotify) {
      XDamageNotifyEvent *damage = (XDamageNotifyEvent *)&event;
      if (is_page) {
        changed += damage->area.width * damage->area.height;
        is_shown = 2 * changed > damage->geometry.width * damage->geometry.height;
      } else {
        XDamageSubtract(display, damage->damage, None, None);
        is_shown = shows(display, damage->drawable, color, enough);
      }
    }
    if (is_shown) {
      printf("%.2f\n", time - start);
      return 0;
    }
  }
  fprintf(stderr, "nothing of it was painted\n");
  return 1;
}
