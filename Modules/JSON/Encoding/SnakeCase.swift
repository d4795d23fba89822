/// The conversion of `JSONEncoder.KeyEncodingStrategy.convertToSnakeCase`.
enum SnakeCase {
    /// Returns `oneTwoThree` as `one_two_three`.
    ///
    /// A word begins at each capital letter that follows another kind of character. A run of capitals is one word, save
    /// its last letter, which begins the word of the small letters that follow. The first character is a word's
    /// beginning, regardless of its case.
    static func converted(_ key: String) -> String {
        guard let first = key.indices.first else { return key }
        var words: [Substring] = []
        var wordStart = first
        var search = key.index(after: first)
        while let capital = key[search...].firstIndex(where: \.isCapital) {
            words.append(key[wordStart..<capital])
            guard let small = key[capital...].firstIndex(where: \.isSmall) else {
                wordStart = capital
                break
            }
            let second = key.index(after: capital)
            if small == second {
                wordStart = capital
            } else {
                let last = key.index(before: small)
                words.append(key[capital..<last])
                wordStart = last
            }
            search = small
        }
        words.append(key[wordStart...])
        return words.map { $0.lowercased() }.joined(separator: "_")
    }
}

extension Character {
    /// Whether the character is in Foundation's set of capital letters, which has the title-case letters too.
    fileprivate var isCapital: Bool {
        unicodeScalars.contains { [.uppercaseLetter, .titlecaseLetter].contains($0.properties.generalCategory) }
    }

    fileprivate var isSmall: Bool { unicodeScalars.contains { $0.properties.generalCategory == .lowercaseLetter } }
}
