import Connections
import Glibc
import Localization

// Must come first: GLib, libcurl and WebKit read the environment at their first use.
let ignored = Hardening.apply()

// GLib decides at the first text whether to translate at all, so this comes before any GTK
// function.
setlocale(LC_ALL, "")
let directories = DataDirectories()
Localization.use(MessageCatalog(directory: directories.locale))
if !ignored.isEmpty { Hardening.restart(without: ignored) }
Program(directories: directories).run()
