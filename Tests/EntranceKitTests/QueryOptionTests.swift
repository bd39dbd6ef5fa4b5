import EntranceKit
import Testing

@Suite("The query of an address as a table")
struct QueryOptionTests {
  private func options(_ address: String) -> [QueryOption] {
    ExplorerRequest(.get, address).queryOptions
  }

  private func written(_ address: String, _ change: (inout [QueryOption]) -> Void) -> String {
    var request = ExplorerRequest(.get, address)
    change(&request.queryOptions)
    return request.address
  }

  @Test(
    "An option is read as a server reads it",
    arguments: [
      ("/me", []), ("/me?", []), ("/me#a?b=c", [("b", "c")]), ("/me?&&", []),
      ("/me?$select=id,mail&$top=5", [("$select", "id,mail"), ("$top", "5")]),
      ("/me?a=b=c&d", [("a", "b=c"), ("d", "")]),
      ("/me?q=%22a%20b%22&x=1+2&y=%2B", [("q", "\"a b\""), ("x", "1 2"), ("y", "+")]),
      ("/me?a=100%&b=%zz&c=%F", [("a", "100%"), ("b", "%zz"), ("c", "%F")]),
      ("/me?a=%FF", [("a", "%FF")]), ("/me?a=1#b=2", [("a", "1#b=2")]),
      ("/me?a={{b}}&c=?", [("a", "{{b}}"), ("c", "?")]),
    ] as [(String, [(String, String)])])
  func reading(address: String, expected: [(String, String)]) {
    #expect(options(address) == expected.map { QueryOption($0.0, $0.1) })
  }

  @Test("Only what was edited is written; the rest stays as it was typed")
  func untouched() {
    let address = "/users?$filter=mail eq 'a+b'&&x=%7e#end"
    #expect(written(address) { $0 = $0 } == address)
    #expect(
      written("/users?a=%7e&b=1&c=x y") { $0[1].value = "2" } == "/users?a=%7e&b=2&c=x y")
    #expect(written("/users?a=%7e&b=1&c=x y") { $0.remove(at: 1) } == "/users?a=%7e&c=x y")
    #expect(
      written("/users?a=%7e&c=x y") { $0.insert(QueryOption("b", "1"), at: 1) }
        == "/users?a=%7e&b=1&c=x y")
    #expect(written("/users?a=1#end ") { $0 = [] } == "/users ")
    #expect(written("/users ") { $0.append(QueryOption("$top", "1")) } == "/users?$top=1 ")
  }

  // A number sign is sent encoded, as a part of the name of a guest; it begins no fragment.
  @Test("The name of a guest stays whole")
  func guest() {
    let user = "/users/bram_fabrikam.com#EXT#@contoso.onmicrosoft.com"
    #expect(written(user) { $0.append(QueryOption("$top", "5")) } == user + "?$top=5")
    let filter = "/users?$filter=userPrincipalName eq 'a#EXT#@b'&$select=id"
    #expect(
      options(filter) == [
        QueryOption("$filter", "userPrincipalName eq 'a#EXT#@b'"), QueryOption("$select", "id"),
      ])
    #expect(written(filter) { $0.append(QueryOption("$top", "5")) } == filter + "&$top=5")
  }

  @Test(
    "What has a meaning in a query is encoded once, and OData stays readable",
    arguments: [
      ("$search", "\"a&b\"", "$search=%22a%26b%22"),
      ("$filter", "name eq 'O''Neil'", "$filter=name%20eq%20'O''Neil'"),
      ("a", "1+1=2#%", "a=1%2B1=2%23%25"), ("a=b", "", "a%3Db="), ("a", "%20", "a=%2520"),
      ("ä", "日", "%C3%A4=%E6%97%A5"), ("id", "{{my id}}&", "id={{my id}}%26"),
      ("d", "2027-01-01T00:00:00+01:00", "d=2027-01-01T00:00:00%2B01:00"),
      ("", "a", "=a"), ("n", "a\nb", "n=a%0Ab"),
    ])
  func writing(name: String, value: String, expected: String) {
    let address = written("/me") { $0 = [QueryOption(name, value)] }
    #expect(address == "/me?" + expected)
    #expect(options(address) == [QueryOption(name, value)])
  }

  @Test("Of very many options the first are in the table, and the others stay")
  func many() {
    let address = "/me?" + (0..<300).map { "a\($0)=1" }.joined(separator: "&")
    #expect(options(address).count == ExplorerRequest.mostQueryOptions)
    #expect(
      written(address) { $0[0].value = "2" } == address.replacing("a0=1&", with: "a0=2&"))
  }
}
