import EntranceKit
import Testing

@Suite("Keyboard shortcuts")
struct ShortcutTests {
  @Test("Each key does one thing in each place")
  func keys() {
    let keys = { (group: Shortcut.Group) in
      Shortcut.all.filter { $0.group == group }.flatMap { $0.keys + $0.otherKeys }
    }
    for group in [Shortcut.Group.account, .explorer, .signIn] {
      let all = keys(group) + keys(.general)
      #expect(Set(all).count == all.count, "\(all)")
    }
  }

  @Test("The key of the account's main action is told for the Explorer page, too")
  func send() {
    let rows = Shortcut.all.filter { $0.keys == ["<Control>Return"] }
    #expect(rows.map(\.title) == ["Call Microsoft Graph API", "Send the request"])
    #expect(rows.map(\.group) == [.account, .explorer])
  }

  @Test("Every row has a title, keys and a complete action name")
  func rows() {
    for shortcut in Shortcut.all {
      #expect(!shortcut.title.isEmpty && !shortcut.keys.isEmpty)
      #expect(shortcut.action?.contains(".") != false, "\(shortcut)")
    }
  }
}
