#pragma once
#include "../CGtk/shim.h"
#include <webkit/webkit.h>
