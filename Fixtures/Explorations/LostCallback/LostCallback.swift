import CoreBluetooth
import HIL

/// Waits for the lamp's answer, which does not come when the link is lost.
private final class DeafLink: LampLink {
    override func lost(_ error: (any Error)?) {}
}

package let lostCallback = Scenario(
    "An app that waits for a lamp's answer hears when the link is lost", over: Build.ofApp
) { lab, build in
    try await lab.accessory.powerOn(
        .lamp { lamp in
            lamp.services[0].characteristics[0] = lamp.services[0].characteristics[0]
                .onWrite { access, value in
                    // The answer comes after the end of the write.
                    Task {
                        try await Task.sleep(for: .milliseconds(50))
                        try await access.peripheral.notify(Array(value), of: "FF02")
                    }
                }
        })
    let app = try await lab.addedLamp(build == .faulty ? DeafLink() : LampLink())
    let answer = try await lab.step("dim", within: .seconds(3)) { try await app.tell("dim 42") }
    lab.expect(answer, equals: "dim 42", "the lamp has the brightness")
    app.link.disconnect()
}
