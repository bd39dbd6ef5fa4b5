/* Presses keys, or the pointer's button, and prints the milliseconds until the screen shows what comes of it: a
 * block of a color, or a change to more than half of a window.
 *
 * usage: input-paint RRGGBB|page KEY...|click
 */
#include "display.h"
#include <X11/extensions/XTest.h>
#include <stdlib.h>
#include <string.h>

/* The block is larger than that; all that is as dark in the rest of the window together is not. */
enum { LIMIT_MS = 60000, ENOUGH = 4000 };

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
  if (argc < 3) return fprintf(stderr, "usage: input-paint RRGGBB|page KEY...|click\n"), 2;
  int is_page = !strcmp(argv[1], "page");
  unsigned long color = strtoul(argv[1], NULL, 16);
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
  enter(display, argc - 2, argv + 2, True);
  enter(display, argc - 2, argv + 2, False);
  XFlush(display);
  long changed = 0;
  while (now_ms() - start < LIMIT_MS) {
    if (next_event(display, &event, 1000) <= 0 || event.type != damage_event + XDamageNotify) continue;
    XDamageNotifyEvent *damage = (XDamageNotifyEvent *)&event;
    double time = now_ms();
    if (is_page)
      changed += damage->area.width * damage->area.height;
    else
      XDamageSubtract(display, damage->damage, None, None);
    if (is_page ? 2 * changed > damage->geometry.width * damage->geometry.height
                : shows(display, damage->drawable, color, ENOUGH)) {
      printf("%.2f\n", time - start);
      return 0;
    }
  }
  fprintf(stderr, "nothing of it was painted\n");
  return 1;
}
