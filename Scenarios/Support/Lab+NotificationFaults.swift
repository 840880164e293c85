import DiceApp
import HIL

extension Lab {
    /// Posts a message while the air has a fault.
    ///
    /// It records whether the message arrives over Bluetooth, is shown once, and causes `newKeys` key exchanges.
    ///
    /// - Parameter refusal: A part of the reason with which the die refuses something meanwhile; nil if it refuses
    ///   nothing.
    func expectDelivery(
        of body: String, to die: Die, despite fault: AirFault, refusal: String? = nil, newKeys: Int = 0
    ) async throws {
        let (mark, told, name) = (forwarding.mark, die.events.mark, body.prefix(30))
        try await air.withFault(fault) {
            try await expectDelivery(of: body, to: die, over: .bluetooth, "“\(name)” arrives")
            if let refusal { try await die.events.next(.refused(refusal), since: told, within: .seconds(5)) }
        }
        expect(refusal == nil || die.refused(refusal ?? "", since: told), "“\(name)”: the die says what was wrong")
        expect(die.screens(since: told), equals: 1, "“\(name)” is shown once")
        expect(exchanges(since: mark), equals: newKeys, "“\(name)” costs \(newKeys) key exchanges")
    }
}
