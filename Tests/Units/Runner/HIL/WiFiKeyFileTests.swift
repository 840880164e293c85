import Foundation
import Testing

@testable import HIL

struct WiFiKeyFileTests {
    @Test("Each key is once in Wireshark's table, and only the owner may read the file")
    func table() throws {
        let path = NSTemporaryDirectory() + "hil-keys-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let keys = WiFiKeyFile(path)
        let first = Data([0x0A, 0xFF])
        try keys.add(first)
        try keys.add(Data([0x00, 0x01]))
        try keys.add(first)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "\"wpa-psk\",\"0AFF\"\n\"wpa-psk\",\"0001\"\n")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }
}
