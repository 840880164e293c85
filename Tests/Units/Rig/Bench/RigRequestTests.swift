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

    @Test("A phone in a hand needs an accessory board, and nothing else")
    func hand() {
        #expect(parse("hand,pi-acc") == .hand(accessory: .ssh("pi-acc")))
        #expect(parse("hand,local") == .hand(accessory: .local))
        #expect(parse("hand,virtual") == .hand(accessory: nil))
        for text in ["hand,pi-acc", "hand,virtual"] { #expect(parse(text)?.description == text) }
        func why(_ text: String) -> String? {
            do throws(RigRequest.Mistake) { _ = try RigRequest(text) } catch { return error.description }
            return nil
        }
        for text in ["hand", "hand,", "hand,none"] {
            #expect(why(text)?.hasSuffix("nothing would see what the phone does") == true, "\(text)")
        }
        #expect(why("hand,pi-acc,home=pi-home")?.hasSuffix("the home's router needs a host board") == true)
        #expect(why("pi-host,hand") == "the hand is in the host's place: hand,pi-host, not “pi-host,hand”")
        #expect(why("hand,hand") != nil)
        let bench = BenchAddress(host: nil, accessory: .ssh("b"))
        #expect(bench.name == "b")
        #expect(HeldBench.places(of: bench).map(\.part) == ["accessory"])
    }

    @Test("The home's network: a second interface, a further board, or a real network")
    func homes() {
        func home(_ text: String) -> BenchHome? {
            guard case .boards(let bench)? = parse("pi-host,pi-acc,home=\(text)") else { return nil }
            return bench.home
        }
        #expect(home("pi-host/wlan1") == .interface("wlan1"))
        #expect(home("pi-home") == .board(.ssh("pi-home")))
        #expect(home("network:Living Room, 2nd floor") == .network("Living Room, 2nd floor"))
        for text in [
            "", "pi-host", "pi-acc", "pi-acc/wlan1", "other/wlan1", "pi-host/", "pi-host/-x", "none", "network:",
        ] {
            #expect(home(text) == nil, "\(text)")
        }
        #expect(parse("pi-host,pi-acc,pi-home") == nil)
        for text in ["pi-host,none,home=pi-host/wlan1", "pi-host,pi-acc,home=network:A, B", "a,b,home=c"] {
            #expect(parse(text)?.description == text)
        }
        #expect(BenchAddress(host: .ssh("a"), accessory: .ssh("b"), home: .board(.ssh("c"))).name == "a+b+c")
    }

    @Test("A bench has a board for each part, the host board first")
    func parts() {
        let bench = BenchAddress(host: .ssh("a"), accessory: .ssh("b"), home: .board(.ssh("c")))
        #expect(HeldBench.places(of: bench).map(\.part) == ["host", "accessory", "home"])
        #expect(HeldBench.places(of: bench).map(\.homeInterface) == [nil, nil, nil])
        let second = BenchAddress(host: .ssh("a"), accessory: nil, home: .interface("wlan1"))
        #expect(HeldBench.places(of: second).map(\.homeInterface) == ["wlan1"])
    }

    @Test("What a bench can do depends on its home")
    func capabilities() {
        func has(_ home: BenchHome?) -> [Bool] {
            let description = BenchRigs.description(hasAccessory: true, home: home)
            return [.homeNetwork, .homeRouter, .homeControl].map { description.has($0) }
        }
        #expect(has(nil) == [true, false, true])
        #expect(has(.interface("wlan1")) == [true, true, true])
        #expect(has(.board(.ssh("c"))) == [true, true, true])
        #expect(has(.network("Home")) == [true, true, false])
        let lack = BenchRigs.description(hasAccessory: true, home: .network("Attic")).lack(of: [.homeControl])
        #expect(lack?.description.contains("“Attic” is a real network") == true)
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
