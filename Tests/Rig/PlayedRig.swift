import Foundation
import HILPOSIX
import HILTiming
import StubRig
import Testing

/// `hil play` in a process of its own, and its page as a program sees it.
final class PlayedRig: Sendable {
    /// A fact as it is from now on: its name and its JSON.
    struct Fact: Sendable {
        let name: String
        let json: String
    }

    let process: ChildProcess
    /// The address of the page, with its token.
    let address: String
    /// What the page is told: facts as they change, and each event as its JSON.
    let facts = EventLog<Fact>()
    let events = EventLog<String>()
    private let follower: ChildProcess

    /// Starts the command, and returns when it serves.
    init(_ arguments: [String], boards: String) async throws {
        let pipe = try Descriptor.pipe()
        process = try ChildProcess.spawn(
            [RunnerProcess.path(of: "hil"), "play", "--boards", boards] + arguments,
            environment: RunnerProcess.environment, streams: [.null, .descriptor(pipe.write), .null])
        pipe.write.close()
        let told = EventLog<String>()
        startThread(named: "play") {
            PlayedRig.lines(of: pipe.read) { told.append($0) }
            told.finish(throwing: CancellationError())
        }
        address = try await told.first(within: .seconds(120), waitingFor: "the page's address") {
            $0.hasPrefix("http://127.0.0.1:")
        }.event
        let live = try Descriptor.pipe()
        follower = try ChildProcess.spawn(
            ["curl", "-sN", address + "live"], streams: [.null, .descriptor(live.write), .null],
            atParentDeath: .terminate)
        live.write.close()
        startThread(named: "live") { [facts, events] in
            PlayedRig.lines(of: live.read) { line in
                guard line.hasPrefix("data: "),
                    let value = try? JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8))
                else { return }
                for (name, fact) in (value as? [String: Any] ?? [:]).sorted(by: { $0.key < $1.key }) {
                    facts.append(Fact(name: name, json: PlayedRig.text(fact)))
                }
                for event in value as? [Any] ?? [] { events.append(PlayedRig.text(event)) }
            }
            facts.finish(throwing: CancellationError())
            events.finish(throwing: CancellationError())
        }
    }

    /// Does something as the page does, and returns the status of the answer.
    @discardableResult
    func does(_ json: String, at path: String = "do") async -> Int {
        let origin = address.split(separator: "/").prefix(2).joined(separator: "//")
        let words = [
            "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Origin: \(origin)", "--data-binary", json,
            address + path,
        ]
        return Int(await Shell.output(words) ?? "") ?? 0
    }

    /// Waits until a fact contains all of these texts, and returns its JSON.
    @discardableResult
    func sees(_ name: String, _ texts: String..., since place: Int = 0) async throws -> String {
        try await facts.first(from: place, within: .seconds(60), waitingFor: "\(name) with \(texts)") { fact in
            fact.name == name && texts.allSatisfy(fact.json.contains)
        }.event.json
    }

    /// Ends the command as Ctrl-C does.
    func end() async -> HILPOSIX.ExitStatus {
        process.signal(SIGINT)
        let status = await process.wait()
        _ = await follower.wait()
        return status
    }

    private static func text(_ value: Any) -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes]
        return (try? JSONSerialization.data(withJSONObject: value, options: options)).map {
            String(decoding: $0, as: UTF8.self)
        } ?? ""
    }

    private static func lines(of descriptor: Descriptor, _ take: (String) -> Void) {
        var rest: [UInt8] = []
        while let bytes = try? descriptor.read(), !bytes.isEmpty {
            rest += bytes
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                take(String(decoding: rest[..<end], as: UTF8.self))
                rest.removeFirst(end + 1)
            }
        }
    }
}
