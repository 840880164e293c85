import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Events of HCI")
struct HCIEventTests {
    private static let link = ConnectionHandle(0x0040)
    private static let device = DeviceAddress.numbered(5)
    private static let peer = PeerAddress(device, isRandom: true)
    private static let connection = LEConnectionComplete(
        handle: link, status: .success, role: .central, peer: peer, isResolved: false, interval: 0x18, latency: 1,
        timeout: 0x48)
    private static let enhanced: LEConnectionComplete = {
        var link = connection
        link.role = .peripheral
        link.isResolved = true
        link.peerPrivateAddress = DeviceAddress.numbered(6)
        return link
    }()
    private static let inSet: LEConnectionComplete = {
        var link = enhanced
        link.advertisingSet = 2
        return link
    }()

    /// Events with their code and parameters.
    private static let events: [(UInt8, String, HCIEvent)] = [
        (0x0E, "01 030C 00", .commandComplete(.reset, allowance: 1, returnParameters: [0])),
        (0x0F, "0C 02 1320", .commandStatus(.leConnectionUpdate, status: .commandDisallowed, allowance: 2)),
        (0x05, "00 4000 08", .disconnectionComplete(link, status: .success, reason: .connectionTimeout)),
        (0x08, "06 4000 00", .encryptionChange(.init(handle: link, status: .keyMissing, mode: 0, keySize: nil))),
        (0x59, "00 4000 01 10", .encryptionChange(.init(handle: link, status: .success, mode: 1, keySize: 16))),
        (0x30, "00 4000", .encryptionKeyRefreshComplete(link, status: .success)),
        (
            0x13, "02 4000 0300 4100 FFFF",
            .completedPackets([.init(handle: link, count: 3), .init(handle: .init(0x41), count: 65535)])
        ),
        (0x10, "42", .hardwareError(code: 0x42)),
        (0x1A, "01", .dataBufferOverflow(linkType: 1)),
        (
            0x0C, "00 4000 0D 4C00 3412",
            .remoteVersion(.init(handle: link, status: .success, version: 13, company: 0x4C, subversion: 0x1234))
        ),
        (
            0x03, "00 4000 0500000000C0 01 00",
            .connectionComplete(
                .init(
                    handle: link, status: .success, address: device, linkType: 1, isEncrypted: false))
        ),
        (0x04, "0500000000C0 0C025A 01", .connectionRequest(device, deviceClass: 0x5A020C, linkType: 1)),
        (0x06, "05 4000", .authenticationComplete(link, status: .authenticationFailure)),
        (0x17, "0500000000C0", .linkKeyRequest(device)),
        (
            0x18, "0500000000C0 000102030405060708090A0B0C0D0E0F 08",
            .linkKeyNotification(device, key: (0..<16).map { UInt8($0) }, type: 8)
        ),
        (0x31, "0500000000C0", .ioCapabilityRequest(device)),
        (0x33, "0500000000C0 40E20100", .userConfirmationRequest(device, number: 123_456)),
        (
            0x0B, "00 4000 0102030405060708",
            .remoteSupportedFeatures(
                link, status: .success, features: 0x0807_0605_0403_0201)
        ),
        (0x3E, "01 00 4000 00 01 0500000000C0 1800 0100 4800 05", .leConnectionComplete(connection)),
        (
            0x3E, "0A 00 4000 01 03 0500000000C0 000000000000 0600000000C0 1800 0100 4800 00",
            .leConnectionComplete(enhanced)
        ),
        (
            0x3E, "29 00 4000 01 03 0500000000C0 000000000000 0600000000C0 1800 0100 4800 00 02 FFFF",
            .leConnectionComplete(inSet)
        ),
        (
            0x3E, "03 00 4000 1800 0100 4800",
            .leConnectionUpdateComplete(
                .init(handle: link, status: .success, interval: 0x18, latency: 1, timeout: 0x48))
        ),
        (
            0x3E, "04 00 4000 2001000000000000",
            .leRemoteFeatures(
                link, status: .success, [.dataLengthExtension, .twoMegabitPHY])
        ),
        // The specification's sample data (Vol 6, Part C, 1).
        (
            0x3E, "05 0108 9078563412EFCDAB 7424",
            .longTermKeyRequest(
                .init(0x0801), random: 0xABCD_EF12_3456_7890, diversifier: 0x2474)
        ),
        (
            0x3E, "06 4000 0600 800C F301 0A00",
            .remoteParameterRequest(
                link, ConnectionParameters(shortestInterval: 6, longestInterval: 0x0C80, latency: 499, timeout: 10))
        ),
        (
            0x3E, "07 4000 FB00 4808 1B00 4801",
            .dataLengthChange(
                link, DataLength(txOctets: 251, txTime: 2120, rxOctets: 27, rxTime: 328))
        ),
        (0x3E, "0C 00 4000 02 01", .phyUpdateComplete(link, status: .success, tx: .twoMegabit, rx: .oneMegabit)),
        (0x3E, "0C 1A 4000 00 09", .phyUpdateComplete(link, status: .unsupportedRemoteFeature, tx: nil, rx: nil)),
        (0x3E, "11", .scanTimeout),
        (0x3E, "12 00 01 4000 00", .advertisingSetTerminated(.init(set: 1, status: .success, handle: link))),
        (
            0x3E, "12 3C 01 0000 05",
            .advertisingSetTerminated(
                .init(set: 1, status: .advertisingTimeout, handle: nil))
        ),
        (0x3E, "13 02 01 0500000000C0", .scanRequestReceived(set: 2, scanner: peer)),
        (0x3E, "14 4000 01", .channelSelectionAlgorithm(link, number: 1)),
    ]

