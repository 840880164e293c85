import Testing

@testable import Command

struct ArgumentsTests {
    @Test("Patterns and options, in any order and in both spellings")
    func run() throws {
        let request = try Arguments.parse([
            "run", "pairing", "--tag", "smoke", "--tag=wifi", "--out", "x", "a*b", "--format=json",
        ])
        let choice = Request.Choice(patterns: ["pairing", "a*b"], tags: ["smoke", "wifi"], format: .json)
        #expect(request == .run(choice, out: "x"))
        #expect(try Arguments.parse(["list", "--", "--tag"]) == .list(Request.Choice(patterns: ["--tag"])))
        #expect(try Arguments.parse([]) == .help)
        #expect(try Arguments.parse(["run", "--help"]) == .help)
    }

    @Test(
        "A mistake is told with what may have been meant",
        arguments: [
            (["rnu"], "there is no command “rnu”; did you mean run?"),
            (["run", "--tga", "x"], "`hil run` has no option “--tga”; did you mean --tag?"),
            (["run", "--tag"], "the option --tag needs a value"),
            (["list", "--out", "x"], "`hil list` has no option “--out”; `hil --help` shows what there is"),
            (["run", "--format", "xml"], "the format is text or json, not “xml”"),
            (["doctor", "please"], "`hil doctor` takes no “please”"),
        ])
    func mistakes(arguments: [String], message: String) {
        #expect(throws: UsageError(description: message)) { try Arguments.parse(arguments) }
    }

    @Test("The doctor finds the packages that dpkg does not have as installed")
    func packages() {
        let list = """
            # package  why
            tshark                 reads the captures
            cpio                   packs the boards' initramfs
            kmod                   finds modules
            """
        let status = """
            Package: cpio
            Status: deinstall ok config-files

            Package: kmod
            Status: install ok installed
            """
        let missing = Doctor.packages(list: list, dpkg: status)
        #expect(missing.map(\.name) == ["tshark", "cpio"])
        #expect(missing.first?.why == "reads the captures")
    }
}
