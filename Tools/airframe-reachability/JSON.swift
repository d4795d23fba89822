internal import AirframeReachability

/// A JSON value (RFC 8259), written without Foundation.
indirect enum JSON {
    case null
    case bool(Bool)
    case number(Int)
    case string(String)
    case array([JSON])
    /// Fields in the order in which they are written.
    case object([(String, JSON)])

    init(_ text: String?) { self = text.map(JSON.string) ?? .null }

    init(_ number: Int?) { self = number.map(JSON.number) ?? .null }

    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let value): String(value)
        case .string(let value): Self.quote(value)
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let fields):
            "{" + fields.map { Self.quote($0.0) + ":" + $0.1.text }.joined(separator: ",") + "}"
        }
    }

    /// Any user with the capability to create interfaces chooses their names, so every character is escaped.
    private static func quote(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{0}"..<"\u{20}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension NetworkPath {
    /// The path in the schema that the manual page describes.
    var json: JSON {
        .object([
            ("status", .string(isSatisfied ? "satisfied" : "unsatisfied")),
            ("reason", JSON(reason?.rawValue)),
            ("interface", JSON(primaryInterface?.name)),
            ("kind", JSON(primaryInterface?.kind.rawValue)),
            ("gateway", JSON(gateway?.description)),
            ("ipv4", .bool(supportsIPv4)),
            ("ipv6", .bool(supportsIPv6)),
            ("expensive", .bool(isExpensive)),
            ("constrained", .bool(isConstrained)),
            ("metered", .string(metered.rawValue)),
            ("interfaces", .array(interfaces.map(\.json))),
            ("defaultRoutes", .array(defaultRoutes.map { $0.json(interfaces) })),
            ("dnsServers", .array(dnsServers.map(JSON.string))),
            ("host", host?.json(interfaces) ?? .null),
        ])
    }
}

extension NetworkInterface {
    fileprivate var json: JSON {
        .object([
            ("index", .number(index)),
            ("name", .string(name)),
            ("kind", .string(kind.rawValue)),
            ("driver", JSON(driver)),
            ("state", .string(state.rawValue)),
            ("up", .bool(isUp)),
            ("carrier", .bool(hasCarrier)),
            ("mtu", .number(mtu)),
            ("hardwareAddress", .string(hardwareAddress)),
            ("metered", .string(metered.rawValue)),
            ("addresses", .array(addresses.map(\.json))),
        ])
    }
}

extension NetworkInterface.Address {
    fileprivate var json: JSON {
        .object([
            ("address", .string(address.description)),
            ("prefixLength", .number(prefixLength)),
            ("scope", .string(scope.rawValue)),
            ("flags", .array(flags.names.map(JSON.string))),
        ])
    }
}

extension DefaultRoute {
    fileprivate func json(_ interfaces: [NetworkInterface]) -> JSON {
        .object([
            ("version", .number(version == .ipv4 ? 4 : 6)),
            ("action", .string(action.rawValue)),
            ("interface", JSON(interfaces.first { $0.index == interfaceIndex }?.name)),
            ("gateway", JSON(gateway?.description)),
            ("metric", .number(metric)),
            ("table", .number(table)),
        ])
    }
}

extension HostPath {
    fileprivate func json(_ interfaces: [NetworkInterface]) -> JSON {
        .object([
            ("name", .string(name)),
            ("routes", .array(routes.map { $0.json(interfaces) })),
        ])
    }
}

extension HostRoute {
    fileprivate func json(_ interfaces: [NetworkInterface]) -> JSON {
        .object([
            ("address", .string(address.description)),
            ("reachable", .bool(isReachable)),
            ("interface", JSON(interfaces.first { $0.index == interfaceIndex }?.name)),
            ("gateway", JSON(gateway?.description)),
            ("local", .bool(isLocal)),
        ])
    }
}
