internal import AirframeTransport

/// The addresses of a host in the form in which libcurl 7.88 tries them beside each other.
///
/// libcurl races one IPv4 address against one IPv6 address (RFC 8305), but takes the addresses of one family one after
/// the other, each for half of the time that is left: a silent first address of two uses up the whole limit. So all but
/// the first of several IPv4 addresses are given as IPv6 addresses that map them (RFC 4291 §2.5.5.2), and mapped back
/// when libcurl asks for a socket. An attempt that gets no answer is given up after ``patience`` where its family has
/// another address.
enum AddressLanes {
    /// How long an address may stay silent while others wait for it. Handshakes that take a second are rare, and the
    /// last address of each family has the whole limit.
    static let patience = Duration.seconds(1)

    private static let mapping = "::ffff:"

    /// `addresses` as libcurl gets them.
    static func split(_ addresses: [String]) -> [String] {
        guard addresses.count > 1, !addresses.contains(where: { $0.contains(":") }) else { return addresses }
        return addresses.prefix(1) + addresses.dropFirst().map { mapping + $0 }
    }

    /// The value of an entry in libcurl's list of addresses, which has no room for zones.
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
