import Dispatch
import Foundation
import HIL
import HILExecution
import HILPOSIX
import HILPhone
import HILRecord
import HILReports
import Synchronization
import Testing

@testable import HILCommand

/// The page's server, what pages are told, and what is played.
struct PlayTests {
    private final class RecordedControls: Sendable {
        let commands = Mutex<[PlayCommand]>([])
        let restarts = Mutex(0)
    }

    /// The status of an answer, and its text.
    private func ask(
        _ address: String, _ body: String? = nil, origin: String? = nil, method: String? = nil
    ) async throws -> (status: Int, text: String) {
        var words = ["curl", "-s", "-m", "20", "-o", "-", "-w", "\n%{http_code}"]
        if let body { words += ["--data-binary", body] }
        if let origin { words += ["-H", "Origin: \(origin)"] }
        if let method { words += ["-X", method] }
        let (read, write) = try Descriptor.pipe()
        let child = try ChildProcess.spawn(words + [address], streams: [.null, .descriptor(write), .null])
        write.close()
        let bytes = await withCheckedContinuation { continuation in
            startThread(named: "curl") {
                var all: [UInt8] = []
                while let more = try? read.read(), !more.isEmpty { all += more }
                continuation.resume(returning: all)
            }
        }
        _ = await child.wait()
        let text = String(decoding: bytes, as: UTF8.self)
        return (text.split(separator: "\n").last.flatMap { Int($0) } ?? 0, String(text.dropLast(4)))
    }

    private func serve(_ state: PlayState, _ controls: RecordedControls, isPlaying: Bool = true) throws
        -> LoopbackServer
    {
        try PlayServer(
            documents: PageDocuments.get(), state: state,
            perform: { command in
                controls.commands.withLock { $0.append(command) }
                return isPlaying
            }, again: { controls.restarts.withLock { $0 += 1 } }
        ).start(port: 0)
    }

    @Test("Taps arrive with token and origin, and nothing arrives without them")
    func commands() async throws {
        let (state, controls) = (PlayState(feed: PlayFeed()), RecordedControls())
        let server = try serve(state, controls)
        defer { server.close() }
        let (address, origin) = (server.gate.address, "http://127.0.0.1:\(server.gate.port)")
        let tap = #"{"act":{"action":{"confirmPasskey":{}},"on":"passkey"}}"#
        #expect(try await ask(address + "do", tap, origin: origin).status == 204)
        #expect(try await ask(address + "do", #"{"move":{}}"#, origin: origin).status == 204)
        #expect(try await ask(address + "again", "", origin: origin).status == 204)
        let done: [PlayCommand] = [.act(.confirmPasskey, on: .passkey), .move(metres: nil)]
        #expect(controls.commands.withLock { $0 } == done && controls.restarts.withLock { $0 } == 1)

        #expect(try await ask(address + "do", tap).status == 403, "it does not say where it comes from")
        #expect(try await ask(address + "do", tap, origin: "http://evil.example").status == 403)
        #expect(try await ask(address + "again", "", origin: "null").status == 403)
        #expect(try await ask("\(origin)/do", tap, origin: origin).status == 404, "without the token")
        #expect(try await ask("\(origin)/\(LoopbackGate.newToken())/do", tap, origin: origin).status == 404)
        #expect(try await ask(address + "do", method: "GET").status == 405)
        #expect(try await ask(address + "do", tap, origin: origin, method: "PUT").status == 405)
        #expect(controls.commands.withLock { $0 } == done && controls.restarts.withLock { $0 } == 1)
    }

