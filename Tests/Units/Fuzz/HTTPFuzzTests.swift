import HILPOSIX
import Testing

/// Requests to the page on a port: for any bytes the reader neither traps nor gives a path that leads out of a folder.
struct HTTPFuzzTests {
    @Test("Any bytes are a request, a refusal or a wait for more, and no path leads anywhere else")
    func requests() async {
        let corpus = [
            "GET /token/index.html HTTP/1.1\r\nHost: 127.0.0.1:80\r\nAccept: */*\r\n\r\n",
            "POST /token/a%20b/%2e%2e/x?y#z HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nOrigin: null\r\n\r\nabc",
            "GET /a/%C3%BC/.. HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "\r\n\r\n",
        ].map { Array($0.utf8) }
        let gate = LoopbackGate(port: 80, token: "token")
        await Fuzzer(corpus: corpus).run("requests of HTTP") { bytes, numbers in
            var reader = HTTPRequestReader()
            var rest = bytes[...]
            while !rest.isEmpty {
                let size = Int.random(in: 1...rest.count, using: &numbers)
                let request: HTTPRequest?
                do throws(HTTPRequest.Refusal) { request = try reader.take(Array(rest.prefix(size))) } catch { return }
                rest = rest.dropFirst(size)
                guard let request else { continue }
                for part in request.path where part.isEmpty || part == ".." || part == "." || part.contains("/") {
                    throw Fuzzer.Finding("a part of the path is “\(part)”")
                }
                if case .success = gate.judge(request), request.path.first != "token" {
                    throw Fuzzer.Finding("a request without the token is let through")
                }
                return
            }
        }
    }
}
