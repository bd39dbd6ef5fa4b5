/* Starts a program and watches the X display from outside: prints the milliseconds from its start to
 * the first frame of its window, and the peak memory in kB that it had by then and until its window
 * came to rest. Then it ends the program.
 *
 * A frame is a change to more than half of a window that is at least 300 pixels wide, which leaves it
 * with more than one color: the first change is the bare background.
 *
 * usage: first-frame COMMAND [ARGUMENT...]
 */
#include "display.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT_MS = 20000, REST_MS = 300 };

static long peak_memory_kb(pid_t process) {
  char path[64], line[256];
  long peak = 0;
  snprintf(path, sizeof path, "/proc/%d/status", (int)process);
  FILE *status = fopen(path, "r");
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %ld", &peak) == 1) break;
  if (status) fclose(status);
  return peak;
}

/* Whether the window shows more than one color. */
static int is_painted(Display *display, Window window) {
  XImage *image = picture(display, window);
  if (!image) return 0;
  unsigned long first = XGetPixel(image, image->width / 2, image->height / 2);
  int painted = 0;
  for (int y = 0; y < image->height && !painted; y += 3)
    for (int x = 0; x < image->width && !painted; x += 3) painted = XGetPixel(image, x, y) != first;
  XDestroyImage(image);
  return painted;
}

int main(int argc, char **argv) {
  if (argc < 2) return fprintf(stderr, "usage: first-frame COMMAND [ARGUMENT...]\n"), 2;
  int damage_event;
  Display *display = open_display(&damage_event);
  if (!display) return 1;

  double start = now_ms();
  pid_t process = fork();
  if (process == 0) {
    execvp(argv[1], argv + 1);
    _exit(127);
  }

  double first_frame = 0, last_change = 0;
  while (now_ms() - start < LIMIT_MS) {
    XEvent event;
    double timeout = first_frame > 0 ? REST_MS - (now_ms() - last_change) : 100;
    int got = next_event(display, &event, timeout);
    if (got == 0 && first_frame > 0) break;
    if (waitpid(process, NULL, WNOHANG) == process) break;
    if (got <= 0) continue;
    if (event.type == MapNotify) {
      XDamageCreate(display, event.xmap.window, XDamageReportRawRectangles);
      XFlush(display);
    } else if (event.type == damage_event + XDamageNotify) {
      XDamageNotifyEvent *damage = (XDamageNotifyEvent *)&event;
      XRectangle window = damage->geometry, area = damage->area;
      last_change = now_ms();
      if (first_frame == 0 && window.width >= 300 &&
          2 * area.width * area.height > window.width * window.height &&
          is_painted(display, damage->drawable))
        first_frame = last_change - start;
    }
  }

  long memory = peak_memory_kb(process);
  kill(process, SIGTERM);
  waitpid(process, NULL, 0);
  if (first_frame == 0) return fprintf(stderr, "no frame was drawn\n"), 1;
  printf("%.1f %ld\n", first_frame, memory);
  return 0;
}
