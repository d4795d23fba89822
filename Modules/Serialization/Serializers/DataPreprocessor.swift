public import Foundation

/// A transformation of a response's data before serialization.
public protocol DataPreprocessor: Sendable {
    /// Returns the transformed data.
    ///
    /// - Parameter data: The content of the response.
    /// - Throws: Any error. It fails the serialization.
    func preprocess(_ data: Data) throws -> Data
}

/// A preprocessor that returns the data unchanged.
public struct PassthroughPreprocessor: DataPreprocessor {
    /// Creates a preprocessor.
    public init() {}

    /// Returns the data unchanged. Throws no error.
    public func preprocess(_ data: Data) throws -> Data { data }
}

/// A preprocessor that removes the `)]}',` and line feed that Google's services put before JSON so that it cannot run
/// as a script.
public struct GoogleXSSIPreprocessor: DataPreprocessor {
    private static let prefix = Data(")]}',\n".utf8)

    /// Creates a preprocessor.
    public init() {}

    /// Returns the data without the prefix. Throws no error.
    public func preprocess(_ data: Data) throws -> Data {
        data.starts(with: Self.prefix) ? data.dropFirst(Self.prefix.count) : data
    }
}

extension DataPreprocessor where Self == PassthroughPreprocessor {
    /// A preprocessor that returns the data unchanged.
    public static var passthrough: PassthroughPreprocessor { PassthroughPreprocessor() }
}

extension DataPreprocessor where Self == GoogleXSSIPreprocessor {
    /// A preprocessor that removes the prefix of Google's services.
    public static var googleXSSI: GoogleXSSIPreprocessor { GoogleXSSIPreprocessor() }
}
