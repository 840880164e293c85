import Foundation

/// The programs that tests run. They are built beside the test's own program.
public enum TestProgram {
    /// What tests run beside themselves, without the command: `hil-probe ROOM …`.
    public static let probe = "hil-probe"
    /// The command with scenarios that only tests run: `hil-trials ROOM run …`.
    public static let trials = "hil-trials"

    /// The path of a program that is built with the tests.
    public static func path(of program: String) -> String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(program).path
    }
}