    @Test(
        "A body that makes no sense is refused",
        arguments: [
            "", "{", "[]", "null", #"{"jump":{}}"#, #"{"act":{"action":{"explode":{}},"on":"passkey"}}"#,
            #"{"act":{"action":{"done":{}},"on":"nowhere"}}"#, #"{"move":{"metres":-1}}"#,
            #"{"move":{"metres":1e300}}"#,
            #"{"move":{"metres":"NaN"}}"#, #"{"openSettings":{"page":"passkey"}}"#,
            #"{"act":{"action":{"enterPasskey":{"passkey":1000000}},"on":"passkeyEntry"}}"#,
            #"{"act":{"action":{"rename":{"name":""}},"on":"rename"}}"#,
            #"{"post":{"app":"no name!","title":"","body":""}}"#,
        ])
    func nonsense(body: String) async throws {
        let (state, controls) = (PlayState(feed: PlayFeed()), RecordedControls())
        let server = try serve(state, controls)
        defer { server.close() }
        let origin = "http://127.0.0.1:\(server.gate.port)"
        #expect(try await ask(server.gate.address + "do", body, origin: origin).status == 400)
        #expect(controls.commands.withLock { $0.isEmpty })
    }

    @Test("Huge bodies, long texts, paths outside and drawings that do not exist are refused")
    func outside() async throws {
        let (state, controls) = (PlayState(feed: PlayFeed()), RecordedControls())
        let server = try serve(state, controls)
        defer { server.close() }
        let (address, origin) = (server.gate.address, "http://127.0.0.1:\(server.gate.port)")
        let file = NSTemporaryDirectory() + "hil-play-body-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try String(repeating: "x", count: 70_000).write(toFile: file, atomically: false, encoding: .utf8)
        #expect(try await ask(address + "do", "@\(file)", origin: origin).status == 413)
        let long = String(repeating: "x", count: PlayCommand.longestText + 1)
        let post = #"{"post":{"app":"com.example.chat","title":"\#(long)","body":""}}"#
        #expect(try await ask(address + "do", post, origin: origin).status == 400)
        for path in ["screen/1/light.svg", "screen/-1/light.svg", "screen/1/../../x", "../etc/passwd", "screen", "x"] {
            #expect(try await ask(address + path).status >= 400, "\(path)")
        }
        #expect(try await ask(address + "do/more", "{}", origin: origin).status == 404)
        #expect(controls.commands.withLock { $0.isEmpty })
    }

    @Test("A tap while nothing is played is told")
    func notPlaying() async throws {
        let server = try serve(PlayState(feed: PlayFeed()), RecordedControls(), isPlaying: false)
        defer { server.close() }
        let origin = "http://127.0.0.1:\(server.gate.port)"
        #expect(try await ask(server.gate.address + "do", #"{"press":{"button":"Add"}}"#, origin: origin).status == 503)
    }

    private func message(
        _ time: UInt64, _ event: ScenarioEvent, _ played: WorkerMessage.Played? = nil
    ) -> WorkerMessage {
        WorkerMessage(StampedEvent(time: time, event: event), played: played)
    }

    @Test("The phone's screen comes with its drawings and the places that can be tapped")
    func screens() async throws {
        let state = PlayState(feed: PlayFeed())
        let server = try serve(state, RecordedControls())
        defer { server.close() }
        let screen = Screen(
            .passkey, title: "</svg><script>alert(1)</script>", lines: ["Confirm “123456”"],
            controls: [.confirmPasskey, .refusePasskey])
        state.take(message(5, .phone(PhoneNote(.screen(screen))), .screen(screen)))
        let fact = try #require(state.feed.fact("screen"))
        #expect(fact.contains(#""light":"screen/1/light.svg""#) && fact.contains(#""control":"confirmPasskey""#))
        #expect(fact.contains(#""control":"refusePasskey""#))
        let drawing = try await ask(server.gate.address + "screen/1/light.svg")
        #expect(drawing.status == 200 && drawing.text.hasPrefix("<svg") && !drawing.text.contains("<script"))
        #expect(try await ask(server.gate.address + "screen/1/dark.svg").text != drawing.text)
        #expect(try await ask(server.gate.address + "screen/1/else.svg").status == 404)
        state.take(message(6, .phone(.screen(nil)), .screen(nil)))
        #expect(state.feed.fact("screen")?.contains(#""light""#) == false, "the app itself has no drawing")
    }

