import BoardProtocol
import Foundation
import HILPOSIX
import Testing
import VirtualRadio

@testable import HILAir

@Suite("A capture")
struct CaptureTests {
    private static let tshark = "/usr/bin/tshark"

    private let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pcapng").path

    private func write() throws {
        let capture = try CaptureFile(path: path)
        capture.add(.hci(.host, sentByHost: true, [1, 3, 0x0C, 0]), time: 1_700_000_000_000_000_001)
        capture.add(.hci(.accessory, sentByHost: false, [4, 0x0E, 4, 1, 3, 0x0C, 0]), time: 1_700_000_000_000_002_000)
        let beacon: [UInt8] =
            [0x80, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 6) + [2, 0, 0, 0, 2, 0, 2, 0, 0, 0, 2, 0, 0, 0]
            + [UInt8](repeating: 0, count: 8) + [100, 0, 1, 0, 0, 4, 0x44, 0x69, 0x65, 0x37]
        for (index, frequency) in [(0, 2437), (7, 5180), (11, 2412)] as [(Int8, UInt16)] {
            let sent = WiFiTransmission(
                cookie: 1, flags: 3, frequency: frequency,
                rates: [WiFiRate(index: index, tries: 1, flags: index == 11 ? 8 : 0)], frame: beacon)
            let signal: Int8? = index == 7 ? nil : -42
            capture.add(.wifi(.accessory, sent, signal: signal), time: 1_700_000_001_000_000_000)
        }
        #expect(capture.count == 5)
        try capture.flush()
    }

    @Test("A capture has only whole blocks, and exists under its name at once")
    func blocks() throws {
        _ = try CaptureFile(path: path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600, "it has link keys")
        #expect(try blockTypes() == [0x0A0D_0D0A, 1, 1, 1])
        try write()
        #expect(try blockTypes() == [0x0A0D_0D0A, 1, 1, 1, 6, 6, 6, 6, 6])
        try FileManager.default.removeItem(atPath: path)
    }

    /// The types of the blocks. Checks that the two lengths of each are equal, and that the last ends with the file.
    private func blockTypes() throws -> [UInt32] {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        func word(_ offset: Int) -> UInt32 { (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) } }
        var types: [UInt32] = []
        var offset = 0
        while offset < bytes.count {
            let length = Int(word(offset + 4))
            try #require(length % 4 == 0 && length >= 12 && offset + length <= bytes.count)
            #expect(word(offset + length - 4) == UInt32(length))
            types.append(word(offset))
            offset += length
        }
        return types
    }

    @Test(
        "tshark reads it without a complaint",
        .enabled(if: FileManager.default.fileExists(atPath: tshark) || allTestsMustRun))
    func dissected() async throws {
        try write()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let fields = ["frame.time_epoch", "frame.interface_name", "radiotap.dbm_antsignal", "radiotap.datarate"]
        #expect(
            try await dissect(fields) == [
                "1700000000.000000001|host-hci0||", "1700000000.000002000|accessory-hci0||",
                "1700000001.000000000|air-wifi|-42|1", "1700000001.000000000|air-wifi||54",
                "1700000001.000000000|air-wifi|-42|",
            ])
    }

    /// These fields of each packet, as tshark reads the file.
    private func dissect(_ fields: [String]) async throws -> [String] {
        let (output, input) = try Descriptor.pipe()
        let child = try ChildProcess.spawn(
            [Self.tshark, "-r", path, "-T", "fields", "-E", "separator=|"] + fields.flatMap { ["-e", $0] },
            streams: [.null, .descriptor(input), .null])
        input.close()
        var text: [UInt8] = []
        while case let part = try output.read(), !part.isEmpty { text += part }
        #expect(await child.wait().isSuccess)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map { String($0) }
    }

    @Test(
        "A further adapter has a named interface of its own, which tshark reads, from its first packet on",
        .enabled(if: FileManager.default.fileExists(atPath: tshark) || allTestsMustRun))
    func furtherAdapter() async throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let capture = try CaptureFile(path: path)
        for adapter: AdapterID in [2, .first, 1, 2] {
            let sender = AirAdapter(board: .accessory, number: adapter)
            capture.add(.hci(sender, sentByHost: true, [1, 3, 0x0C, 0]), time: 1_700_000_000_000_000_000)
        }
        try capture.flush()
        let names = ["accessory-hci2", "accessory-hci0", "accessory-hci1", "accessory-hci2"]
        #expect(try await dissect(["frame.interface_name"]) == names)
    }

    @Test("A missing folder is an error, and no file is left")
    func missingFolder() {
        #expect(throws: SystemError.self) { try CaptureFile(path: "/nowhere/at/all.pcapng") }
    }
}
