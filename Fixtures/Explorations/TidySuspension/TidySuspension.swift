import CoreBluetooth
import HIL
import UIKit

package let tidySuspension = Scenario(
    "An app that the person leaves for a moment goes on with its lamp", over: Build.ofApp
) { lab, build in
    let lamp = try await lab.accessory.powerOn(.lamp())
    let link = TidyLink()
    let app = try await lab.addedLamp(build == .faulty ? link : LampLink())
    // Some apps do this once, in their delegate.
    let observer = NotificationCenter.default.addObserver(
        forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
    ) { _ in MainActor.assumeIsolated { link.tidyUp() } }
    defer { NotificationCenter.default.removeObserver(observer) }
    for brightness: UInt8 in 1...3 {
        try await lab.step("dim to \(brightness)", within: .seconds(3)) { try await app.link.write(Data([brightness])) }
    }
    lab.expect(try await lamp.value(of: "FF01"), equals: Data([3]), "the lamp has the last brightness")
    app.link.disconnect()
}

/// Ends its link in the background to spare the battery, and forgets that somebody waits for it.
private final class TidyLink: LampLink {
    private var isTidy = false

    func tidyUp() {
        guard peripheral != nil else { return }
        isTidy = true
        disconnect()
    }

    override func lost(_ error: (any Error)?) { if !isTidy { super.lost(error) } }
}
