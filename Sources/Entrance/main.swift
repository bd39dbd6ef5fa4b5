import Glibc
import Gtk
import Localization

// Before anything else: GLib, libcurl and WebKit read the environment when they are first used.
Hardening.apply()

let directories = DataDirectories(name: "entrance", variable: "ENTRANCE_DATADIR")
initializeTranslation(localeDirectory: directories.locale)
Localization.use(Gtk.translate)
exit(Program(directories: directories).run())
