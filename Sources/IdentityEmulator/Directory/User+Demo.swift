extension User {
  /// The password of every user for whom no other is configured.
  ///
  /// It is shown on the sign-in pages.
  static let demoPassword = "Entrance-Demo-1"

  /// The initial users.
  static let demo = [
    User(
      username: "adele@contoso.example", givenName: "Adele", surname: "Vance", kind: .work,
      homeTenant: .contoso, objectIDs: [.contoso: "3d7a1c58-94b2-4e0f-a6d1-82c5f09e7b34"],
      jobTitle: "Product Manager", mobilePhone: "+1 425 555 0109", officeLocation: "18/2111",
      photoColor: 0x1F6F8B),
    User(
      username: "bram@contoso.example", givenName: "Bram", surname: "Okafor", kind: .work,
      homeTenant: .contoso, objectIDs: [.contoso: "b81e5f07-2c6d-4a93-8f4e-61d0a7c9e258"],
      jobTitle: "Support Engineer", officeLocation: "20/1101"),
    User(
      username: "chiara@outlook.example", givenName: "Chiara", surname: "Rossi", kind: .personal,
      homeTenant: .personal, objectIDs: [.personal: "00000000-0000-0000-6a1f-4c2e9b3d7085"],
      photoColor: 0x8E4585),
    User(
      username: "dara@contoso.example", givenName: "Dara", surname: "Lindqvist", kind: .guest,
      homeTenant: .contoso,
      objectIDs: [
        .contoso: "5c94e2d6-0f73-4b18-b5a9-c7e61f28d043",
        .fabrikam: "e6207b9f-d15a-4c84-93b0-4a8f5d2c1e97",
      ],
      jobTitle: "Designer", officeLocation: "18/1106", photoColor: 0x4F7942),
  ]
}
