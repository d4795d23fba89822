internal import HTTPTypes

/// The properties of a request that its fields determine, recorded while they are written.
struct HTTP1RequestNotes {
    let content: RequestContentLength
    /// Whether the request's own `Host` was written before the fields. It overrides the authority, and lets a caller
    /// reach one server under another's name.
    let hasHost: Bool
    /// Whether a proxy reads the head, to forward the request or to open a tunnel.
    let isForProxy: Bool
    private var hostCount = 0
    private(set) var asksToClose = false
    private(set) var expectsContinue = false
    private(set) var hasUpgrade = false
    private var hasTE = false
    private var namesUpgrade = false
    private var namesTE = false

    init(content: RequestContentLength, hasHost: Bool, isForProxy: Bool) {
        self.content = content
        self.hasHost = hasHost
        self.isForProxy = isForProxy
    }

    /// Records a field. Returns `false` if it must not be written at its position.
    mutating func take(_ field: HTTPField) throws(HTTP1WriteFailure) -> Bool {
        let name = field.name.canonicalName
        // The length rules out most names without comparing strings.
        switch name.utf8.count {
        case 4 where name == "host":
            guard hasHost else { throw .hasHost(field) }
            hostCount += 1
            guard hostCount == 1 else { throw .refused("the request has two Host fields") }
            return false
        case 14 where name == "content-length":
            if let fault = content.fault(ofLength: field.value) { throw .refused(fault) }
            return false
        case 17 where name == "transfer-encoding":
            if let fault = content.fault(ofCoding: field.value) { throw .refused(fault) }
            return false
        case 10 where name == "connection":
            // The usual value.
            if field.value == "close" {
                asksToClose = true
                break
            }
            for option in HTTP1List(field) {
                asksToClose = asksToClose || HTTP1List.isEqual("close")(option)
                namesUpgrade = namesUpgrade || HTTP1List.isEqual("upgrade")(option)
                namesTE = namesTE || HTTP1List.isEqual("te")(option)
            }
        case 6 where name == "expect":
            expectsContinue = expectsContinue || field.expectsContinue
        case 7 where name == "upgrade":
            hasUpgrade = true
        case 2 where name == "te":
            hasTE = true
        case 19 where name == "proxy-authorization":
            // The field is for the next proxy, not for the origin server (RFC 9110 §11.7.2).
            return isForProxy
        default:
            break
        }
        return true
    }

    /// Whether `Upgrade` lacks the connection option that it requires (RFC 9110 §7.8).
    var lacksUpgradeOption: Bool { hasUpgrade && !namesUpgrade }

    /// Whether `TE` lacks the connection option that it requires (RFC 9110 §10.1.4).
    var lacksTEOption: Bool { hasTE && !namesTE }
}
