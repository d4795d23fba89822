internal import AirframeCore
internal import Foundation

/// How the text of a response is found.
enum TextDecoding {
    /// The text in the encoding that was chosen.
    static func text(of data: Data, in encoding: String.Encoding) throws(AFError) -> String {
        // Foundation has a name for EUC-JP on Linux, and no decoder.
        let text = encoding == .japaneseEUC ? EUCJPText.decode(data) : String(data: data, encoding: encoding)
        guard let text else { throw failure(encoding) }
        return text
    }

    /// The text in the encoding that the data names by a byte order mark, else the response by its `charset`, else in
    /// ISO 8859-1, in which every byte is a character.
    static func text(of data: Data, in response: HTTPURLResponse?) throws(AFError) -> String {
        if let marked = CharacterEncoding.marked(data), !isUTF32(response) {
            return try text(of: data.dropFirst(marked.length), marked.encoding)
        }
        guard let named = response?.textEncodingName.flatMap(CharacterEncoding.init(label:)) else {
            return try text(of: data, in: .isoLatin1)
        }
        return try text(of: data, named)
    }

    private static func text(of data: Data, _ encoding: CharacterEncoding) throws(AFError) -> String {
        guard let text = encoding.decode(data) else { throw failure(encoding.stringEncoding) }
        return text
    }

    /// The mark of little-endian UTF-32 begins as that of UTF-16 does.
    private static func isUTF32(_ response: HTTPURLResponse?) -> Bool {
        response?.textEncodingName?.hasPrefix("utf-32") == true
    }

    private static func failure(_ encoding: String.Encoding) -> AFError {
        .responseSerializationFailed(reason: .stringSerializationFailed(encoding: encoding))
    }
}
