import Foundation
import HILTiming
import Testing

@testable import HILPOSIX

/// The little server for pages on this machine.
struct LoopbackTests {
    private func read(_ text: String, inPiecesOf size: Int = .max) throws -> HTTPRequest? {
        var reader = HTTPRequestReader()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            if let request = try reader.take(Array(rest.prefix(size))) { return request }
            rest = rest.dropFirst(size)
        }
        return nil
    }

    private func refusal(_ text: String) -> HTTPRequest.Refusal? {
        do {
            _ = try read(text)
            return nil
        } catch { return error as? HTTPRequest.Refusal }
    }

    @Test(
        "A request reads the same however it is cut, with its path decoded and its body whole", arguments: [1, 7, .max])
    func pieces(size: Int) throws {
        let text =
            "POST /t/a%20run/x%C3%BC.js?v=1 HTTP/1.1\r\nHost: 127.0.0.1:80\r\nX-Two: a\r\nX-Two: b\r\nContent-Length: 5\r\n\r\nhello, and more"
        let request = try #require(try read(text, inPiecesOf: size))
        #expect(request.method == "POST" && request.path == ["t", "a run", "xü.js"])
        #expect(request.fields["host"] == "127.0.0.1:80" && request.fields["x-two"] == "a, b")
        #expect(request.body == Array("hello".utf8))
        #expect(try read("GET / HTTP/1.1\r\nHost: x\r\n") == nil, "the rest has not come")
    }

    @Test("What leads out of a folder, is ambiguous or is too large is refused")
    func refusals() {
        func get(_ path: String) -> HTTPRequest.Refusal? { refusal("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n") }
        for path in [
            "/../x", "/a/%2e%2e/x", "/a%2fb", "/a//b", "/%00", "/%zz", "/%ff", "x", "/a/./b", "/a%5cb", "http://y/",
        ] {
            #expect(get(path) == .badRequest, "\(path)")
        }
        #expect(get("/" + String(repeating: "a", count: 5000)) == .badRequest)
        #expect(refusal("GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n") == .badRequest)
        #expect(refusal("GET / HTTP/1.1\r\nA b: x\r\n\r\n") == .badRequest)
        #expect(refusal("GET / HTTP/1.1\r\n: x\r\n\r\n") == .badRequest)
        #expect(refusal("GET / HTTP/2.0\r\n\r\n") == .versionNotSupported)
        #expect(refusal("DELETE / HTTP/1.1\r\n\r\n") == .methodNotAllowed)
        #expect(refusal("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n") == .notImplemented)
        #expect(refusal("POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n") == .tooLarge)
        #expect(refusal("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n") == .badRequest)
        #expect(refusal("GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 20_000)) == .fieldsTooLarge)
        #expect(refusal("GET / HTTP/1.1\r\nA: \u{7F}\r\n\r\n") == .badRequest)
    }

    @Test("Only a request with the token, for this host and from this page is let through")
    func gate() throws {
        let gate = LoopbackGate(port: 4711, token: "secret")
        func judge(_ path: String, _ fields: [String: String], method: String = "GET") -> UInt16 {
            let parts = path.split(separator: "/").map(String.init)
            switch gate.judge(HTTPRequest(method: method, path: parts, fields: fields)) {
            case .success(let path): return path == Array(parts.dropFirst()) ? 200 : 0
            case .failure(let refused): return refused.status
            }
        }
        let host = ["host": "127.0.0.1:4711"]
        #expect(judge("secret/index.html", host) == 200)
        #expect(judge("secret", ["host": "localhost:4711", "origin": "http://localhost:4711"]) == 200)
        #expect(judge("secret", host.merging(["sec-fetch-site": "none"]) { $1 }) == 200)
        #expect(judge("", host) == 404 && judge("Secret", host) == 404 && judge("secre", host) == 404)
        for other in ["evil.example", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:4711.evil.example"] {
            #expect(judge("secret", ["host": other]) == 421)
        }
        #expect(judge("secret", [:]) == 421)
        for origin in ["http://evil.example", "null", "https://127.0.0.1:4711", "http://127.0.0.1:80"] {
            #expect(judge("secret", host.merging(["origin": origin]) { $1 }) == 403)
        }
        #expect(judge("secret", host.merging(["sec-fetch-site": "cross-site"]) { $1 }) == 403)
        #expect(judge("secret", host.merging(["sec-fetch-site": "same-site"]) { $1 }) == 403)
        #expect(judge("secret/tap", host, method: "POST") == 403, "it does not say where it comes from")
        #expect(judge("secret/tap", host.merging(["origin": "http://127.0.0.1:4711"]) { $1 }, method: "POST") == 200)
        #expect(LoopbackGate.newToken() != LoopbackGate.newToken() && LoopbackGate.newToken().count == 32)
    }

    /// What a server sends to a client that sends this.
    private func exchange(_ port: UInt16, _ text: String) async throws -> String {
        guard let client = try? LoopbackPort.connect(to: port) else { return "no connection" }
        try client.write(Array(text.utf8))
        return await withCheckedContinuation { continuation in
            startThread(named: "client") {
                var answer: [UInt8] = []
                while let bytes = try? client.read(), !bytes.isEmpty { answer += bytes }
                continuation.resume(returning: String(decoding: answer, as: UTF8.self))
            }
        }
    }

    @Test("Connections that say nothing do not keep the owner from the page, and those that are answered stay")
    func idleConnections() async throws {
        let streams = EventLog<LoopbackServer.Stream>()
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer(token: "secret", icon: Array("<svg />".utf8)) { _, path in
            guard path == ["stream"] else { return .whole(HTTPResponse(200, "text/plain", "here".utf8)) }
            return .stream("text/event-stream") { stream in
                streams.append(stream)
                gate.wait()
                try? stream.send(Array("still here".utf8))
            }
        }
        defer { server.close() }
        let port = server.gate.port
        func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n" }
        async let stream = exchange(port, get("/secret/stream"))
        _ = try await streams.first(within: .seconds(60), waitingFor: "the stream")
        let idle = (0..<200).compactMap { _ in try? LoopbackPort.connect(to: port) }
        #expect(idle.count == 200)
        let began = ContinuousClock.now
        #expect(try await exchange(port, get("/secret/a")).hasSuffix("here"))
        #expect(ContinuousClock.now - began < .seconds(15), "before the idle ones run out of time")
        gate.signal()
        #expect(try await stream.hasSuffix("still here"))
        for one in idle { one.close() }
    }

    @Test("A browser that asks for an icon by itself gets one, without the token, and nothing else")
    func icon() async throws {
        let server = try LoopbackServer(token: "secret", icon: Array("<svg />".utf8)) { _, _ in .whole(.told(404)) }
        defer { server.close() }
        let answer = try await exchange(
            server.gate.port, "GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1:\(server.gate.port)\r\n\r\n")
        #expect(
            answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml") && answer.hasSuffix("\r\n\r\n<svg />"))
    }

    @Test("The server answers on 127.0.0.1 with the token, says nothing without it, and is gone when it closes")
    func server() async throws {
        let server = try LoopbackServer(token: "secret", icon: Array("<svg />".utf8)) { request, path in
            path == ["stream"]
                ? .stream("text/event-stream") { stream in
                    for number in 1...3 { try? stream.send(Array("data: \(number)\n\n".utf8)) }
                } : .whole(HTTPResponse(200, "text/plain", "\(request.method) \(path)".utf8))
        }
        let port = server.gate.port
        #expect(server.gate.address == "http://127.0.0.1:\(port)/secret/")
        func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n" }
        let whole = try await exchange(port, get("/secret/a/b"))
        #expect(whole.hasPrefix("HTTP/1.1 200 OK\r\n") && whole.hasSuffix("\r\n\r\nGET [\"a\", \"b\"]"))
        for field in [
            "Cache-Control: no-store", "Content-Security-Policy: default-src 'none'", "Referrer-Policy: no-referrer",
        ] {
            #expect(whole.contains(field))
        }
        #expect(try await exchange(port, get("/secret/stream")).hasSuffix("data: 1\n\ndata: 2\n\ndata: 3\n\n"))
        let refused = try await exchange(port, get("/other/a"))
        #expect(refused.hasPrefix("HTTP/1.1 404 ") && !refused.contains("secret"))
        #expect(try await exchange(port, "GET / HTTP/1.1\r\nHost: evil\r\n\r\n").hasPrefix("HTTP/1.1 421 "))
        #expect(try await exchange(port, "nonsense\r\n\r\n").hasPrefix("HTTP/1.1 400 "))
        server.close()
        #expect(try await exchange(port, get("/secret/a")) == "no connection")
    }
}
