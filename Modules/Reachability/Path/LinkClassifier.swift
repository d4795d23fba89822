internal import CNetlink
internal import Glibc

/// Classifies the link of an interface.
///
/// The kernel has the kind in several places: a name for software devices, a hardware type, the device's type in sysfs,
/// and wireless ioctls. Without sysfs, the interface names of systemd and drivers are the last hint.
struct LinkClassifier {
    /// The folder of devices; `nil` when sysfs shows another namespace.
    var sysfs: String? = "/sys/class/net"

    /// - Parameter descriptor: Any socket in the interface's namespace.
    func kind(of link: LinkRecord, descriptor: Int32) -> NetworkInterface.Kind {
        if link.isLoopback { return .loopback }
        if let driver = link.driverKind, let kind = Self.kinds[driver] { return kind }
        if let kind = Self.kind(ofHardware: link.hardwareType) { return kind }
        if let type = deviceType(of: link.name) {
            if type == "wlan" { return .wifi }
            if type == "wwan" { return .cellular }
        }
        if airframe_is_wireless(descriptor, link.name) != 0 { return .wifi }
        if link.driverKind == nil {
            if ["wwan", "wwp", "rmnet"].contains(where: link.name.hasPrefix) { return .cellular }
            if ["wlan", "wlp", "wlx"].contains(where: link.name.hasPrefix) { return .wifi }
        }
        return link.hardwareType == UInt16(ARPHRD_ETHER) && link.driverKind == nil ? .ethernet : .other
    }

    /// The kernel's words (`IFLA_INFO_KIND`).
    private static let kinds: [String: NetworkInterface.Kind] = {
        let words: [(NetworkInterface.Kind, [String])] = [
            (.virtualEthernet, ["veth", "netkit"]),
            (.bridge, ["bridge", "openvswitch"]),
            (.ethernet, ["vlan", "bond", "team", "macvlan", "ipvlan", "macsec", "hsr", "dsa"]),
            (
                .tunnel,
                [
                    "tun", "tap", "wireguard", "gre", "gretap", "ip6gre", "ip6gretap", "erspan", "ipip", "ip6tnl",
                    "sit",
                    "vti", "vti6", "xfrm", "vxlan", "geneve", "ppp", "amt", "gtp", "ovpn",
                ]
            ),
            (.cellular, ["wwan", "rmnet"]),
            (.other, ["dummy", "ifb", "nlmon", "vrf", "vcan", "can", "vsockmon", "netdevsim"]),
        ]
        return Dictionary(words.flatMap { kind, names in names.map { ($0, kind) } }) { first, _ in first }
    }()

    /// From `ARPHRD_…`, for types that mean one thing only.
    private static func kind(ofHardware type: UInt16) -> NetworkInterface.Kind? {
        switch Int32(type) {
        case ARPHRD_LOOPBACK: .loopback
        case ARPHRD_IEEE80211, ARPHRD_IEEE80211_PRISM, ARPHRD_IEEE80211_RADIOTAP: .wifi
        case ARPHRD_PPP, ARPHRD_TUNNEL, ARPHRD_TUNNEL6, ARPHRD_SIT, ARPHRD_IPGRE, ARPHRD_IP6GRE: .tunnel
        default: nil
        }
    }

    /// The device's type in sysfs, such as "wlan", "wwan" or "bridge".
    private func deviceType(of name: String) -> String? {
        // Interface names have no slash; a forged one must not lead out of the folder.
        guard let sysfs, !name.utf8.contains(UInt8(ascii: "/")), name != "..", name != ".",
            let text = SystemFile.read("\(sysfs)/\(name)/uevent")
        else { return nil }
        let key = "DEVTYPE="
        return text.split(separator: "\n").first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
    }
}
