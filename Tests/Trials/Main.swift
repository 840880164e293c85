import HIL
import HILCommand

/// The command `hil` with trials of minutes: much of one thing.
@main
enum Main {
    static func main() {
        Command.main(of: [
            NamedScenario("lampIsConnectedOften", file: "Scenarios.swift", lampIsConnectedOften),
            NamedScenario("everyValueArrives", file: "Scenarios.swift", everyValueArrives),
        ])
    }
}
