import AuthCore
import Localization

// The facts about this device.
extension AccountModel {
  /// *Get device info*.
  @discardableResult
  public func getDeviceInformation() -> Task<Void, Never>? {
    start(.gettingDeviceInformation) {
      let report = await DeviceReport(
        self.application, self.graph, self.connection, account: self.account)
      // Facts that are in the first line, or part of the system's name.
      let told = ["mode", "operatingSystemID", "operatingSystemVersion"]
      let lines = report.facts.filter { !told.contains($0.name) }.map { "\($0.label): \($0.text)" }
      let storage = await self.store?.choice.kind
      guard !Task.isCancelled else {
        return self.conclude(
          tr("Device info not returned. Error: {error}", ["error": tr("It was canceled.")]))
      }
      self.log(
        tr("Received device info. Device is in the {mode} mode.", ["mode": report.mode.rawValue]),
        lines + (storage.map { [Self.text($0)] } ?? []))
    }
  }
}
