import HIL
import HILCommand

/// The command `hil` with scenarios about accessories that have no board.
@main
enum Main {
    static func main() {
        Command.main(of: [
            NamedScenario("batteryIsPairedAndRead", file: "Scenarios.swift", batteryIsPairedAndRead),
            NamedScenario(
                "batteryIsReadOverStandardStreams", file: "Scenarios.swift", batteryIsReadOverStandardStreams),
            NamedScenario("batteryOnItsOwnIsPairedAndRead", file: "Scenarios.swift", batteryOnItsOwnIsPairedAndRead),
            NamedScenario("dieIsPairedAndRead", file: "Scenarios.swift", dieIsPairedAndRead),
            NamedScenario("boardIsUsedAllTheSame", file: "Scenarios.swift", boardIsUsedAllTheSame),
            NamedScenario("boardIsBrokenAllTheSame", file: "Scenarios.swift", boardIsBrokenAllTheSame),
            NamedScenario("batteryCrashes", file: "Scenarios.swift", batteryCrashes),
            NamedScenario("nonsenseIsCutOff", file: "Scenarios.swift", nonsenseIsCutOff),
            NamedScenario("programIsMissing", file: "Scenarios.swift", programIsMissing),
            NamedScenario("folderIsMissing", file: "Scenarios.swift", folderIsMissing),
            NamedScenario("floodIsBounded", file: "Scenarios.swift", floodIsBounded),
            NamedScenario("familyIsLeftBehind", file: "Scenarios.swift", familyIsLeftBehind),
        ])
    }
}
