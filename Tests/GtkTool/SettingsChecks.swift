import Gio
import CGtk
import Glibc
import Gtk

/// Settings are read, stored and observed; missing or locked keys are handled.
///
/// The argument is the directory of the program's schema, where an administrator has locked
/// `shared-device`.
func checkSettings() async {
  let id = "io.github.entrance.Entrance"
  let directory = CommandLine.arguments.dropFirst(2).first ?? ""
  let settings = Settings(schemaID: id, directory: directory)
  expect(settings.value(of: "window-width", default: 1) == 860, "a number of the schema")
  expect(settings.value(of: "window-maximized", default: true) == false, "a Boolean of the schema")
  expect(
    settings.value(of: "window-width", default: "none") == "none", "another type has the default")
  expect(settings.value(of: "no-such-key", default: 7) == 7, "a missing key has the default")

  var changes = 0
  settings.whenChanged("window-width") { changes += 1 }
  settings.whenChanged("no-such-key") { changes += 100 }
  let other = Settings(schemaID: id, directory: directory)
  other.set("window-width", to: 1000)
  await expectSoon("a change is reported") { changes == 1 }
  expect(settings.value(of: "window-width", default: 1) == 1000, "a stored value is read")
  for refused in [-1, 1 << 40] { other.set("window-width", to: refused) }
  other.set("window-width", to: true)
  other.set("no-such-key", to: 7)
  expect(other.value(of: "window-width", default: 1) == 1000, "an invalid value is not stored")

  expect(!settings.isLocked("window-width"), "an unlocked key")
  expect(settings.isLocked("no-such-key"), "a missing key")
  expect(settings.isLocked("shared-device"), "a key locked by the administrator")
  settings.set("shared-device", to: false)
  expect(settings.value(of: "shared-device", default: false), "a locked key keeps its value")

  let none = Settings(schemaID: "io.github.entrance.NoSuchSchema", directory: directory)
  none.set("window-width", to: 1)
  none.whenChanged("window-width") { changes += 100 }
  expect(none.value(of: "window-width", default: 5) == 5, "a missing schema")
  expect(changes == 1, "there are no other notifications: \(changes)")
}
