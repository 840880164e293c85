import Foundation
import HIL

extension AccessoryProgram {
    /// Tells a number that each of its starts has for itself.
    fileprivate static let numbered = AccessoryProgram(
        named: "numbered", command: ["sh", "-c", "echo number $(cat /proc/sys/kernel/random/uuid); exec sleep 1000"],
        // Boards are saved for one caller of this scenario, and not for all.
        environment: ["CALLER": ProcessInfo.processInfo.environment["HIL_CALLER"] ?? ""],
        ready: .line(containing: "number"))
}

extension AccessoryProgram {
    /// Ends before boards could be saved with it.
    fileprivate static let brief = AccessoryProgram(
        named: "brief", command: ["sh", "-c", "echo ready; exec sleep 0.3"],
        environment: ["CALLER": ProcessInfo.processInfo.environment["HIL_CALLER"] ?? ""],
        ready: .line(containing: "ready"), endsByItself: true)
}

let programIsBrief = Scenario(
    "A program that ends by itself is started for each scenario", .accessory(.brief, startsWithBoard: true)
) { lab in
    let program = try await lab.accessory.run(.brief)
    lab.expect(try await program.exits(), equals: .code(0), "it ends by itself")
    lab.expect(program.lines.map(\.text), equals: ["ready"], "it has told its line")
}

let programIsSaved = Scenario(
    "A program that is on when its scenario begins has told all its lines, and starts anew when it is asked to",
    .accessory(.numbered, startsWithBoard: true)
) { lab in
    let program = try await lab.accessory.run(.numbered)
    let saved = try await program.prints("number")
    lab.expect(program.lines.map(\.text), equals: [saved], "it has told one line")
    try await program.restart(grace: .zero)
    lab.expect(try await program.prints("number") != saved, "a restart is a start of its own")
}
