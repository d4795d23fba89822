public import AirframeCore
public import Foundation

/// The response's data as text.
///
/// The encoding is the one given; else the one that the response names by its `charset` (the labels of the WHATWG's
/// Encoding Standard), or the data by a byte order mark; else ISO 8859-1, in which every byte is a character.
public final class StringResponseSerializer: ResponseSerializer {
    /// Changes the data.
    public let dataPreprocessor: any DataPreprocessor
    /// The encoding to use, whatever the response says.
    public let encoding: String.Encoding?
    /// The status codes whose responses may be empty.
    public let emptyResponseCodes: Set<Int>
    /// The methods whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// Makes a serializer.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: Changes the data.
    ///   - encoding: The encoding to use; `nil` for the one that the response names.
    ///   - emptyResponseCodes: The status codes whose responses may be empty.
    ///   - emptyRequestMethods: The methods whose responses may be empty.
    public init(
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.encoding = encoding
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
    }

    /// The text; empty where that is allowed.
    public func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> String {
        guard let data = try content(of: data, request: request, response: response, error: error) else { return "" }
        guard let encoding else { return try TextDecoding.text(of: data, in: response) }
        return try TextDecoding.text(of: data, in: encoding)
    }
}

extension ResponseSerializer where Self == StringResponseSerializer {
    /// The response's text.
    public static var string: StringResponseSerializer { StringResponseSerializer() }

    /// The response's text.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: Changes the data.
    ///   - encoding: The encoding to use; `nil` for the one that the response names.
    ///   - emptyResponseCodes: The status codes whose responses may be empty.
    ///   - emptyRequestMethods: The methods whose responses may be empty.
    public static func string(
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
    ) -> StringResponseSerializer {
        StringResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            encoding: encoding,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
    }
}
