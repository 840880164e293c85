import Command
import HIL

/// The command `hil` with scenarios about programs on the accessory board.
@main
enum Main {
    static func main() async {
        await Command.main(of: [
            NamedScenario("thermostatIsFound", file: "ThermostatIsFound.swift", thermostatIsFound),
            NamedScenario("programsAreRun", file: "ProgramsAreRun.swift", programsAreRun),
            NamedScenario("programCrashes", file: "ProgramsAreRun.swift", programCrashes),
            NamedScenario("payloadIsSent", file: "PayloadIsSent.swift", payloadIsSent),
            NamedScenario("homeIsJoined", file: "HomeIsJoined.swift", homeIsJoined),
            NamedScenario("folderIsMissing", file: "Main.swift", folderIsMissing),
        ])
    }
}

private let folderIsMissing = Scenario(
    "A scenario whose program has no folder of files does not start",
    .accessory(AccessoryProgram(named: "lamp", files: "No/Such/Folder", command: ["./lamp"]))
) { _ in }
