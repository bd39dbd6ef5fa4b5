import Glibc
import Gtk
import Localization

// Must come first: GLib, libcurl and WebKit read the environment at their first use.
Hardening.apply()

let directories = DataDirectories(name: "entrance", variable: "ENTRANCE_DATADIR")
initializeTranslation(localeDirectory: directories.locale)
Localization.use(Gtk.translate)
exit(Program(directories: directories).run())
