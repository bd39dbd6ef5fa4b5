import CGio

extension String {
  /// How many columns of a terminal the text takes: Chinese, Japanese and Korean letters and emoji
  /// take two, and accents none.
  var columns: Int {
    unicodeScalars.reduce(0) { columns, scalar in
      guard g_unichar_iszerowidth(scalar.value) == 0 else { return columns }
      return columns + (g_unichar_iswide(scalar.value) == 0 ? 1 : 2)
    }
  }

  /// The beginning that fits into so many columns, with an ellipsis if that is not all.
  func cut(toColumns limit: Int) -> String {
    guard columns > limit else { return self }
    var width = 0
    let start = prefix { character in
      width += String(character).columns
      return width < limit
    }
    return String(start) + "…"
  }
}
