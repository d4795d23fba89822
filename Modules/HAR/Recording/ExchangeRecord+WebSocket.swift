package import FoundationEssentials

extension HAR.ExchangeRecord {
    /// A message of a WebSocket, for `_webSocketMessages` in Chrome's form.
    package struct WebSocketMessage: Sendable {
        package let isSent: Bool
        package let isText: Bool
        package let date: Date
        package let length: Int
        /// The content; `nil` for a message that was streamed.
        package let content: Data?

        package init(isSent: Bool, isText: Bool, date: Date, length: Int, content: Data?) {
            self.isSent = isSent
            self.isText = isText
            self.date = date
            self.length = length
            self.content = content
        }
    }

    /// Records a message without its secrets, within the limits of `options`.
    package mutating func take(_ message: WebSocketMessage, _ options: HAR.RecordingOptions) {
        guard webSocketMessages.count < options.webSocketMessageLimit else {
            let remark = "messages beyond the first \(options.webSocketMessageLimit) were not recorded"
            if !remarks.contains(remark) { remarks.append(remark) }
            return
        }
        var value: [String: HAR.Value] = [
            "type": .string(message.isSent ? "send" : "receive"),
            "time": .number(message.date.timeIntervalSince1970),
            "opcode": .number(message.isText ? 1 : 2),
            "data": .string(""),
        ]
        var sample = HAR.BodySample(limit: message.isSent ? options.requestBodyLimit : options.responseBodyLimit)
        if let content = message.content { sample.append(content) }
        if message.length > sample.bytes.count { value["_length"] = .number(Double(message.length)) }
        if !sample.bytes.isEmpty {
            if message.isText {
                // Texts that look like JSON have member names that identify secrets.
                let isJSON = sample.bytes.first { $0 > 0x20 }.map {
                    [UInt8(ascii: "{"), UInt8(ascii: "[")].contains($0)
                }
                let type = isJSON == true ? "application/json" : "text/plain"
                value["data"] = .string(HAR.BodyText(sample, mimeType: type, options).text ?? "")
            } else {
                // A binary message may contain text, which is searched for secrets like content without a type.
                let body = HAR.BodyText(sample, mimeType: "application/octet-stream", options)
                let text = body.text ?? ""
                value["data"] = .string(body.encoding == nil ? Data(text.utf8).base64EncodedString() : text)
            }
        }
        webSocketMessages.append(.object(value))
    }
}
