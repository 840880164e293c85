import HIL

/// The weak lamp writes past its buffer when a value is longer.
package let longValue = Scenario.lamp("A lamp is set up that has a buffer for its brightness", "LongValue")

/// The weak lamp waits for ever for the first byte of an empty value.
package let emptyValue = Scenario.lamp("A lamp is set up that reads the first byte of its brightness", "EmptyValue")

/// The weak lamp writes past its table of prepared writes.
package let preparedQueue = Scenario.lamp("A lamp is set up that takes long writes", "PreparedQueue")

/// The weak lamp divides by a size that a stranger chooses.
package let zeroCredits = Scenario.lamp("A lamp is set up that opens channels", "ZeroCredits")

/// The weak lamp reads a public key past the end of its packet.
package let shortKey = Scenario.lamp("A lamp is set up that makes keys", "ShortKey")

/// The weak lamp does not advertise again after a stranger's link.
package let silentAfterStranger = Scenario.lamp(
    "A lamp is set up that advertises after each link", "SilentAfterStranger")

/// The weak lamp lets a stranger keep its only link.
package let oneLink = Scenario.lamp("A lamp is set up that takes one link at a time", "OneLink")

/// The weak lamp reads the advertisements of other lamps past their ends.
package let pastTheEnd = Scenario.lamp("A lamp is set up that listens for other lamps", "PastTheEnd")

extension Scenario {
    /// The set-up of a lamp over Bumble.
    ///
    /// - Parameter weakness: The name of a class in `lamp.py`.
    fileprivate static func lamp(_ title: String, _ weakness: String) -> Scenario {
        Scenario(
            title, .audits(AuditExpectations(open: ["FF01"], shows: .nothing, pairsWhenSetUp: .always)),
            .withoutAccessoryBoard, over: Build.axis
        ) { lab, build in
            let lamp = try await lab.air.attach(.lamp(weakness, build), named: "lamp")
            try await lamp.prints("advertising")
            try await lab.setUpLamp(named: "Lamp")
        }
    }
}

extension HostStack {
    private static let checkout = #filePath.components(separatedBy: "/Fixtures/WeakAccessories/")[0]

    static func lamp(_ weakness: String, _ build: Build, by program: String = "lamp.py") -> HostStack {
        .hostStack(
            command: ["python3", program, "--socket", "{socket}", weakness, build.rawValue],
            environment: ["PYTHONPATH": "\(checkout)/.build/tests-python"],
            workingFolder: "\(checkout)/Fixtures/WeakAccessories/Firmware", speaking: .unixSocket())
    }
}
