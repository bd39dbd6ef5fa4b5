// libsecret stands on GLib alone. It does not go through CGtk, so that a command-line program
// that keeps secrets does not link GTK; only SecretStore imports it.
#pragma once
#include "../CGio/shim.h"
// For `secret_service_prompt_at_dbus_path_sync` and `secret_service_search_for_dbus_paths_sync`, which have
// not changed since there is libsecret: a prompt is shown only where a person may be asked.
#define SECRET_API_SUBJECT_TO_CHANGE
#define SECRET_WITH_UNSTABLE
#include <libsecret/secret.h>
