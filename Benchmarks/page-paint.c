/* Watches the X display until a window shows a color, which only the page has that is waited for: prints
 * "ready" when it begins to watch, and then the time of the monotonic clock in milliseconds.
 *
 * usage: page-paint RRGGBB
 */
#include "display.h"
#include <stdlib.h>

/* A mark of the page has more pixels of its color than that; what merely looks like it has fewer. */
enum { LIMIT_MS = 30000, ENOUGH = 200 };

int main(int argc, char **argv) {
  if (argc != 2) return fprintf(stderr, "usage: page-paint RRGGBB\n"), 2;
  unsigned long color = strtoul(argv[1], NULL, 16);
  int damage_event;
  Display *display = open_display(&damage_event);
  if (!display) return 1;

  watch_windows(display, XDamageReportNonEmpty);
  puts("ready");
  fflush(stdout);

  double start = now_ms();
  while (now_ms() - start < LIMIT_MS) {
    XEvent event;
    if (next_event(display, &event, 1000) <= 0) continue;
    Window changed = None;
    if (event.type == MapNotify) {
      changed = event.xmap.window;
      XDamageCreate(display, changed, XDamageReportNonEmpty);
      /* What was drawn before that is not told of. */
      XSync(display, False);
    } else if (event.type == damage_event + XDamageNotify) {
      XDamageNotifyEvent *damage = (XDamageNotifyEvent *)&event;
      changed = damage->drawable;
      XDamageSubtract(display, damage->damage, None, None);
    }
    if (changed != None && shows(display, changed, color, ENOUGH)) {
      printf("%.1f\n", now_ms());
      return 0;
    }
  }
  fprintf(stderr, "the page was not painted\n");
  return 1;
}
