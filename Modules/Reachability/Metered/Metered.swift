extension NetworkInterface {
    /// Whether traffic costs money or is limited, as NetworkManager says (its property `Metered`).
    public enum Metered: String, Sendable, Hashable, CaseIterable {
        /// Nobody has said: NetworkManager is not there, or does not know.
        case unknown
        /// It is; the connection's settings say so.
        case yes
        /// It is not; the connection's settings say so.
        case no
        /// It probably is: by the kind of device, or by what the access point says.
        case guessYes = "guess-yes"
        /// It probably is not.
        case guessNo = "guess-no"

        /// From the number of NetworkManager's `NMMetered`.
        init(networkManager value: UInt64) {
            let all: [Self] = [.unknown, .yes, .no, .guessYes, .guessNo]
            self = value < UInt64(all.count) ? all[Int(value)] : .unknown
        }
    }
}

/// What NetworkManager has said about all interfaces.
package struct MeteredTable: Sendable, Hashable {
    /// By the name of the interface.
    package var interfaces: [String: NetworkInterface.Metered] = [:]
    /// Of the connection that leads to the Internet.
    package var general = NetworkInterface.Metered.unknown

    /// Nothing has been said.
    package init() {}

    /// What is known of an interface.
    func metered(_ name: String) -> NetworkInterface.Metered { interfaces[name] ?? .unknown }

    /// What is known of packets that leave by an interface. A tunnel that NetworkManager does not know lies upon the
    /// connection that it means by the general one.
    func metered(leavingBy interface: LinkRecord?) -> NetworkInterface.Metered {
        guard let interface, !interface.isLoopback else { return .unknown }
        let own = metered(interface.name)
        return own == .unknown ? general : own
    }
}
