import Testing

@testable import WebSignIn

/// Bus addresses that WebKit can read.
@Suite struct BusAddressTests {
  @Test(arguments: [
    "unix:path=/run/user/1000/bus", "unix:path=/tmp/bus,guid=0123", "unix:abstract=/tmp/dbus-x",
    "tcp:host=localhost,port=4000", "unix:path=/home/Zoë Müller/bus",
  ])
  func plainAddressesStay(address: String) {
    #expect(BusAddress.readable(address) == address)
  }

  @Test func escapesAreUndone() {
    #expect(
      BusAddress.readable("unix:path=/home/Zo%c3%ab%20M%C3%BCller/.cache/at-spi/bus,guid=0123")
        == "unix:path=/home/Zoë Müller/.cache/at-spi/bus,guid=0123")
  }

  @Test(arguments: [
    "unix:path=/home/a%2cb/bus", "unix:path=/home/a%25b/bus", "unix:path=/home/a%3bb/bus",
    "unix:path=/bus", "unix:path=/home/%zz/bus", "unix:path=/home/%00/bus", "unix:path=",
  ])
  func whatWebKitWouldMisreadIsRefused(address: String) {
    #expect(BusAddress.readable(address) == nil)
  }
}
