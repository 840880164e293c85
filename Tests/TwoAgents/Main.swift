import Command
import Scenarios

/// The command `hil` on rigs of two agents and nothing more: for every scenario that needs no more than that.
@main
enum Main {
    static func main() async {
        await Command.main(Array(CommandLine.arguments.dropFirst()), of: allScenarios, on: .twoAgents)
    }
}
