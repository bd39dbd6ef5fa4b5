import Sentences

/// The administrator roles of Entra ID, by the IDs of their templates, which all tenants have.
enum DirectoryRole {
  /// The name of a role; nil when it is not known.
  static func sentence(_ id: String) -> Sentence? {
    switch id.lowercased() {
    case "62e90394-69f5-4237-9190-012177145e10": Sentence("Global Administrator")
    case "f2ef992c-3afb-46b9-b7cf-a126ee74c451": Sentence("Global Reader")
    case "fe930be7-5e62-47db-91af-98c3a49a38b1": Sentence("User Administrator")
    case "fdd7a751-b60b-444a-984c-02652fe8fa1c": Sentence("Groups Administrator")
    case "729827e3-9c14-49f7-bb1b-9608f156bbb8": Sentence("Helpdesk Administrator")
    case "9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3": Sentence("Application Administrator")
    case "158c047a-c907-4556-b7ef-446551a6b5f7": Sentence("Cloud Application Administrator")
    case "cf1c38e5-3621-4004-a7cb-879624dced7c": Sentence("Application Developer")
    case "194ae4cb-b126-40b2-bd5b-6091b380977d": Sentence("Security Administrator")
    case "5d6b6bb7-de71-4623-b4af-96380a352509": Sentence("Security Reader")
    case "b1be1c3e-b65d-4f19-8427-f6fa0d97feb9": Sentence("Conditional Access Administrator")
    case "e8611ab8-c189-46e8-94e1-60213ab1f814": Sentence("Privileged Role Administrator")
    case "7be44c8a-adaf-4e2a-84d6-ab2649e08a13":
      Sentence("Privileged Authentication Administrator")
    case "c4e39bd9-1100-46d3-8c65-fb160da0071f": Sentence("Authentication Administrator")
    case "29232cdf-9323-42fd-ade2-1d097af3e4de": Sentence("Exchange Administrator")
    case "f28a1f50-f6e7-4571-818b-6a12f2af6b6c": Sentence("SharePoint Administrator")
    case "69091246-20e8-4a56-aa4d-066075b2a7a8": Sentence("Teams Administrator")
    case "3a2c62db-5318-420d-8d74-23affee5d9d5": Sentence("Intune Administrator")
    case "17315797-102d-40b4-93e0-432062caca18": Sentence("Compliance Administrator")
    case "b0f54661-2d74-4c50-afa3-1ec803f12efe": Sentence("Billing Administrator")
    case "4a5d8f65-41da-4de4-8968-e035b65339cf": Sentence("Reports Reader")
    case "88d8e3e3-8f55-4a1e-953a-9b9898b8876b": Sentence("Directory Readers")
    case "b79fbf4d-3ef9-4689-8143-76b194e85509":
      Sentence("Not a role: everyone except guests has this")
    default: nil
    }
  }
}
