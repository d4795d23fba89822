public import AirframeTransport

/// How fast a request may, and must, transfer its content. Values that are not positive count as not set.
///
/// ```swift
/// session.download(url, requestModifier: { $0.transferRates.download = 1_000_000 })
/// ```
public struct TransferRates: TransportRequestKey, Sendable, Hashable {
    /// A rate that a transfer must keep up.
    public struct Minimum: Sendable, Hashable {
        /// The rate in bytes a second.
        public var bytesPerSecond: Int
        /// How long the transfer may stay below it.
        public var period: Duration

        /// Sets a minimum.
        ///
        /// - Parameters:
        ///   - bytesPerSecond: The rate in bytes a second.
        ///   - period: How long the transfer may stay below it.
        public init(bytesPerSecond: Int, over period: Duration) {
            self.bytesPerSecond = bytesPerSecond
            self.period = period
        }

        /// The bytes that have to arrive in a period.
        var required: Double { Double(bytesPerSecond) * period.seconds }
    }

    /// The most bytes a second of the request's content.
    public var upload: Int?
    /// The most bytes a second of the response's content.
    public var download: Int?
    /// The fewest bytes a second of the response's content, while its reader waits for it. A slower response fails the
    /// request with ``TransportError/Code/timedOut``.
    public var minimum: Minimum?

    /// Sets the rates.
    ///
    /// - Parameters:
    ///   - upload: The most bytes a second of the request's content.
    ///   - download: The most bytes a second of the response's content.
    ///   - minimum: The fewest bytes a second of the response's content.
    public init(upload: Int? = nil, download: Int? = nil, minimum: Minimum? = nil) {
        self.upload = upload
        self.download = download
        self.minimum = minimum
    }

    /// No limits.
    public static let defaultValue = TransferRates()

    /// These rates with what `overrides` sets in its place.
    public func merging(_ overrides: TransferRates) -> TransferRates {
        TransferRates(
            upload: overrides.upload ?? upload,
            download: overrides.download ?? download,
            minimum: overrides.minimum ?? minimum
        )
    }

    /// The rates without values that are not positive.
    var effective: TransferRates {
        TransferRates(
            upload: upload.flatMap { $0 > 0 ? $0 : nil },
            download: download.flatMap { $0 > 0 ? $0 : nil },
            minimum: minimum.flatMap { $0.bytesPerSecond > 0 && $0.period > .zero ? $0 : nil }
        )
    }
}

extension URLRequest {
    /// How fast the request may, and must, transfer its content; what is `nil` is left to the session.
    public var transferRates: TransferRates {
        get { self[TransferRates.self] }
        set { self[TransferRates.self] = newValue }
    }
}