    private static func packet(_ code: UInt8, _ parameters: some Collection<UInt8>) -> [UInt8] {
        [code, UInt8(parameters.count)] + parameters
    }

    @Test("Each event is read", arguments: events.indices)
    func reading(index: Int) throws {
        let (code, parameters, event) = HCIEventTests.events[index]
        #expect(try HCIEvent(decoding: HCIEventTests.packet(code, hci(parameters))) == event)
    }

    @Test("Each event that is too short is an error with its name", arguments: events.indices)
    func tooShort(index: Int) throws {
        let (code, text, _) = HCIEventTests.events[index]
        let parameters = hci(text)
        // Return parameters, and the number of advertisements of a set, may be missing or are not read.
        let least =
            code == 0x0E ? 3 : text.hasPrefix("12") ? 5 : text.hasPrefix("29") ? parameters.count - 2 : parameters.count
        for count in 0..<least {
            let error = #expect(throws: Malformed.self) {
                try HCIEvent(decoding: HCIEventTests.packet(code, parameters.prefix(count)))
            }
            #expect(error?.description.contains("event") == true)
        }
    }

    @Test("Bytes after the known parameters are ignored", arguments: events.indices)
    func longer(index: Int) throws {
        let (code, parameters, event) = HCIEventTests.events[index]
        guard code != 0x0E else { return }
        #expect(try HCIEvent(decoding: HCIEventTests.packet(code, hci(parameters) + [1, 2, 3])) == event)
    }

    @Test("An event with another length than announced is an error")
    func wrongLength() {
        #expect(throws: Malformed("an HCI event that announces 5 bytes and has 4")) {
            try HCIEvent(decoding: hci("05 05 00 4000 08"))
        }
        #expect(throws: Malformed("an HCI event that announces 3 bytes and has 4")) {
            try HCIEvent(decoding: hci("05 03 00 4000 08"))
        }
        #expect(throws: Malformed.self) { try HCIEvent(decoding: [UInt8]()) }
        #expect(throws: Malformed.self) { try HCIEvent(decoding: [0x05]) }
    }

    @Test("Unknown events are kept as they are")
    func unknown() throws {
        #expect(try HCIEvent(decoding: hci("FF 02 AA BB")) == .unknown(code: 0xFF, [0xAA, 0xBB]))
        #expect(try HCIEvent(decoding: hci("3E 02 F0 BB")) == .unknown(code: 0x3E, [0xF0, 0xBB]))
        #expect(try HCIEvent(decoding: hci("15 00")) == .returnLinkKeys)
        #expect(throws: Malformed.self) { try HCIEvent(decoding: hci("3E 00")) }
    }

    @Test("A remote name ends at the first zero, or at the event's end")
    func remoteName() throws {
        let padded = hci("00 0500000000C0") + Array("Die".utf8) + [UInt8](repeating: 0, count: 245)
        let expected = HCIEvent.remoteName(HCIEventTests.device, status: .success, name: Array("Die".utf8))
        #expect(try HCIEvent(decoding: HCIEventTests.packet(0x07, padded)) == expected)
        #expect(try HCIEvent(decoding: HCIEventTests.packet(0x07, padded.prefix(10))) == expected)
    }

    @Test("The flags above a link's 12 bits are dropped")
    func handle() throws {
        let event = try HCIEvent(decoding: hci("05 04 00 40F0 13"))
        #expect(event == .disconnectionComplete(HCIEventTests.link, status: .success, reason: .remoteUserEnded))
        #expect("\(HCIEventTests.link)" == "link 0x0040")
    }

    @Test("Every code has a name with its article")
    func names() {
        let names = HCIEvent.Code.allCases.map(\.name) + HCIEvent.LECode.allCases.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.hasPrefix("a ") || $0.hasPrefix("an ") })
    }
}
