internal import AirframeLayers
internal import CPSL
internal import Synchronization

/// The Public Suffix List: the names under which the public can register names (`com`, `co.uk`, `github.io`).
///
/// The list is the system's newest, or the one that libpsl was built with. For names that no rule covers, the last
/// label is the public suffix. Names are in lower case, in Unicode or in A-labels (`xn--…`).
public enum PublicSuffixes {
    /// The list as libpsl loaded it.
    ///
    /// `@unchecked Sendable`: the list is immutable once it is loaded, libpsl only reads it, and it is never freed.
    private struct List: @unchecked Sendable {
        let handle: OpaquePointer?
    }

    // Loaded with the first cookie that has a domain.
    private static let list = List(handle: psl_latest(nil) ?? psl_builtin())

    /// Whether `name` is a public suffix, which no cookie's domain may be.
    public static func contains(_ name: String) -> Bool {
        let name = HostName.canonical(name)
        guard !HostName.isAddress(name) else { return false }
        // Without a list, a single label is a suffix (the default rule `*`).
        guard let handle = list.handle else { return !name.utf8.contains(UInt8(ascii: ".")) }
        return psl_is_public_suffix(handle, name) != 0
    }

    /// Returns the registrable domain: `example.co.uk` for `www.example.co.uk`. `nil` for a public suffix and for an IP
    /// address.
    public static func registrableDomain(of name: String) -> String? {
        let name = HostName.canonical(name)
        guard !HostName.isAddress(name), let handle = list.handle else { return nil }
        // The result points into `name` where libpsl holds it, so it is copied before that ends.
        return name.withCString { text in psl_registrable_domain(handle, text).map { String(cString: $0) } }
    }
}
