import Foundation
import HILConversation
import TestSupport
import Testing

@testable import HILCommand

/// Captures that join, contradict each other, or have several accessories; and an accessory that asks for security.
@Suite(
    "Several captures of one phone",
    .enabled(
        if: FileManager.default.fileExists(atPath: "/usr/bin/tshark")
            || ProcessInfo.processInfo.environment["HIL_TESTS"] == "all"))
struct JoinedCapturesTests {
    private static let folder = fixture("Captures")

    private static func read(_ name: String) async throws -> [Conversation] {
        try await PhoneCapture(path: "\(folder)/\(name)").conversations()
    }

    private static func learn(_ names: String...) async throws -> LearnedPhone {
        var all: [Conversation] = []
        for name in names { all += try await read(name) }
        return LearnedPhone(all)
    }

    private static func expression(_ phone: LearnedPhone, _ property: String) -> String? {
        phone.habits.first { $0.property == property }?.expression
    }

    @Test("A second capture adds what the first does not show, and contradicts it only in what it never does")
    func joined() async throws {
        let alone = try await Self.learn("bumble-central.btsnoop")
        let both = try await Self.learn("bumble-central.btsnoop", "bumble-asked.btsnoop")
        #expect(alone.missing.contains { $0.hasPrefix("answer to a Security Request") })
        #expect(Self.expression(alone, "pairsOnSecurityRequest") == nil)
        #expect(Self.expression(both, "pairsOnSecurityRequest") == "true")
        // Only the first script asks for an MTU.
        #expect(both.contradictions.count == 1 && both.contradictions[0].hasPrefix("when it exchanges the MTU: "))
        let sources = Set(both.habits.map(\.source.capture))
        #expect(sources == ["bumble-central.btsnoop", "bumble-asked.btsnoop"])
        for habit in alone.habits { #expect(both.habits.contains(habit), "the first value is kept") }
    }

    @Test("Captures of two different phones contradict each other, each time with both frames, and the first is kept")
    func contradictions() async throws {
        let (bumble, blueZ) = (
            try await Self.learn("bumble-central.btsnoop"), try await Self.learn("bluez-central.pcapng")
        )
        let both = try await Self.learn("bumble-central.btsnoop", "bluez-central.pcapng")
        #expect(Self.expression(both, "connection") == Self.expression(bumble, "connection"))
        let text = try #require(both.contradictions.first { $0.hasPrefix("connection parameters: ") })
        let (one, two) = (
            try #require(bumble.habits.first { $0.property == "connection" }),
            try #require(blueZ.habits.first { $0.property == "connection" })
        )
        #expect(text.contains("interval 15 to 30 ms") && text.contains("(\(one.source)), but interval 30 to 50 ms"))
        #expect(text.contains("(\(two.source)); the first is kept"))
        #expect(both.contradictions.contains { $0.hasPrefix("pairing features: ") })
        #expect(!both.contradictions.contains { $0.hasPrefix("MTU") }, "both offer 517")
    }

    @Test("Of an accessory that asks for security: one phone pairs, another goes on, and parity says what that means")
    func securityRequest() async throws {
        let (pairs, ignores) = (
            try await Self.learn("bumble-asked.btsnoop"), try await Self.learn("bumble-ignores.btsnoop")
        )
        #expect(Self.expression(pairs, "pairsOnSecurityRequest") == "true")
        #expect(Self.expression(ignores, "pairsOnSecurityRequest") == "false")
        #expect(pairs.unplayable.contains { $0.text == "after the accessory's Security Request it pairs" })
        let (one, two) = (
            try #require(try await Self.read("bumble-asked.btsnoop").first),
            try #require(try await Self.read("bumble-ignores.btsnoop").first)
        )
        let parity = ConversationParity(one, two)
        let answer = try #require(parity.differences.first { $0.kind == .securityRequest })
        #expect(answer.text == "the accessory's security request: answer pairs, then none")
        #expect(answer.firstFrame == 32 && answer.secondFrame == 32 && answer.meaning.contains("must not wait"))
        #expect(parity.differences.contains { $0.kind == .pairing && $0.sort == .missing })
        let both = try await Self.learn("bumble-asked.btsnoop", "bumble-ignores.btsnoop")
        #expect(both.contradictions.count == 1 && both.contradictions[0].contains("frame 32 of bumble-ignores.btsnoop"))
    }

    @Test("A capture with two accessories names both, and --accessory chooses one in either case of its letters")
    func accessories() async throws {
        let path = try Self.twoAccessories()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let capture = PhoneCapture(path: path)
        let error = await #expect(throws: UsageError.self) { try await capture.conversations() }
        let text = error?.description ?? ""
        #expect(text.contains("F1:F2:F3:F4:F5:F6 (") && text.contains("E1:F2:F3:F4:F5:F6 ("), "\(text)")
        #expect(text.contains("--accessory ADDRESS"))
        let one = try await capture.conversations(with: "e1:f2:f3:f4:f5:f6")
        #expect(one.map(\.accessory) == ["E1:F2:F3:F4:F5:F6"])
        let alone = try #require(try await Self.read("bumble-central.btsnoop").first)
        #expect(ConversationParity(alone, try #require(one.first)).isSame)
        let unknown = await #expect(throws: UsageError.self) {
            try await capture.conversations(with: "00:00:00:00:00:01")
        }
        #expect(unknown?.description.contains("it has links to F1:F2:F3:F4:F5:F6") == true)
    }

