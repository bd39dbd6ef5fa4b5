// gettext, which is part of glibc. Swift's own module of it leaves this header out.
#pragma once
#include <libintl.h>
