/// The options of ``ConformanceCommand``.
struct CommandOptions: Sendable {
    static let usage = """
        usage: [--levels LIST] [--groups LIST] [--cases LIST] [--json FILE]
               [--wait SECONDS] [--within SECONDS] [--jobs NUMBER] [--list]

          --levels LIST     runs the cases of these levels, separated by commas
          --groups LIST     runs the cases of these groups
          --cases LIST      runs the cases with these ids
          --json FILE       also writes the report as JSON; with -, prints JSON in place of text
          --wait SECONDS    the longest wait for one thing that must happen (2); other waits are scaled with it
          --within SECONDS  the time for the whole run (270); cases that it does not suffice for fail
          --jobs NUMBER     the number of groups that run concurrently (4)
          --list            lists the cases and does not run them

        """

    /// The error of invalid arguments.
    struct Misuse: Error, CustomStringConvertible {
        let description: String
    }

    var cases = ConformanceSuite.cases
    var json: String?
    var wait = Duration.seconds(2)
    var budget = Duration.seconds(270)
    var jobs = 4
    var wantsHelp = false
    var wantsList = false
    /// The descriptor for messages, in a process that runs cases.
    var runner: Int32?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            switch name {
            case "--help", "-h": wantsHelp = true
            case "--list": wantsList = true
            default:
                guard let value = rest.popFirst() else {
                    throw Misuse(description: "\(name) is unknown or lacks a value")
                }
                try set(name, value)
            }
        }
        guard !cases.isEmpty else { throw Misuse(description: "no case fits these options") }
    }

    private mutating func set(_ name: String, _ value: String) throws {
        switch name {
        case "--levels":
            let levels = try members(of: value, ConformanceLevel.init, "level")
            cases = cases.filter { levels.contains($0.level) }
        case "--groups":
            let groups = try members(of: value, ConformanceGroup.init, "group")
            cases = cases.filter { groups.contains($0.group) }
        case "--cases":
            let ids = try members(of: value, { id in cases.contains { $0.id == id } ? id : nil }, "case")
            cases = cases.filter { ids.contains($0.id) }
        case "--json": json = value
        case "--wait": wait = try seconds(name, value)
        case "--within": budget = try seconds(name, value)
        case "--jobs":
            guard let number = Int(value), (1...64).contains(number) else {
                throw Misuse(description: "--jobs takes a number from 1 to 64, not \(value)")
            }
            jobs = number
        case "--runner": runner = Int32(value)
        default: throw Misuse(description: "\(name) is unknown")
        }
    }

    private func members<Member: Hashable>(
        of list: String,
        _ make: (String) -> Member?,
        _ kind: String
    ) throws -> Set<Member> {
        Set(
            try list.split(separator: ",").map { name in
                guard let member = make(String(name)) else { throw Misuse(description: "there is no \(kind) \(name)") }
                return member
            })
    }

    private func seconds(_ name: String, _ value: String) throws -> Duration {
        guard let seconds = Double(value), seconds > 0, seconds <= 86_400 else {
            throw Misuse(description: "\(name) takes a number of seconds, not \(value)")
        }
        return .seconds(seconds)
    }
}
