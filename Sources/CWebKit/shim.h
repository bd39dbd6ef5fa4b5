// WebKitGTK's types, and a table of its functions that is filled at run time.
//
// Loading the library takes longer than everything else at the start of a GTK program, and most
// starts need no sign-in. So no program is linked with it: the headers provide the types, and
// `dlopen` the functions when they are needed.
#pragma once
#include "../CGtk/shim.h"
#include <dlfcn.h>
#include <gmodule.h>
#include <unistd.h>
#include <webkit/webkit.h>

// The functions in use, without `webkit_`.
#define ENTRANCE_WEBKIT_FUNCTIONS(X)                                                               \
  X(authentication_request_authenticate)                                                           \
  X(context_menu_get_items)                                                                        \
  X(context_menu_get_n_items)                                                                      \
  X(context_menu_item_get_stock_action)                                                            \
  X(context_menu_remove)                                                                           \
  X(cookie_manager_add_cookie)                                                                     \
  X(cookie_manager_add_cookie_finish)                                                              \
  X(cookie_manager_get_accept_policy)                                                              \
  X(cookie_manager_get_accept_policy_finish)                                                       \
  X(cookie_manager_set_persistent_storage)                                                         \
  X(download_cancel)                                                                               \
  X(feature_get_identifier)                                                                        \
  X(feature_list_get)                                                                              \
  X(feature_list_get_length)                                                                       \
  X(feature_list_unref)                                                                            \
  X(file_chooser_request_cancel)                                                                   \
  X(memory_pressure_settings_free)                                                                 \
  X(memory_pressure_settings_new)                                                                  \
  X(memory_pressure_settings_set_kill_threshold)                                                   \
  X(memory_pressure_settings_set_memory_limit)                                                     \
  X(navigation_action_get_navigation_type)                                                         \
  X(navigation_action_get_request)                                                                 \
  X(navigation_action_is_redirect)                                                                 \
  X(navigation_action_is_user_gesture)                                                             \
  X(navigation_policy_decision_get_navigation_action)                                              \
  X(network_error_quark)                                                                           \
  X(network_proxy_settings_free)                                                                   \
  X(network_proxy_settings_new)                                                                    \
  X(network_session_allow_tls_certificate_for_host)                                                \
  X(network_session_get_cookie_manager)                                                            \
  X(network_session_new)                                                                           \
  X(network_session_new_ephemeral)                                                                 \
  X(network_session_set_persistent_credential_storage_enabled)                                     \
  X(network_session_set_proxy_settings)                                                            \
  X(network_session_set_tls_errors_policy)                                                         \
  X(permission_request_deny)                                                                       \
  X(permission_state_query_finish)                                                                 \
  X(policy_decision_ignore)                                                                        \
  X(policy_error_quark)                                                                            \
  X(response_policy_decision_get_request)                                                          \
  X(response_policy_decision_get_response)                                                         \
  X(response_policy_decision_is_main_frame_main_resource)                                          \
  X(response_policy_decision_is_mime_type_supported)                                               \
  X(script_dialog_confirm_set_confirmed)                                                           \
  X(script_dialog_get_dialog_type)                                                                 \
  X(settings_get_all_features)                                                                     \
  X(settings_new)                                                                                  \
  X(settings_set_feature_enabled)                                                                  \
  X(settings_set_hardware_acceleration_policy)                                                     \
  X(uri_for_display)                                                                               \
  X(uri_request_get_uri)                                                                           \
  X(uri_response_get_status_code)                                                                  \
  X(uri_scheme_request_finish)                                                                     \
  X(web_context_get_type)                                                                          \
  X(web_context_register_uri_scheme)                                                               \
  X(web_context_set_cache_model)                                                                   \
  X(web_view_can_go_back)                                                                          \
  X(web_view_evaluate_javascript)                                                                  \
  X(web_view_evaluate_javascript_finish)                                                           \
  X(web_view_get_back_forward_list)                                                                \
  X(web_view_get_estimated_load_progress)                                                          \
  X(web_view_get_settings)                                                                         \
  X(web_view_get_tls_info)                                                                         \
  X(web_view_get_type)                                                                             \
  X(web_view_get_uri)                                                                              \
  X(web_view_get_zoom_level)                                                                       \
  X(web_view_go_back)                                                                              \
  X(web_view_is_loading)                                                                           \
  X(web_view_load_uri)                                                                             \
  X(web_view_reload)                                                                               \
  X(web_view_set_zoom_level)                                                                       \
  X(web_view_stop_loading)                                                                         \
  X(web_view_terminate_web_process)

// The same for libsoup, which comes with WebKit.
#define ENTRANCE_SOUP_FUNCTIONS(X)                                                                 \
  X(cookie_free)                                                                                   \
  X(cookie_new)                                                                                    \
  X(cookie_set_http_only)                                                                          \
  X(cookie_set_secure)

// And for JavaScriptCore.
#define ENTRANCE_JSC_FUNCTIONS(X) X(value_to_int32)

