import BoardProtocol
import Foundation
import HILTiming
import RadioModel
import Testing

@testable import BoardAgent

@Suite("The radios of a hosted accessory")
struct HostedRadioTests {
    @Test("An event of an accessory carries its kind and adapter")
    func tells() {
        let told = EventLog<String>()
        let radio = HostedRadio(of: "lamp", adapter: 3) { event in
            if case .accessory(let data, let kind, let adapter) = event {
                told.append("\(kind) \(adapter): \(Array(data))")
            }
        }
        radio.tell(Data([7]))
        #expect(told.events == ["lamp 3: [7]"])
    }

    @Test("Without Wi-Fi, closing does nothing and opening fails; without Bluetooth, calls fail")
    func without() async throws {
        let radio = HostedRadio(of: "lamp", adapter: 3) { _ in }
        #expect(throws: RadioError.self) { try radio.requireWiFi() }
        try await radio.closeNetworks()
        let refusal = await #expect(throws: RadioError.self) {
            try await radio.openNetwork(NetworkConfiguration(ssid: "a", security: .open))
        }
        guard case .unsupported(let why)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(why.hasSuffix("do not open a network for that of adapter 3"))
        await #expect(throws: RadioError.rig("the board's Bluetooth is gone")) { try await radio.stopAdvertising() }
    }
}
