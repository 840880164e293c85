import HIL
import HILCommand
import Scenarios

/// The command `hil` on rigs that have only two agents.
@main
enum Main {
    static func main() {
        let scenarios =
            allScenarios + [NamedScenario("undeclaredPowerCut", file: "UndeclaredPowerCut.swift", undeclaredPowerCut)]
        Command.main(Array(CommandLine.arguments.dropFirst()), of: scenarios, on: .twoAgents)
    }
}

/// Does not declare what it needs, so its rig finds out at the call.
private let undeclaredPowerCut = Scenario("A scenario that did not declare that it cuts the power is skipped") { lab in
    try await lab.rig.withFault(.powerCut(on: .accessory)) { lab.note("the power is off") }
}
