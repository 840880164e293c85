import AccessorySetupKit
import CoreBluetooth
import DiceApp
import HIL

/// A die fresh out of its box ends up authorised, bonded, online, and shows the first notification.
let newDieIsOnboarded = Scenario(
    "A new die is found, picked, paired, joined and notified",
    .tags(.smoke, .discovery, .pairing, .wifi, .notifications),
    .covers("K1", "K11", "K12", "A1", "C4", "W4", "S4"), .budget(.seconds(30))
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa3))
    let app = try await lab.phone.launch(DiceApp.self)

    lab.phone.person.will(.pick("Die 7"))
    let accessory = try await lab.step("pick and pair", within: .seconds(10)) { try await app.addDie() }
    let peripheral = try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
    try await lab.step("join", within: .seconds(8)) { try await app.joinWiFi(of: accessory) }

    lab.phone.person.will(.allowForwarding(.all))
    try await lab.step("forward", within: .seconds(5)) { try await app.forwardNotifications(to: accessory) }
    lab.phone.notifications.post(.init(app: "com.example.chat", title: "Kim", body: "Dinner at 8?"))
    let shown = try await lab.step("show", within: .seconds(10)) { try await die.screen.next(within: .seconds(10)) }

    lab.expect(shown.title, equals: "Kim", "the die shows who wrote")
    lab.expect(shown.body, equals: "Dinner at 8?", "the die shows what was written")
    lab.expect(peripheral.state, equals: .connected, "the link is still up")
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is still on the die's network")
}
