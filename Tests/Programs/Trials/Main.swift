import HIL
import HILCommand

/// The command `hil` with trials: much of one thing, which takes minutes, and what must fail.
@main
enum Main {
    static func main() {
        Command.main(of: [
            NamedScenario("lampIsConnectedOften", file: "Scenarios.swift", lampIsConnectedOften),
            NamedScenario("everyValueArrives", file: "Scenarios.swift", everyValueArrives),
            NamedScenario("lampAnswersTooLate", file: "Scenarios.swift", lampAnswersTooLate),
        ])
    }
}
