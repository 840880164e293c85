import CoreBluetooth
import HIL

/// The lamp's value is how often its button was pressed. The app connects again by itself, and reads what it has missed.
package let countedTwice = Scenario(
    "An app lists each press of a lamp's button once, also when the link comes back",
    .explores(holds: [
        .custom("no press is listed twice") { lab in
            lab.note("the app's list: \(CountingLink.presses)")
            return Set(CountingLink.presses).count == CountingLink.presses.count
        }
    ]), over: Build.ofApp
) { lab, build in
    let lamp = try await lab.accessory.powerOn(.lamp())
    CountingLink.presses = []
    let link = CountingLink()
    link.build = build
    _ = try await lab.addedLamp(link)
    link.watch()
    for press: UInt8 in 1...3 {
        try await lab.step("press \(press)", within: .seconds(3)) {
            try await lamp.notify([press], of: "FF02")
            try await lab.becomes("the app knows of press \(press)") { CountingLink.presses.last == press }
            try await link.acknowledge(press)
        }
    }
    link.isWatching = false
    link.disconnect()
}

private final class CountingLink: LampLink {
    /// The list of the app.
    static var presses: [UInt8] = []

    var build = Build.mended
    var isWatching = false
    private var isComingBack = false

    func watch() {
        isWatching = true
        onAnswer = { [weak self] value in self?.take(value.first ?? 0) }
    }

    private func take(_ press: UInt8) {
        guard isWatching, press > 0 else { return }
        // What is read after the link has come back was perhaps listed before. A faulty app lists every value.
        if build == .mended, press == CountingLink.presses.last { return }
        CountingLink.presses.append(press)
    }

    /// Lets the lamp know that the press is listed, however long it takes.
    func acknowledge(_ press: UInt8) async throws {
        while true {
            if !isComingBack, (try? await write(Data([press]))) != nil { return }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    override func end(_ error: any Error) {
        super.end(error)
        guard isWatching, !isComingBack, let identifier = peripheral?.identifier else { return }
        isComingBack = true
        Task {
            while isWatching, (try? await comeBack(to: identifier)) == nil {
                try await Task.sleep(for: .milliseconds(300))
            }
            isComingBack = false
        }
    }

    private func comeBack(to identifier: UUID) async throws {
        try await connect(to: identifier)
        try await subscribe()
        _ = try await read()
    }
}
