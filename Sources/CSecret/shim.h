// libsecret needs only GLib. It does not use CGtk, so that a command-line program that uses
// libsecret does not link GTK; only SecretStore imports it.
#pragma once
#include "../CGio/shim.h"
// For `secret_service_prompt_at_dbus_path_sync` and `secret_service_search_for_dbus_paths_sync`,
// which have been stable since the first libsecret: they let a prompt be shown only when the user
// may be asked.
#define SECRET_API_SUBJECT_TO_CHANGE
#define SECRET_WITH_UNSTABLE
#include <libsecret/secret.h>
