import Command
import Scenarios

/// The command `hil` on rigs that have only two agents.
@main
enum Main {
    static func main() async {
        await Command.main(Array(CommandLine.arguments.dropFirst()), of: allScenarios, on: .twoAgents)
    }
}
