import BoardProtocol
import Foundation
import HILPOSIX
import RadioModel
import Synchronization

/// The file of Wi-Fi keys that decrypt a capture: Wireshark's table of 802.11 decryption keys.
///
/// Only its owner may read it. Wireshark and tshark read it from their settings folder (`WIRESHARK_CONFIG_DIR`), so
/// that no key has to be an argument of a program.
package final class WiFiKeyFile: Sendable {
    /// The file's name, as Wireshark expects it.
    package static let name = "80211_keys"

    private let path: String
    private let known = Mutex<Set<Data>>([])

    init(_ path: String) { self.path = path }

    /// Adds a pairwise master key, unless the file has it. The key decrypts every link in the capture that was made
    /// with it.
    func add(_ key: Data) throws(SystemError) {
        guard known.withLock({ $0.insert(key).inserted }) else { return }
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
        try file.write(Array("\"wpa-psk\",\"\(Hex.text(key))\"\n".utf8))
    }
}

extension Lab {
    /// Writes every key of the boards' networks to a file, until each board's agent is lost.
    func keepKeys(in file: WiFiKeyFile) {
        for board in [rig.host, rig.accessory] { keepKeys(of: board, in: file) }
    }

    private func keepKeys(of board: BoardClient, in file: WiFiKeyFile) {
        Task { [events = board.events, recorder] in
            var events = events.events().makeAsyncIterator()
            while let event = try? await events.next() {
                guard case .wifiKey(let key) = event else { continue }
                do { try file.add(key) } catch {
                    recorder.record(.note(text: "a Wi-Fi key is missing beside the capture: \(error)"))
                }
            }
        }
    }
}
