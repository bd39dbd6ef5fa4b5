import Connections
import Glibc
import Localization

// Before anything else: GLib, libcurl and WebKit read the environment when they are first used.
let missed = Hardening.apply()

// GLib decides at the first text whether to translate at all.
setlocale(LC_ALL, "")
let directories = DataDirectories()
Localization.use(Catalog(directory: directories.locale))
if !missed.isEmpty { Hardening.beginAnew(without: missed) }
exit(Program(directories: directories).run())
