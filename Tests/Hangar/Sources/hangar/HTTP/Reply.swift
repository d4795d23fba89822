import FlyingFox
import Foundation

/// The response of a route.
struct Reply: Sendable {
    enum Body: Sendable {
        case data(Data)
        /// Made while it is sent; without a length it goes out in chunks.
        case stream(GeneratedBody, length: Int?)
        /// FlyingFox's own answer to a WebSocket handshake.
        case upgrade(HTTPResponse)
    }

    var status = 200
    var fields: [Field] = []
    var body = Body.data(Data())
    /// Closes the connection after the response, without reading what is left of the request.
    var closesConnection = false
}

extension Reply {
    static func json(_ json: JSON, status: Int = 200, fields: [Field] = []) -> Reply {
        .data(Data(json.text.utf8), type: "application/json", status: status, fields: fields)
    }

    static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> Reply {
        .data(Data(text.utf8), type: type)
    }

    static func data(_ data: Data, type: String, status: Int = 200, fields: [Field] = []) -> Reply {
        Reply(status: status, fields: [Field("Content-Type", type)] + fields, body: .data(data))
    }

    static func stream(_ body: GeneratedBody, length: Int?, type: String, status: Int = 200, fields: [Field] = [])
        -> Reply
    {
        Reply(
            status: status, fields: [Field("Content-Type", type)] + fields, body: .stream(body, length: length))
    }

    /// Only a status, and the fields that it calls for.
    static func status(_ status: Int, fields: [Field] = []) -> Reply {
        Reply(status: status, fields: fields)
    }

    static func redirect(to location: String, status: Int = 302, fields: [Field] = []) -> Reply {
        Reply(status: status, fields: [Field("Location", location)] + fields)
    }

    func adding(_ fields: [Field]) -> Reply {
        var copy = self
        copy.fields += fields
        return copy
    }
}
