// libsecret stands on GLib alone. It does not go through CGtk, so that a command-line program
// that keeps secrets does not link GTK; only SecretStore imports it.
#pragma once
#include "../CGio/shim.h"
#include <libsecret/secret.h>
