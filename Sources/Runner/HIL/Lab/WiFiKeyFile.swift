import BoardProtocol
import Foundation
import POSIX
import RadioModel
import Synchronization

/// The Wi-Fi keys that open a capture, as a file that Wireshark reads: its table of 802.11 decryption keys.
///
/// Only its owner may read it. Wireshark and tshark use it when its folder is their folder of settings
/// (`WIRESHARK_CONFIG_DIR`), so that no key is among a program's arguments.
package final class WiFiKeyFile: Sendable {
    /// What Wireshark calls it.
    package static let name = "80211_keys"

    private let path: String
    private let known = Mutex<Set<Data>>([])

    init(_ path: String) { self.path = path }

    /// Adds a pairwise master key, which opens whatever handshake in the capture came from it.
    func add(_ key: Data) throws(SystemError) {
        guard known.withLock({ $0.insert(key).inserted }) else { return }
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
        try file.write(Array("\"wpa-psk\",\"\(Hex.text(key))\"\n".utf8))
    }
}

extension Lab {
    /// Keeps every key that the accessory's networks tell, for as long as its agent is there.
    func keepKeys(in file: WiFiKeyFile) {
        Task { [events = rig.accessory.events, recorder] in
            var place = 0
            while let next = try? await events.first(
                from: place, within: .seconds(86_400), waitingFor: "a key",
                where: { if case .wifiKey = $0 { true } else { false } })
            {
                place = next.next
                guard case .wifiKey(let key) = next.event else { continue }
                do { try file.add(key) } catch {
                    recorder.record(.note(text: "a Wi-Fi key is missing beside the capture: \(error)"))
                }
            }
        }
    }
}
