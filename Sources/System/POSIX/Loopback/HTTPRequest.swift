/// A request of HTTP/1.1 (RFC 9112), as far as a page on this machine needs it: no folded lines, no chunks.
package struct HTTPRequest: Sendable, Hashable {
    package var method: String
    /// The parts of the path, decoded. No part is empty, is `..` or contains a slash.
    package var path: [String]
    /// Names are in lower case. The values of a repeated field are joined by a comma.
    package var fields: [String: String]
    package var body: [UInt8] = []

    /// Why a request is refused.
    package enum Refusal: UInt16, Error, Sendable {
        case badRequest = 400
        case methodNotAllowed = 405
        case tooLarge = 413
        case fieldsTooLarge = 431
        case notImplemented = 501
        case versionNotSupported = 505
    }
}

/// Reads one request from the bytes of a connection, which may come from anybody on this machine.
package struct HTTPRequestReader: Sendable {
    /// The most bytes of the request line and the fields.
    package static let longestHead = 16 << 10
    /// The most bytes of a body.
    package static let longestBody = 64 << 10
    private static let mostFields = 100

    private var bytes: [UInt8] = []
    private var head: HTTPRequest?
    private var length = 0

    package init() {}

    /// Takes the next bytes.
    ///
    /// - Returns: The complete request; nil while bytes are missing. Bytes after it are ignored: each connection
    ///   carries one request.
    package mutating func take(_ more: [UInt8]) throws(HTTPRequest.Refusal) -> HTTPRequest? {
        bytes += more
        if head == nil {
            guard let end = HTTPRequestReader.end(of: bytes) else {
                if bytes.count > HTTPRequestReader.longestHead { throw .fieldsTooLarge }
                return nil
            }
            if end > HTTPRequestReader.longestHead { throw .fieldsTooLarge }
            let request = try HTTPRequestReader.parse(bytes[..<(end - 4)])
            length = try HTTPRequestReader.length(of: request)
            head = request
            bytes.removeFirst(end)
        }
        guard var request = head, bytes.count >= length else { return nil }
        request.body = Array(bytes.prefix(length))
        return request
    }

    /// The index after the empty line; nil if that line has not arrived.
    private static func end(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...(bytes.count - 4)).first { place in
            bytes[place] == 13 && bytes[place + 1] == 10 && bytes[place + 2] == 13 && bytes[place + 3] == 10
        }.map { $0 + 4 }
    }

    private static func parse(_ head: ArraySlice<UInt8>) throws(HTTPRequest.Refusal) -> HTTPRequest {
        // Fields are ASCII here: our requests contain no other characters.
        guard head.allSatisfy({ $0 == 13 || $0 == 10 || (0x20...0x7E).contains($0) || $0 == 9 }) else {
            throw .badRequest
        }
        let lines = split(head)
        let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3 else { throw .badRequest }
        guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else { throw .versionNotSupported }
        guard ["GET", "POST"].contains(words[0]) else { throw .methodNotAllowed }
        guard lines.count <= mostFields else { throw .fieldsTooLarge }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { throw .badRequest }
            let name = line[..<colon]
            guard name.allSatisfy({ $0.isLetter || $0.isNumber || "!#$%&'*+-.^_`|~".contains($0) }) else {
                throw .badRequest
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            let key = name.lowercased()
            // Two hosts or two lengths are how requests are smuggled (RFC 9112, 3.2 and 6.3).
            if fields[key] != nil, key == "host" || key == "content-length" { throw .badRequest }
            fields[key] = fields[key].map { "\($0), \(value)" } ?? String(value)
        }
        if fields["transfer-encoding"] != nil { throw .notImplemented }
        return HTTPRequest(method: String(words[0]), path: try path(of: words[1]), fields: fields)
    }

    private static func split(_ head: ArraySlice<UInt8>) -> [Substring] {
        // A line ends with both characters; one alone is refused as part of a field's name or value below.
        var lines: [Substring] = []
        var line = ""
        for byte in head {
            if byte == 10, line.unicodeScalars.last == "\r" {
                line.unicodeScalars.removeLast()
                lines.append(line[...])
                line = ""
            } else {
                line.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return lines + [line[...]]
    }

    /// The parts of a path: `/token/a%20run/index.html?x` has three.
    private static func path(of target: Substring) throws(HTTPRequest.Refusal) -> [String] {
        guard target.utf8.first == UInt8(ascii: "/"), target.utf8.count <= 4096 else { throw .badRequest }
        let path = target.prefix { $0 != "?" && $0 != "#" }.dropFirst()
        var parts: [String] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = decoded(part), text != "..", text != ".",
                !text.utf8.contains(where: {
                    $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 < 0x20 || $0 == 0x7F
                })
            else { throw .badRequest }
            parts.append(text)
        }
        // A slash at the end is the folder itself.
        if parts.last?.isEmpty == true { parts.removeLast() }
        if parts.contains("") { throw .badRequest }
        return parts
    }

    private static func decoded(_ part: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(part.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func length(of request: HTTPRequest) throws(HTTPRequest.Refusal) -> Int {
        guard let text = request.fields["content-length"] else { return 0 }
        guard text.utf8.count <= 9, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let length = Int(text)
        else { throw .badRequest }
        guard length <= longestBody else { throw .tooLarge }
        return length
    }
}
