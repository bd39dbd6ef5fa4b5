#pragma once
#include "../CGtk/shim.h"
#include <webkit/webkit.h>

// What takes a variable number of arguments in C, and so is invisible to Swift.

// Processes of this context are told to save memory towards the limit, and killed at it.
static inline WebKitWebContext *entrance_web_context_new(guint memory_limit_in_megabytes) {
  WebKitMemoryPressureSettings *settings = webkit_memory_pressure_settings_new();
  webkit_memory_pressure_settings_set_memory_limit(settings, memory_limit_in_megabytes);
  webkit_memory_pressure_settings_set_kill_threshold(settings, 1.0);
  WebKitWebContext *context =
      g_object_new(WEBKIT_TYPE_WEB_CONTEXT, "memory-pressure-settings", settings, NULL);
  webkit_memory_pressure_settings_free(settings);
  return context;
}

static inline GtkWidget *entrance_web_view_new(
    WebKitWebContext *context, WebKitNetworkSession *session, WebKitSettings *settings) {
  return g_object_new(WEBKIT_TYPE_WEB_VIEW, "web-context", context, "network-session", session,
                      "settings", settings, NULL);
}

// A sandbox with nothing to do in it, to learn whether one can be set up at all.
static inline GSubprocess *entrance_try_sandbox(const char *bubblewrap, GError **error) {
  return g_subprocess_new(
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, error, bubblewrap,
      "--die-with-parent", "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--proc",
      "/proc", "--dev", "/dev", "true", NULL);
}
