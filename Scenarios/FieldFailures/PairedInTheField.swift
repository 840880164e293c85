import AccessorySetupKit
import CoreBluetooth
import HIL

/// After a wrong number the accessory is gone: it does not advertise any more, so that nobody can try again.
///
/// Report: https://github.com/Avi0n/MeshCoreOne/issues/84
let wrongNumberCanBeMended = Scenario(
    "After a wrong number the accessory is offered again, and the right number sets it up",
    .tags("field", .pairing), .covers("K10", "K14", "K19"), over: Firmware.axis
) { lab, firmware in
    let lamp = try await lab.accessory.powerOn(.lamp(pairing: .showsPasskey))
    let app = try await lab.phone.launch(GadgetApp.self)
    let picker = Task { try await app.add() }
    lab.phone.person.will(.pick("Lamp 7"))
    let number = try await lab.step("read the number", within: .seconds(15)) {
        try await lab.phone.shows(.passkeyEntry)
        return try await lamp.events.next(.showsPasskey)
    }
    lab.phone.person.will(.enterPasskey((number + 1) % 1_000_000))
    try await lab.fails("enter a wrong one", with: .connectionFailed, "the app hears of it", within: .seconds(20)) {
        try await picker.value
    }
    if firmware == .broken { try await lamp.advertise(nil) }
    let mark = lamp.events.mark
    lab.phone.policy.discoveryTimeout = .seconds(4)
    try await lab.expect(firmware, "the accessory is set up") {
        let again = Task { try await app.add() }
        if firmware == .mended {
            lab.phone.person.will(.pick("Lamp 7"))
            let number = try await lamp.events.next(.showsPasskey, since: mark, within: .seconds(15))
            lab.phone.person.will(.enterPasskey(number))
        }
        do { return try await again.value.state == .authorized } catch ASError.discoveryTimeout { return false }
    }
}
