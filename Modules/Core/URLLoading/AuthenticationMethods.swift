// The values of `URLProtectionSpace.authenticationMethod`, by Foundation's names. Those of servers' challenges are the
// schemes as servers spell them.

/// Basic (RFC 7617).
public let NSURLAuthenticationMethodHTTPBasic = "Basic"
/// Digest (RFC 7616).
public let NSURLAuthenticationMethodHTTPDigest = "Digest"
/// The server's certificates on a new TLS connection, before they are verified. A `ServerTrustManager` decides on them.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
