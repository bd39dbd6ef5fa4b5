#pragma once
#include "../CGtk/shim.h"
#include <libsecret/secret.h>
