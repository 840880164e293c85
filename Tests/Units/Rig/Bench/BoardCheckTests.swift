import BoardProtocol
import Foundation
import Testing

@testable import HILBench

@Suite("What hil doctor says of a board")
struct BoardCheckTests {
    private func texts(_ abilities: BoardFacts.Adapter.Abilities?, as role: BoardRole = .host) -> [String] {
        var facts = BoardFacts(version: KeeperProtocol.version)
        facts.adapters = [
            .init(
                name: "hci0", address: "AA:BB:CC:00:00:01", bus: "btusb", isBlocked: false, isChosen: true,
                abilities: abilities)
        ]
        let findings = BoardCheck.findings(facts, ClockEstimate(), of: .ssh("pi"), as: role)
        // None of it stands in the way of a run.
        #expect(findings.allSatisfy { $0.isGood || !$0.text.contains("the phone's Bluetooth host") })
        return findings.map(\.text).filter { $0.contains("the phone's Bluetooth host") }
    }

    @Test("A host board's controller lacks what the phone's Bluetooth host uses, by name")
    func lacks() {
        #expect(
            texts(.init(features: .max, states: .max))
                == ["for the phone's Bluetooth host, hci0 has everything"])
        // Bluetooth 4.0: LE encryption (bit 0) alone.
        let old = texts(.init(features: 1, states: .max)).first ?? ""
        for lack in ["extended advertising", "data length extension", "the 2M PHY", "link layer privacy"] {
            #expect(old.contains(lack), "\(lack)")
        }
        #expect(!old.contains("encryption"))
        #expect(texts(.init(features: .max, states: 0)).first?.contains("scanning with a link as central") == true)
    }

    @Test("An adapter that is off is not asked, and an accessory's is not judged")
    func unknown() {
        let stack = "the phone's Bluetooth host"
        #expect(texts(nil) == ["whether hci0 suits \(stack) shows only while it is on and free"])
        #expect(texts(.init(features: 0, states: 0), as: .accessory).isEmpty)
    }

    /// Keepers on boards that were prepared earlier say nothing of abilities.
    @Test("Facts without abilities are read")
    func earlier() throws {
        let json = #"{"name":"hci0","address":"AA","bus":"usb","isBlocked":false,"isChosen":true}"#
        let adapter = try JSONDecoder().decode(BoardFacts.Adapter.self, from: Data(json.utf8))
        #expect(adapter.abilities == nil)
    }
}
