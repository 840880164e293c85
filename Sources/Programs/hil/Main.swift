import HILCommand
import Scenarios

@main
enum Main {
    static func main() {
        Command.main(Array(CommandLine.arguments.dropFirst()), of: allScenarios, accessories: allAccessories)
    }
}
