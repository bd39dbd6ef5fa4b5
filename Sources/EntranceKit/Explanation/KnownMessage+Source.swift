extension KnownMessage {
  /// Addresses that are too long for a row, or in several.
  enum Source {
    static let azureDevOps =
      "https://learn.microsoft.com/azure/devops/organizations/security/troubleshoot-permissions"
    static let basicAuthentication =
      "https://learn.microsoft.com/exchange/clients-and-mobile-in-exchange-online/"
      + "deprecation-of-basic-authentication-exchange-online"
    static let containerRegistry =
      "https://learn.microsoft.com/troubleshoot/azure/azure-container-registry/"
      + "authentication-required"
    static let continuousAccess =
      "https://learn.microsoft.com/entra/identity-platform/"
      + "app-resilience-continuous-access-evaluation"
    static let deviceJoin =
      "https://learn.microsoft.com/entra/identity/devices/troubleshoot-hybrid-join-windows-current"
    static let enrollment =
      "https://learn.microsoft.com/troubleshoot/mem/intune/device-enrollment/"
      + "troubleshoot-windows-enrollment-errors"
    static let mailOAuth =
      "https://learn.microsoft.com/exchange/client-developer/legacy-protocols/"
      + "how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth"
    static let msal =
      "https://learn.microsoft.com/entra/msal/dotnet/advanced/exceptions/msal-error-handling"
    static let nonDelivery =
      "https://learn.microsoft.com/exchange/mail-flow-best-practices/"
      + "non-delivery-reports-in-exchange-online/non-delivery-reports-in-exchange-online"
    static let providerErrors =
      "https://learn.microsoft.com/uwp/api/"
      + "windows.security.authentication.web.core.webprovidererror.errorcode"
    static let smtpAuthentication =
      "https://learn.microsoft.com/exchange/clients-and-mobile-in-exchange-online/"
      + "authenticated-client-smtp-submission"
    static let teams =
      "https://support.microsoft.com/office/"
      + "why-am-i-having-trouble-signing-in-to-microsoft-teams-a02f683b-61a3-4008-9447-ee60c5593b0f"
  }
}
