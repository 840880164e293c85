import HIL
import HILCommand

/// The command `hil` with scenarios about the phone's Bluetooth host and the host stacks of others.
@main
enum Main {
    static func main() {
        Command.main(of: [
            NamedScenario("otherStackPairs", file: "OtherStackPairs.swift", otherStackPairs),
            NamedScenario("otherStackIsRefused", file: "OtherStackIsRefused.swift", otherStackIsRefused),
        ])
    }
}
