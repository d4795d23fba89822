import Foundation

/// Documents that never change.
enum Sample {
    /// Ten objects: 541 bytes.
    static let array = Data(
        ("["
            + (0..<10).map { "{\"id\":10\($0),\"name\":\"Runway 0\($0)\",\"open\":true,\"metres\":45}" }
            .joined(separator: ",")
            + "]").utf8)

    /// 1,024 bytes exactly.
    static let kilobyte: Data = {
        let head = "{\"name\":\"one kibibyte\",\"size\":1024,\"filler\":\""
        let tail = "\"}\n"
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz")
        let count = 1024 - head.utf8.count - tail.utf8.count
        return Data((head + String((0..<count).map { alphabet[$0 % alphabet.count] }) + tail).utf8)
    }()

    static let html = """
        <!DOCTYPE html>
        <html lang="en">
          <head><meta charset="utf-8"><title>Hangar</title></head>
          <body>
            <h1>Hangar</h1>
            <p>A page that is here to be fetched.</p>
          </body>
        </html>

        """

    static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <hangar place="north">
          <aircraft registration="AF-001"><type>glider</type><seats>2</seats></aircraft>
          <aircraft registration="AF-002"><type>seaplane</type><seats>9</seats></aircraft>
        </hangar>

        """

    static let propertyList = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
          <key>name</key>
          <string>Hangar</string>
          <key>open</key>
          <true/>
          <key>runways</key>
          <array>
            <integer>9</integer>
            <integer>27</integer>
          </array>
        </dict>
        </plist>

        """

    /// One opaque pixel.
    static let png =
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        ) ?? Data()
}
