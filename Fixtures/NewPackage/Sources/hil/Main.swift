import HILCommand
import Scenarios

/// The command `hil` with the scenarios of this package.
@main
enum Main {
    static func main() { Command.main(of: allScenarios, accessories: allAccessories) }
}
