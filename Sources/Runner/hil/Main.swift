import HILCommand
import Scenarios

@main
enum Main {
    static func main() async {
        await Command.main(Array(CommandLine.arguments.dropFirst()), of: allScenarios)
    }
}
