internal import FoundationEssentials

/// A command in its wire form: an array of byte strings (RESP2).
struct RedisCommand: Sendable {
    private(set) var bytes: [UInt8] = []

    /// Creates a command.
    ///
    /// - Parameter words: The command's name and its arguments.
    init(_ words: any RedisWord...) { self.init(words) }

    /// Creates a command.
    init(_ words: [any RedisWord]) {
        bytes.append(contentsOf: "*\(words.count)\r\n".utf8)
        for word in words {
            let content = word.redisBytes
            bytes.append(contentsOf: "$\(content.count)\r\n".utf8)
            bytes.append(contentsOf: content)
            bytes.append(contentsOf: "\r\n".utf8)
        }
    }

    /// A script, the keys that it uses, and its arguments.
    static func script(_ text: String, keys: [String], _ arguments: any RedisWord...) -> RedisCommand {
        RedisCommand(["EVAL", text, keys.count] + keys + arguments)
    }
}

/// A value that can be an argument of a command.
protocol RedisWord: Sendable {
    var redisBytes: [UInt8] { get }
}

extension String: RedisWord {
    var redisBytes: [UInt8] { Array(utf8) }
}

extension Data: RedisWord {
    var redisBytes: [UInt8] { Array(self) }
}

extension Int: RedisWord {
    var redisBytes: [UInt8] { Array(String(self).utf8) }
}
