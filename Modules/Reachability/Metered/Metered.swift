extension NetworkInterface {
    /// Whether traffic costs money or is limited, from NetworkManager's property `Metered`.
    public enum Metered: String, Sendable, Hashable, CaseIterable {
        /// Unknown: NetworkManager does not run, or does not know.
        case unknown
        /// Metered, by the connection's settings.
        case yes
        /// Not metered, by the connection's settings.
        case no
        /// Probably metered, by the kind of device or the access point's announcement.
        case guessYes = "guess-yes"
        /// Probably not metered.
        case guessNo = "guess-no"

        /// From the number of NetworkManager's `NMMetered`.
        init(networkManager value: UInt64) {
            let all: [Self] = [.unknown, .yes, .no, .guessYes, .guessNo]
            self = value < UInt64(all.count) ? all[Int(value)] : .unknown
        }
    }
}

/// The last values of NetworkManager for all interfaces.
package struct MeteredTable: Sendable, Hashable {
    /// By the name of the interface.
    package var interfaces: [String: NetworkInterface.Metered] = [:]
    /// Of the connection that leads to the Internet.
    package var general = NetworkInterface.Metered.unknown

    /// No values.
    package init() {}

    /// The value for an interface.
    func metered(_ name: String) -> NetworkInterface.Metered { interfaces[name] ?? .unknown }

    /// The value for packets that leave by an interface. A tunnel that NetworkManager does not know uses the
    /// connection that NetworkManager calls the primary one.
    func metered(leavingBy interface: LinkRecord?) -> NetworkInterface.Metered {
        guard let interface, !interface.isLoopback else { return .unknown }
        let own = metered(interface.name)
        return own == .unknown ? general : own
    }
}
