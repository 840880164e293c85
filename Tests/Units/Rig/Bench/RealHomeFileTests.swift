import Foundation
import RadioModel
import RigModel
import Testing

@testable import HILBench

@Suite("The credentials of a real network")
struct RealHomeFileTests {
    private static let text = """
        # The bench's home
        [Living Room]
        passphrase = correct horse battery staple

        [Attic]
        security = wpa3
        passphrase= has = and  # inside

        [Open]
        """

    private func problem(_ body: () throws -> Void) -> String {
        do {
            try body()
            return ""
        } catch { return "\(error)" }
    }

    @Test("They are read by the network's name")
    func read() throws {
        let path = "/nowhere"
        let living = try RealHomeFile.home(named: "Living Room", in: Self.text, path)
        #expect(living == RealHome(ssid: "Living Room", security: .wpa2, passphrase: "correct horse battery staple"))
        let attic = try RealHomeFile.home(named: "Attic", in: Self.text, path)
        #expect(attic == RealHome(ssid: "Attic", security: .wpa3, passphrase: "has = and  # inside"))
        #expect(try RealHomeFile.home(named: "Open", in: Self.text, path).security == .open)
    }

    @Test(
        "A mistake is named by its line or its section, and never by its text",
        arguments: [
            ("[Home]\nsecret-words\n", "line 2"), ("passphrase = secret-words", "line 1"),
            ("[Home]\npassphrase = secret", "the passphrase of [Home]"), ("[Home]\nsecurity = secret-words", "unknown"),
            ("[Attic]\npassphrase = secret-words", "no section [Home]"),
        ])
    func mistakes(text: String, words: String) {
        let message = problem { _ = try RealHomeFile.home(named: "Home", in: text, "/nowhere") }
        #expect(message.contains(words) && !message.contains("secret"), "\(message)")
    }

    @Test("A file that others may read is refused, with the command that mends it")
    func readable() throws {
        let path = NSTemporaryDirectory() + "hil-networks-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = RealHomeFile(environment: ["HIL_NETWORKS": path])
        #expect(problem { _ = try file.home(named: "Attic") }.contains("there is no such file"))
        try Data(Self.text.utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o640)
        #expect(problem { _ = try file.home(named: "Attic") }.contains("chmod 600 \(path)"))
        chmod(path, 0o600)
        #expect(try file.home(named: "Attic").passphrase == "has = and  # inside")
        #expect(BoardCheck.look(for: "Attic", in: file).isGood)
        #expect(RealHomeFile(environment: ["HOME": "/home/kim"]).path == "/home/kim/.config/hil/networks")
    }
}
