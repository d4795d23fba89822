internal import AirframeCore
internal import Foundation

/// The decoding of a response's text.
enum TextDecoding {
    /// Returns the text in the given encoding.
    static func text(of data: Data, in encoding: String.Encoding) throws(AFError) -> String {
        // Foundation on Linux has a name for EUC-JP but no decoder.
        let text = encoding == .japaneseEUC ? EUCJPText.decode(data) : String(data: data, encoding: encoding)
        guard let text else { throw failure(encoding) }
        return text
    }

    /// Returns the text in the response's `charset`, else in the encoding of a byte order mark, else in ISO 8859-1, in
    /// which every byte is a character.
    ///
    /// A byte order mark of the declared encoding is not part of the text.
    static func text(of data: Data, in response: HTTPURLResponse?) throws(AFError) -> String {
        let marked = CharacterEncoding.marked(data)
        if let named = response?.textEncodingName.flatMap(CharacterEncoding.init(label:)) {
            guard let marked, named.isMarked(as: marked.encoding) else { return try text(of: data, named) }
            return try text(of: data.dropFirst(marked.length), marked.encoding)
        }
        guard let marked else { return try text(of: data, in: .isoLatin1) }
        return try text(of: data.dropFirst(marked.length), marked.encoding)
    }

    private static func text(of data: Data, _ encoding: CharacterEncoding) throws(AFError) -> String {
        guard let text = encoding.decode(data) else { throw failure(encoding.stringEncoding) }
        return text
    }

    private static func failure(_ encoding: String.Encoding) -> AFError {
        .responseSerializationFailed(reason: .stringSerializationFailed(encoding: encoding))
    }
}
