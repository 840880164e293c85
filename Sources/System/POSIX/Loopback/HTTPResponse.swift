/// An answer of HTTP/1.1. The connection ends with it.
package struct HTTPResponse: Sendable, Hashable {
    package var status: UInt16
    /// The media type: `text/html; charset=utf-8`.
    package var type: String
    package var body: [UInt8]

    package init(_ status: UInt16 = 200, _ type: String, _ body: some Sequence<UInt8>) {
        self.status = status
        self.type = type
        self.body = Array(body)
    }

    /// A short answer for a person: the status and what it means.
    package static func told(_ status: UInt16) -> HTTPResponse {
        HTTPResponse(status, "text/plain; charset=utf-8", "\(status) \(reasons[status] ?? "Refused")\n".utf8)
    }

    private static let reasons: [UInt16: String] = [
        200: "OK", 204: "No Content", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        413: "Content Too Large", 421: "Misdirected Request", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
        505: "HTTP Version Not Supported",
    ]

    /// Fields of every answer: it is not cached, guessed or framed, and loads nothing from elsewhere.
    private static let common = """
        Cache-Control: no-store\r
        Connection: close\r
        Content-Security-Policy: default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; \
        img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r
        Cross-Origin-Opener-Policy: same-origin\r
        Cross-Origin-Resource-Policy: same-origin\r
        Referrer-Policy: no-referrer\r
        X-Content-Type-Options: nosniff\r

        """

    /// The bytes of a complete answer.
    package var bytes: [UInt8] { HTTPResponse.head(status, type, length: body.count) + body }

    /// The head of an answer. Without a length, it ends with the connection.
    static func head(_ status: UInt16, _ type: String, length: Int?) -> [UInt8] {
        let size = length.map { "Content-Length: \($0)\r\n" } ?? ""
        return Array(
            "HTTP/1.1 \(status) \(reasons[status] ?? "Refused")\r\nContent-Type: \(type)\r\n\(size)\(common)\r\n".utf8)
    }
}
