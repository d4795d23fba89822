public import AirframeCore
internal import AirframeTransport
public import Configuration
internal import Foundation

extension URLSessionConfiguration {
    /// Sets the properties that `reader` has values for: those of ``SessionConfigurationKey``.
    ///
    /// All values come from one snapshot of the providers. A session copies its configuration when it is made, so later
    /// changes of the values reach sessions that are made later.
    ///
    /// - Parameter reader: The reader, scoped to where the session's keys are: `config.scoped(to: "api")`.
    /// - Throws: ``ConfigurationValueError`` for the first value that its key does not accept; no property has changed
    ///   then.
    public func apply(_ reader: ConfigReader) throws(ConfigurationValueError) {
        try apply(reader.snapshot())
    }

    /// Sets the properties that `snapshot` has values for: those of ``SessionConfigurationKey``.
    ///
    /// - Parameter snapshot: A snapshot of a reader, such as `watchSnapshot` delivers.
    /// - Throws: ``ConfigurationValueError`` for the first value that its key does not accept; no property has changed
    ///   then.
    public func apply(_ snapshot: ConfigSnapshotReader) throws(ConfigurationValueError) {
        let values = try SessionValues(SessionValueReader(snapshot: snapshot))
        if let url = values.baseURL { baseURL = url }
        if let userAgent = values.userAgent { headers.update(.userAgent(userAgent)) }
        if let seconds = values.requestTimeout { timeoutIntervalForRequest = seconds }
        if let seconds = values.resourceTimeout { timeoutIntervalForResource = seconds }
        if let seconds = values.attemptsTimeout { timeoutIntervalForAllAttempts = seconds }
        if let count = values.connectionsPerHost { httpMaximumConnectionsPerHost = count }
        if let proxy = values.proxy { transportOptions.proxy = proxy }
        if let version = values.minimumTLS { tlsMinimumSupportedProtocolVersion = version }
        if let version = values.maximumTLS { tlsMaximumSupportedProtocolVersion = version }
        if let path = values.tlsRoots { transportOptions.tls.roots = .pemFile(path: path) }
        if let isOn = values.httpsOnly { httpsOnly = isOn }
        if let isOn = values.sendsCookies { httpShouldSetCookies = isOn }
        if let isOn = values.allowsLocalURLs { allowsLocalURLs = isOn }
        if let isOn = values.waitsForConnectivity { waitsForConnectivity = isOn }
        if let rate = values.uploadRate { transferRates.upload = rate }
        if let rate = values.downloadRate { transferRates.download = rate }
        if let limit = values.bodyLimit { maximumBufferedBodySize = limit }
    }
}
