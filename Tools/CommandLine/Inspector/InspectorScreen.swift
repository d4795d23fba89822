internal import AirframeHAR
internal import AirframeTransport

/// The inspector's screen as lines of text.
package struct InspectorScreen: Sendable {
    private let style: TextStyle

    package init(style: TextStyle) { self.style = style }

    /// The lines that fill a terminal of `width` columns and `height` rows.
    package func lines(_ model: inout InspectorModel, width: Int, height: Int) -> [String] {
        let page = max(1, height - 2)
        let body: [String]
        let keys: String
        switch model.view {
        case .details(let id, _):
            let entry = model.exchanges.first { $0.id == id }?.entry
            let text = entry.map { ArchiveListing(style: style).details($0) } ?? "under way\n"
            let all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            model.limitDetails(to: all.count, page: page)
            guard case .details(_, let first) = model.view else { return [] }
            body = all.dropFirst(first).prefix(page).map { clipped($0, to: width) }
            keys = "up/down scroll  esc back"
        case .list:
            body = list(model, width: width, page: page)
            keys = "up/down choose  enter details  / filter  e export  c clear  q quit"
        case .filtering(let text):
            body = list(model, width: width, page: page)
            keys = "filter: \(text)_"
        }
        let rows = body + Array(repeating: "", count: max(0, page - body.count))
        let footer = model.notice.isEmpty ? keys : model.notice
        return [header(model, width: width)] + rows + [style.paint(footer.truncated(to: width, style), .dim)]
    }

    private func header(_ model: InspectorModel, width: Int) -> String {
        let active = model.exchanges.count { $0.entry == nil }
        var words = "\(model.program.printable)  \(model.shown.count) exchanges, \(active) under way"
        if !model.filter.text.isEmpty { words += "  filter: \(model.filter.text)" }
        return style.paint(words.truncated(to: width, style).padded(to: width), .reverse)
    }

    private func list(_ model: InspectorModel, width: Int, page: Int) -> [String] {
        let shown = model.shown
        let chosen = model.chosenExchange?.id
        let place = shown.firstIndex { $0.id == chosen } ?? 0
        let first = max(0, min(place - page / 2, shown.count - page))
        return shown.dropFirst(first).prefix(page).map { exchange in
            let mark = exchange.id == chosen ? "> " : "  "
            return mark + line(exchange, width: width - 2)
        }
    }

    private func line(_ exchange: InspectedExchange, width: Int) -> String {
        let number = Int(clamping: exchange.id)
        if let entry = exchange.entry { return ArchiveListing(style: style).line(number, entry, width: width) }
        let words = "\("\(number)".aligned(to: 4))  ...  \(exchange.method.printable.padded(to: 7))"
        return "\(words)  \(exchange.url.printable)".truncated(to: width, style)
    }

    /// A line with at most `width` columns; its colours take no room.
    private func clipped(_ line: String, to width: Int) -> String {
        var count = 0
        var isEscape = false
        var result = ""
        for character in line {
            if character == "\u{1B}" { isEscape = true }
            if isEscape {
                result.append(character)
                if character == "m" { isEscape = false }
            } else if count < width {
                result.append(character)
                count += 1
            }
        }
        return result
    }
}
