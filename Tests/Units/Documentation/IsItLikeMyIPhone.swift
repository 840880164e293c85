// The listings of the article "Is it like my iPhone?", which ArticleTests compares.

import HIL

extension PhonePersonality {
    /// The phone in bumble.pklg. Captures do not show its model.
    static let myPhone: PhonePersonality = {
        var phone = PhonePersonality(model: "unknown")
        // frame 29 of bumble.pklg: interval 15 to 30 ms, latency 0, supervision timeout 720 ms
        phone.bluetooth.connection = ConnectionParameters(
            milliseconds: 15...30, latency: 0, timeout: .milliseconds(720))
        // frame 32 of bumble.pklg: 517 bytes
        phone.bluetooth.mtu = 517
        return phone
    }()
}

let lampMeetsMyPhone = Scenario("A lamp meets the phone of a capture") { lab in
    lab.phone.personality = .myPhone
    try await lab.accessory.powerOn(.peripheral(named: "Lamp 7"))
}
