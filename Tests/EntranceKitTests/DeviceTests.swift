import AuthCore
import CurlHTTP
import EntranceKit
import FoundationEssentials
import HTTPTypes
import TestSupport
import Testing

/// *Get device info* with the directory's facts, and the notice of a shared device.
@MainActor @Suite("Device info on the account page", .timeLimit(.minutes(5)))
struct DeviceTests {
  static let id = "11d2c2a4-7a0f-4d2a-9a51-3d1f0e7b6c55"

  /// A token of a registered device, as from a broker.
  static let token = [#"{"alg":"RS256"}"#, #"{"deviceid":"\#(id)"}"#, "signature"]
    .map { Base64URL.encode($0.utf8) }.joined(separator: ".")

  /// The logged value of `label`.
  private func told(_ label: String, on page: Page) async throws -> String {
    await page.model.getDeviceInformation()?.value
    let lines = try #require(page.takeLog().last).split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("    \(label): ") })
    return String(line.dropFirst("    \(label): ".count))
  }

  @Test("Without a broker nothing is requested, and unknown facts have a reason")
  func noBroker() async throws {
    let page = try Page()
    #expect(try await told("Identity broker", on: page) == "not known")
    #expect(
      try await told("Device ID", on: page)
        == "not known: no token from an identity broker contains it")
    #expect(try await told("Compliance", on: page) == "not known: the device ID is not known")
    #expect(page.authority.calls.isEmpty)
  }

  @Test("A broker's version, the device ID, and the directory's facts about the device")
  func compliance() async throws {
    let page = try Page(broker: ScriptedBroker(accessToken: Self.token))
    await page.model.callGraph()?.value
    #expect(try await told("Identity broker", on: page) == "3.0.1")
    #expect(try await told("Device ID", on: page) == Self.id)
    for (answer, words) in [
      (#"{"isCompliant":true,"displayName":"laptop"}"#, "compliant"),
      (#"{"isCompliant":false}"#, "not compliant"),
      (#"{"isCompliant":null}"#, "not known: the directory does not report it"),
    ] {
      page.authority.next(.api, status: 200, answer)
      #expect(try await told("Compliance", on: page) == words)
    }
    let call = try #require(page.authority.calls.last)
    #expect(
      call.url == "https://graph.microsoft.com/v1.0/devices(deviceId='\(Self.id)')"
        + "?$select=isCompliant,displayName")
    #expect(call.request.headerFields[.authorization] == "Bearer \(Self.token)")
  }

  @Test("A Graph error makes the fact unknown, with its reason")
  func refused() async throws {
    let page = try Page(broker: ScriptedBroker(accessToken: Self.token))
    #expect(try await told("Compliance", on: page) == "not known: the device ID is not known")
    await page.model.callGraph()?.value
    page.authority.next(.api, status: 403, "{}")
    #expect(
      try await told("Compliance", on: page)
        == "not known: The account or the app is not allowed to do this (HTTP 403). A permission may"
        + " be missing.")
    let elsewhere = try Page(
      broker: ScriptedBroker(accessToken: Self.token), api: "https://graph.microsoft.com/api/me")
    await elsewhere.model.callGraph()?.value
    let asked = elsewhere.authority.calls.count
    #expect(
      try await told("Compliance", on: elsewhere)
        == "not known: the app does not use Microsoft Graph")
    #expect(elsewhere.authority.calls.count == asked)
  }

  @Test("A broker that does not answer is shown with its error")
  func brokenBroker() async throws {
    let page = try Page(broker: ScriptedBroker(accessToken: "opaque", isBroken: true))
    #expect(
      try await told("Identity broker", on: page) == "not known: The broker of this test is broken."
    )
  }

  @Test("The request is canceled when its account is signed out, and only then")
  func left() async throws {
    let broker = SlowBroker()
    let page = try Page(broker: broker)
    await page.model.callGraph()?.value
    page.authority.willSignIn(.ben)
    page.clock.advance(by: 1)
    await page.window.accounts.add()?.value
    for (person, isCanceled) in [(Person.adele, false), (Person.ben, true)] {
      _ = page.takeLog()
      let (asked, isAsked) = AsyncStream<Void>.makeStream()
      let (gate, answer) = AsyncStream<Void>.makeStream()
      broker.wait.withLock { wait in
        wait = {
          isAsked.yield()
          for await _ in gate {}
        }
      }
      let task = try #require(page.model.getDeviceInformation())
      for await _ in asked { break }
      // Another program signs the account out.
      page.store.records = page.store.records.filter {
        !String(decoding: $0.contents.exposed, as: UTF8.self).contains(person.objectID)
      }
      page.store.markChanged()
      await page.window.activate()?.value
      #expect(task.isCancelled == isCanceled)
      answer.finish()
      await task.value
      let canceled = "Device info not returned. Error: Canceled."
      #expect(page.log.contains { $0.hasPrefix(canceled) } == isCanceled)
      #expect(page.log.contains { $0.hasPrefix("Received device info.") } != isCanceled)
    }
  }

  // MARK: - Shared

  @Test("A shared device has a notice from the start, and its mode")
  func shared() async throws {
    let page = try Page(isShared: true)
    #expect(
      page.model.state.notices.map(\.text) == [
        "This computer is shared. Sign Out removes all accounts."
      ])
    await page.model.getDeviceInformation()?.value
    let line = try #require(page.takeLog().first)
    #expect(line.hasPrefix("Received device info. Device is in the shared mode.\n"))
    #expect(try Page().model.state.notices.isEmpty)
  }

  @Test("Signing out of a shared device ends the session of the sign-in page, too")
  func sharedSignOut() async throws {
    let authority = ScriptedAuthority()
    let page = try Page(authority: authority, isShared: true)
    await page.model.callGraph()?.value
    #expect(authority.pagesShown.map(\.prefersEphemeralSession) == [true])
    _ = page.takeLog()
    await page.model.signOut.signOut()?.value
    #expect(page.takeLog() == ["Sign out completed successfully"])
    #expect(page.model.state.username == nil)
    #expect(page.store.records.isEmpty)
    #expect(authority.pagesShown.count == 2)
    #expect(authority.pagesShown.last?.startURL.contains("/logout?") == true)
  }
}
