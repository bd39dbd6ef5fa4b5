// The only module with the GTK headers: every other shim that uses GTK includes this file first, so
// that clang imports this module instead of parsing the headers again. The headers of GLib and GIO
// are in CGio.
#pragma once
#include "../CGio/shim.h"
#include <adwaita.h>
#include <glib-unix.h>
#include <locale.h>
#include <sys/eventfd.h>

// CoreFoundation also uses these two to drain libdispatch's main queue from its own run loop.
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

// C macros, which Swift does not import.
static const GType ENTRANCE_TYPE_BOOLEAN = G_TYPE_BOOLEAN;
static const GType ENTRANCE_TYPE_INT = G_TYPE_INT;
static const GType ENTRANCE_TYPE_UINT = G_TYPE_UINT;
static const GType ENTRANCE_TYPE_LONG = G_TYPE_LONG;
static const GType ENTRANCE_TYPE_ULONG = G_TYPE_ULONG;
static const GType ENTRANCE_TYPE_INT64 = G_TYPE_INT64;
static const GType ENTRANCE_TYPE_UINT64 = G_TYPE_UINT64;
static const GType ENTRANCE_TYPE_ENUM = G_TYPE_ENUM;
static const GType ENTRANCE_TYPE_FLAGS = G_TYPE_FLAGS;
static const GType ENTRANCE_TYPE_DOUBLE = G_TYPE_DOUBLE;
static const GType ENTRANCE_TYPE_STRING = G_TYPE_STRING;
static const GType ENTRANCE_TYPE_OBJECT = G_TYPE_OBJECT;

static inline GType entrance_value_type(const GValue *value) { return G_VALUE_TYPE(value); }

static inline gboolean entrance_is_a(gpointer instance, GType type) {
  return G_TYPE_CHECK_INSTANCE_TYPE(instance, type);
}

// Destroys `window` when `parent` is closed.
static inline void entrance_destroy_with(gpointer window, gpointer parent) {
  g_signal_connect_object(
      parent, "unrealize", G_CALLBACK(gtk_window_destroy), window, G_CONNECT_SWAPPED);
}

static inline gboolean entrance_close_window(gpointer window) {
  gtk_window_close(window);
  return G_SOURCE_REMOVE;
}

// Before GTK has an event of a surface, closes an application's window that the desktop asks to close
// while another window of its group is modal.
static inline gboolean entrance_heed_close(
    GSignalInvocationHint *hint, guint count, const GValue *values, gpointer data) {
  GdkEvent *event = g_value_peek_pointer(values + 1);
  if (gdk_event_get_event_type(event) != GDK_DELETE) return TRUE;
  GtkNative *native = gtk_native_get_for_surface(g_value_get_object(values));
  if (!entrance_is_a(native, gtk_application_window_get_type())) return TRUE;
  GList *windows = gtk_window_group_list_windows(gtk_window_get_group(GTK_WINDOW(native)));
  gboolean is_blocked = FALSE;
  for (GList *entry = windows; entry; entry = entry->next)
    is_blocked |= entry->data != (gpointer)native && gtk_window_get_modal(entry->data) &&
        gtk_widget_get_mapped(entry->data);
  g_list_free(windows);
  // Not while the event is handled.
  if (is_blocked)
    g_idle_add_full(
        G_PRIORITY_DEFAULT, entrance_close_window, g_object_ref(native), g_object_unref);
  return TRUE;
}

// Once: from then on, each event of a surface is looked at.
static inline void entrance_heed_close_of_blocked_windows(void) {
  g_type_class_ref(gdk_surface_get_type());
  g_signal_add_emission_hook(
      g_signal_lookup("event", gdk_surface_get_type()), 0, entrance_heed_close, NULL, NULL);
}

static inline void entrance_set_accessible_label(gpointer widget, const char *label) {
  gtk_accessible_update_property(
      GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

// Before screen readers know the widget.
static inline void entrance_set_accessible_role(gpointer widget, GtkAccessibleRole role) {
  g_object_set(widget, "accessible-role", role, NULL);
}

static inline void entrance_set_accessible_hidden(gpointer widget, gboolean is_hidden) {
  gtk_accessible_update_state(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_HIDDEN, is_hidden, -1);
}

static inline void entrance_set_accessible_selected(gpointer widget, gboolean is_selected) {
  gtk_accessible_update_state(
      GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_STATE_SELECTED, is_selected, -1);
}

static inline void entrance_set_accessible_description(gpointer widget, const char *description) {
  gtk_accessible_update_property(
      GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

// The headers of GDK's backends would also import those of X11 and Wayland.
#ifdef GDK_WINDOWING_X11
extern GType gdk_x11_surface_get_type(void);
extern unsigned long gdk_x11_surface_get_xid(GdkSurface *surface);
#endif
#ifdef GDK_WINDOWING_WAYLAND
extern GType gdk_wayland_toplevel_get_type(void);
extern gboolean gdk_wayland_toplevel_export_handle(
    GdkToplevel *toplevel, void (*callback)(GdkToplevel *, const char *, gpointer), gpointer data,
    GDestroyNotify destroy);
extern void gdk_wayland_toplevel_unexport_handle(GdkToplevel *toplevel);
#endif

// The ID of a surface of X11; 0 for others.
static inline unsigned long entrance_x11_window(GdkSurface *surface) {
#ifdef GDK_WINDOWING_X11
  if (entrance_is_a(surface, gdk_x11_surface_get_type())) return gdk_x11_surface_get_xid(surface);
#endif
  return 0;
}

// Calls `callback` with the handle of a surface of Wayland, by which other programs can refer to it.
// Returns whether that has begun.
static inline gboolean entrance_export_handle(
    GdkSurface *surface, void (*callback)(GdkToplevel *, const char *, gpointer), gpointer data,
    GDestroyNotify destroy) {
#ifdef GDK_WINDOWING_WAYLAND
  if (entrance_is_a(surface, gdk_wayland_toplevel_get_type()))
    return gdk_wayland_toplevel_export_handle(GDK_TOPLEVEL(surface), callback, data, destroy);
#endif
  return FALSE;
}

// Withdraws the handle of a surface of Wayland.
static inline void entrance_unexport_handle(GdkSurface *surface) {
#ifdef GDK_WINDOWING_WAYLAND
  if (entrance_is_a(surface, gdk_wayland_toplevel_get_type()))
    gdk_wayland_toplevel_unexport_handle(GDK_TOPLEVEL(surface));
#endif
}
