import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Signalling commands")
struct SignalingCommandTests {
    private static let terms = CreditBasedTerms(mtu: 2048, mps: 247, credits: 10)

    /// One of each command.
    static let all: [SignalingCommand] = [
        .commandReject(.notUnderstood), .commandReject(.mtuExceeded(23)),
        .commandReject(.invalidChannel(local: 0x40, remote: 0x41)), .commandReject(.other(9)),
        .connectionRequest(psm: 0x19, source: 0x40),
        .connectionResponse(destination: 0x41, source: 0x40, result: 1, status: 2),
        .configurationRequest(destination: 0x41, isContinued: true, options: [.mtu(672), .basicMode]),
        .configurationRequest(
            destination: 0x41, isContinued: false,
            options: [ConfigurationOption(type: 0x22, isHint: true, value: [1, 2, 3])]),
        .configurationResponse(source: 0x40, isContinued: false, result: .unacceptableParameters, options: [.mtu(48)]),
        .disconnectionRequest(destination: 0x41, source: 0x40), .disconnectionResponse(destination: 0x41, source: 0x40),
        .echoRequest([1, 2, 3]), .echoResponse([]),
        .informationRequest(.features), .informationResponse(.features, value: 0x80),
        .informationResponse(.fixedChannels, value: 0x8000_0000_0000_0082),
        .informationResponse(.connectionlessMTU, value: nil),
        .parameterUpdateRequest(
            ConnectionParameters(shortestInterval: 12, longestInterval: 24, latency: 4, timeout: 600)),
        .parameterUpdateResponse(isAccepted: true), .parameterUpdateResponse(isAccepted: false),
        .creditBasedConnectionRequest(psm: 0x80, source: 0x40, terms: terms),
        .creditBasedConnectionResponse(destination: 0x41, terms: terms, result: 0),
        .flowControlCredit(channel: 0x40, credits: 65535),
        .enhancedConnectionRequest(psm: 0x27, terms: terms, sources: [0x40, 0x41, 0x42, 0x43, 0x44]),
        .enhancedConnectionResponse(terms: terms, result: 4, destinations: [0x50, 0]),
        .reconfigureRequest(mtu: 512, mps: 128, channels: [0x40]), .reconfigureResponse(result: 3),
    ]

    @Test("Each command comes back as it was written", arguments: all)
    func roundTrip(command: SignalingCommand) throws {
        let bytes = command.bytes(identifier: 7)
        let packet = try #require(SignalingPacket.split(bytes).packets.first)
        #expect(packet.code == command.code.rawValue && packet.identifier == 7 && packet.isWhole)
        #expect(try SignalingCommand(command.code, data: packet.data) == command)
    }

    @Test("Every code has a command in these tests")
    func complete() { #expect(Set(Self.all.map(\.code)) == Set(SignalingCode.allCases)) }

    @Test("Commands have the specification's layout")
    func layout() {
        let wanted = ConnectionParameters(shortestInterval: 0x18, longestInterval: 0x28, latency: 0, timeout: 0x2A)
        #expect(
            SignalingCommand.parameterUpdateRequest(wanted).bytes(identifier: 1)
                == [0x12, 1, 8, 0, 0x18, 0, 0x28, 0, 0, 0, 0x2A, 0])
        #expect(
            SignalingCommand.creditBasedConnectionRequest(psm: 0x80, source: 0x40, terms: Self.terms)
                .bytes(identifier: 2) == [0x14, 2, 10, 0, 0x80, 0, 0x40, 0, 0, 8, 0xF7, 0, 10, 0])
        #expect(
            SignalingCommand.creditBasedConnectionResponse(destination: 0x41, terms: Self.terms, result: 5)
                .bytes(identifier: 2) == [0x15, 2, 10, 0, 0x41, 0, 0, 8, 0xF7, 0, 10, 0, 5, 0])
        #expect(
            SignalingCommand.commandReject(.invalidChannel(local: 0x40, remote: 0x41)).bytes(identifier: 3)
                == [0x01, 3, 6, 0, 2, 0, 0x40, 0, 0x41, 0])
        #expect(
            SignalingCommand.configurationRequest(destination: 0x41, isContinued: false, options: [.mtu(672)])
                .bytes(identifier: 4) == [0x04, 4, 8, 0, 0x41, 0, 0, 0, 1, 2, 0xA0, 2])
        #expect(
            SignalingCommand.informationResponse(.fixedChannels, value: 0x82).bytes(identifier: 5)
                == [0x0B, 5, 12, 0, 3, 0, 0, 0, 0x82, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test("A command without its last byte is an error", arguments: all)
    func tooShort(command: SignalingCommand) throws {
        let data = command.bytes(identifier: 1).dropFirst(4)
        switch command {
        case .echoRequest, .echoResponse, .commandReject(.other), .informationResponse(_, value: nil): return
        default: #expect(throws: Malformed.self) { try SignalingCommand(command.code, data: data.dropLast()) }
        }
    }

    @Test("A command of a fixed length with one more byte is an error", arguments: all)
    func tooLong(command: SignalingCommand) throws {
        let data = command.bytes(identifier: 1).dropFirst(4)
        switch command {
        case .echoRequest, .echoResponse, .commandReject(.other), .informationResponse(_, value: nil): return
        default: #expect(throws: Malformed.self) { try SignalingCommand(command.code, data: data + [0]) }
        }
    }

    @Test("Several commands of a frame come apart, and stray bytes are counted")
    func split() {
        let two =
            SignalingCommand.echoRequest([1]).bytes(identifier: 1)
            + SignalingCommand.informationRequest(.features).bytes(identifier: 2)
        let (packets, stray) = SignalingPacket.split(two + [9, 9, 9])
        #expect(packets.map(\.identifier) == [1, 2] && packets.map(\.data) == [[1], [2, 0]] && stray == 3)
    }

    @Test("A command whose frame has too little data is not whole")
    func cut() {
        let (packets, _) = SignalingPacket.split([0x08, 1, 5, 0, 1, 2])
        #expect(packets.first?.isWhole == false && packets.first?.data == [1, 2])
    }

    @Test("Random bytes are commands or errors, never a trap, and what was read can be written")
    func fuzz() throws {
        var numbers = SeededNumbers(seed: 1)
        for _ in 0..<L2CAPFuzz.count {
            let bytes = L2CAPFuzz.bytes(64, &numbers)
            _ = SignalingPacket.split(bytes)
            let code = try #require(SignalingCode.allCases.randomElement(using: &numbers))
            guard let command = try? SignalingCommand(code, data: bytes) else { continue }
            let data = Array(command.bytes(identifier: 1).dropFirst(4))
            #expect(try SignalingCommand(code, data: data) == command)
        }
    }
}
