import AuthCore
import Localization

extension AccountModel {
  /// *Sign Out*: removes the account and its tokens; on a shared device, all accounts.
  @discardableResult
  public func signOut() -> Task<Void, Never>? {
    guard let account else { return nil }
    return start(.signingOut) {
      self.logStep(tr("Signing out..."))
      do throws(AuthenticationError) {
        let result = try await self.application.signOut(account)
        guard result.failures.isEmpty else {
          await self.updateAccount()
          for failure in result.failures {
            self.log(
              tr("Couldn't sign out account with error: {error}", ["error": failure.sentence]),
              failure)
          }
          return await self.updateStorageNotice()
        }
        await self.updateAccount(removing: account)
        self.conclude(tr("Sign out completed successfully"))
      } catch {
        await self.updateAccount()
        self.log(
          tr("Couldn't sign out account with error: {error}", ["error": error.sentence]), error)
      }
      await self.updateStorageNotice()
    }
  }
}
