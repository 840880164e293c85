import Testing

@testable import HILBench

@Suite("The rig that a command line names")
struct RigRequestTests {
    private func parse(_ text: String) -> RigRequest? { try? RigRequest(text) }

    @Test("Two boards by name, this machine, and an accessory that is a device")
    func boards() {
        #expect(parse("pi-host,pi-acc") == .boards(BenchAddress(host: .ssh("pi-host"), accessory: .ssh("pi-acc"))))
        #expect(parse("local,kim@10.0.0.7") == .boards(BenchAddress(host: .local, accessory: .ssh("kim@10.0.0.7"))))
        #expect(parse("pi-host,none") == .boards(BenchAddress(host: .ssh("pi-host"), accessory: nil)))
        #expect(parse("[fe80::1%eth0],none")?.description == "[fe80::1%eth0],none")
    }

    @Test("Places of labgrid")
    func places() {
        #expect(parse("labgrid:desk-1") == .labgrid("desk-1"))
        #expect(parse("labgrid:kind=hil")?.description == "labgrid:kind=hil")
    }

    @Test(
        "What is no rig, and what ssh would take for an option",
        arguments: [
            "", ",", "pi-host", "pi-host,", ",pi-acc", "a,b,c", "none,pi-acc", "-oProxyCommand=id,pi-acc",
            "pi-host,-v", "pi host,pi-acc", "pi;id,pi-acc", "labgrid:", "pi-host,pi-host", "$(id),a",
        ])
    func mistakes(_ text: String) { #expect(parse(text) == nil) }

    @Test("What a bench is called")
    func names() {
        #expect(BenchAddress(host: .ssh("a"), accessory: .ssh("b")).name == "a+b")
        #expect(BenchAddress(host: .local, accessory: nil).name == "local")
        #expect(BenchAddress(name: "desk-1", host: .ssh("a"), accessory: nil).name == "desk-1")
    }
}
