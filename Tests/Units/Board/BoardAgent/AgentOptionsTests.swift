import BoardProtocol
import Testing

@testable import BoardAgent

@Suite struct AgentOptionsTests {
    @Test func theKernelsCommandLineGivesTheRole() throws {
        let options = try AgentOptions([], kernelCommandLine: "console=ttyS0 hil.role=accessory panic=-1\n")
        #expect(options.role == .accessory)
        #expect(options.port == .device("/dev/vport0p1"))
        #expect(options.journal == "/dev/vport0p4")
        #expect(options.shell == "/dev/vport0p5")
        #expect(try AgentOptions([], kernelCommandLine: "quiet xhil.role=accessory").role == .host)
    }

    @Test func argumentsOverrideTheKernelsCommandLine() throws {
        let options = try AgentOptions(
            ["--stdio", "--role", "host", "--interface", "wlan1"], kernelCommandLine: "hil.role=accessory")
        #expect(options.role == .host)
        #expect(options.port == .standardStreams)
        #expect(options.journal == nil)
        #expect(options.shell == nil)
        #expect(options.interface == "wlan1")
        #expect(try AgentOptions(["--stdio", "--journal", "/x"], kernelCommandLine: "").journal == "/x")
    }

    @Test(arguments: [["--role"], ["--role", "phone"], ["--port"], ["accessory"], ["--Role", "host"]])
    func mistakesAreNamed(_ arguments: [String]) {
        #expect(throws: AgentOptions.Mistake.self) { try AgentOptions(arguments, kernelCommandLine: "") }
    }

    @Test func anUnknownRoleOfTheKernelIsAnError() {
        #expect(throws: AgentOptions.Mistake.self) { try AgentOptions([], kernelCommandLine: "hil.role=phone") }
    }
}
