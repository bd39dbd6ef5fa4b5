import Testing

@testable import AuthCore

@Suite("The sandbox of web pages")
struct PageSandboxTests {
  let tree: SystemTree

  init() throws { tree = try SystemTree() }

  func sandbox(_ variables: [String] = []) -> PageSandbox {
    PageSandbox(tree.files) { variables.contains($0) }
  }

  @Test("Usually it is bubblewrap")
  func usual() {
    #expect(sandbox() == .bubblewrap)
    #expect(PageSandbox.bubblewrap.trial?.first == "bwrap")
    #expect(PageSandbox.bubblewrap.programs.map(\.name) == ["bwrap", "xdg-dbus-proxy"])
  }

  @Test("In Flatpak, Flatpak starts it")
  func flatpak() throws {
    try tree.write("/.flatpak-info", "[Application]\n")
    #expect(sandbox() == .flatpak)
    #expect(sandbox(PageSandbox.snapVariables) == .flatpak)
    #expect(PageSandbox.flatpak.trial?.first == "flatpak-spawn")
  }

  @Test("In a confined Snap, the kernel's label and the variables say so")
  func snap() throws {
    try tree.write("/proc/self/attr/current", "snap.entrance.entrance (enforce)\n")
    #expect(sandbox(PageSandbox.snapVariables) == .snap)
    #expect(sandbox(["SNAP"]) == .bubblewrap)
    #expect(PageSandbox.snap.trial == nil)
  }

  @Test(
    "The variables alone do not turn the sandbox off",
    arguments: [nil, "unconfined", "snap.code.code (complain)", "/usr/bin/snap. (enforce)", ""])
  func variablesAlone(label: String?) throws {
    if let label { try tree.write("/proc/self/attr/current", label + "\n") }
    #expect(sandbox(PageSandbox.snapVariables) == .bubblewrap)
  }

  @Test("AppArmor is blamed only if it restricts user namespaces")
  func obstacle() throws {
    #expect(PageSandbox.obstacle(tree.files) == nil)
    let appArmor = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"
    try tree.write(appArmor, "1\n")
    #expect(PageSandbox.obstacle(tree.files) == .appArmor)
    try tree.write(appArmor, "0\n")
    try tree.write("/proc/sys/user/max_user_namespaces", "62821\n")
    #expect(PageSandbox.obstacle(tree.files) == nil)
    try tree.write("/proc/sys/user/max_user_namespaces", "0\n")
    #expect(PageSandbox.obstacle(tree.files) == .setting("user.max_user_namespaces"))
    try tree.write("/proc/sys/kernel/unprivileged_userns_clone", "0\n")
    #expect(PageSandbox.obstacle(tree.files) == .setting("kernel.unprivileged_userns_clone"))
  }
}
