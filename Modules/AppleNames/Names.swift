public import AirframeCore
public import AirframeReachability
public import AirframeSecurity
public import AirframeTransport
public import Foundation

// Apple's types as type aliases, so that their values and ours are the same.

/// A server's certificates and the policies of their evaluation: ``ServerTrust``.
public typealias SecTrust = ServerTrust
/// A certificate: ``Certificate``.
public typealias SecCertificate = Certificate
/// A public key: ``PublicKey``.
public typealias SecKey = PublicKey
/// A policy for the evaluation of a chain: ``ServerTrustPolicy``.
public typealias SecPolicy = ServerTrustPolicy
/// The result of an evaluation: ``ServerTrustResult``.
public typealias SecTrustResultType = ServerTrustResult
/// A status code: 0 for success.
public typealias OSStatus = Int32

/// Data. The cast `data as CFData` is the identity.
public typealias CFData = Data
/// A string.
public typealias CFString = String
/// An array. The cast `certificates as CFArray` is the identity.
public typealias CFArray = [Any]
/// Any value.
public typealias CFTypeRef = Any
/// An error.
public typealias CFError = NSError
/// An index.
public typealias CFIndex = Int
/// A set of bits.
public typealias CFOptionFlags = UInt

/// CoreFoundation's allocator, which has no effect here: pass `nil`.
public struct CFAllocator: Sendable {
    private init() {}
}

/// The default allocator: `nil`.
public let kCFAllocatorDefault: CFAllocator? = nil

/// Success.
public let errSecSuccess: OSStatus = 0
/// A parameter is invalid.
public let errSecParam: OSStatus = -50
/// Data cannot be decoded.
public let errSecDecode: OSStatus = -26_275
/// A certificate is not trusted.
public let errSecNotTrusted: OSStatus = -67_843

/// Check by OCSP.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1 << 0
/// Check revocation lists.
public let kSecRevocationCRLMethod: CFOptionFlags = 1 << 1
/// Check revocation lists before OCSP.
public let kSecRevocationPreferCRL: CFOptionFlags = 1 << 2
/// Reject a certificate whose status cannot be determined.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 1 << 3
/// Use only local information.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 1 << 4
/// Check by OCSP or revocation lists.
public let kSecRevocationUseAnyAvailableMethod: CFOptionFlags = kSecRevocationOCSPMethod | kSecRevocationCRLMethod

/// The reachability of the network: ``NetworkReachabilityFlags``.
public typealias SCNetworkReachabilityFlags = NetworkReachabilityFlags
/// A monitor of the machine's networks: ``NetworkPathMonitor``.
public typealias NWPathMonitor = NetworkPathMonitor
/// The machine's network path: ``NetworkPath``.
public typealias NWPath = NetworkPath
/// A network interface: ``NetworkInterface``.
public typealias NWInterface = NetworkInterface

extension NetworkInterface {
    /// The kind of an interface.
    public typealias InterfaceType = Kind
}

extension NetworkReachabilityFlags {
    /// A connection must be established first. Never set on Linux.
    public static let connectionRequired = NetworkReachabilityFlags(rawValue: 1 << 2)
    /// Traffic establishes the connection. Never set on Linux.
    public static let connectionOnTraffic = NetworkReachabilityFlags(rawValue: 1 << 3)
    /// The user must intervene first. Never set on Linux.
    public static let interventionRequired = NetworkReachabilityFlags(rawValue: 1 << 4)
    /// A program's request establishes the connection. Never set on Linux.
    public static let connectionOnDemand = NetworkReachabilityFlags(rawValue: 1 << 5)
}

/// A version of TLS: ``TLSVersion``.
public typealias tls_protocol_version_t = TLSVersion
/// ``URLRequest``, for its nested types.
public typealias NSURLRequest = URLRequest
