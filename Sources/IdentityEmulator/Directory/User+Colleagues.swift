extension User {
  private static let givenNames = [
    "Ada", "Bilal", "Carmen", "Dmitri", "Elif", "Femi", "Greta", "Hugo", "Ines", "Jonas",
    "Keiko", "Luca", "Maren", "Nadia", "Oskar", "Priya", "Quentin", "Rosa", "Samir", "Tuva",
    "Umar", "Vera", "Wanda", "Ximena", "Yusuf", "Zoe", "Anouk", "Boris", "Chen", "Daria",
  ]
  private static let surnames = [
    "Abara", "Bergström", "Costa", "Dubois", "Eriksen", "Fontaine", "García", "Hansen",
    "Ibrahim", "Jansen", "Kowalska", "Larsson", "Moreau", "Nakamura", "O'Brien", "Petrov",
    "Quist", "Ricci", "Schäfer", "Tanaka", "Ueda", "Vogel", "Weber", "Xu", "Yılmaz", "Zhang",
    "Andersen", "Becker", "Conti", "Duarte", "Estrada", "Fischer", "Gruber", "Horvat",
  ]
  private static let titles = [
    "Accountant", "Analyst", "Designer", "Developer", "Editor", "Engineer", "Manager",
    "Researcher", "Sales Representative", "Support Engineer", "Translator", "Writer",
  ]

  /// Made-up members of Contoso, the same in every run.
  static func colleagues(_ count: Int) -> [User] {
    (0..<max(0, count)).map { index in
      let given = givenNames[index % givenNames.count]
      let surname = surnames[index / givenNames.count % surnames.count]
      let mixed = GUID.mix(UInt64(index))
      let local = "\(given).\(surname)".lowercased().unicodeScalars
        .map { $0.isASCII && $0 != "'" ? Character($0) : "-" }
      let number = String(index + 1)
      return User(
        username: "\(String(local)).\(number)@contoso.example", givenName: given,
        surname: surname, kind: .work, homeTenant: .contoso,
        objectIDs: [.contoso: GUID.numbered(index, family: 0x75_7365_7200_0000)],
        jobTitle: titles[Int(mixed % UInt64(titles.count))],
        mobilePhone: index % 3 == 0 ? "+1 425 555 \(1000 + index % 9000)" : nil,
        officeLocation: "\(18 + index % 5)/\(1000 + index % 300)",
        photoColor: index % 4 == 3 ? nil : UInt32(truncatingIfNeeded: mixed & 0x7F7F7F))
    }
  }
}