    @Test("A page gets all facts and kept events at first, then only what is new, and all again after a new beginning")
    func feed() {
        let feed = PlayFeed()
        feed.set("one", 1)
        feed.add(["{}", "{}"])
        feed.listen { listener in
            var cursor = PlayFeed.Cursor()
            func news() -> String? { feed.news(since: &cursor, listener, seconds: 0) }
            #expect(
                news() == "event: begin\ndata: 1\n\nevent: facts\ndata: {\"one\":1}\n\nevent: events\ndata: [{},{}]\n\n"
            )
            #expect(news() == ": still here\n\n")
            feed.set("two", "b")
            #expect(news() == "event: facts\ndata: {\"two\":\"b\"}\n\n")
            feed.add(["{\"t\":1}"])
            #expect(news() == "event: events\ndata: [{\"t\":1}]\n\n")
            feed.beginAgain(keeping: ["one"])
            #expect(news() == "event: begin\ndata: 2\n\nevent: facts\ndata: {\"one\":1}\n\n")
            feed.close()
            #expect(news() == nil)
        }
    }

    @Test("Buttons are running from their press to their end, which tells why they failed")
    func buttons() {
        let state = PlayState(feed: PlayFeed())
        func take(_ event: PlayEvent) { state.take(message(1, .play(PlayNote(event.text)), .play(event))) }
        take(.offers(buttons: ["Add", "Join"]))
        take(.did(.press(button: "Join")))
        #expect(state.feed.fact("buttons") == #"[{"isRunning":false,"title":"Add"},{"isRunning":true,"title":"Join"}]"#)
        take(.ended(button: "Join", failure: "no network"))
        #expect(state.feed.fact("buttons")?.contains(#""failure":"no network","isRunning":false"#) == true)
        state.take(message(2, .failure(Failure(.product, "got 6"))))
        state.take(message(2, .bodyEnded(seconds: 1)))
        #expect(state.feed.fact("phase")?.contains(#""name":"failed""#) == true)
        state.beginAgain()
        #expect(state.feed.fact("buttons") == nil && state.recording.isEmpty)
    }

    private func plan(_ scenarios: [(name: String, tags: ScenarioTrait)]) throws -> Plan {
        try Plan(
            scenarios.map { one in
                NamedScenario(one.name, file: "a.swift", Scenario("It is \(one.name)", one.tags) { _ in })
            })
    }

    @Test("Without a name the scenario with the tag is played, or the only one; else the command asks")
    func choice() throws {
        let tagged = try plan([("one", .tags("a")), ("two", .tags(.play)), ("twoAgain", .tags("a"))])
        #expect(try PlayChoice(tagged).choose(nil).named.name == "two")
        #expect(try PlayChoice(tagged).choose("one").named.name == "one")
        #expect(try PlayChoice(tagged).choose("two").named.name == "two", "a whole name is not a part of another")
        #expect(throws: UsageError.self) { try PlayChoice(tagged).choose("o") }
        #expect(throws: PlanError.self) { try PlayChoice(tagged).choose("nothing") }
        #expect(try PlayChoice(plan([("one", .tags("a"))])).choose(nil).named.name == "one")
        #expect(throws: UsageError.self) { try PlayChoice(plan([("one", .tags("a")), ("b", .tags("a"))])).choose(nil) }
        #expect(throws: UsageError.self) {
            try PlayChoice(plan([("one", .tags(.play)), ("b", .tags(.play))])).choose(nil)
        }
    }

    @Test("The command line of hil play")
    func arguments() throws {
        let expected = Request.Playing(scenario: "two", record: "evening", port: 4711, mayBuild: false)
        let words = ["play", "two", "--record", "evening", "--port", "4711", "--no-build"]
        #expect(try Arguments.parse(words) == .play(expected))
        #expect(throws: UsageError.self) { try Arguments.parse(["play", "one", "two"]) }
        #expect(throws: UsageError.self) { try Arguments.parse(["play", "--port", "70000"]) }
    }
}
