public import AirframeTransport

/// The maximum and minimum rates of a request's transfers. Values that are not positive count as not set.
///
/// ```swift
/// session.download(url, requestModifier: { $0.transferRates.download = 1_000_000 })
/// ```
public struct TransferRates: TransportRequestKey, Sendable, Hashable {
    /// A rate that a transfer must keep up.
    public struct Minimum: Sendable, Hashable {
        /// The rate in bytes per second.
        public var bytesPerSecond: Int
        /// The time over which the rate is measured.
        public var period: Duration

        /// Creates a minimum.
        ///
        /// - Parameters:
        ///   - bytesPerSecond: The rate in bytes per second.
        ///   - period: The time over which the rate is measured.
        public init(bytesPerSecond: Int, over period: Duration) {
            self.bytesPerSecond = bytesPerSecond
            self.period = period
        }

        /// The bytes that must be transferred in a period.
        var required: Double { Double(bytesPerSecond) * period.seconds }

        /// The minimum, or `nil` if one of its values is not positive.
        var effective: Minimum? { bytesPerSecond > 0 && period > .zero ? self : nil }
    }

    /// The maximum rate of the request's content in bytes per second.
    public var upload: Int?
    /// The maximum rate of the response's content in bytes per second.
    public var download: Int?
    /// The minimum rate of the response's content while its reader waits for it. A slower response fails the request
    /// with ``TransportError/Code/timedOut``.
    public var minimum: Minimum?
    /// The minimum rate at which the server takes the request's content, until the head of the response arrives. A
    /// slower upload fails the request with ``TransportError/Code/timedOut``. Time that the content's producer takes
    /// does not count, nor does time in which the request is suspended or an `upload` rate holds content back.
    ///
    /// The kernel and the engine buffer content, so that the rate is measured only once their buffers are full.
    public var minimumUpload: Minimum?

    /// Creates rates.
    ///
    /// - Parameters:
    ///   - upload: The maximum rate of the request's content in bytes per second.
    ///   - download: The maximum rate of the response's content in bytes per second.
    ///   - minimum: The minimum rate of the response's content.
    ///   - minimumUpload: The minimum rate of the request's content.
    public init(
        upload: Int? = nil,
        download: Int? = nil,
        minimum: Minimum? = nil,
        minimumUpload: Minimum? = nil
    ) {
        self.upload = upload
        self.download = download
        self.minimum = minimum
        self.minimumUpload = minimumUpload
    }

    /// No limits.
    public static let defaultValue = TransferRates()

    /// Returns these rates with the values that `overrides` sets in their place.
    public func merging(_ overrides: TransferRates) -> TransferRates {
        TransferRates(
            upload: overrides.upload ?? upload,
            download: overrides.download ?? download,
            minimum: overrides.minimum ?? minimum,
            minimumUpload: overrides.minimumUpload ?? minimumUpload
        )
    }

    /// The rates without values that are not positive.
    var effective: TransferRates {
        TransferRates(
            upload: upload.flatMap { $0 > 0 ? $0 : nil },
            download: download.flatMap { $0 > 0 ? $0 : nil },
            minimum: minimum.flatMap(\.effective),
            minimumUpload: minimumUpload.flatMap(\.effective)
        )
    }
}

extension URLRequest {
    /// The rates of the request's transfers. A value that is `nil` is taken from the session.
    public var transferRates: TransferRates {
        get { self[TransferRates.self] }
        set { self[TransferRates.self] = newValue }
    }
}
