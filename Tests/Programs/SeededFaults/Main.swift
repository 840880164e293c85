import HIL
import HILCommand

/// The command `hil` with three scenarios that pass, and fail for one cause each with `SEEDED_FAULTS=1` in the
/// environment: for the page, which must let a stranger name the causes.
@main
enum Main {
    static func main() {
        Command.main(of: [
            NamedScenario("dieJoinsItsNetwork", file: "Scenarios.swift", dieJoinsItsNetwork),
            NamedScenario("dieIsFoundAtOnce", file: "Scenarios.swift", dieIsFoundAtOnce),
            NamedScenario("dieGoesOnRolling", file: "Scenarios.swift", dieGoesOnRolling),
            NamedScenario("dieIsRenamed", file: "Scenarios.swift", dieIsRenamed),
        ])
    }
}
