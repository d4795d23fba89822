internal import AirframeTransport

/// The addresses of a host in a form that makes libcurl 7.88 try them in parallel.
///
/// libcurl races one IPv4 address against one IPv6 address (RFC 8305), but tries the addresses of one family in
/// sequence, each for half of the remaining time: an unresponsive first address of two uses up the whole limit. The
/// engine therefore passes all but the first of several IPv4 addresses as IPv4-mapped IPv6 addresses (RFC 4291
/// §2.5.5.2), and maps them back when libcurl opens a socket. An attempt without a response is aborted after
/// ``patience`` if its family has another address.
enum AddressLanes {
    /// The time that an attempt may take while other addresses wait. Handshakes that take a second are rare, and the
    /// last address of each family has the whole limit.
    static let patience = Duration.seconds(1)

    private static let mapping = "::ffff:"

    /// Returns `addresses` in the form that libcurl gets.
    static func split(_ addresses: [String]) -> [String] {
        guard addresses.count > 1, !addresses.contains(where: { $0.contains(":") }) else { return addresses }
        return addresses.prefix(1) + addresses.dropFirst().map { mapping + $0 }
    }

    /// Returns the value of an entry in libcurl's list of addresses, which cannot contain zones.
    static func list(_ addresses: [String]) -> String {
        addresses.map { String($0.prefix { $0 != "%" }) }.joined(separator: ",")
    }

    /// Whether libcurl has an address to try after `address`, in its lane.
    ///
    /// - Parameter addresses: The host's addresses in their order.
    static func hasNext(after address: String, in addresses: [String]) -> Bool {
        let entries = split(addresses).map { entry in entry.prefix { $0 != "%" } }
        guard let index = entries.firstIndex(where: { $0 == address || $0 == mapping + address }) else { return false }
        let isIPv6 = entries[index].contains(":")
        return entries[(index + 1)...].contains { $0.contains(":") == isIPv6 }
    }
}
