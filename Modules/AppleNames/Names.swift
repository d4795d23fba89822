public import AirframeCore
public import AirframeReachability
public import AirframeSecurity
public import AirframeTransport
public import Foundation

// The types. A typealias, so that a value of Apple's name is one of ours, and the reverse.

/// What a server showed of itself: ``ServerTrust``.
public typealias SecTrust = ServerTrust
/// A certificate: ``Certificate``.
public typealias SecCertificate = Certificate
/// A public key: ``PublicKey``.
public typealias SecKey = PublicKey
/// What a chain is evaluated by: ``ServerTrustPolicy``.
public typealias SecPolicy = ServerTrustPolicy
/// How an evaluation ended: ``ServerTrustResult``.
public typealias SecTrustResultType = ServerTrustResult
/// A number for success, 0, or for a failure.
public typealias OSStatus = Int32

/// Data, so that `data as CFData` is the data itself.
public typealias CFData = Data
/// A text.
public typealias CFString = String
/// An array, so that `certificates as CFArray` is the array itself.
public typealias CFArray = [Any]
/// Any value.
public typealias CFTypeRef = Any
/// An error.
public typealias CFError = NSError
/// An index.
public typealias CFIndex = Int
/// A set of bits.
public typealias CFOptionFlags = UInt

/// Where CoreFoundation's values are allocated. Ours need none: pass `nil`.
public struct CFAllocator: Sendable {
    private init() {}
}

/// The allocator that everybody passes: none.
public let kCFAllocatorDefault: CFAllocator? = nil

/// Success.
public let errSecSuccess: OSStatus = 0
/// A parameter cannot be used.
public let errSecParam: OSStatus = -50
/// Data that is not what it should be.
public let errSecDecode: OSStatus = -26_275
/// A certificate is not trusted.
public let errSecNotTrusted: OSStatus = -67_843

/// Ask by OCSP.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1 << 0
/// Look in lists.
public let kSecRevocationCRLMethod: CFOptionFlags = 1 << 1
/// Look in lists before asking by OCSP.
public let kSecRevocationPreferCRL: CFOptionFlags = 1 << 2
/// Refuse a certificate whose status cannot be determined.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 1 << 3
/// Use only local information.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 1 << 4
/// OCSP or lists.
public let kSecRevocationUseAnyAvailableMethod: CFOptionFlags = kSecRevocationOCSPMethod | kSecRevocationCRLMethod

/// What can be reached, and how: ``NetworkReachabilityFlags``.
public typealias SCNetworkReachabilityFlags = NetworkReachabilityFlags
/// Watches the machine's networks: ``NetworkPathMonitor``.
public typealias NWPathMonitor = NetworkPathMonitor
/// The machine's way to the network: ``NetworkPath``.
public typealias NWPath = NetworkPath
/// A network interface: ``NetworkInterface``.
public typealias NWInterface = NetworkInterface

extension NetworkInterface {
    /// The kind of an interface.
    public typealias InterfaceType = Kind
}

extension NetworkReachabilityFlags {
    /// A connection has to be made first. No network on Linux says so.
    public static let connectionRequired = NetworkReachabilityFlags(rawValue: 1 << 2)
    /// Traffic makes the connection. No network on Linux says so.
    public static let connectionOnTraffic = NetworkReachabilityFlags(rawValue: 1 << 3)
    /// The user has to do something first. No network on Linux says so.
    public static let interventionRequired = NetworkReachabilityFlags(rawValue: 1 << 4)
    /// A program's request makes the connection. No network on Linux says so.
    public static let connectionOnDemand = NetworkReachabilityFlags(rawValue: 1 << 5)
}

/// A version of TLS: ``TLSVersion``.
public typealias tls_protocol_version_t = TLSVersion
/// A request: ``URLRequest``, for its nested types.
public typealias NSURLRequest = URLRequest
