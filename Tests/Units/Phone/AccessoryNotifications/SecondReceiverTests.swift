import DieProgram
import DieProtocol
import Foundation
import HILPOSIX
import HILPhone
import Synchronization
import TestSupport
import Testing

/// An independent accessory: a Python program that was written only from the comments of the framing.
private final class SecondReceiver: AccessoryEnd {
    private let toProgram: Descriptor
    private let fromProgram: Descriptor
    private let child: ChildProcess
    private let lines: LineReader

    /// The Python packages that the program needs; `make check` puts them there.
    static let packages = "\(checkout)/.build/tests-python"
    /// Whether the packages are installed, or must be because all tests are wanted.
    static let isAvailable =
        ProcessInfo.processInfo.environment["HIL_TESTS"] == "all" || FileManager.default.fileExists(atPath: packages)

    /// - Parameter suites: The cipher suites that it supports, by their names in HPKE's `info`.
    init(suites: [String], mtu: Int) throws {
        let (input, output) = (try Descriptor.pipe(), try Descriptor.pipe())
        let program = "\(checkout)/Tests/Support/SecondReceiver/second_receiver.py"
        child = try ChildProcess.spawn(
            ["env", "PYTHONPATH=\(Self.packages)", "python3", program] + suites,
            streams: [.descriptor(input.read), .descriptor(output.write)], atParentDeath: .kill)
        input.read.close()
        output.write.close()
        (toProgram, fromProgram) = (input.write, output.read)
        lines = LineReader(fromProgram)
        try ask(#"{"connected": \#(mtu)}"#, 0)
    }

    deinit { child.signal(SIGKILL) }

    func written(_ value: Data, to characteristic: DieGATT.Characteristic, mtu: Int) -> [DieLogic.Output] {
        guard characteristic == DieGATT.security || characteristic == DieGATT.notifications else { return [] }
        let channel = characteristic == DieGATT.security ? "security" : "notifications"
        let hex = value.map { String(format: "%02x", $0) }.joined()
        do { return try ask(#"{"written": "\#(channel)", "value": "\#(hex)"}"#, mtu) } catch {
            Issue.record("the second receiver does not answer: \(error)")
            return []
        }
    }

    /// One line of the program's output. It has only some of these fields.
    private struct Answer: Decodable {
        struct Shown: Decodable {
            var identifier, title, subtitle, body: String
        }
        var notify, value, keys, refused: String?
        var screen: [Shown]?
        var done: Bool?
    }

    @discardableResult
    private func ask(_ question: String, _ mtu: Int) throws -> [DieLogic.Output] {
        try toProgram.write(Data((question + "\n").utf8))
        var outputs: [DieLogic.Output] = []
        while true {
            let answer = try JSONDecoder().decode(Answer.self, from: lines.next())
            if answer.done == true { return outputs }
            if let keys = answer.keys { outputs.append(.tell(.keysExchanged(cipherSuite: keys))) }
            if let refused = answer.refused { outputs.append(.tell(.refusedMessage(refused))) }
            if let screen = answer.screen {
                outputs.append(
                    .tell(
                        .screen(
                            screen.map {
                                ShownNotification(
                                    identifier: $0.identifier, title: $0.title, subtitle: $0.subtitle, body: $0.body)
                            })))
            }
            if let channel = answer.notify, let value = answer.value {
                let characteristic = channel == "security" ? DieGATT.security : DieGATT.notifications
                outputs.append(.notify(characteristic, Data(hex: value)))
            }
        }
    }
}

/// Reads lines from a pipe. Only one call at a time; the pair's lock ensures this.
private final class LineReader: Sendable {
    private let descriptor: Descriptor
    private let rest = Mutex<[UInt8]>([])

    init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    func next() throws -> Data {
        try rest.withLock { rest in
            while true {
                if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { rest.removeFirst(end + 1) }
                    return Data(rest[..<end])
                }
                let bytes = try descriptor.read()
                guard !bytes.isEmpty else { throw CocoaError(.fileReadUnknown) }
                rest += bytes
            }
        }
    }
}

extension Data {
    fileprivate init(hex: String) {
        let digits = Array(hex.utf8)
        self.init(
            stride(from: 0, to: digits.count - 1, by: 2).map {
                UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16) ?? 0
            })
    }
}

@Suite(.enabled(if: SecondReceiver.isAvailable, "`make check` fetches its Python packages"))
struct SecondReceiverTests {
    @Test(
        "An independent receiver, written only from the framing's comments, shows the phone's notifications",
        .covers("S2", "S3", "S4", "T4"),
        .timeLimit(.minutes(1)), arguments: [("XWing", 23), ("XWing", 517), ("P256", 23), ("P256", 185)])
    func receives(suite: String, mtu: Int) async throws {
        let pair = try await Pair(mtu: mtu, accessory: SecondReceiver(suites: [suite], mtu: mtu))
        #expect(try await pair.requestForwarding() == .allow)
        let centre = pair.phone.notifications
        func notification(_ identifier: String, _ body: String) -> PhoneNotification {
            PhoneNotification(
                app: "com.example.chat", identifier: identifier, title: "Kim — “dice”", subtitle: "Übermorgen",
                body: body)
        }
        centre.post(notification("1", "Dinner at eight?"))
        centre.post(notification("2", String(repeating: "骰子 ", count: 500)))
        centre.update(notification("1", "At nine!"))
        centre.post(notification("3", ""))
        centre.remove(notification("3", "").identifier)
        let shown = try await pair.screen {
            $0.map(\.identifier) == ["1", "2"] && $0[0].body == "At nine!"
        }
        #expect(shown[1].body == String(repeating: "骰子 ", count: 500))
        #expect(shown[0].title == "Kim — “dice”" && shown[0].subtitle == "Übermorgen")
        #expect(pair.told.events.contains(.keysExchanged(cipherSuite: suite)))
        let before = pair.told.count
        centre.removeAll()
        _ = try await pair.screen(from: before) { $0.isEmpty }
    }

    @Test(
        "If some of several messages are lost, it shows all in order, and none fails", .covers("N3", "T1"),
        .timeLimit(.minutes(1)), arguments: [2...2, 4...5])
    func someLost(lost: ClosedRange<Int>) async throws {
        let pair = try await Pair(mtu: 517, accessory: SecondReceiver(suites: ["XWing"], mtu: 517))
        _ = try await pair.requestForwarding()
        pair.loseDeliveries(lost)
        let identifiers = (1...5).map { "\($0)" }
        for identifier in identifiers {
            pair.phone.notifications.post(
                PhoneNotification(app: "com.example.chat", identifier: identifier, title: "Kim"))
        }
        #expect(try await pair.screen { $0.count == 5 }.map(\.identifier) == identifiers)
        #expect(try await pair.attempts(5) == Array(repeating: 1, count: 5))
    }

    @Test("It gets new keys after a restart, and the next notification arrives", .covers("S5"), .timeLimit(.minutes(1)))
    func restarts() async throws {
        let pair = try await Pair(accessory: SecondReceiver(suites: ["XWing", "P256"], mtu: 185))
        _ = try await pair.requestForwarding()
        pair.phone.notifications.post(PhoneNotification(app: "com.example.chat", identifier: "1", title: "Kim"))
        _ = try await pair.screen { $0.count == 1 }
        let before = pair.told.count
        pair.replaceAccessory(by: try SecondReceiver(suites: ["XWing", "P256"], mtu: 185))
        pair.phone.notifications.post(PhoneNotification(app: "com.example.chat", identifier: "2", title: "Lee"))
        #expect(try await pair.screen(from: before) { !$0.isEmpty }.map(\.identifier) == ["2"])
    }
}
