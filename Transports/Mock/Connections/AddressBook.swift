internal import AirframeTransport

/// The addresses that a mock assigns to hosts, from those reserved for documentation (RFC 5737).
struct AddressBook: Sendable {
    private var numbers: [String: Int] = [:]

    /// Returns the address of `host`, which is the host itself if it is an address.
    mutating func address(of host: String) -> String {
        if Self.isAddress(host) { return host }
        let number = numbers[host] ?? numbers.count
        numbers[host] = number
        return "192.0.2.\(number % 254 + 1)"
    }

    /// Whether `host` is an IP address, which needs no resolver.
    static func isAddress(_ host: String) -> Bool {
        if host.contains(":") { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}