// The functions, with the types from the libraries' headers.
typedef struct {
#define ENTRANCE_WEBKIT_FIELD(name) __typeof__(&webkit_##name) name;
  ENTRANCE_WEBKIT_FUNCTIONS(ENTRANCE_WEBKIT_FIELD)
#undef ENTRANCE_WEBKIT_FIELD
#define ENTRANCE_SOUP_FIELD(name) __typeof__(&soup_##name) soup_##name;
  ENTRANCE_SOUP_FUNCTIONS(ENTRANCE_SOUP_FIELD)
#undef ENTRANCE_SOUP_FIELD
#define ENTRANCE_JSC_FIELD(name) __typeof__(&jsc_##name) jsc_##name;
  ENTRANCE_JSC_FUNCTIONS(ENTRANCE_JSC_FIELD)
#undef ENTRANCE_JSC_FIELD
  // Whether all of the above were found.
  gboolean is_complete;
} EntranceWebKit;

// GModule has a lock, and so has the dynamic loader. GtkBuilder looks up classes, and GIO loads its
// modules, under both, in this order. libsoup's constructor takes GModule's while it is loaded. So a
// plain `dlopen` on one thread, and either of these on another, would wait for each other forever.
static inline void *entrance_webkit_library(void) {
  static const char name[] = "libwebkitgtk-6.0.so.4";
  // Never closed: types that are registered stay.
  return g_module_open(name, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL)
    ? dlopen(name, RTLD_LAZY | RTLD_LOCAL) : NULL;
}

static inline EntranceWebKit entrance_webkit_load(void) {
  EntranceWebKit webkit = {.is_complete = TRUE};
  void *library = entrance_webkit_library();
#define ENTRANCE_WEBKIT_LOOK_UP(function)                                                          \
  *(void **)&webkit.function = library ? dlsym(library, "webkit_" #function) : NULL;               \
  if (!webkit.function) webkit.is_complete = FALSE;
  ENTRANCE_WEBKIT_FUNCTIONS(ENTRANCE_WEBKIT_LOOK_UP)
#undef ENTRANCE_WEBKIT_LOOK_UP
// `dlsym` also searches the libraries that a library depends on.
#define ENTRANCE_SOUP_LOOK_UP(function)                                                            \
  *(void **)&webkit.soup_##function = library ? dlsym(library, "soup_" #function) : NULL;          \
  if (!webkit.soup_##function) webkit.is_complete = FALSE;
  ENTRANCE_SOUP_FUNCTIONS(ENTRANCE_SOUP_LOOK_UP)
#undef ENTRANCE_SOUP_LOOK_UP
#define ENTRANCE_JSC_LOOK_UP(function)                                                             \
  *(void **)&webkit.jsc_##function = library ? dlsym(library, "jsc_" #function) : NULL;            \
  if (!webkit.jsc_##function) webkit.is_complete = FALSE;
  ENTRANCE_JSC_FUNCTIONS(ENTRANCE_JSC_LOOK_UP)
#undef ENTRANCE_JSC_LOOK_UP
  return webkit;
}

// Functions that create objects; some are variadic, which Swift cannot call.

static inline WebKitNetworkSession *entrance_network_session_new(EntranceWebKit webkit) {
  return webkit.network_session_new_ephemeral();
}

static inline WebKitSettings *entrance_web_settings_new(EntranceWebKit webkit) {
  return webkit.settings_new();
}

// Processes of this context save memory as they approach the limit, and are killed at it.
static inline WebKitWebContext *entrance_web_context_new(
    EntranceWebKit webkit, guint memory_limit_in_megabytes) {
  WebKitMemoryPressureSettings *settings = webkit.memory_pressure_settings_new();
  webkit.memory_pressure_settings_set_memory_limit(settings, memory_limit_in_megabytes);
  webkit.memory_pressure_settings_set_kill_threshold(settings, 1.0);
  WebKitWebContext *context =
      g_object_new(webkit.web_context_get_type(), "memory-pressure-settings", settings, NULL);
  webkit.memory_pressure_settings_free(settings);
  return context;
}

static inline GtkWidget *entrance_web_view_new(
    EntranceWebKit webkit, WebKitWebContext *context, WebKitNetworkSession *session,
    WebKitSettings *settings) {
  return g_object_new(webkit.web_view_get_type(), "web-context", context, "network-session",
                      session, "settings", settings, NULL);
}

// A view for a page that the page in `opener` opens; both are in the same web process.
static inline GtkWidget *entrance_web_view_new_related(
    EntranceWebKit webkit, WebKitWebView *opener) {
  return g_object_new(webkit.web_view_get_type(), "related-view", opener, "settings",
                      webkit.web_view_get_settings(opener), NULL);
}

// Creates a file in memory with `content`; returns -1 on failure.
extern int memfd_create(const char *name, unsigned int flags);
static inline int entrance_memory_file(const void *content, size_t length) {
  int file = memfd_create("entrance", 1 /* MFD_CLOEXEC */);
  if (file >= 0 && write(file, content, length) != (ssize_t)length) {
    close(file);
    return -1;
  }
  return file;
}
