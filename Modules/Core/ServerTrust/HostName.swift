internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The normal form of host names for comparison.
package enum HostName {
    /// Returns the host in lower case and ASCII, without a trailing dot and without brackets (RFC 5890 §2.3.2.1).
    package static func normalized(_ host: some StringProtocol) -> String {
        var name = host.lowercased()
        if name.first == "[", name.last == "]" { name = String(name.dropFirst().dropLast()) }
        if name.count > 1, name.hasSuffix(".") { name.removeLast() }
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return name }
        // The full stops of other scripts separate labels too (RFC 3490 §3.1).
        let labels = name.split(omittingEmptySubsequences: false) { ".\u{3002}\u{FF0E}\u{FF61}".contains($0) }
        return labels.map { Punycode.label($0) }.joined(separator: ".")
    }

    /// Whether `host` is an IPv4 or IPv6 address.
    package static func isAddress(_ host: String) -> Bool { address(host) != nil }

    /// Returns the 4 or 16 bytes of an address, or `nil` if `host` is a name.
    package static func address(_ host: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, host, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        var six = in6_addr()
        let literal = host.split(separator: "%", maxSplits: 1).first.map(String.init) ?? host
        guard inet_pton(AF_INET6, literal, &six) == 1 else { return nil }
        return withUnsafeBytes(of: six) { Array($0) }
    }
}

/// The ASCII form of labels (RFC 3492).
private enum Punycode {
    /// Returns `xn--…` for a label outside ASCII, which is composed first (RFC 5891 §5.3). Other labels are unchanged.
    static func label(_ label: some StringProtocol) -> String {
        let scalars = Array(String(label).precomposedStringWithCanonicalMapping.unicodeScalars)
        guard scalars.contains(where: { !$0.isASCII }) else { return String(label) }
        guard let encoded = encode(scalars.map(\.value)) else { return String(label) }
        return "xn--" + encoded
    }

    private static let base: UInt32 = 36
    private static let minimum: UInt32 = 1
    private static let maximum: UInt32 = 26

    private static func encode(_ input: [UInt32]) -> String? {
        var output = input.filter { $0 < 0x80 }.map { UInt8(truncatingIfNeeded: $0) }
        let basicCount = UInt32(output.count)
        var handled = basicCount
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var next: UInt32 = 128
        var delta: UInt32 = 0
        var bias: UInt32 = 72
        while handled < input.count {
            guard let smallest = input.filter({ $0 >= next }).min() else { return nil }
            let (step, tooFar) = (smallest - next).multipliedReportingOverflow(by: handled + 1)
            let (sum, overflow) = delta.addingReportingOverflow(step)
            guard !tooFar, !overflow else { return nil }
            delta = sum
            next = smallest
            for scalar in input {
                if scalar < next { delta &+= 1 }
                guard scalar == next else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapt(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta &+= 1
            next += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func append(_ delta: UInt32, bias: UInt32, to output: inout [UInt8]) {
        var rest = delta
        var place = base
        while true {
            let threshold = place <= bias ? minimum : min(maximum, place - bias)
            guard rest >= threshold else { return output.append(digit(rest)) }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            place += base
        }
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? value + 97 : value - 26 + 48)
    }

    private static func adapt(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var place: UInt32 = 0
        while delta > ((base - minimum) * maximum) / 2 {
            delta /= base - minimum
            place += base
        }
        return place + (base - minimum + 1) * delta / (delta + 38)
    }
}
