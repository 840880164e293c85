import AccessoryNotifications
import AccessoryTransportExtension
import HILPhone
import HILTiming
import RadioModel
import TestSupport
import Testing

/// Forwarding to several accessories of one app.
@Suite struct SeveralAccessoriesTests {
    @Test(
        "Each accessory has its own session, decision and extensions, which see only that accessory",
        .covers("N1", "N2"))
    func apart() async throws {
        let stand = try await DeliveryStand()
        stand.script.state.withLock { $0.looksAtAccessories = true }
        let other = stand.phone.identifiers.identifier(of: DeviceAddress("9C:5A:81:00:00:08")!)
        stand.addAccessory("Die 8", other)
        _ = try await stand.ready()
        stand.phone.person.will(.allowForwarding(.only(["com.example.mail"])))
        let place = stand.script.events.count
        #expect(
            try await stand.phone.notifications.requestForwarding(to: other, by: stand.app)
                == .only(["com.example.mail"]))
        _ = try await stand.securitySession(from: place)
        for name in ["Die 7", "Die 8"] {
            _ = try await stand.script.next("the accessories of \(name)") { event in
                if case .accessories([name]) = event { true } else { nil }
            }
        }
        let sessions = stand.script.events.events.compactMap { event in
            if case .providerActivated(let session) = event { session.sessionID } else { nil }
        }
        #expect(Set(sessions).count == 2)
        stand.post("Kim")
        #expect(try await stand.done(1) == [true])
        #expect(
            stand.allSealed.map(\.sessionID) == [sessions[0]],
            "only the first accessory may receive the chat's notifications")
    }
}
