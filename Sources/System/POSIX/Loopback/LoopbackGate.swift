/// Decides which requests to a page on this machine are answered. Pure.
///
/// Any web page can make a browser send requests to `127.0.0.1`, and any user of the machine can connect. So a request
/// needs the token, which is part of the address that the person was given. If the browser names the origin of a
/// request, it must be that page. The check of `Host` refuses a foreign name that resolves to this machine.
package struct LoopbackGate: Sendable {
    /// The port of the page.
    package let port: UInt16
    /// The first part of every path.
    package let token: String

    package init(port: UInt16, token: String) {
        self.port = port
        self.token = token
    }

    /// A new token: 32 digits and letters, 160 random bits.
    package static func newToken() -> String {
        var chance = SystemRandomNumberGenerator()
        let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")
        return String((0..<32).map { _ in letters[Int.random(in: letters.indices, using: &chance)] })
    }

    /// The address of the page.
    package var address: String { "http://127.0.0.1:\(port)/\(token)/" }

    /// - Returns: The path after the token, or the status for a refused request.
    package func judge(_ request: HTTPRequest) -> Result<[String], Refused> {
        let hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
        guard let host = request.fields["host"], hosts.contains(host) else { return .failure(Refused(status: 421)) }
        if let origin = request.fields["origin"], !hosts.contains(where: { origin == "http://\($0)" }) {
            return .failure(Refused(status: 403))
        }
        if let site = request.fields["sec-fetch-site"], !["same-origin", "none"].contains(site) {
            return .failure(Refused(status: 403))
        }
        // A request that changes something must name its origin.
        if request.method != "GET", request.fields["origin"] == nil { return .failure(Refused(status: 403)) }
        guard let first = request.path.first, LoopbackGate.isEqual(first, token) else {
            return .failure(Refused(status: 404))
        }
        return .success(Array(request.path.dropFirst()))
    }

    /// Why a request is refused.
    package struct Refused: Error, Hashable {
        package let status: UInt16
    }

    /// Whether two texts are equal, in a time that does not depend on where they differ.
    private static func isEqual(_ first: String, _ second: String) -> Bool {
        let (first, second) = (Array(first.utf8), Array(second.utf8))
        guard first.count == second.count else { return false }
        return zip(first, second).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
