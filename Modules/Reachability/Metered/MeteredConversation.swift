/// The conversation with the system bus and NetworkManager: bytes in, bytes out, and the values. Without I/O, so
/// that tests and the fuzzer can run it.
///
/// It signs in (SASL EXTERNAL: the kernel attests the user), subscribes to changes, and then asks for each
/// device's name and its property `Metered`.
package struct MeteredConversation {
    private enum Phase {
        case signingIn
        case talking
    }

    private enum Question {
        case greeting
        case subscription
        case owner
        case devices
        case device(path: String)
        case general
    }

    private struct Device {
        var names: Set<String>
        var metered: NetworkInterface.Metered
    }

    /// The bytes to write. The writer removes them.
    package var outgoing: [UInt8]
    /// Whether every question is answered.
    package var isComplete: Bool { phase == .talking && questions.isEmpty }
    /// The values so far.
    package private(set) var table = MeteredTable()

    private var phase = Phase.signingIn
    private var incoming: [UInt8] = []
    private var serial: UInt32 = 0
    private var questions: [UInt32: Question] = [:]
    /// The unique bus name of NetworkManager, which identifies its messages.
    private var owner: String?
    private var devices: [String: Device] = [:]
    private var general = NetworkInterface.Metered.unknown

    private static let bus = "org.freedesktop.DBus"
    private static let manager = "org.freedesktop.NetworkManager"
    private static let managerPath = "/org/freedesktop/NetworkManager"
    private static let device = "org.freedesktop.NetworkManager.Device"
    private static let properties = "org.freedesktop.DBus.Properties"
    /// The maximum number of devices that are queried: a machine with more gets no values for the rest.
    private static let mostDevices = 256
    private static let mostQuestions = 1024

    /// Begins with the sign-in.
    ///
    /// - Parameter userID: The number of the user that the process runs as.
    package init(userID: UInt32) {
        // The digits of the number, each in hexadecimal. The NUL before them carries the credentials that the kernel
        // attests.
        let digits = String(userID).utf8.map { "3" + String($0 - UInt8(ascii: "0")) }.joined()
        outgoing = [0] + Array("AUTH EXTERNAL \(digits)\r\n".utf8)
    }

    /// Reads received bytes.
    ///
    /// - Throws: `MalformedDBus` for malformed bytes; the conversation is over then.
    package mutating func receive(_ bytes: some Collection<UInt8>) throws(MalformedDBus) {
        incoming += bytes
        if phase == .signingIn { try signIn() }
        guard phase == .talking else { return }
        var start = 0
        while start < incoming.count {
            guard let length = try DBusMessage.length(incoming.span.bytes.extracting(start..<incoming.count)),
                length <= incoming.count - start
            else { break }
            let message = try DBusMessage.parse(incoming.span.bytes.extracting(start..<start + length))
            start += length
            take(message)
        }
        incoming.removeFirst(start)
    }

    private mutating func signIn() throws(MalformedDBus) {
        guard let end = incoming.firstIndex(of: UInt8(ascii: "\n")) else {
            guard incoming.count <= 1024 else { throw MalformedDBus(what: "no answer to the sign-in", offset: 0) }
            return
        }
        guard incoming.starts(with: "OK ".utf8) else { throw MalformedDBus(what: "a refused sign-in", offset: 0) }
        incoming.removeFirst(end + 1)
        phase = .talking
        outgoing += Array("BEGIN\r\n".utf8)
        askBus("Hello", [], .greeting)
        let change = "type='signal',interface='\(Self.properties)',member='PropertiesChanged',sender='\(Self.manager)'"
        // Only these two interfaces: access points change by the second.
        for interface in [Self.manager, Self.device] {
            askBus("AddMatch", ["\(change),arg0='\(interface)'"], .subscription)
        }
        let names = "type='signal',interface='\(Self.bus)',member='NameOwnerChanged',sender='\(Self.bus)'"
        askBus("AddMatch", ["\(names),arg0='\(Self.manager)'"], .subscription)
        askBus("GetNameOwner", [Self.manager], .owner)
    }

    // MARK: Questions

    private mutating func askBus(_ member: String, _ arguments: [String], _ question: Question) {
        ask(
            DBusCall(
                destination: Self.bus,
                path: "/org/freedesktop/DBus",
                interface: Self.bus,
                member: member,
                arguments: arguments
            ),
            question
        )
    }

    private mutating func askManager(
        _ path: String,
        _ interface: String,
        _ member: String,
        _ arguments: [String],
        _ question: Question
    ) {
        let call = DBusCall(
            destination: Self.manager,
            path: path,
            interface: interface,
            member: member,
            arguments: arguments
        )
        ask(call, question)
    }

    private mutating func ask(_ call: DBusCall, _ question: Question) {
        // A service that reports changes without end and answers nothing is not queried again.
        guard questions.count < Self.mostQuestions else { return }
        serial = serial == .max ? 1 : serial + 1
        questions[serial] = question
        outgoing += call.message(serial: serial)
    }

    private mutating func askForDevices() {
        askManager(Self.managerPath, Self.manager, "GetAllDevices", [], .devices)
    }

    private mutating func askForDevice(_ path: String) {
        askManager(path, Self.properties, "GetAll", [Self.device], .device(path: path))
    }

    private mutating func askForGeneral() {
        askManager(Self.managerPath, Self.properties, "Get", [Self.manager, "Metered"], .general)
    }

    // MARK: Answers

    private mutating func take(_ message: DBusMessage) {
        switch message.kind {
        case .call: break
        case .signal: takeSignal(message)
        case .reply, .error:
            guard let number = message.replySerial, let question = questions[number],
                message.sender == sender(of: question)
            else { return }
            questions[number] = nil
            takeAnswer(message.kind == .reply ? message.body : [], to: question)
        }
        refreshTable()
    }

    /// The accepted senders of an answer. The bus itself answers for a service that does not run, without a sender.
    private func sender(of question: Question) -> String? {
        switch question {
        case .greeting, .subscription, .owner: Self.bus
        case .devices, .device, .general: owner
        }
    }

    private mutating func takeAnswer(_ body: [DBusValue], to question: Question) {
        switch question {
        case .greeting, .subscription: break
        case .owner: ownerIs(body.first?.text)
        case .devices:
            let paths = (body.first?.elements ?? []).compactMap(\.text).prefix(Self.mostDevices)
            devices = devices.filter { paths.contains($0.key) }
            for path in paths { askForDevice(path) }
        case .device(let path):
            guard let properties = body.first?.properties, !properties.isEmpty else {
                devices[path] = nil
                return
            }
            var device = Device(names: [], metered: .unknown)
            Self.update(&device, with: properties)
            if devices[path] != nil || devices.count < Self.mostDevices { devices[path] = device }
        case .general: general = NetworkInterface.Metered(networkManager: body.first?.unsigned ?? 0)
        }
    }

    /// NetworkManager started, ended or restarted: discards its values.
    private mutating func ownerIs(_ name: String?) {
        owner = name.flatMap { $0.isEmpty ? nil : $0 }
        devices = [:]
        general = .unknown
        questions = questions.filter { sender(of: $0.value) == Self.bus }
        guard owner != nil else { return }
        askForDevices()
        askForGeneral()
    }

    private mutating func takeSignal(_ message: DBusMessage) {
        if message.sender == Self.bus, message.member == "NameOwnerChanged", message.body.count == 3,
            message.body[0].text == Self.manager
        {
            // The answer to the earlier question is outdated.
            questions = questions.filter { if case .owner = $0.value { false } else { true } }
            return ownerIs(message.body[2].text)
        }
        guard let owner, message.sender == owner, message.interface == Self.properties,
            message.member == "PropertiesChanged", message.body.count == 3, let path = message.path
        else { return }
        let changed = message.body[1].properties
        let invalid = (message.body[2].elements ?? []).compactMap(\.text)
        switch message.body[0].text {
        case Self.manager where path == Self.managerPath:
            if let metered = changed["Metered"]?.unsigned { general = .init(networkManager: metered) }
            if invalid.contains("Metered") { askForGeneral() }
            if changed["AllDevices"] != nil || changed["Devices"] != nil || invalid.contains("AllDevices") {
                askForDevices()
            }
        case Self.device:
            guard var device = devices[path] else { return }
            Self.update(&device, with: changed)
            devices[path] = device
            if invalid.contains("Metered") { askForDevice(path) }
        default: break
        }
    }

    /// A modem has one interface for control and one for packets: both names get the value.
    private static func update(_ device: inout Device, with properties: [String: DBusValue]) {
        if let metered = properties["Metered"]?.unsigned { device.metered = .init(networkManager: metered) }
        let names = ["Interface", "IpInterface"].compactMap { properties[$0]?.text }.filter { !$0.isEmpty }
        device.names.formUnion(names)
    }

    private mutating func refreshTable() {
        var table = MeteredTable()
        table.general = general
        for device in devices.values {
            for name in device.names { table.interfaces[name] = device.metered }
        }
        self.table = table
    }
}