    /// The packets of a central's btsnoop, then the same with another accessory.
    private static func twoAccessories() throws -> String {
        let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/bumble-central.btsnoop")))
        let address: [UInt8] = [0xF6, 0xF5, 0xF4, 0xF3, 0xF2, 0xF1]
        var second = Array(file.dropFirst(16))
        for place in second.indices where second[place...].starts(with: address) { second[place + 5] = 0xE1 }
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).btsnoop").path
        try Data(file + second).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("Of captures with the same name, each source says which")
    func sameNames() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var paths: [String] = []
        for (place, name) in [("a", "bumble-asked.btsnoop"), ("b", "bumble-ignores.btsnoop")] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(place)", withIntermediateDirectories: true)
            paths.append("\(folder)/\(place)/c.btsnoop")
            try FileManager.default.copyItem(atPath: "\(Self.folder)/\(name)", toPath: paths.last ?? "")
        }
        var request = Request.Learning()
        request.captures = paths
        var lines: [String] = []
        try await LearnCommand(request: request, results: folder, say: { lines += $0 }, note: { _ in }).run()
        #expect(lines.contains { $0.contains("\(paths[0])), but") && $0.contains("\(paths[1]));") }, "\(lines)")
    }

    @Test("A capture of a host that is only a peripheral says so; from PacketLogger it is a phone that never connected")
    func peripheral() async throws {
        var request = Request.Learning()
        request.captures = ["\(Self.folder)/bumble-accessory.btsnoop"]
        var notes: [String] = []
        let learning = LearnCommand(request: request, results: "", say: { _ in }, note: { notes.append($0) })
        try await learning.run()
        #expect(notes.count == 1 && notes[0].contains("F0:F1:F2:F3:F4:F5 as the phone"), "\(notes)")
        var one = try #require(try await Self.read("bumble-accessory.btsnoop").first)
        one.isFromPacketLogger = true
        let error = #expect(throws: UsageError.self) {
            try learning.tellRoles([one], in: PhoneCapture(path: "p.pklg"))
        }
        #expect(error?.description.contains("teaches no habit of a central") == true)
        #expect(try await Self.read("bumble.pklg").allSatisfy(\.isFromPacketLogger))
    }

    @Test("A capture that is damaged after good frames is read up to there, and lacks nothing")
    func damaged() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pklg").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let whole = try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/bumble.pklg"))
        try (whole + Data(count: 64)).write(to: URL(fileURLWithPath: path))
        let conversation = try #require(try await PhoneCapture(path: path).conversations().first)
        #expect(conversation.procedures.count == 17 && conversation.isPartial)
        #expect(conversation.gaps.contains { $0.contains("is damaged; what comes before is read") })
    }
}
