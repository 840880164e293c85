import HIL

extension Room {
    /// Programs on the accessory board, and an app's URL sessions.
    static let boardPrograms = Room("board-programs") {
        [
            NamedScenario("thermostatIsFound", file: "ThermostatIsFound.swift", thermostatIsFound),
            NamedScenario("thermostatOnTheDesk", file: "ThermostatOnTheDesk.swift", thermostatOnTheDesk),
            NamedScenario("programsAreRun", file: "ProgramsAreRun.swift", programsAreRun),
            NamedScenario("programCrashes", file: "ProgramsAreRun.swift", programCrashes),
            NamedScenario("filesOfProgram", file: "FilesOfProgram.swift", filesOfProgram),
            NamedScenario("filesOfUser", file: "FilesOfProgram.swift", filesOfUser),
            NamedScenario("diskIsKept", file: "DiskIsKept.swift", diskIsKept),
            NamedScenario("diskIsFullAndCut", file: "DiskIsKept.swift", diskIsFullAndCut),
            NamedScenario("payloadIsSent", file: "PayloadIsSent.swift", payloadIsSent),
            NamedScenario("programIsSaved", file: "ProgramIsSaved.swift", programIsSaved),
            NamedScenario("programIsBrief", file: "ProgramIsSaved.swift", programIsBrief),
            NamedScenario("pagesAreLoaded", file: "PagesAreLoaded.swift", pagesAreLoaded),
            NamedScenario("homeIsJoined", file: "HomeIsJoined.swift", homeIsJoined),
            NamedScenario("packageIsMissing", file: "BoardPrograms.swift", packageIsMissing),
            NamedScenario("systemsDiffer", file: "BoardPrograms.swift", systemsDiffer),
            NamedScenario("folderIsMissing", file: "BoardPrograms.swift", folderIsMissing),
        ]
    }
}

private let packageIsMissing = Scenario(
    "A scenario whose program needs a package that does not exist does not start",
    .accessory(AccessoryProgram(named: "lamp", packages: ["hil-no-such-package"], command: ["./lamp"]))
) { _ in }

private let systemsDiffer = Scenario(
    "Each case has the system of its axis on the accessory board",
    over: Axis("accessory", [BoardSystem.debian12, .debian13])
) { lab, system in
    let program = try await lab.accessory.run(
        AccessoryProgram(command: ["cat", "/etc/debian_version"], endsByItself: true))
    let version = try await program.prints(system == .debian12 ? "12." : "13.")
    lab.note("the board has Debian \(version)")
    lab.expect(lab.rig.versions["accessory"]?["bluez"], equals: system == .debian12 ? "5.66" : "5.82", "BlueZ")
    lab.expect(lab.rig.versions["host"]?["bluez"], equals: "5.82", "the host board's BlueZ")
}

private let folderIsMissing = Scenario(
    "A scenario whose program has no folder of files does not start",
    .accessory(AccessoryProgram(named: "lamp", files: "No/Such/Folder", command: ["./lamp"]))
) { _ in }
